/** `standin report` */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { webhook } from "../../plugins/webhook/mod.ts";
import { startService, type TestService } from "../support/service.ts";
import { runToEnd, type Said } from "./console.ts";

const run = (...args: readonly string[]): Promise<Said> => runToEnd(args, { plugins: [mail, sms] });

async function filled(config: Record<string, unknown> = {}): Promise<TestService> {
  const service = await startService({ plugins: [mail, sms], config });
  const token = typeof config.api === "object" ? ["--api-token", "sesame"] : [];
  const { code, stderr } = await run("demo", "--url", service.api.url, ...token);
  assertEquals([code, stderr], [0, ""]);
  return service;
}

async function expect(service: TestService, expectation: unknown): Promise<void> {
  const url = `${service.api.url}/api/v1/expect`;
  await (await fetch(url, { method: "POST", body: JSON.stringify(expectation) })).body?.cancel();
}

/** Runs with a folder that is removed afterwards. */
async function withFolder(use: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    await use(path);
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

Deno.test("report prints the same Markdown for an instance and for its bundle", async () => {
  await using service = await filled();
  await expect(service, { name: "a fax", plugin: "sms", count: 99, timeout: 0 });
  const { code, stdout, stderr } = await run("report", "--url", service.api.url);
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, "**1 of 1 expectation not met**");
  assertStringIncludes(stdout, "- ❌ a fax");
  assertStringIncludes(stdout, "| SendGrid (mail2) | ada\\@example.org | Reset your password");
  await withFolder(async (path) => {
    const file = `${path}/run.zip`;
    await run("export", file, "--url", service.api.url);
    assertEquals((await run("report", file)).stdout, stdout);
    const one = await run("report", file, "--plugin", "mail");
    assertEquals(one.stdout.includes("Twilio"), false);
    assertStringIncludes(one.stdout, "no expectation ran");
    const asked = await run("report", "--url", service.api.url, "--plugin", "mail");
    assertEquals(asked.stdout, one.stdout);
    assertStringIncludes(
      (await run("report", file, "--namespace", "t1")).stdout,
      "0 items captured",
    );
  });
});

Deno.test("report writes every requested format", async () => {
  await using service = await filled();
  await withFolder(async (path) => {
    const [junit, markdown, html] = [`${path}/j.xml`, `${path}/m.md`, `${path}/r.html`];
    const { code, stdout } = await run(
      ...["report", "--url", service.api.url, "--level", "error"],
      ...["--junit", junit, "--markdown", markdown, "--html", html],
    );
    assertEquals(code, 0);
    assertEquals(
      stdout,
      `${service.events.count()} items, 0 expectations (0 not met), 0 findings: ` +
        `wrote ${junit}, ${markdown}, ${html}\n`,
    );
    assertStringIncludes(await Deno.readTextFile(junit), "no finding of level error in");
    assertStringIncludes(await Deno.readTextFile(markdown), "no findings.");
    const page = await Deno.readTextFile(html);
    assert(page.startsWith("<!doctype html>\n") && page.endsWith("</html>\n"));
    assertEquals(page.match(/<details class="item"/g)?.length, service.events.count());
    await run("report", "--url", service.api.url, "--level", "info", "--html", html);
    assert((await Deno.readTextFile(html)).includes('class="finding info"'));
  });
});

Deno.test("report sends the token", async () => {
  await using service = await filled({ api: { token: "sesame" } });
  const refused = await run("report", "--url", service.api.url);
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, "set --api-token");
  const given = await run("report", "--url", service.api.url, "--api-token", "sesame");
  assertEquals(given.code, 0);
});

Deno.test("report rejects invalid arguments", async () => {
  await withFolder(async (path) => {
    const file = `${path}/run.zip`;
    await Deno.writeTextFile(file, "PK no archive");
    for (
      const [args, error] of [
        [[file], "Cannot read the bundle: "],
        [[`${path}/none.zip`], `Cannot read "${path}/none.zip"`],
        [[file, "--url", "http://localhost:1"], "Cannot use a file together with --url"],
        [[file, "--level", "warnings"], "did you mean warning?"],
        [[file, "--plugin", "mial"], "did you mean mail?"],
        [["--url", "http://127.0.0.1:1"], "Cannot reach standin at http://127.0.0.1:1"],
      ] as const
    ) {
      const { code, stderr } = await run("report", ...args);
      assertEquals(code, 1, args.join(" "));
      assertStringIncludes(stderr, error);
    }
  });
  await using service = await startService({ plugins: [mail, sms] });
  const { stderr } = await run("report", "--url", service.api.url, "--html", "/nowhere/r.html");
  assertStringIncludes(stderr, 'Cannot write "/nowhere/r.html"');
});

Deno.test("the page shows the form, the parts and the query of a webhook, and hides its secrets", async () => {
  const plugins = [webhook];
  await using service = await startService({ plugins });
  const form = new FormData();
  form.set("order", "2026-0417");
  form.set("label", new File(["^XA"], "label.zpl"));
  const headers = { authorization: "Bearer open-sesame" };
  for (const init of [{ body: form }, { body: '{"total":42}', headers }]) {
    const sent = await fetch(`${service.ingress.url}/hook/shop?lang=en`, {
      method: "POST",
      ...init,
    });
    await sent.body?.cancel();
  }
  await withFolder(async (path) => {
    const file = `${path}/r.html`;
    const { code, stderr } = await runToEnd(
      ["report", "--url", service.api.url, "--html", file],
      { plugins },
    );
    assertEquals([code, stderr], [0, ""]);
    const page = await Deno.readTextFile(file);
    const rows = ["Fields of the form", "Query parameters", "label.zpl", "lang", "JSON"];
    for (const row of [...rows, "POST /hook/shop?lang=en"]) assertStringIncludes(page, row);
    assertStringIncludes(page, "Bearer …");
    assertEquals(page.includes("open-sesame"), false);
  });
});
