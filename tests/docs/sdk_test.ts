/** Runs the SDK examples of the plugins' pages verbatim against a running program. */
import { assertEquals } from "@std/assert";
import { requireNode, requirePython, runOk } from "../support/clients.ts";
import { lockedPackages } from "../support/locked_packages.ts";
import { type Block, blocksOf, nameOf } from "../support/pages.ts";
import { openTerminal, type Terminal } from "../support/pages_shell.ts";

const BLOCKS = await blocksOf("sdk_test.ts");

/**
 * Runs the blocks of a language, each against an empty program, and checks that something was
 * captured.
 */
async function runEach(
  t: Deno.TestContext,
  lang: string,
  run: (code: string, terminal: Terminal) => Promise<unknown>,
): Promise<void> {
  await using terminal = await openTerminal();
  const api = `${terminal.program.urls.ui}/api/v1`;
  const step = (block: Block) =>
    t.step(nameOf(block), async () => {
      await (await fetch(`${api}/reset`, { method: "POST" })).body?.cancel();
      await run(terminal.here(block.code), terminal);
      const answer = await fetch(`${api}/events/wait?timeout=5s`);
      assertEquals(answer.status, 200, await answer.text());
    });
  for (const block of BLOCKS.filter((block) => block.lang === lang)) await step(block);
}

Deno.test("every Node program on the plugin pages makes a capture", async (t) => {
  const codes = BLOCKS.filter(({ lang }) => lang === "js").map(({ code }) => code);
  const node = await requireNode(t, await lockedPackages(codes));
  if (node === undefined) return;
  const args = ["--input-type=module", "--eval"];
  await runEach(
    t,
    "js",
    (code, { env }) => runOk(node.node, [...args, code], { cwd: node.folder, env }),
  );
});

Deno.test("every Python program on the plugin pages makes a capture", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await runEach(
    t,
    "python",
    async (code, terminal) =>
      await runOk(python, ["-c", code], { cwd: await terminal.folder(), env: terminal.env }),
  );
});
