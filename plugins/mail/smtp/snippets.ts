import { shellWord } from "../../../core/bytes/text.ts";
import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Pinned credentials. The snippets read the password, a secret, from `SMTP_PASSWORD`. */
export interface SnippetCredentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** One message with each of four clients. */
export function snippets(at: Endpoint, pinned: SnippetCredentials): readonly Snippet[] {
  const open = pinned.username === undefined && pinned.password === undefined;
  const user = open ? undefined : pinned.username ?? "user";
  return [
    { title: "swaks", lang: "sh", code: swaks(at, user) },
    { title: "curl", lang: "sh", code: curl(at, user) },
    { title: "Node.js (nodemailer)", lang: "js", code: nodemailer(at, user) },
    { title: "Python (smtplib)", lang: "python", code: python(at, user) },
  ];
}

function swaks({ hostname, port }: Endpoint, user: string | undefined): string {
  const auth = user === undefined ? "" : ` \\
  --auth PLAIN --auth-user ${shellWord(user)} --auth-password "$SMTP_PASSWORD"`;
  return `swaks --server ${hostname} --port ${port}${auth} \\
  --from hello@example.com --to ada@example.com \\
  --header 'Subject: Welcome' --body 'Hello Ada'`;
}

function curl({ url }: Endpoint, user: string | undefined): string {
  const auth = user === undefined ? "" : ` \\
  --user ${shellWord(`${user}:`)}"$SMTP_PASSWORD"`;
  return `printf 'From: hello@example.com\\r\\nTo: ada@example.com\\r\\nSubject: Welcome\\r\\n\\r\\nHello Ada\\r\\n' |
  curl --silent --show-error ${url}${auth} \\
  --mail-from hello@example.com --mail-rcpt ada@example.com --upload-file -`;
}

function nodemailer({ hostname, port }: Endpoint, user: string | undefined): string {
  const auth = user === undefined ? "" : `
  auth: { user: ${JSON.stringify(user)}, pass: process.env.SMTP_PASSWORD },`;
  return `import nodemailer from "nodemailer";

const transport = nodemailer.createTransport({
  host: ${JSON.stringify(hostname)},
  port: ${port},
  secure: false,${auth}
});
const info = await transport.sendMail({
  from: "hello@example.com",
  to: "ada@example.com",
  subject: "Welcome",
  text: "Hello Ada",
});
console.log(info.response);`;
}

function python({ hostname, port }: Endpoint, user: string | undefined): string {
  // JSON text is a Python literal too.
  const auth = user === undefined
    ? ""
    : `    smtp.login(${JSON.stringify(user)}, os.environ["SMTP_PASSWORD"])\n`;
  return `${user === undefined ? "" : "import os\n"}import smtplib
from email.message import EmailMessage

message = EmailMessage()
message["From"] = "hello@example.com"
message["To"] = "ada@example.com"
message["Subject"] = "Welcome"
message.set_content("Hello Ada")

with smtplib.SMTP(${JSON.stringify(hostname)}, ${port}) as smtp:
${auth}    smtp.send_message(message)`;
}
