import { assert, assertEquals } from "@std/assert";
import type { Snippet } from "../../core/plugin.ts";
import { requireClient, requireNode, runOk } from "../support/clients.ts";
import type { TestService } from "../support/service.ts";
import { mails, startSmtp } from "../support/smtp.ts";

const PINNED = { username: "ada o'hara", password: `it's "s3cret" $HOME` };
const env = { SMTP_PASSWORD: PINNED.password };

/** The snippet as the read-back API shows it. */
async function snippet(service: TestService, title: string): Promise<string> {
  const plugins = await service.getJson<
    { providers: { name: string; snippets: Snippet[] }[] }[]
  >("/plugins");
  const smtp = plugins.flatMap(({ providers }) => providers).find(({ name }) => name === "smtp");
  const found = smtp?.snippets.find((item) => item.title === title);
  assert(found !== undefined, `no snippet "${title}"`);
  return found.code;
}

/** Runs a snippet against a listener without and one with pinned credentials. */
async function assertRuns(title: string, run: (code: string) => Promise<unknown>): Promise<void> {
  for (const options of [{}, PINNED]) {
    await using service = await startSmtp(options);
    const code = await snippet(service, title);
    assert(!code.includes("s3cret"), "the snippet tells the password");
    await run(code);
    const [event] = mails(service);
    // swaks appends empty lines to the body.
    assertEquals([event?.payload.subject, event?.payload.text?.trim()], ["Welcome", "Hello Ada"]);
    assertEquals(event?.payload.to, [{ email: "ada@example.com" }]);
    assertEquals(
      event?.meta.auth,
      "username" in options ? { mechanism: "PLAIN", ...PINNED } : undefined,
    );
  }
}

Deno.test("the swaks snippet of smtp sends a mail", async (t) => {
  if (requireClient(t, "swaks") === undefined || requireClient(t, "sh") === undefined) return;
  await assertRuns("swaks", (code) => runOk("sh", ["-c", code], { env }));
});

Deno.test("the curl snippet of smtp sends a mail", async (t) => {
  if (requireClient(t, "curl") === undefined || requireClient(t, "sh") === undefined) return;
  await assertRuns("curl", (code) => runOk("sh", ["-c", code], { env }));
});

Deno.test("the Node.js snippet of smtp sends a mail", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await assertRuns(
    "Node.js (nodemailer)",
    (code) =>
      runOk(project.node, ["--input-type=module", "--eval", code], { cwd: project.folder, env }),
  );
});

Deno.test("the Python snippet of smtp sends a mail", async (t) => {
  const python = requireClient(t, "python3");
  if (python === undefined) return;
  await assertRuns("Python (smtplib)", (code) => runOk(python, ["-c", code], { env }));
});
