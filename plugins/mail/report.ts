/** Presentation of emails in reports. */
import type { CapturedEvent, PluginReport, ReportPart } from "../../core/plugin.ts";
import type { Address, MailMessage } from "./model.ts";
import { showHtml } from "./pictures.ts";

/** Headers that are already shown above the bodies. */
const SHOWN = new Set(["from", "to", "cc", "bcc", "reply-to", "subject"]);

/** Like the mail tab: addresses, both bodies, files, header. */
export const REPORT: PluginReport = {
  async parts(event, { blobs }) {
    const mail = (event as CapturedEvent<MailMessage>).payload;
    const { text, html, headers = {}, attachments = [] } = mail;
    const parts: ReportPart[] = [{ kind: "facts", rows: rowsOf(mail) }];
    if (html) {
      const page = await showHtml(html, mail, { blobs, pictures: true, links: "inert" });
      parts.push({ kind: "page", label: "HTML", html: page });
    }
    if (text) parts.push({ kind: "text", label: "Text", text });
    for (const { filename, content_type: type, blob } of attachments) {
      parts.push({ kind: "file", name: filename, type, blob });
    }
    const rows = Object.entries(headers).filter(([name]) => !SHOWN.has(name.toLowerCase()))
      .flatMap(([name, values]) => values.map((value) => [name, value]));
    if (rows.length > 0) {
      parts.push({ kind: "table", label: "Header", columns: ["Name", "Value"], rows });
    }
    return parts;
  },
};

function rowsOf({ from, to, cc, bcc, reply_to, subject }: MailMessage) {
  return [
    ["From", shown([from])],
    ["To", shown(to)],
    ["Cc", shown(cc)],
    ["Bcc", shown(bcc)],
    ["Reply to", shown(reply_to)],
    ["Subject", subject],
  ] as const;
}

function shown(addresses: readonly Address[] = []): string {
  return addresses.map(({ name, email }) => name ? `${name} <${email}>` : email).join(", ");
}
