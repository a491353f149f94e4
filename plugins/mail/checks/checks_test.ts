import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import {
  newKey,
  RFC8463_KEYS,
  RFC8463_MESSAGE,
  signedMessage,
  type SigningKey,
} from "../../../tests/support/dkim.ts";
import { CHECKS } from "./mod.ts";

const mail = (fields: object, more: Partial<CheckedItem> = {}): CheckedItem => ({
  provider: "mail2",
  payload: { from: { email: "ada@example.org" }, subject: "Hello", text: "Hello", ...fields },
  ...more,
});
const html = (html: string, more: object = {}): CheckedItem => mail({ html, ...more });
const headed = (headers: Record<string, string[]>, more: object = {}) => mail({ headers, ...more });

const HEADERS = {
  From: ["Ada <ada@example.org>"],
  "Message-ID": ["<1@example.org>"],
  Date: ["Sat, 31 Jan 2026 12:00:00 +0000"],
};

/** A message received by SMTP. */
function smtp(headers: Readonly<Record<string, string[]>>, more: {
  readonly payload?: object;
  readonly envelope?: object;
  readonly raw?: string;
} = {}): CheckedItem {
  const lines = Object.entries(headers).flatMap(([name, all]) =>
    all.map((one) => `${name}: ${one}`)
  );
  const raw = more.raw ?? `${lines.join("\r\n")}\r\n\r\nHello\r\n`;
  return mail({ headers, ...more.payload }, {
    provider: "smtp",
    meta: { envelope: more.envelope ?? { mail_from: "ada@example.org" } },
    raw: { transport: "smtp", body: Uint8Array.from(raw, (character) => character.charCodeAt(0)) },
  });
}

/** A signed message, with configured keys. */
const signed = (raw: string, dkim_keys: Readonly<Record<string, string>>): CheckedItem => ({
  ...smtp({}, { raw }),
  values: { dkim_keys },
});
const keyed = ({ record }: SigningKey) => ({ "s1._domainkey.example.org": record });
const STRONG = newKey();
const TESTED = { ...STRONG, record: STRONG.record.replace("k=rsa", "t=y") };

/** A mail with this report from SpamAssassin. */
const scanned = (
  scan: object,
  spamassassin: string | undefined = "localhost:783",
): CheckedItem => ({
  ...mail({}),
  values: { spamassassin },
  state: { scanner: { scan: () => Promise.resolve(scan) } },
});
const report = (points: number, rules: readonly object[]) => ({
  report: { isSpam: points >= 5, points, required: 5, rules },
});
const GTUBE = { name: "GTUBE", points: 1000, about: "BODY: Generic Test" };

const SENTENCE = "Your order of two books about engines leaves our house in London today.";
const inline = (id: string) => ({
  attachments: [{ inline: true, content_id: id, filename: "logo.png", size: 1, blob: { id: "1" } }],
});

/** The checks of `vendor_test.ts`. */
const OF_VENDORS = /^mail\.(?:vendor_|template_|substitution$)/;

testTwins(CHECKS, {
  "mail.body_line": {
    bad: smtp(HEADERS, { raw: `From: a@b.c\r\n\r\nHello\r\n${"a".repeat(999)}\r\n` }),
    good: smtp(HEADERS, { raw: `From: a@b.c\r\n\r\nHello\r\n${"a".repeat(998)}\r\n` }),
    says: "A line of 999 octets",
  },
  "mail.attachment_type": {
    bad: mail({ attachments: [{ filename: "Setup.EXE", size: 1, blob: { id: "1" } }] }),
    good: mail({ attachments: [{ filename: "exe", size: 1, blob: { id: "1" } }] }),
    says: "Gmail refuses .exe files",
    marks: "Setup.EXE",
  },
  "mail.spam": {
    bad: scanned(report(1003.3, [GTUBE])),
    good: scanned(report(4.9, [])),
    says: "1003.3 points; from 5 up",
  },
  "mail.spam_rule": {
    bad: scanned(report(1003.3, [GTUBE])),
    good: scanned(report(-0.1, [{ name: "DKIM_VALID", points: -0.1, about: "Has a signature" }])),
    says: "GTUBE: 1000 points. BODY: Generic Test",
  },
  "mail.spam_unknown": {
    bad: scanned({ failure: "Connection refused" }),
    good: { ...scanned({ failure: "Connection refused" }), values: {} },
    says: "did not answer: Connection refused",
  },
  "mail.spam_unknown of a large mail": {
    bad: { ...scanned(report(0, [])), raw: { transport: "smtp", body: new Uint8Array(512_001) } },
    good: { ...scanned(report(0, [])), raw: { transport: "smtp", body: "Subject: a\r\n\r\nb" } },
    says: "was not queried: the message is larger than 512000 bytes",
  },
  "mail.subject": { bad: mail({ subject: undefined }), good: mail({}), marks: "" },
  "mail.subject of a message": {
    bad: smtp(HEADERS, { payload: { subject: "" } }),
    good: smtp(HEADERS),
    marks: "",
  },
  "mail.subject_length": {
    bad: mail({ subject: `${"a".repeat(70)}b` }),
    good: mail({ subject: "a".repeat(70) }),
    marks: "b",
  },
  "mail.message_id": {
    bad: smtp({ Date: HEADERS.Date }),
    good: smtp(HEADERS),
    says: "is missing",
    marks: "",
  },
  "mail.message_id malformed": {
    bad: smtp({ ...HEADERS, "Message-ID": ["1@example.org"] }),
    good: headed({}),
    marks: "Message-ID: 1@example.org",
  },
  "mail.date": {
    bad: smtp({ ...HEADERS, Date: ["Mon, 26 Jan 2026 12:00:00 +0000"] }),
    good: smtp(HEADERS),
    says: "5 days before",
    marks: "Date: Mon, 26 Jan 2026 12:00:00 +0000",
  },
  "mail.date unreadable": { bad: smtp({ ...HEADERS, Date: ["today"] }), good: smtp(HEADERS) },
  "mail.header_line": {
    bad: smtp({ ...HEADERS, References: ["<a@b> ".repeat(200)] }),
    good: smtp({ ...HEADERS, References: ["<a@b> ".repeat(100)] }),
  },
  "mail.header_8bit": {
    bad: smtp({ ...HEADERS, Subject: ["Gr\u00fc\u00dfe"] }),
    good: smtp({ ...HEADERS, Subject: ["=?utf-8?Q?Gr=C3=BC=C3=9Fe?="] }),
    marks: "\u00fc\u00dfe",
  },
  "mail.header_twice": {
    bad: smtp({ ...HEADERS, Subject: ["One", "Two"] }),
    good: smtp({ ...HEADERS, Received: ["One", "Two"] }),
    marks: "Subject: Two",
  },
  "mail.charset": {
    bad: smtp({ ...HEADERS, "Content-Type": ["text/plain; charset=utf-99"] }),
    good: smtp({ ...HEADERS, "Content-Type": ['text/plain; charset="ISO-8859-15"'] }),
    says: '"utf-99" is not a charset',
    marks: "utf-99",
  },
  "mail.charset with wrong octets": {
    bad: smtp(HEADERS, { payload: { text: "Gr\ufffd\ufffde" } }),
    good: smtp(HEADERS),
    marks: "\ufffd",
  },
  "mail.from": { bad: mail({ from: { email: "" } }), good: mail({}) },
  "mail.from of a message": {
    bad: smtp({ Date: HEADERS.Date }),
    good: smtp(HEADERS),
    says: "From is missing",
    marks: "",
  },
  "mail.from_freemail": {
    bad: mail({ from: { email: "shop@gmail.com" } }),
    good: mail({ from: { email: "shop@gmail.example.com" } }),
  },
  "mail.return_path": {
    bad: smtp(HEADERS, { envelope: { mail_from: "b@bounces.example.net" } }),
    good: smtp(HEADERS, { envelope: { mail_from: "b@bounces.example.org" } }),
    marks: "From: Ada <ada@example.org>",
  },
  "mail.dkim_domain": {
    bad: headed({ "DKIM-Signature": ["v=1; a=rsa-sha256; d=esp.net; s=a; h=from; bh=x; b=y"] }),
    good: headed({
      "DKIM-Signature": [
        "v=1; a=rsa-sha256; d=esp.net; s=a; h=from; bh=x; b=y",
        "v=1; a=rsa-sha256; d=mail.example.org; s=a; h=from; bh=x; b=y",
      ],
    }),
  },
  "mail.dkim": {
    bad: headed({ "DKIM-Signature": ["v=1; a=rsa-sha1; d=example.org; s=a; h=to; b=y"] }),
    good: headed({
      "DKIM-Signature": ["v=1; a=ed25519-sha256; d=example.org; s=a; h=To : From; bh=x=; b=y="],
    }),
    says: "lacks bh",
  },
  "mail.dkim_verify": {
    bad: signed(RFC8463_MESSAGE.replace("hungry", "thirsty"), RFC8463_KEYS),
    good: signed(RFC8463_MESSAGE, RFC8463_KEYS),
    says: "the body was changed after it was signed",
  },
  "mail.dkim_verify without keys": {
    bad: signed(RFC8463_MESSAGE.replace("dinner", "supper"), RFC8463_KEYS),
    good: signed(RFC8463_MESSAGE.replace("dinner", "supper"), {}),
    says: "header fields were changed",
  },
  "mail.dkim_unknown_key": {
    bad: signed(RFC8463_MESSAGE, keyed(STRONG)),
    good: signed(RFC8463_MESSAGE, RFC8463_KEYS),
    says: "dkim_keys does not have brisbane._domainkey.football.example.com",
  },
  "mail.dkim_key": {
    bad: signed(RFC8463_MESSAGE, RFC8463_KEYS),
    good: signed(signedMessage(STRONG), keyed(STRONG)),
    says: "The key has 1024 bits",
  },
  "mail.dkim_key of a test": {
    bad: signed(signedMessage(TESTED), keyed(TESTED)),
    good: signed(signedMessage(STRONG), keyed(STRONG)),
    says: "The key has t=y",
  },
  "mail.dkim_length": {
    bad: signed(signedMessage(STRONG, { tags: { l: "7" } }), keyed(STRONG)),
    good: signed(signedMessage(STRONG), keyed(STRONG)),
    says: "Only 7 octets",
  },
  "mail.text_part": {
    bad: html(`<p>${SENTENCE}</p>`, { text: undefined }),
    good: html(`<p>${SENTENCE}</p>`, { text: SENTENCE }),
    marks: "",
  },
  "mail.text_differs": {
    bad: html(`<p>${SENTENCE}</p>`, { text: "This mail needs a program that shows HTML" }),
    good: html(`<h1>Hi</h1><p>${SENTENCE}</p>`, { text: `${SENTENCE} https://example.org/x` }),
    marks: "This mail needs a program that shows HTML",
  },
  "mail.empty": {
    bad: mail({ text: " ", html: "<p> </p>" }),
    good: mail({ text: "", html: '<img src="https://example.org/a.png" alt="">' }),
    marks: "",
  },
  "mail.clipped": {
    bad: html(`<p>a${"é".repeat(51 * 1024 - 2)}<br>${"é".repeat(1024)}</p>`),
    good: html(`<p>${"é".repeat(50 * 1024)}</p>`),
    says: "104 KB",
    marks: `<br>${"é".repeat(116)}…`,
  },
  "mail.size": {
    bad: mail({}, { raw: { body: new Uint8Array(26 * 1024 * 1024) } }),
    good: mail({}, { raw: { body: new Uint8Array(1024) } }),
  },
  "mail.placeholder": {
    bad: html("<p>Dear {{ first_name }},</p>"),
    good: html("<style>@media{a{b:c}}</style><p>Dear Ada,</p>"),
    marks: "{{ first_name }}",
  },
  "mail.placeholder in a subject": {
    bad: mail({ subject: "[object Object], welcome" }),
    good: mail({ subject: "{{name}}" }, { meta: { template_language: true } }),
  },
  "mail.private_link": {
    bad: html('<a href="http://localhost:3000/x?a&amp;b">Confirm the order</a>'),
    good: html('<a href="https://example.org/x">Confirm the order</a>'),
    says: "localhost",
  },
  "mail.link_empty": {
    bad: html('<a href="#">Confirm the order</a>'),
    good: html('<a href="#top">To the top</a><a name="top"></a>'),
    marks: '<a href="#">',
  },
  "mail.link_relative": {
    bad: html('<a href="/confirm">Confirm the order</a>'),
    good: html('<a href="mailto:a@b.c">Write to us</a> <a href="{{url}}">Confirm the order</a>'),
  },
  "mail.link_http": {
    bad: html('<a href="http://example.org">Our shop</a>'),
    good: html('<a href="https://example.org">Our shop</a>'),
  },
  "mail.link_mismatch": {
    bad: html('<a href="https://evil.example.net/">https://bank.example.com/login</a>'),
    good: html(
      '<a href="https://www.example.com/x?y">example.com</a> <a href="https://click.example.com">www.example.com/a</a>',
    ),
    says: "The text shows bank.example.com, but the link points to evil.example.net",
  },
  "mail.link_text": {
    bad: html('<a href="https://example.org"><b>Click here</b></a>'),
    good: html(
      '<a href="https://example.org"><img src="https://example.org/a.png" alt="Our shop"></a>',
    ),
  },
  "mail.image_alt": {
    bad: html('<img src="https://example.org/a.png" width="1">'),
    good: html('<img src="https://example.org/a.png" width="1" alt="">'),
  },
  "mail.image_width": {
    bad: html('<img src="https://example.org/a.png" alt="">'),
    good: html('<img src="https://example.org/a.png" alt="" style="border:0;width:100%">'),
  },
  "mail.image_data": {
    bad: html('<img src="data:image/png;base64,AAAA" alt="">'),
    good: html('<img src="cid:logo" alt="">', inline("logo")),
  },
  "mail.image_missing": {
    bad: html('<img src="cid:logo2" alt="">', inline("logo")),
    good: html('<img src="cid:logo%40x" alt="">', inline("logo@x")),
  },
  "mail.image_unused": {
    bad: html("<p>Hello</p>", inline("logo")),
    good: html('<td background="cid:logo">Hello</td>', inline("logo")),
    marks: "logo.png",
  },
  "mail.image_relative": {
    bad: html('<img src="/a.png" alt="">'),
    good: html('<img src="//example.org/a.png" alt="">'),
  },
  "mail.list_unsubscribe": {
    bad: headed({ Precedence: ["bulk"] }),
    good: headed({ Precedence: ["bulk"], "List-Unsubscribe": ["<https://example.org/u>"] }),
  },
  "mail.list_unsubscribe of a message": {
    bad: smtp({ ...HEADERS, Precedence: ["bulk"] }),
    good: smtp(HEADERS),
    marks: "",
  },
  "mail.list_unsubscribe by its text": {
    bad: html('<a href="https://example.org/u">Unsubscribe</a>'),
    good: mail({ text: "Your invoice" }),
    marks: "Unsubscribe",
  },
  "mail.one_click": {
    bad: headed({ "List-Unsubscribe": ["<mailto:u@example.org>"] }),
    good: headed({
      "List-Unsubscribe": ["<mailto:u@example.org>, <https://example.org/u>"],
      "List-Unsubscribe-Post": ["List-Unsubscribe=One-Click"],
    }),
  },
  "mail.one_click of a message": {
    bad: smtp({ ...HEADERS, "List-Unsubscribe": ["<https://example.org/u>"] }),
    good: smtp({
      ...HEADERS,
      "List-Unsubscribe": ["<https://example.org/u>"],
      "List-Unsubscribe-Post": ["List-Unsubscribe=One-Click"],
    }),
    says: "List-Unsubscribe-Post is missing",
    marks: "List-Unsubscribe: <https://example.org/u>",
  },
  "mail.unsubscribe_link": {
    bad: headed({ "List-Unsubscribe": ["<https://example.org/u>"] }),
    good: headed({ "List-Unsubscribe": ["<https://example.org/u>"] }, {
      text: "To unsubscribe: …",
    }),
    marks: "",
  },
  "mail.preheader": {
    bad: html("<div>View this email in your browser</div><p>News</p>"),
    good: html("<div>Three books that you will like</div><p>View it in your browser</p>"),
    marks: "View this email in your browser",
  },
  "mail.preheader that repeats": { bad: html("<h1>Hello</h1>"), good: html("<h1>Hi, Ada</h1>") },
  "mail.language": {
    bad: html("<html><p>Hello</p></html>"),
    good: html('<html lang="en"><p>Hello</p></html>'),
    marks: "<html>",
  },
  "mail.language without an element for it": {
    bad: html("<p>Hello</p>"),
    good: html('<p lang="en">Hello</p>'),
    marks: "",
  },
  "mail.table_role": {
    bad: html("<table><tr><td>Hello</td></tr></table>"),
    good: html(
      '<table role="presentation"><tr><td>Hello<table><tr><th>Price</th></tr></table></td></tr></table>',
    ),
  },
  "mail.contrast": {
    bad: html('<div style="background:#fff url(x.png)"><p style="color:#999999">Hello</p></div>'),
    good: html(
      '<div style="background-color:#333"><p style="color:#ddd">Hello</p></div>' +
        '<p style="color:#999;background-image:url(x.png)">Hello</p>' +
        '<p style="color:#949494;font-size:24px">Hello</p>' +
        '<p style="display:none;color:#fff">Preheader</p>',
    ),
    says: "A contrast of 2.8; expected at least 4.5",
    marks: '<p style="color:#999999">',
  },
  "mail.contrast of a style sheet": {
    bad: html(
      "<style>@media screen { .card > div p.note, td { color: #999 !important } }</style>" +
        '<div class="card"><div><div><p class="small note" style="color:#000">Hello</p></div></div></div>',
    ),
    good: html(
      "<style>p { color: #999 } .card p { color: #333 } #top { color: #222 } p:hover { color: #fff }" +
        "@media (prefers-color-scheme: dark) { p { color: #fff } } .preheader { display: none; color: #fff }" +
        "@supports (color: red) { p { color: #fff } } td > .x, p { }</style>" +
        '<div class="card"><p>Hello</p></div><p id="top">Hello</p><p style="color:#000">Hello</p>' +
        '<p class="preheader">Preheader</p>',
    ),
    says: "A contrast of 2.8",
    marks: '<p class="small note" style="color:#000">',
  },
  "mail.contrast of an inherited background": {
    bad: html(
      "<style>.dark{background:#222}.dark a{color:#0000ee}</style>" +
        '<div class="dark"><p><a href="https://example.org">Look at the order</a></p></div>',
    ),
    good: html(
      "<style>.dark{background:#222}.dark a{color:var(--link)} a{color:#fff}</style>" +
        '<div class="dark"><p><a href="https://example.org">Look at the order</a></p></div>',
    ),
  },
  "mail.font_size of a style sheet": {
    bad: html("<style>.legal{font-size:10px}</style><p class=legal>Terms apply</p>"),
    good: html(
      "<style>.legal{font-size:10px}</style><p class=legal style='font-size:12px'>Terms</p>",
    ),
    says: "Text of 10 pixels",
  },
  "mail.font_size": {
    bad: html('<p style="font-size:8pt">Hello</p>'),
    good: html('<p style="font-size:0.8em">Hello</p><p style="font-size:0">Preheader</p>'),
  },
  "mail.active_content": {
    bad: html("<p>Hello</p><script>alert(1)</script>"),
    good: html('<p>Hello</p><script type="application/ld+json">{}</script>'),
    marks: "<script>",
  },
  "mail.active_content in an attribute": {
    bad: html('<p onclick="alert(1)">Hello</p>'),
    good: html('<p once="a">Hello</p>'),
    says: "onclick is removed",
    marks: 'onclick="alert(1)"',
  },
  "mail.active_content in a frame": {
    bad: html('<iframe src="https://example.org/"></iframe><p>Hello</p>'),
    good: html("<p>Hello</p>"),
  },
  "mail.client_support": {
    bad: html('<p style="display:grid">Hello</p>'),
    good: html('<p style="margin:0">Hello</p>'),
    marks: "display:grid",
  },
  "mail.client_support of a style sheet": {
    bad: html("<style>p { color: red }\n.a:has(> b) { padding: 0 }</style><p>Hello</p>"),
    good: html("<p>Hello</p>"),
    marks: ".a:has(> b)",
  },
}, (id) => !OF_VENDORS.test(id));
