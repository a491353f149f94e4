/** Mail of a book shop, through every provider. */
import { Buffer } from "node:buffer";
import { createTransport } from "nodemailer";
import { basicAuth, jsonRequest, settingOr } from "../../core/demo.ts";
import { LOGO_PNG, pdfOf } from "../../core/demo_files.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

const SHOP = "shop@lovelace-books.example";
const ADA = { email: "ada@example.org", name: "Ada Lovelace" };
const INVOICE = pdfOf([
  "Lovelace Books",
  "",
  "Invoice 2026-0417",
  "Sketch of the Analytical Engine: 24.90 EUR",
]);
const SMTP_MS = 10_000;

const page = (title: string, inner: string): string =>
  `<!doctype html><html><body style="margin:0;background:#f4f6f8;font-family:Helvetica,Arial,sans-serif">` +
  `<div style="max-width:560px;margin:24px auto;background:#fff;border-radius:8px;padding:24px;color:#222">` +
  `<h1 style="font-size:20px;color:#1f4e79;margin:0 0 12px">${title}</h1>${inner}` +
  `<p style="color:#888;font-size:12px">Lovelace Books, 12 St James's Square, London</p></div></body></html>`;

const button = (href: string, text: string): string =>
  `<p><a href="${href}" style="display:inline-block;background:#1f4e79;color:#fff;padding:10px 18px;` +
  `border-radius:6px;text-decoration:none">${text}</a></p>`;

/** Messages with and without HTML, with files, pictures and an appointment. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "mail1",
    what: "An order confirmation with its invoice attached",
    async send(to) {
      const key = basicAuth(settingOr(to, "api_key", "demo"), settingOr(to, "secret_key", "demo"));
      await to.request("/v3.1/send", jsonRequest(orderConfirmation(), { authorization: key }));
    },
  },
  {
    provider: "mail2",
    what: "A password reset to one recipient, and a newsletter to two",
    async send(to) {
      const authorization = `Bearer ${settingOr(to, "api_key", "SG.demo")}`;
      for (const body of [passwordReset(), newsletter()]) {
        await to.request("/v3/mail/send", jsonRequest(body, { authorization }));
      }
    },
  },
  {
    provider: "mail3",
    what: "A welcome mail with tags, and a scheduled review request",
    async send(to) {
      const authorization = `Bearer ${settingOr(to, "api_key", "re_demo")}`;
      const later = new Date(to.now.getTime() + 86_400_000).toISOString();
      for (const body of [welcome(), reviewRequest(later)]) {
        await to.request("/emails", jsonRequest(body, { authorization }));
      }
    },
  },
  {
    provider: "mail4",
    what: "A receipt, rendered from a template",
    async send(to) {
      const token = settingOr(to, "server_token", "demo");
      const headers = { "x-postmark-server-token": token };
      // One from an earlier run will do.
      const held = await to.request("/templates?count=100&offset=0", { method: "GET", headers });
      if (!new TextDecoder().decode(held.body).includes(`"Alias":"receipt"`)) {
        await to.request("/templates", jsonRequest(RECEIPT, headers));
      }
      await to.request("/email/withTemplate", jsonRequest(receipt(), headers));
    },
  },
  {
    provider: "mail5",
    what: "A reminder to two readers, each with their own values",
    async send(to) {
      const authorization = basicAuth("api", settingOr(to, "api_key", "demo"));
      const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
      const domain = listOr(to, "domains", "lovelace-books.example");
      await to.request(`/v3/${domain}/messages`, { headers, body: reminder() });
    },
  },
  {
    provider: "mail6",
    what: "An invitation to a reading",
    async send(to) {
      const key = settingOr(to, "access_key", "AKIADEMO");
      const scope = `${key}/20260101/eu-west-1/ses/aws4_request`;
      const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
      const from = listOr(to, "identities", SHOP);
      const body = invitation(from.includes("@") ? from : `shop@${from}`);
      await to.request("/v2/email/outbound-emails", jsonRequest(body, { authorization }));
    },
  },
  {
    provider: "mail7",
    what: "A survey, as two versions of one message",
    async send(to) {
      const headers = { "api-key": settingOr(to, "api_key", "demo") };
      await to.request("/v3/smtp/email", jsonRequest(survey(), headers));
    },
  },
  {
    provider: "smtp",
    what:
      "A reply with a picture inside, a reading with an appointment, and an alert in plain text",
    send: sendBySmtp,
  },
];

function orderConfirmation(): unknown {
  return {
    Messages: [{
      From: { Email: SHOP, Name: "Lovelace Books" },
      To: [{ Email: ADA.email, Name: ADA.name }],
      Bcc: [{ Email: "orders@lovelace-books.example" }],
      Subject: "Your order 2026-0417 is on its way",
      TextPart: "Dear Ada,\n\nyour order is on its way. The invoice is attached.\n\nLovelace Books",
      HTMLPart: page(
        "Your order is on its way",
        `<p>Dear Ada,</p><table style="width:100%;border-collapse:collapse"><tr><td>Sketch of the Analytical ` +
          `Engine</td><td style="text-align:right">24.90 €</td></tr><tr><td><b>Total</b></td>` +
          `<td style="text-align:right"><b>24.90 €</b></td></tr></table>` +
          button("https://lovelace-books.example/orders/2026-0417", "Track the parcel"),
      ),
      Attachments: [{
        ContentType: "application/pdf",
        Filename: "invoice-2026-0417.pdf",
        Base64Content: INVOICE.toBase64(),
      }],
      CustomID: "order-2026-0417",
    }],
  };
}

const RECEIPT = {
  Name: "Receipt",
  Alias: "receipt",
  Subject: "Your receipt {{number}}",
  TextBody: "Dear {{name}},\n\n{{#each items}}{{title}}: {{price}}\n{{/each}}\nTotal: {{total}}",
  HtmlBody: page(
    "Your receipt {{number}}",
    "<p>Dear {{name}},</p><table>{{#each items}}<tr><td>{{title}}</td><td>{{price}}</td></tr>{{/each}}" +
      "<tr><td><b>Total</b></td><td><b>{{total}}</b></td></tr></table>",
  ),
};

function receipt(): unknown {
  return {
    From: `Lovelace Books <${SHOP}>`,
    To: `${ADA.name} <${ADA.email}>`,
    Tag: "receipt",
    Metadata: { order: "2026-0417" },
    TemplateAlias: "receipt",
    TemplateModel: {
      name: "Ada",
      number: "2026-0417",
      items: [{ title: "Sketch of the Analytical Engine", price: "24.90 €" }],
      total: "24.90 €",
    },
  };
}

function reminder(): string {
  const form = new URLSearchParams({
    from: `Lovelace Books <${SHOP}>`,
    subject: "%recipient.first%, your book is waiting",
    text: "Dear %recipient.first%,\n\n%recipient.title% is waiting for you at the counter.",
    "o:tag": "reminder",
    "recipient-variables": JSON.stringify({
      [ADA.email]: { first: "Ada", title: "Sketch of the Analytical Engine" },
      "charles@example.org": { first: "Charles", title: "On the Economy of Machinery" },
    }),
  });
  for (const address of [`${ADA.name} <${ADA.email}>`, "charles@example.org"]) {
    form.append("to", address);
  }
  return form.toString();
}

function invitation(from: string): unknown {
  const text = "A reading of the Notes, on Friday at seven. The lamps are lit from six on.";
  return {
    FromEmailAddress: `Lovelace Books <${from}>`,
    Destination: { ToAddresses: [`${ADA.name} <${ADA.email}>`] },
    EmailTags: [{ Name: "campaign", Value: "readings" }],
    Content: {
      Simple: {
        Subject: { Data: "You are invited to a reading" },
        Body: {
          Text: { Data: text },
          Html: { Data: page("You are invited to a reading", `<p>${text}</p>`) },
        },
      },
    },
  };
}

function survey(): unknown {
  return {
    sender: { email: SHOP, name: "Lovelace Books" },
    subject: "{{params.name}}, how was your order?",
    htmlContent: page(
      "How was your order?",
      "<p>Dear {{params.name}}, did {{params.title}} arrive well?</p>" +
        button("https://lovelace-books.example/survey/2026-0417", "Tell us"),
    ),
    tags: ["survey"],
    messageVersions: [
      { to: [ADA], params: { name: "Ada", title: "Sketch of the Analytical Engine" } },
      {
        to: [{ email: "charles@example.org" }],
        params: { name: "Charles", title: "On the Economy of Machinery" },
      },
    ],
  };
}

/** The first item of a list setting. */
function listOr({ values }: DemoTarget, key: string, fallback: string): string {
  const value = values[key];
  return Array.isArray(value) && typeof value[0] === "string" ? value[0] : fallback;
}

function passwordReset(): unknown {
  const link = "https://lovelace-books.example/reset?token=5f1c0c2e";
  return {
    personalizations: [{ to: [ADA] }],
    from: { email: "no-reply@lovelace-books.example", name: "Lovelace Books" },
    subject: "Reset your password",
    content: [
      { type: "text/plain", value: `Open this link within an hour:\n${link}\n` },
      {
        type: "text/html",
        value: page(
          "Reset your password",
          `<p>Somebody asked for a new password. The link is valid for an hour.</p>${
            button(link, "Choose a password")
          }`,
        ),
      },
    ],
    categories: ["account"],
    tracking_settings: { click_tracking: { enable: false } },
  };
}

function newsletter(): unknown {
  const people = [ADA, { email: "mary@example.org", name: "Mary Somerville" }];
  return {
    personalizations: people.map((person) => ({
      to: [person],
      substitutions: { "-name-": person.name.split(" ")[0] },
    })),
    from: { email: "news@lovelace-books.example", name: "Lovelace Books" },
    reply_to: { email: SHOP },
    subject: "New in spring: mechanisms of the heavens 🔭",
    content: [{
      type: "text/html",
      value: page(
        "New in spring",
        "<p>Hello -name-,</p><ul><li>Mechanism of the Heavens</li><li>On the Connexion of the Physical Sciences</li></ul>",
      ),
    }],
    headers: { "List-Unsubscribe": "<https://lovelace-books.example/unsubscribe>" },
    categories: ["newsletter", "spring"],
  };
}

function welcome(): unknown {
  return {
    from: `Lovelace Books <${SHOP}>`,
    to: [`${ADA.name} <${ADA.email}>`],
    subject: "Welcome to Lovelace Books",
    html: page("Welcome, Ada", "<p>Your shelf is empty. Let us change that.</p>"),
    text: "Welcome, Ada. Your shelf is empty. Let us change that.",
    tags: [{ name: "category", value: "welcome" }],
  };
}

function reviewRequest(later: string): unknown {
  return {
    from: `Lovelace Books <${SHOP}>`,
    to: ADA.email,
    subject: "How did you like the Sketch?",
    text: "Two sentences are enough.",
    reply_to: "reviews@lovelace-books.example",
    scheduled_at: later,
  };
}

async function sendBySmtp(to: DemoTarget): Promise<void> {
  const user = settingOr(to, "username", "");
  const transport = createTransport({
    host: to.at.hostname,
    port: to.at.port,
    // Without it the library asks the system for its host name, for which the program has no
    // permission.
    name: "shop.lovelace-books.example",
    ignoreTLS: true,
    connectionTimeout: SMTP_MS,
    socketTimeout: SMTP_MS,
    ...(user === "" ? {} : { auth: { user, pass: settingOr(to, "password", "") } }),
  });
  try {
    for (const message of [supportReply(), reading(to.now), alert()]) {
      await transport.sendMail({ date: to.now, ...message });
    }
  } finally {
    transport.close();
  }
}

function supportReply() {
  return {
    from: `"Charles, Lovelace Books" <help@lovelace-books.example>`,
    to: `"${ADA.name}" <${ADA.email}>`,
    cc: "Müller, Jürgen <juergen@example.org>",
    subject: "Re: Page 42 is missing — Seite 42 fehlt",
    inReplyTo: "<page42@example.org>",
    text: "Dear Ada,\n\na new copy is on its way.\n\n> Page 42 is missing.\n",
    html: page(
      "A new copy is on its way",
      `<p><img src="cid:logo@lovelace-books.example" width="120" height="32" alt="Lovelace Books"></p>` +
        "<blockquote>Page 42 is missing.</blockquote>",
    ),
    attachments: [{
      filename: "logo.png",
      content: Buffer.from(LOGO_PNG),
      cid: "logo@lovelace-books.example",
    }],
  };
}

function reading(now: Date) {
  const stamp = (daysAhead: number, hour: number): string =>
    new Date(now.getTime() + daysAhead * 86_400_000).toISOString().slice(0, 10).replaceAll(
      "-",
      "",
    ) +
    `T${hour}0000Z`;
  return {
    from: "Lovelace Books <events@lovelace-books.example>",
    to: [ADA.email, "mary@example.org"],
    subject: "Invitation: a reading about punched cards",
    text: "With tea.",
    icalEvent: {
      method: "REQUEST",
      content: [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Lovelace Books//Events//EN",
        "METHOD:REQUEST",
        "BEGIN:VEVENT",
        "UID:reading-7@lovelace-books.example",
        `DTSTAMP:${stamp(0, 10)}`,
        `DTSTART:${stamp(7, 18)}`,
        `DTEND:${stamp(7, 20)}`,
        "SUMMARY:A reading about punched cards",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ].join("\r\n"),
    },
  };
}

function alert() {
  return {
    from: "monitor@db-1.example",
    to: "ops@lovelace-books.example",
    subject: "[CRIT] db-1: disk /var 98% full",
    text: "Filesystem  Size  Used Avail Use%\n/dev/sda2    64G   62G  1.5G  98%\n",
    priority: "high" as const,
    headers: { "X-Monitor": "disk" },
  };
}
