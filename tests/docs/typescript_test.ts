/**
 * TypeScript of every page: complete programs are checked here and run by `deno test --doc`;
 * fragments run after a preamble.
 */
import { assertEquals } from "@std/assert";
import { runOk } from "../support/clients.ts";
import { scratch } from "../support/files.ts";
import { type Block, blocksOf, nameOf } from "../support/pages.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Preamble for fragments: imports, and a service with captures. */
const START = `import { assertEquals } from "@std/assert";
import { start } from "${ROOT}mod.ts";

const application = Deno.serve({ port: 0, onListen() {} }, () => new Response());
const webhook = \`http://localhost:\${application.addr.port}/status\`;
const standin = await start({
  ports: 0,
  config: { callbacks: { enabled: true }, ingress: { tls_in_memory: true } },
});

/** Sends a message from a flow of its own, as the code under test would. */
async function send(path: string, body: BodyInit, headers: Record<string, string>): Promise<void> {
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const answer = await fetch(standin.endpoint("mail3").url + path, {
    method: "POST",
    headers: { traceparent, ...headers },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  await answer.body?.cancel();
}
const json = { "content-type": "application/json", authorization: "Bearer re_any" };
const account = "AC00000000000000000000000000000000";
await send(
  "/emails",
  JSON.stringify({
    from: "Shop <shop@example.com>",
    to: "ada@example.org",
    subject: "Welcome",
    text: "Hello Ada",
    html: '<html lang="en"><title>Welcome</title><p>Hello Ada</p></html>',
  }),
  json,
);
await send(
  \`/2010-04-01/Accounts/\${account}/Messages.json\`,
  new URLSearchParams({ To: "+15558675310", From: "+15017122661", Body: "Hi", StatusCallback: webhook }),
  { authorization: \`Basic \${btoa(account + ":any")}\` },
);
await send("/services/T0/B0/x", JSON.stringify({ text: "Ada signed up" }), json);
const event = await standin.waitFor("sms.message");
`;

const END = `
await standin[Symbol.asyncDispose]();
await application.shutdown();
`;

Deno.test("every whole program of the pages type-checks", async () => {
  const pages = new Set((await blocksOf("deno test --doc")).map(({ page }) => page));
  assertEquals([...pages], ["README.md", "docs/library.md"]);
  await check(["--doc", ...pages]);
});

Deno.test("every fragment of a program in the pages type-checks and runs", async (t) => {
  const blocks = await blocksOf("typescript_test.ts");
  await using folder = await scratch();
  const file = (index: number) => `${folder.path}/part${index}.ts`;
  for (const [index, { code }] of blocks.entries()) {
    await Deno.writeTextFile(file(index), START + code + END);
  }
  await check(["--config", `${ROOT}deno.json`, ...blocks.map((_, index) => file(index))]);
  const run = async (block: Block, index: number) =>
    await t.step(nameOf(block), async () => {
      const words = ["run", "--quiet", "--no-check", "--allow-all", "--config", `${ROOT}deno.json`];
      await runOk(Deno.execPath(), [...words, "--lock=tests/deno.lock", file(index)], {
        cwd: ROOT,
        env: { HOME: folder.path, XDG_CONFIG_HOME: folder.path },
      });
    });
  for (const [index, block] of blocks.entries()) await run(block, index);
});

async function check(args: readonly string[]): Promise<void> {
  await runOk(Deno.execPath(), ["check", "--quiet", "--lock=tests/deno.lock", ...args], {
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    timeoutMs: 90_000,
  });
}
