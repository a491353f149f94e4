/** What an application might send on an ordinary morning, through the real interfaces of a running service. */
import type { Service } from "../core/app/service.ts";

/** One thing that is sent. */
export interface Sample {
  /** How long before the end of the sequence it arrives. */
  readonly minutesAgo: number;
  send(service: Service): Promise<void>;
}

/** Posts JSON to the ingress; fails loudly, because a sample that is refused shows nothing. */
async function post(
  service: Service,
  path: string,
  body: unknown,
  authorization = "Bearer key",
): Promise<void> {
  const response = await fetch(service.ingress.url + path, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  if (!response.ok) {
    throw new Error(`Cannot send a sample to ${path}: ${response.status} ${answer}`);
  }
}

interface Letter {
  readonly from: readonly [name: string, email: string];
  readonly to: readonly (readonly [name: string, email: string])[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly content_type: string;
    readonly content: string;
    readonly content_id?: string;
  }[];
  readonly cc?: readonly string[];
  readonly replyTo?: string;
}

function viaMail1(letter: Letter): Sample["send"] {
  const [name, email] = letter.from;
  return (service) =>
    post(service, "/v3.1/send", {
      Messages: [{
        From: { Email: email, Name: name },
        To: letter.to.map(([name, email]) => ({ Email: email, Name: name })),
        Subject: letter.subject,
        TextPart: letter.text,
        ...(letter.html === undefined ? {} : { HTMLPart: letter.html }),
      }],
    }, `Basic ${btoa("key:secret")}`);
}

function viaMail2(letter: Letter): Sample["send"] {
  const [name, email] = letter.from;
  return (service) =>
    post(service, "/v3/mail/send", {
      personalizations: [{ to: letter.to.map(([name, email]) => ({ email, name })) }],
      from: { email, name },
      subject: letter.subject,
      content: [
        { type: "text/plain", value: letter.text },
        ...(letter.html === undefined ? [] : [{ type: "text/html", value: letter.html }]),
      ],
    });
}

function viaMail3(letter: Letter): Sample["send"] {
  const [name, email] = letter.from;
  return (service) =>
    post(service, "/emails", {
      from: `${name} <${email}>`,
      to: letter.to.map(([name, email]) => name === "" ? email : `${name} <${email}>`),
      subject: letter.subject,
      text: letter.text,
      ...(letter.html === undefined ? {} : { html: letter.html }),
      ...(letter.cc === undefined ? {} : { cc: letter.cc }),
      ...(letter.replyTo === undefined ? {} : { reply_to: letter.replyTo }),
      ...(letter.attachments === undefined ? {} : { attachments: letter.attachments }),
    });
}

/** RFC 5321, one command at a time. */
function viaSmtp(letter: Letter): Sample["send"] {
  const [name, email] = letter.from;
  const recipients = letter.to.map(([, email]) => email);
  const data = [
    `From: ${name === "" ? email : `${name} <${email}>`}`,
    `To: ${
      letter.to.map(([name, email]) => name === "" ? email : `${name} <${email}>`).join(", ")
    }`,
    `Subject: ${letter.subject}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
    letter.text.replaceAll("\n", "\r\n"),
    ".",
  ].join("\r\n");
  return async (service) => {
    const { hostname, port } = service.endpoint("smtp");
    using connection = await Deno.connect({ hostname, port });
    const buffer = new Uint8Array(4096);
    const commands = [
      "EHLO localhost",
      `MAIL FROM:<${email}>`,
      ...recipients.map((recipient) => `RCPT TO:<${recipient}>`),
      "DATA",
      data,
      "QUIT",
    ];
    await connection.read(buffer);
    for (const command of commands) {
      await connection.write(new TextEncoder().encode(`${command}\r\n`));
      const count = await connection.read(buffer) ?? 0;
      const reply = new TextDecoder().decode(buffer.subarray(0, count));
      if (!/^[23]/.test(reply)) throw new Error(`Cannot send a sample by SMTP: ${reply}`);
    }
  };
}

const ADA = ["Ada Lovelace", "ada@example.com"] as const;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 170 40" width="170" height="40">
<rect width="40" height="40" rx="10" fill="#0f766e"/><path d="M12 27 20 12l8 15z" fill="#fff"/>
<text x="50" y="27" font-family="Helvetica,Arial,sans-serif" font-size="20" font-weight="700" fill="#134e4a">Northway</text></svg>`;

const ORDER = `<!doctype html><html><body style="margin:0;background:#f1f5f4;
font-family:Helvetica,Arial,sans-serif;color:#1f2937">
<table role="presentation" width="100%"><tr><td align="center" style="padding:28px 12px">
<table role="presentation" width="600" style="max-width:100%;background:#fff;border-radius:12px">
<tr><td style="padding:26px 36px 0"><img src="cid:logo@northway" alt="Northway" height="36"></td></tr>
<tr><td style="padding:18px 36px 0"><h1 style="margin:0;font-size:24px">Thanks for your order, Ada</h1>
<p style="margin:10px 0 0;line-height:1.6;color:#4b5563">We have received order <b>#10482</b> and are packing it now.
It should be with you on Thursday.</p></td></tr>
<tr><td style="padding:18px 36px 0"><table width="100%" style="border-collapse:collapse;font-size:15px">
<tr><td style="padding:11px 0;border-bottom:1px solid #e5e7eb">Trail jacket, moss, M</td>
<td align="right" style="border-bottom:1px solid #e5e7eb">€149.00</td></tr>
<tr><td style="padding:11px 0;border-bottom:1px solid #e5e7eb">Merino socks, 3 pairs</td>
<td align="right" style="border-bottom:1px solid #e5e7eb">€27.00</td></tr>
<tr><td style="padding:11px 0"><b>Total</b></td><td align="right"><b>€176.00</b></td></tr></table></td></tr>
<tr><td style="padding:20px 36px 32px"><a href="https://northway.example/orders/10482"
style="display:inline-block;background:#0f766e;color:#fff;padding:12px 22px;border-radius:8px;text-decoration:none">
Track your parcel</a>
<p style="margin:22px 0 0;font-size:13px;color:#6b7280">Questions? Just reply to this message.</p></td></tr>
</table></td></tr></table><img src="https://stats.northway.example/open.gif" width="1" height="1" alt=""></body></html>`;

/** The mail that the pictures of the inbox show opened. */
export const SHOWN_SUBJECT = "Your order #10482 is confirmed";

/** In the order in which they arrive. */
export const SAMPLES: readonly Sample[] = [
  {
    minutesAgo: 190,
    send: viaSmtp({
      from: ["", "cron@db-1.internal"],
      to: [["", "ops@example.com"]],
      subject: "Backup of orders finished in 42 s",
      text:
        "Snapshot orders-2026-03-10 was written to the archive.\n\n1 284 311 rows, 2.1 GB, no errors.",
    }),
  },
  {
    minutesAgo: 128,
    send: viaMail2({
      from: ["Taskboard", "notify@taskboard.example"],
      to: [ADA],
      subject: "Mara assigned you “Invoice PDF in dark mode”",
      text: "Mara Lindqvist assigned you a task in Checkout. It is due on Friday.",
      html:
        "<p><b>Mara Lindqvist</b> assigned you a task in <i>Checkout</i>. It is due on Friday.</p>",
    }),
  },
  {
    minutesAgo: 96,
    send: viaMail1({
      from: ["Northway Billing", "billing@northway.example"],
      to: [["Accounts", "accounts@example.com"]],
      subject: "Invoice INV-2026-0311 is ready",
      text: "Your invoice over €1,284.00 is ready. It is due within 30 days.",
      html: "<p>Your invoice over <b>€1,284.00</b> is ready. It is due within 30 days.</p>",
    }),
  },
  {
    minutesAgo: 61,
    send: viaSmtp({
      from: ["Øyvind Åsheim", "oyvind@example.no"],
      to: [ADA],
      subject: "Påminnelse: møte i morgen kl. 09:00",
      text: "Hei Ada,\n\nhusk møtet i morgen. Agendaen ligger i kalenderen.\n\nØyvind",
    }),
  },
  {
    minutesAgo: 47,
    send: (service) =>
      post(service, "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", {
        channel: "#deploys",
        username: "deploy",
        text: "checkout 4.12.0 is live in eu-north",
      }),
  },
  {
    minutesAgo: 33,
    send: viaMail3({
      from: ["Buildhost", "ci@buildhost.example"],
      to: [["", "team@example.com"]],
      subject: "[checkout] Build 2 318 failed on main",
      text:
        "2 of 1 904 tests failed: cart totals round half to even, guest checkout keeps its address.",
      html: "<p><b>2 of 1 904 tests failed</b></p><p>cart totals round half to even</p>",
    }),
  },
  {
    minutesAgo: 21,
    send: async (service) => {
      const response = await fetch(
        `${service.ingress.url}/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json`,
        {
          method: "POST",
          headers: { authorization: `Basic ${btoa("AC00000000000000000000000000000000:token")}` },
          body: new URLSearchParams({
            To: "+4790000001",
            From: "+15017122661",
            Body: "Your Northway code is 481 920. It is valid for 10 minutes.",
          }),
        },
      );
      await response.body?.cancel();
    },
  },
  {
    minutesAgo: 12,
    send: viaMail2({
      from: ["Northway", "hello@northway.example"],
      to: [["Grace Hopper", "grace@example.com"]],
      subject: "Confirm your address",
      text: "Hello Grace, please confirm your address: https://northway.example/confirm?token=4f1c",
      html:
        `<p>Hello Grace,</p><p><a href="https://northway.example/confirm?token=4f1c">Confirm your address</a></p>`,
    }),
  },
  {
    minutesAgo: 5,
    send: viaMail1({
      from: ["Northway", "hello@northway.example"],
      to: [ADA],
      subject: "Reset your password",
      text:
        "Somebody asked to reset your password. If that was you: https://northway.example/reset?t=9d2",
    }),
  },
  {
    minutesAgo: 1,
    send: viaMail3({
      from: ["Northway Orders", "orders@northway.example"],
      to: [ADA, ["Charles Babbage", "charles@example.com"]],
      cc: ["Warehouse <warehouse@northway.example>"],
      replyTo: "Northway Help <help@northway.example>",
      subject: SHOWN_SUBJECT,
      text: "Thanks for your order, Ada. We are packing it now; it should be with you on Thursday.",
      html: ORDER,
      attachments: [
        {
          filename: "order-10482.pdf",
          content_type: "application/pdf",
          content: btoa("%PDF-1.7\n".repeat(4000)),
        },
        {
          filename: "logo.svg",
          content_type: "image/svg+xml",
          content: btoa(LOGO),
          content_id: "logo@northway",
        },
      ],
    }),
  },
];
