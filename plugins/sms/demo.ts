/** Text messages of a shop and of a clinic. */
import { basicAuth, settingOr } from "../../core/demo.ts";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";

/** Numbers that no network gives out: Ofcom and NANPA keep these for drama and examples. */
const ADA = "+447700900123";
const SHOP = "+15005550006";

const MESSAGES: readonly { readonly what: string; readonly fields: readonly [string, string][] }[] =
  [
    {
      what: "A code to log in",
      fields: [["From", SHOP], ["To", ADA], [
        "Body",
        "Your code is 481 516. It is good for 5 minutes.",
      ]],
    },
    {
      what: "A delivery notice with signs that need UCS-2, from a name",
      fields: [["From", "LOVELACE"], ["To", ADA], [
        "Body",
        "Ihr Paket ist heute bei Ihnen 📦 – bitte öffnen Sie die Tür.",
      ]],
    },
    {
      what: "A reminder of three segments",
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

/** One call to the message resource for each. */
export const SAMPLES: readonly DemoSample[] = MESSAGES.map(({ what, fields }) => ({
  provider: "sms1",
  what,
  send: (to) => create(to, fields),
}));

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
