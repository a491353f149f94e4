/** Mails with one fault each, to compare the checks with SpamAssassin. */

/** Header fields, and a body with its type. */
export interface MailParts {
  readonly fields?: Readonly<Record<string, string | undefined>>;
  readonly text?: string;
  readonly html?: string;
}

/** A fault, the check that finds it, and SpamAssassin's rules for it, if any. */
export interface SpamCase extends MailParts {
  readonly fault: string;
  readonly check: string;
  readonly rules: RegExp;
}

const NONE = /^$/;
const TEXT = "Your order of two books about engines leaves our house in London today.";
const page = (inner: string) => `<html lang="en"><body>${inner}</body></html>`;
const DAY_MS = 86_400_000;
const dated = (days: number) => new Date(Date.now() + days * DAY_MS).toUTCString();

/** Each mail has one fault, or none. */
export const SPAM_CASES: readonly SpamCase[] = [
  { fault: "none", check: "", rules: NONE },
  {
    fault: "no Message-ID",
    check: "mail.message_id",
    rules: /^MISSING_MID$/,
    fields: { "Message-ID": undefined },
  },
  { fault: "no Date", check: "mail.date", rules: /^MISSING_DATE$/, fields: { Date: undefined } },
  {
    fault: "unreadable Date",
    check: "mail.date",
    rules: /^INVALID_DATE/,
    fields: { Date: "today at noon" },
  },
  {
    fault: "Date in five days",
    check: "mail.date",
    rules: /^DATE_IN_FUTURE/,
    fields: { Date: dated(5) },
  },
  {
    fault: "Date five days ago",
    check: "mail.date",
    rules: /^DATE_IN_PAST/,
    fields: { Date: dated(-5) },
  },
  {
    fault: "no Subject",
    check: "mail.subject",
    rules: /^MISSING_SUBJECT$/,
    fields: { Subject: undefined },
  },
  { fault: "no From", check: "mail.from", rules: /^MISSING_FROM$/, fields: { From: undefined } },
  {
    fault: "eight-bit Subject",
    check: "mail.header_8bit",
    rules: /^SUBJ_ILLEGAL_CHARS$|^SUBJECT_NEEDS_ENCODING$/,
    fields: { Subject: "Grüße aus Köln, äöü äöü" },
  },
  {
    fault: "two Subjects",
    check: "mail.header_twice",
    rules: /DUP|MULTI/,
    fields: { Subject: "One\r\nSubject: Two" },
  },
  {
    fault: "HTML only",
    check: "mail.text_part",
    rules: /^MIME_HTML_ONLY$/,
    text: "",
    html: page(`<p>${TEXT}</p>`),
  },
  {
    fault: "text unlike the HTML",
    check: "mail.text_differs",
    rules: /^MPART_ALT_DIFF/,
    text: "Look at it in a program that shows HTML.",
    html: page(`<p>${TEXT}</p>`),
  },
  {
    fault: "low contrast",
    check: "mail.contrast",
    rules: /^HTML_FONT_LOW_CONTRAST$/,
    html: page(`<p style="color:#f8f8f8;background-color:#ffffff">${TEXT}</p>`),
  },
  {
    fault: "link with another address as text",
    check: "mail.link_mismatch",
    rules: /MISMATCH|SPOOF/,
    html: page(`<p>${TEXT} <a href="https://example.net/x">https://www.example.com/order</a></p>`),
  },
  {
    fault: "placeholder",
    check: "mail.placeholder",
    rules: NONE,
    text: `Dear {{name}}, ${TEXT}`,
  },
  {
    fault: "link to localhost",
    check: "mail.private_link",
    rules: NONE,
    html: page(`<p>${TEXT} <a href="http://localhost:3000/x">Look at the order</a></p>`),
  },
  {
    fault: "picture without alt",
    check: "mail.image_alt",
    rules: NONE,
    html: page(`<p>${TEXT}</p><img src="https://example.org/a.png" width="10" height="10">`),
  },
];

/** The whole message; `at` makes its id. */
export function messageOf({ fields = {}, text = TEXT, html }: MailParts, at: number): string {
  const all: Readonly<Record<string, string | undefined>> = {
    From: "Ada <ada@example.org>",
    To: "bob@example.org",
    Subject: "Your order",
    Date: dated(0),
    "Message-ID": `<${at}@example.org>`,
    "MIME-Version": "1.0",
    ...fields,
  };
  const head = Object.entries(all).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const part = (type: string, body: string) =>
    `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}\r\n`;
  if (html === undefined) return head + part("text/plain", text);
  if (text === "") return head + part("text/html", html);
  return `${head}Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n${
    part("text/plain", text)
  }--b\r\n${part("text/html", html)}--b--\r\n`;
}
