import { assertEquals } from "@std/assert";
import {
  closingLine,
  readReport,
  type SkipNote,
  sumReports,
  unexpectedSkips,
} from "./test_report.ts";

const SEQUENTIAL = `running 4 tests from ./tests/clients/swaks_test.ts
swaks sends a mail ... ignored (0ms)
curl posts ... ok (3ms)
left for later ... ignored (0ms)
it works ... ok (1s)

ok | 2 passed (1 step) | 0 failed | 2 ignored (4ms)
`;

const PARALLEL = `./tests/clients/swaks_test.ts => swaks sends a mail ... ignored (0ms)
./tests/clients/swaks_test.ts => curl posts ... ok (3ms)
./tests/clients/swaks_test.ts => left for later ... ignored (0ms)
./tests/clients/swaks_test.ts => it works ... ok (1s)

ok | 2 passed (1 step) | 0 failed | 2 ignored (4ms)
`;

const file = "file:///home/x/tests/clients/swaks_test.ts";
const reason = "is not installed";
const NOTES: readonly SkipNote[] = [
  { client: "swaks", reason, effect: "ignores", test: "swaks sends a mail", file },
  { client: "curl", reason, effect: "ends", test: "curl posts", file },
  { client: "curl", reason, effect: "ends", test: "curl posts", file },
  { client: "curl", reason, effect: "ends a step of", test: "it works", file },
];

for (const [mode, output] of [["sequential", SEQUENTIAL], ["parallel", PARALLEL]] as const) {
  Deno.test(`a test without its client counts as skipped, once, in ${mode} output`, () => {
    const report = readReport(output, 0, NOTES.map((note) => JSON.stringify(note)).join("\n"));
    assertEquals(closingLine(report), "1 passed, 0 failed, 3 skipped");
    assertEquals(report.skips, [
      { test: "swaks sends a mail", client: "swaks", reason },
      { test: "curl posts", client: "curl", reason },
      { test: "left for later" },
    ]);
  });
}

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

Deno.test("a run whose tests pass but that exits with an error is one failure", () => {
  assertEquals(readReport("ok | 5 passed | 0 failed (12ms)\n", 1).failed, 1);
});

Deno.test("levels add up", () => {
  const one = { passed: 1, failed: 2, skips: [{ test: "a" }], failures: ["b"] };
  assertEquals(closingLine(sumReports([one, one])), "2 passed, 4 failed, 2 skipped");
});

Deno.test("a skip is expected only if its client is named", () => {
  const skips = [{ test: "a", client: "swaks" }, { test: "b", client: "wrk" }, { test: "c" }];
  assertEquals(
    unexpectedSkips(skips, "# clients\nwrk # no package\n").map(({ test }) => test),
    ["a", "c"],
  );
});
