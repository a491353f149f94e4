import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Pinned credentials, which the snippets then carry. */
export interface SnippetCredentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** One message to the listener with each of four clients. */
export function snippets(at: Endpoint, pinned: SnippetCredentials): readonly Snippet[] {
  const login = pinned.username === undefined && pinned.password === undefined
    ? undefined
    : { user: pinned.username ?? "user", pass: pinned.password ?? "secret" };
  return [
    { title: "swaks", lang: "sh", code: swaks(at, login) },
    { title: "curl", lang: "sh", code: curl(at, login) },
    { title: "Node.js (nodemailer)", lang: "js", code: nodemailer(at, login) },
    { title: "Python (smtplib)", lang: "python", code: python(at, login) },
  ];
}

interface Login {
  readonly user: string;
  readonly pass: string;
}

function swaks({ hostname, port }: Endpoint, login: Login | undefined): string {
  const auth = login === undefined ? "" : ` \\
  --auth PLAIN --auth-user ${shell(login.user)} --auth-password ${shell(login.pass)}`;
  return `swaks --server ${hostname} --port ${port}${auth} \\
  --from hello@example.com --to ada@example.com \\
  --header 'Subject: Welcome' --body 'Hello Ada'`;
}

function curl({ url }: Endpoint, login: Login | undefined): string {
  const auth = login === undefined ? "" : ` \\
  --user ${shell(`${login.user}:${login.pass}`)}`;
  return `printf 'From: hello@example.com\\r\\nTo: ada@example.com\\r\\nSubject: Welcome\\r\\n\\r\\nHello Ada\\r\\n' |
  curl --silent --show-error ${url}${auth} \\
  --mail-from hello@example.com --mail-rcpt ada@example.com --upload-file -`;
}

function nodemailer({ hostname, port }: Endpoint, login: Login | undefined): string {
  const auth = login === undefined ? "" : `
  auth: ${JSON.stringify(login)},`;
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

function python({ hostname, port }: Endpoint, login: Login | undefined): string {
  // JSON text is a Python literal too.
  const auth = login === undefined
    ? ""
    : `    smtp.login(${JSON.stringify(login.user)}, ${JSON.stringify(login.pass)})\n`;
  return `import smtplib
from email.message import EmailMessage

message = EmailMessage()
message["From"] = "hello@example.com"
message["To"] = "ada@example.com"
message["Subject"] = "Welcome"
message.set_content("Hello Ada")

with smtplib.SMTP(${JSON.stringify(hostname)}, ${port}) as smtp:
${auth}    smtp.send_message(message)`;
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
