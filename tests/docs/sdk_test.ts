/** Runs the SDK examples of the plugins' pages verbatim against a running program. */
import { assertEquals } from "@std/assert";
import { type Packages, requireNode, requirePython, runOk } from "../support/clients.ts";
import { type Block, blocksOf, nameOf } from "../support/pages.ts";
import { openTerminal, type Terminal } from "../support/pages_shell.ts";

/** Packages of the programs for Node. */
const PACKAGES: Packages = {
  "@aws-sdk/client-s3": "3.1169.0",
  "@aws-sdk/client-sesv2": "3.1169.0",
  "@aws-sdk/client-sns": "3.1169.0",
  "@getbrevo/brevo": "6.0.3",
  "@googleapis/fcm": "5.5.1",
  "@parse/node-apn": "8.1.0",
  "@sendgrid/client": "8.1.6",
  "@sendgrid/mail": "8.1.6",
  "@slack/web-api": "8.2.0",
  "@slack/webhook": "8.0.2",
  "@vonage/auth": "1.18.1",
  "@vonage/server-sdk": "3.30.1",
  "discord.js": "14.28.1",
  "firebase-admin": "14.5.1",
  grammy: "1.46.0",
  "mailgun.js": "14.0.1",
  "ms-teams-webhook": "2.2.2",
  "net-snmp": "3.29.2",
  "node-hl7-client": "3.2.0",
  "node-mailjet": "6.0.11",
  nodemailer: "10.6.0",
  postmark: "5.1.0",
  resend: "6.38.0",
  telegraf: "4.16.3",
  twilio: "6.2.0",
  "web-push": "3.6.7",
};

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
  const node = await requireNode(t, PACKAGES);
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
