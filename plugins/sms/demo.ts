/** Text messages of a shop and of a clinic. */
import { basicAuth, settingOr } from "../../core/demo.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

/** Numbers that no network assigns: Ofcom and NANPA reserve these for drama and examples. */
const ADA = "+447700900123";
const SHOP = "+15005550006";

const MESSAGES: readonly { readonly what: string; readonly fields: readonly [string, string][] }[] =
  [
    {
      what: "A login code",
      fields: [["From", SHOP], ["To", ADA], [
        "Body",
        "Your code is 481 516. It is good for 5 minutes.",
      ]],
    },
    {
      what: "A delivery notice with characters that need UCS-2, from a sender name",
      fields: [["From", "LOVELACE"], ["To", ADA], [
        "Body",
        "Ihr Paket ist heute bei Ihnen 📦 – bitte öffnen Sie die Tür.",
      ]],
    },
    {
      what: "A reminder in three segments",
      fields: [
        ["From", SHOP],
        ["To", "+447700900456"],
        [
          "Body",
          "Dear Ms Somerville, this is to remind you of your appointment with Dr Babbage on Tuesday at 9:30. Please " +
          "bring your insurance card and the results of your last blood test, and do not eat or drink anything but " +
          "water for eight hours before. If you cannot come, please call us on 020 7946 0000 by Monday noon, so that " +
          "we can give your place to somebody else. Thank you, and see you soon: the team of ward 7.",
        ],
      ],
    },
    {
      what: "A picture message",
      fields: [
        ["From", SHOP],
        ["To", ADA],
        ["Body", "The first copy has been printed!"],
        ["MediaUrl", "https://lovelace-books.example/pictures/first-copy.jpg"],
      ],
    },
    {
      what: "A WhatsApp message",
      fields: [
        ["From", `whatsapp:${SHOP}`],
        ["To", `whatsapp:${ADA}`],
        ["Body", "*Order 2026-0417* is ready to be collected."],
      ],
    },
  ];

/** One call for each. */
export const SAMPLES: readonly DemoSample[] = [
  ...MESSAGES.map(({ what, fields }): DemoSample => ({
    provider: "sms1",
    what,
    send: (to) => create(to, fields),
  })),
  {
    provider: "sms2",
    what: "An alarm published with Amazon SNS",
    send: (to) => publish(to, "Lovelace Books: the queue of print jobs is longer than 500."),
  },
  {
    provider: "sms3",
    what: "A table reservation sent with Vonage",
    send: (to) => sendSms(to, "See you tonight at 8. Reply CANCEL if you cannot come."),
  },
];

async function publish(to: DemoTarget, message: string): Promise<void> {
  const key = settingOr(to, "access_key", "AKIADEMO");
  const scope = `Credential=${key}/20260401/eu-west-1/sns/aws4_request`;
  await to.request("/", {
    headers: {
      authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({
      Action: "Publish",
      Version: "2010-03-31",
      PhoneNumber: ADA,
      Message: message,
    }).toString(),
  });
}

async function create(to: DemoTarget, fields: readonly [string, string][]): Promise<void> {
  const sid = settingOr(to, "account_sid", `AC${"0".repeat(32)}`);
  await to.request(`/2010-04-01/Accounts/${sid}/Messages.json`, {
    headers: {
      authorization: basicAuth(sid, settingOr(to, "auth_token", "demo")),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(fields.map(([name, value]) => [name, value])).toString(),
  });
}

async function sendSms(to: DemoTarget, text: string): Promise<void> {
  await to.request("/sms/json", {
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      api_key: settingOr(to, "api_key", "demo"),
      api_secret: settingOr(to, "api_secret", "demo"),
      from: "LOVELACE",
      to: ADA.slice(1),
      text,
    }).toString(),
  });
}
