import { assertEquals } from "@std/assert";
import { closingLine, readReport, sumReports, unexpectedSkips } from "./test_report.ts";

const OUTPUT = `SKIP client: swaks is not installed (ignores "swaks sends a mail")
running 4 tests from ./tests/clients/swaks_test.ts
swaks sends a mail ... ignored (0ms)
curl posts ...
------- output -------
SKIP client: curl is not installed (ends "curl posts")
SKIP client: curl is not installed (ends "curl posts")
----- output end -----
curl posts ... ok (3ms)
left for later ... ignored (0ms)
it works ... ok (1s)

ok | 2 passed (1 step) | 0 failed | 2 ignored (4ms)
`;

Deno.test("a test that ends early for want of a client counts as skipped, once", () => {
  const report = readReport(OUTPUT, 0);
  assertEquals(closingLine(report), "1 passed, 0 failed, 3 skipped");
  assertEquals(report.skips, [
    { test: "swaks sends a mail", client: "swaks", reason: "is not installed" },
    { test: "curl posts", client: "curl", reason: "is not installed" },
    { test: "left for later" },
  ]);
});

Deno.test("failures are counted and named", () => {
  const report = readReport(
    ` FAILURES \n\nadds up => ./core/a_test.ts:3:6\n\nFAILED | 5 passed | 1 failed (12ms)\n`,
    1,
  );
  assertEquals(report, { passed: 5, failed: 1, skips: [], failures: ["adds up"] });
});

Deno.test("a run without a summary is one failure", () => {
  assertEquals(
    closingLine(readReport("error: Module not found\n", 1)),
    "0 passed, 1 failed, 0 skipped",
  );
});

Deno.test("a run whose tests pass but that ends badly is one failure", () => {
  assertEquals(readReport("ok | 5 passed | 0 failed (12ms)\n", 1).failed, 1);
});

Deno.test("levels add up", () => {
  const one = { passed: 1, failed: 2, skips: [{ test: "a" }], failures: ["b"] };
  assertEquals(closingLine(sumReports([one, one])), "2 passed, 4 failed, 2 skipped");
});

Deno.test("a skip is expected only by the name of its client", () => {
  const skips = [{ test: "a", client: "swaks" }, { test: "b", client: "wrk" }, { test: "c" }];
  assertEquals(
    unexpectedSkips(skips, "# clients\nwrk # no package\n").map(({ test }) => test),
    ["a", "c"],
  );
});
