/** The `nodemailer` package of npm, on Node. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type NodeProject, requireNode, runOk } from "../support/clients.ts";
import type { TestService } from "../support/service.ts";
import { attachmentBytes, mails, startSmtp } from "../support/smtp.ts";

/** Returns the JSON output of a script. `transport` creates a transport with more options. */
async function run(project: NodeProject, service: TestService, code: string): Promise<unknown> {
  const { hostname, port } = service.endpoint("smtp");
  const script = `import nodemailer from "nodemailer";
const transport = (options = {}) =>
  nodemailer.createTransport({ host: "${hostname}", port: ${port}, ...options });
const print = (value) => console.log(JSON.stringify(value));
const failure = (error) => [error.code, error.responseCode, error.response];
${code}`;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await runOk(project.node, args, { cwd: project.folder });
  return JSON.parse(stdout);
}

function nodemailer(t: Deno.TestContext): Promise<NodeProject | undefined> {
  return requireNode(t);
}

Deno.test("nodemailer sends text, HTML, a picture and a file", async (t) => {
  const project = await nodemailer(t);
  if (project === undefined) return;
  await using service = await startSmtp();
  const info = await run(
    project,
    service,
    `const info = await transport().sendMail({
  from: '"Ada, Countess" <ada@example.com>',
  to: ["bob@example.com", { name: "Çağla", address: "cagla@example.com" }],
  cc: "carol@example.com",
  bcc: "dave@example.com",
  replyTo: "reply@example.com",
  subject: "Grüße ☺ " + "long ".repeat(30),
  text: "Hello\\n.\\n..dots\\nČeština",
  html: '<p>Hello <img src="cid:logo@x"></p>',
  headers: { "X-Campaign": "spring" },
  attachments: [
    { filename: "logo.png", content: Buffer.from([137, 80, 78, 71]), cid: "logo@x" },
    { filename: "Übersicht für «alle» ".repeat(5) + ".pdf", content: "%PDF-" },
    { filename: "note.txt", content: "a note\\r\\n" },
  ],
});
print([info.response, info.accepted, info.rejected, info.envelope]);`,
  );
  const [event] = mails(service);
  assert(event !== undefined, "no event");
  const recipients = ["bob", "cagla", "carol", "dave"].map((name) => `${name}@example.com`);
  assertEquals(info, [
    `250 2.0.0 OK: captured as ${event.id}`,
    recipients,
    [],
    { from: "ada@example.com", to: recipients },
  ]);
  const { payload } = event;
  assertEquals(payload.from, { email: "ada@example.com", name: "Ada, Countess" });
  assertEquals(payload.to, [
    { email: "bob@example.com" },
    { email: "cagla@example.com", name: "Çağla" },
  ]);
  assertEquals(payload.cc, [{ email: "carol@example.com" }]);
  assertEquals(payload.bcc, [{ email: "dave@example.com" }]);
  assertEquals(payload.reply_to, [{ email: "reply@example.com" }]);
  assertEquals(payload.subject, `Grüße ☺ ${"long ".repeat(30)}`);
  assertEquals(payload.text, "Hello\n.\n..dots\nČeština");
  assertEquals(payload.html, '<p>Hello <img src="cid:logo@x"></p>');
  assertEquals(payload.headers?.["X-Campaign"], ["spring"]);
  assertEquals(
    payload.attachments?.map(({ filename, content_type, inline, content_id }) => ({
      filename,
      content_type,
      inline,
      content_id,
    })),
    [
      { filename: "logo.png", content_type: "image/png", inline: true, content_id: "logo@x" },
      {
        filename: "Übersicht für «alle» ".repeat(5) + ".pdf",
        content_type: "application/pdf",
        inline: false,
        content_id: undefined,
      },
      { filename: "note.txt", content_type: "text/plain", inline: false, content_id: undefined },
    ],
  );
  assertEquals(new TextDecoder().decode(await attachmentBytes(service, event, 2)), "a note\r\n");
  assertEquals(event.meta.parse_warnings, undefined);
});

Deno.test("text that nodemailer wraps comes back as it was written", async (t) => {
  const project = await nodemailer(t);
  if (project === undefined) return;
  await using service = await startSmtp();
  const text = `${
    "A paragraph that is longer than a line may be. ".repeat(6).trim()
  }\n\n> quoted\nend`;
  await run(
    project,
    service,
    `for (const text of [${JSON.stringify(text)}, ${JSON.stringify(text + " ümlaut")}]) {
  await transport().sendMail({ from: "a@example.com", to: "b@example.com", text });
}
print(null);`,
  );
  assertEquals(mails(service).map(({ payload }) => payload.text), [text, `${text} ümlaut`]);
});

Deno.test("nodemailer sends to non-ASCII addresses", async (t) => {
  const project = await nodemailer(t);
  if (project === undefined) return;
  await using service = await startSmtp();
  await run(
    project,
    service,
    `await transport().sendMail({ from: "a@example.com", to: "δοκιμή@bücher.example", text: "x" });
print(null);`,
  );
  const [event] = mails(service);
  const { rcpt_to } = event?.meta.envelope as { rcpt_to: string[] };
  assertMatch(rcpt_to[0] ?? "", /^δοκιμή@(bücher|xn--bcher-kva)\.example$/);
  assertEquals(event?.meta.smtputf8, true);
  assertEquals(event?.meta.parse_warnings, undefined);
});

Deno.test("nodemailer sends a hundred messages through a pool", async (t) => {
  const project = await nodemailer(t);
  if (project === undefined) return;
  await using service = await startSmtp();
  const ids = await run(
    project,
    service,
    `const pool = transport({ pool: true, maxConnections: 5, maxMessages: 30 });
const sent = await Promise.all(Array.from({ length: 100 }, (_, n) =>
  pool.sendMail({ from: "a@example.com", to: "b@example.com", subject: "n" + n, text: "x" })));
pool.close();
print(sent.map((info) => info.response.split(" ").at(-1)));`,
  );
  const events = mails(service);
  assertEquals((ids as string[]).toSorted(), events.map(({ id }) => id).toSorted());
  assertEquals(new Set(events.map(({ payload }) => payload.subject)).size, 100);
  assertEquals(service.rejected.list(), []);
});

Deno.test("nodemailer authenticates, and reports refusals by their codes", async (t) => {
  const project = await nodemailer(t);
  if (project === undefined) return;
  await using service = await startSmtp({
    username: "ada",
    password: "s3cret",
    max_message_bytes: 3000,
    max_recipients: 2,
  });
  const answers = await run(
    project,
    service,
    `const auth = { user: "ada", pass: "s3cret" };
const mail = { from: "a@example.com", to: "b@example.com", text: "x" };
const attempt = (options, more) => transport(options).sendMail({ ...mail, ...more })
  .then((info) => [info.accepted.length, info.rejected.length], failure);
print([
  await attempt({ auth }),
  await attempt({ auth: { ...auth, method: "LOGIN" } }),
  await attempt({ auth: { user: "ada", pass: "wrong" } }),
  await attempt({}),
  await attempt({ auth }, { text: "x".repeat(5000) }),
  await attempt({ auth }, { to: ["a@b.example", "c@d.example", "e@f.example"] }),
]);`,
  );
  assertEquals(answers, [
    [1, 0],
    [1, 0],
    ["EAUTH", 535, "535 5.7.8 Authentication credentials invalid"],
    ["EENVELOPE", 530, "530 5.7.0 Authentication required"],
    ["EMESSAGE", 552, "552 5.3.4 Message too large: at most 3000 octets are accepted"],
    [2, 1],
  ]);
  assertEquals(mails(service).length, 3);
});

Deno.test("nodemailer upgrades with STARTTLS, and speaks TLS from the first byte", async (t) => {
  const project = await nodemailer(t);
  if (project === undefined) return;
  await using service = await startSmtp({ starttls: true, tls_port: 0 });
  const { port } = service.endpoint("mail/smtp/tls");
  await run(
    project,
    service,
    `const mail = { from: "a@example.com", to: "b@example.com", text: "x" };
const tls = { rejectUnauthorized: false };
await transport({ requireTLS: true, tls }).sendMail(mail);
await transport({ secure: true, port: ${port}, tls }).sendMail(mail);
print(null);`,
  );
  assertEquals(mails(service).map(({ meta }) => meta.tls), [true, true]);
});
