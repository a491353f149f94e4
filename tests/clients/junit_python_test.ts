/** The JUnit report, read by junitparser: the library used by actions that publish test results. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { sendMail } from "../support/browser.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

interface Read {
  readonly told: readonly number[];
  readonly counted: readonly number[];
  readonly suites: readonly {
    readonly name: string;
    readonly cases: readonly {
      readonly name: string;
      readonly classname: string;
      readonly time: number;
      readonly failed: boolean;
      readonly message: string | null;
      readonly text: string | null;
    }[];
  }[];
}

const HOSTILE = `]]> <x a="1"> & 'quoted'\tand\nmore \u{1f52d}`;

Deno.test("junitparser reads every case, and its counts match the totals", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService();
  await sendMail(service, {
    subject: HOSTILE,
    html: "<p>Hello <a href=http://localhost>you</a></p>",
  });
  const expect = async (expectation: unknown): Promise<void> => {
    const url = `${service.api.url}/api/v1/expect`;
    await (await fetch(url, { method: "POST", body: JSON.stringify(expectation) })).body?.cancel();
  };
  await expect({ name: "one mail", type: "mail.message", count: 1 });
  await expect({ name: HOSTILE, type: "sms.message", timeout: 0 });
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/junit.xml`;
    const args = ["report", "--url", service.api.url, "--junit", file];
    assertEquals((await runToEnd(args, { plugins: STANDARD_PLUGINS })).stderr, "");
    const script = new URL("python/junit_read.py", import.meta.url).pathname;
    const read: Read = JSON.parse((await runOk(python, [script, file])).stdout);
    assertEquals(read.told, read.counted);
    const [expectations, checks] = read.suites;
    assertEquals([expectations?.name, checks?.name], ["expectations", "checks"]);
    const [met, missed] = expectations!.cases;
    assertEquals([met?.name, met?.failed], ["one mail", false]);
    assertEquals([missed?.name, missed?.failed], [HOSTILE, true]);
    assertStringIncludes(missed?.message ?? "", "Cannot find what was expected after 0 ms");
    assertStringIncludes(missed?.text ?? "", "Expectation: {");
    assert(checks!.cases.length > 0);
    for (const one of checks!.cases) {
      assertEquals([one.failed, one.classname], [true, "checks.mail"]);
      assertStringIncludes(one.name, HOSTILE.replace("\n", " ").slice(0, 10));
    }
    assertEquals(read.told[1], 1 + checks!.cases.length);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
