import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readSendV3 } from "./request_v3.ts";

const PLAIN = {
  FromEmail: "pilot@example.com",
  FromName: "Pilot",
  Subject: "Hello",
  "Text-part": "text",
  Recipients: [{ Email: "a@example.com", Name: "Ann" }],
};

/** Messages of a body, all of which must be valid. */
function read(body: unknown) {
  const request = readSendV3(body);
  assert(request.ok, JSON.stringify(request));
  return request.value.map((entry) => {
    assert(entry.ok, JSON.stringify(entry));
    return entry.value;
  });
}

/** The first refusal, with its property. */
function refusalOf(body: unknown): string {
  const request = readSendV3(body);
  const first = request.ok
    ? request.value.flatMap((entry) => entry.ok ? [] : entry.refusal)[0]
    : request.refusal;
  return first === undefined ? "" : `${first.relatedTo[0] ?? ""} ${first.message}`.trim();
}

Deno.test("v3 sends each of Recipients a message of their own, with their variables", () => {
  const [one, two, ...others] = read({
    ...PLAIN,
    Vars: { day: "Monday", place: "Oslo" },
    Recipients: [
      { Email: "a@example.com", Name: "Ann", Vars: { day: "Friday" } },
      { Email: "b@example.com", Vars: '{"place":"Bergen"}' },
    ],
  });
  assertEquals(others, []);
  assertEquals(one!.draft.to, [{ email: "a@example.com", name: "Ann" }]);
  assertEquals(one!.meta.variables, { day: "Friday", place: "Oslo" });
  assertEquals(two!.draft.to, [{ email: "b@example.com" }]);
  assertEquals(two!.meta.variables, { day: "Monday", place: "Bergen" });
});

Deno.test("v3 sends all of To, Cc and Bcc the same message", () => {
  const { Recipients: _, ...rest } = PLAIN;
  const [message] = read({
    ...rest,
    To: '"Last, First" <a@example.com>, b@example.com',
    Cc: "c@example.com",
    Bcc: "",
    Headers: { "Reply-To": "Desk <r@example.com>", "X-A": "1" },
  });
  const { draft } = message!;
  assertEquals(draft.to, [{ email: "a@example.com", name: "Last, First" }, {
    email: "b@example.com",
  }]);
  assertEquals([draft.cc, draft.bcc], [[{ email: "c@example.com" }], []]);
  assertEquals(draft.reply_to, [{ email: "r@example.com", name: "Desk" }]);
  assertEquals(draft.headers, [["X-A", "1"]]);
});

Deno.test("v3 has the settings of v3.1 under other names, and in other types", () => {
  const [message] = read({
    ...PLAIN,
    "Html-part": "<b>html</b>",
    "Mj-TemplateID": "7",
    "MJ-TemplateLanguage": "True",
    "MJ-TemplateErrorReporting": "Ops <ops@example.com>",
    "MJ-TemplateErrorDeliver": "deliver",
    "Mj-prio": "2",
    "Mj-campaign": "spring",
    "Mj-deduplicatecampaign": 1,
    "Mj-trackopen": 2,
    "Mj-trackclick": "1",
    "Mj-CustomID": "order-7",
    "Mj-EventPayLoad": "x",
    "Mj-MonitoringCategory": "orders",
    Attachments: [{ "Content-Type": "text/plain", Filename: "a.txt", content: "aGVsbG8=" }],
    Inline_attachments: [
      { "Content-type": "image/png", Filename: "l.png", Content: "iVBORw0K" },
    ],
  });
  const { draft, meta, customId } = message!;
  assertEquals([draft.text, draft.html, customId], ["text", "<b>html</b>", "order-7"]);
  const { attachments } = draft;
  assertEquals(attachments.map(({ filename, inline }) => [filename, inline]), [
    ["a.txt", false],
    ["l.png", true],
  ]);
  assertEquals(meta, {
    custom_id: "order-7",
    event_payload: "x",
    custom_campaign: "spring",
    template_id: 7,
    template_language: true,
    template_error_reporting: { email: "ops@example.com", name: "Ops" },
    template_error_deliver: true,
    variables: {},
    priority: 2,
    track_opens: "enabled",
    track_clicks: "disabled",
    monitoring_category: "orders",
    deduplicate_campaign: true,
  });
});

Deno.test("v3 reads the name of a sender in either place, and a template by its name", () => {
  const { FromName: _, ...rest } = PLAIN;
  const from = (change: object) => read({ ...rest, ...change })[0]!.draft.from;
  assertEquals(from({ FromEmail: '"John Doe" <john@example.com>' }), {
    email: "john@example.com",
    name: "John Doe",
  });
  assertEquals(from({ FromEmail: "<john@example.com>" }), { email: "john@example.com" });
  assertEquals(from({ FromEmail: "John <john@example.com>", FromName: "Other" }), {
    email: "john@example.com",
    name: "Other",
  });
  const { "Text-part": __, ...noText } = PLAIN;
  const [named] = read({ ...noText, "Mj-TemplateID": "welcome 2" });
  assertEquals(named!.meta.template_id, "welcome 2");
});

const { FromEmail: _, ...noSender } = PLAIN;
const { Recipients: __, ...noRecipient } = PLAIN;
const refused: [what: string, body: unknown, refusal: string][] = [
  ["no object", [], "Malformed JSON, please review the syntax and properties types."],
  ["no sender", noSender, "At least FromEmail or Sender must be provided"],
  [
    "a message of v3.1",
    { Messages: [{ From: { Email: "a@example.com" } }] },
    "At least FromEmail or Sender must be provided",
  ],
  ["no recipient", noRecipient, 'Missing "To" or "Recipients" property'],
  [
    "both kinds of recipients",
    { ...PLAIN, To: "b@example.com" },
    "Recipients cannot be provided together with To, Cc or Bcc",
  ],
  [
    "no recipients",
    { ...PLAIN, Recipients: [] },
    "Recipients An empty array is not allowed for the property.",
  ],
  [
    "an address that is none",
    { ...PLAIN, Recipients: [{ Email: "nobody" }] },
    'To[0].Email "nobody" is an invalid email address.',
  ],
  [
    "a list for a recipient",
    { ...PLAIN, Recipients: "a@example.com" },
    'Recipients Type mismatch. Expected type "array".',
  ],
  [
    "too many recipients",
    { ...PLAIN, Recipients: Array(101).fill({ Email: "a@example.com" }) },
    "Recipients Elements limit exceeded for the property. Max allowed - 100.",
  ],
  ["variables that are none", { ...PLAIN, Vars: "{" }, 'Vars Type mismatch. Expected type "map".'],
  [
    "a reserved header",
    { ...PLAIN, Headers: { Date: "now" } },
    'Headers["Date"] Header "Date" cannot be customized. Please use the dedicated message property to set this header.',
  ],
  [
    "no content",
    { ...PLAIN, "Text-part": "" },
    'HTMLPart At least "HTMLPart", "TextPart" or "TemplateID" must be provided.',
  ],
];
for (const [what, body, refusal] of refused) {
  Deno.test(`v3 refuses ${what}`, () => assertEquals(refusalOf(body), refusal));
}

Deno.test("v3 accepts a hundred messages", () => {
  assertEquals(read({ Messages: Array(100).fill(PLAIN) }).length, 100);
});

Deno.test("v3 refuses a setting that is an object", () => {
  // Neither a number nor a text can be made of it.
  assert(!readSendV3({ ...PLAIN, "Mj-trackopen": { toString: null } }).ok);
});

Deno.test("v3 reads any body as messages or as a refusal", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("a@example.com", "1", "deliver"));
  const names = ["FromEmail", "Recipients", "To", "Vars", "Headers", "Attachments", "Sender"];
  const settings = ["Mj-TemplateID", "Mj-TemplateLanguage", "Mj-prio", "Mj-trackopen", "Subject"];
  const message = fc.record(
    Object.fromEntries([...names, ...settings].map((name) => [name, value])),
    { requiredKeys: [] },
  );
  const body = fc.oneof(message, fc.record({ Messages: fc.array(message) }), fc.jsonValue());
  fc.assert(
    fc.property(body, (body) => {
      const request = readSendV3(body);
      assert(request.ok ? request.value.length > 0 : request.refusal.status === 400);
    }),
    fuzzed(300),
  );
});
