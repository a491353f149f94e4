/** Mails of two sizes, and the load that sends them. */
import { runOk } from "../support/clients.ts";
import type { SmtpLoad, SmtpRate } from "./smtp_load.ts";

const CONNECTIONS = 16;

const HEADER = "From: Example Shop <shop@example.com>\r\nTo: Ada <ada@example.org>\r\n" +
  "Subject: =?utf-8?q?Your_order_is_on_its_way_=E2=9C=93?=\r\n" +
  "Date: Sat, 31 Jan 2026 12:00:00 +0000\r\nMessage-ID: <1@example.com>\r\nMIME-Version: 1.0\r\n";
const LINE = "Your order is on its way and should arrive on Thursday.\r\n";

/** About 1 KB of plain text. */
export const SMALL = `${HEADER}Content-Type: text/plain; charset=utf-8\r\n\r\n${
  LINE.repeat(12)
}.\r\n`;

/** Text, HTML and an attachment, about 100 KB. */
export const MEDIUM = [
  `${HEADER}Content-Type: multipart/mixed; boundary=m`,
  "",
  "--m",
  "Content-Type: multipart/alternative; boundary=a",
  "",
  "--a",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  `Gr=C3=BC=C3=9Fe\r\n${LINE.repeat(40)}`,
  "--a",
  "Content-Type: text/html; charset=utf-8",
  "",
  `<html><body>${`<p>${LINE}</p>`.repeat(100)}</body></html>`,
  "--a--",
  "--m",
  "Content-Type: application/pdf; name=invoice.pdf",
  "Content-Disposition: attachment; filename=invoice.pdf",
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0xLjcKJeLjz9MKJVBERi0xLjcKJeLjz9MKJVBERi0xLjcKJeLjz9MKJVBERi0xLjcKJeLj\r\n".repeat(1150),
  "--m--",
  ".",
  "",
].join("\r\n");

/** Sends a mail again and again, from a separate process. */
export async function sendMails(load: Omit<SmtpLoad, "connections">): Promise<SmtpRate> {
  const options: SmtpLoad = { ...load, connections: CONNECTIONS };
  const script = new URL("smtp_load.ts", import.meta.url).pathname;
  const { stdout } = await runOk(Deno.execPath(), ["run", "--quiet", "--allow-net", script], {
    stdin: JSON.stringify(options),
    timeoutMs: (load.seconds + 20) * 1000,
  });
  return JSON.parse(stdout) as SmtpRate;
}

/** Port of the program's smtp listener. */
export async function smtpPort(api: string): Promise<number> {
  const plugins = await (await fetch(`${api}/api/v1/plugins`)).json() as {
    providers: { name: string; addr?: string }[];
  }[];
  const smtp = plugins.flatMap(({ providers }) => providers).find(({ name }) => name === "smtp");
  return Number(smtp?.addr?.split(":").at(-1));
}
