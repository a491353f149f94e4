import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import captured from "../../../tests/fixtures/vendors/mail2_sendgrid.json" with { type: "json" };
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { helpFor, REFUSALS } from "./reply.ts";
import { type Outgoing, readSend } from "./request.ts";

const NOW = { nowMs: Date.UTC(2026, 0, 31) };
const PLAIN = {
  personalizations: [{ to: [{ email: "a@example.com", name: "A" }] }],
  from: { email: "s@example.com", name: "S" },
  subject: "Hi",
  content: [{ type: "text/plain", value: "text" }],
};
const FILE = { content: "aGVsbG8=", filename: "a.txt" };

type Body = Readonly<Record<string, unknown>>;

function accepted(body: unknown): { sandbox: boolean; messages: readonly Outgoing[] } {
  const call = readSend(body, NOW);
  assert(call.ok, call.ok ? "" : JSON.stringify(call.refusal));
  return call.value;
}

/** The fields of every violation, in order. */
function fieldsOf(body: unknown): readonly (string | null)[] {
  const call = readSend(body, NOW);
  if (call.ok) return ["accepted"];
  if (call.refusal === REFUSALS.badRequest) return ["unreadable"];
  if (call.refusal === REFUSALS.tooLarge) return ["too_large"];
  return call.refusal.violations.map(({ field }) => field);
}

function messagesOf(body: unknown): readonly string[] {
  const call = readSend(body, NOW);
  return call.ok ? [] : call.refusal.violations.map(({ message }) => message);
}

const requests = captured.requests.map(({ body }) => JSON.parse(body));

Deno.test("captured: one personalization with every common option", () => {
  const { sandbox, messages } = accepted(requests[0]);
  assertEquals([sandbox, messages.length], [true, 1]);
  const { draft, meta } = messages[0]!;
  assertEquals(draft.from, { email: "s@example.com", name: "Sender" });
  assertEquals(draft.cc, [{ email: "c@example.com" }]);
  assertEquals(draft.bcc, [{ email: "b@example.com" }]);
  assertEquals(draft.reply_to, [{ email: "r@example.com" }]);
  assertEquals([draft.subject, draft.text, draft.html], ["Hi", "plain", "<b>h</b>"]);
  assertEquals(draft.headers, [["X-A", "1"]]);
  const [file] = draft.attachments;
  assertEquals([file?.filename, file?.content_type, file?.inline, file?.content_id], [
    "a.txt",
    "text/plain",
    false,
    "cid1",
  ]);
  assertEquals(new TextDecoder().decode(file?.bytes), "hello");
  assertEquals(meta, {
    categories: ["cat1", "cat2"],
    asm: { group_id: 5 },
    mail_settings: { sandbox_mode: { enable: true } },
    tracking_settings: { click_tracking: { enable: false, enable_text: false } },
    custom_args: { k: "v" },
    send_at: 1_700_000_000,
    sandbox: true,
  });
});

Deno.test("captured: two personalizations with a dynamic template", () => {
  const { messages } = accepted(requests[1]);
  assertEquals(messages.map(({ draft }) => draft.subject), ["P1", "S"]);
  assertEquals(messages.map(({ draft }) => draft.to[0]?.email), ["a@example.com", "b@example.com"]);
  assertEquals(messages.map(({ meta }) => meta), [
    { template_id: "d-123", dynamic_template_data: { x: 1 } },
    { template_id: "d-123" },
  ]);
});

Deno.test("captured: sendMultiple, a raw request and an inline picture", () => {
  assertEquals(accepted(requests[2]).messages.length, 2);
  assertEquals(accepted(requests[3]).messages[0]?.draft.text, "y");
  const [picture] = accepted(requests[4]).messages[0]!.draft.attachments;
  assertEquals([picture?.inline, picture?.content_id], [true, "logo"]);
});

Deno.test("captured: requests of django-anymail, single and batch", () => {
  const [one] = accepted(requests[5]).messages;
  assertEquals(one?.draft.reply_to, [{ email: "r@example.com" }]);
  assertEquals(one?.meta.categories, ["tag1"]);
  assertEquals(Object.keys(one?.meta.custom_args ?? {}), ["a", "anymail_id"]);
  const batch = accepted(requests[6]).messages;
  assertEquals(batch.map(({ meta }) => meta.dynamic_template_data), [
    { g: "x", name: "One" },
    { g: "x", name: "Two" },
  ]);
});

Deno.test("a personalization overrides and extends the request", () => {
  const { messages } = accepted({
    ...PLAIN,
    headers: { "X-Common": "1", "X-Own": "request" },
    custom_args: { common: "1", own: "request" },
    substitutions: { "-name-": "you" },
    send_at: 1,
    personalizations: [{
      to: [{ email: "a@example.com" }],
      from: { email: "own@example.com" },
      subject: "Own",
      headers: { "x-own": "personalization" },
      custom_args: { own: "personalization" },
      substitutions: { "-name-": "Ann" },
      send_at: 2,
    }],
  });
  const { draft, meta } = messages[0]!;
  assertEquals([draft.from.email, draft.subject], ["own@example.com", "Own"]);
  assertEquals(draft.headers, [["X-Common", "1"], ["x-own", "personalization"]]);
  assertEquals(meta, {
    custom_args: { common: "1", own: "personalization" },
    substitutions: { "-name-": "Ann" },
    send_at: 2,
  });
});

Deno.test("contents of other types become attachments, shared by all messages", () => {
  const { messages } = accepted({
    ...PLAIN,
    personalizations: [
      { to: [{ email: "a@example.com" }] },
      { to: [{ email: "b@example.com" }] },
    ],
    content: [
      { type: "text/plain", value: "text" },
      { type: "text/x-amp-html", value: "<amp>" },
      { type: "text/html", value: "<b>" },
      { type: "text/calendar", value: "BEGIN:VCALENDAR" },
    ],
  });
  const [first, second] = messages;
  assertEquals([first?.draft.text, first?.draft.html], ["text", "<b>"]);
  assertEquals(first?.draft.attachments.map(({ content_type }) => content_type), [
    "text/x-amp-html",
    "text/calendar",
  ]);
  assert(first?.draft.attachments[0] === second?.draft.attachments[0]);
});

Deno.test("several addresses to reply to, and null for absent values", () => {
  const { messages } = accepted({
    ...PLAIN,
    reply_to: null,
    reply_to_list: [{ email: "r1@example.com" }, { email: "r2@example.com", name: "R" }],
    attachments: null,
    asm: null,
  });
  assertEquals(messages[0]?.draft.reply_to, [
    { email: "r1@example.com" },
    { email: "r2@example.com", name: "R" },
  ]);
});

Deno.test("subjects of all personalizations, or a template, replace the subject", () => {
  const { subject: _, ...rest } = PLAIN;
  const own = [{ ...PLAIN.personalizations[0], subject: "Own" }];
  assertEquals(accepted({ ...rest, personalizations: own }).messages[0]?.draft.subject, "Own");
  const { content: __, ...bare } = rest;
  assertEquals(accepted({ ...bare, template_id: "d-1" }).messages[0]?.draft.subject, "");
  assertEquals(fieldsOf({ ...rest, personalizations: [...own, ...PLAIN.personalizations] }), [
    "subject",
  ]);
});

const person = (members: Body) => ({
  ...PLAIN,
  personalizations: [{ ...PLAIN.personalizations[0], ...members }],
});
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `a${index}@example.com` }));

const VIOLATIONS: readonly (readonly [string, Body, readonly string[]])[] = [
  ["nothing at all", {}, ["personalizations", "from.email", "content", "subject"]],
  ["no personalization", { ...PLAIN, personalizations: [] }, ["personalizations"]],
  ["personalizations as an object", { ...PLAIN, personalizations: {} }, ["personalizations"]],
  ["1001 personalizations", {
    ...PLAIN,
    personalizations: Array(1001).fill(PLAIN.personalizations[0]),
  }, ["personalizations"]],
  ["1001 recipients", person({ to: many(600), cc: many(401) }), ["personalizations"]],
  ["a personalization as text", { ...PLAIN, personalizations: ["x"] }, ["personalizations.0"]],
  ["no to", { ...PLAIN, personalizations: [{}, null] }, [
    "personalizations.0.to",
    "personalizations.1.to",
  ]],
  ["an empty to", person({ to: [] }), ["personalizations.0.to"]],
  ["an empty cc", person({ cc: [] }), ["personalizations.0.cc"]],
  ["to as an object", person({ to: { email: "a@example.com" } }), ["personalizations.0.to"]],
  ["recipients without addresses", person({ to: ["x", {}, { email: "" }, { email: 1 }, null] }), [
    "personalizations.0.to.0",
    "personalizations.0.to.1.email",
    "personalizations.0.to.2.email",
    "personalizations.0.to.3.email",
    "personalizations.0.to.4.email",
  ]],
  ["a bad address and name", person({ bcc: [{ email: "x", name: 1 }] }), [
    "personalizations.0.bcc.0.name",
    "personalizations.0.bcc.0.email",
  ]],
  ["an address twice", person({ cc: [{ email: "A@example.com" }] }), ["personalizations.0"]],
  [
    "bad members of a personalization",
    person({
      from: { email: "x" },
      subject: "",
      headers: { "X-One": 1 },
      substitutions: { a: 1 },
      dynamic_template_data: [],
      custom_args: { a: 1 },
      send_at: "now",
    }),
    [
      "personalizations.0.from.email",
      "personalizations.0.subject",
      "personalizations.0.headers",
      "personalizations.0.substitutions",
      "personalizations.0.dynamic_template_data",
      "personalizations.0.custom_args",
      "personalizations.0.send_at",
    ],
  ],
  ["from as text", { ...PLAIN, from: "s@example.com" }, ["from"]],
  ["from without an address", { ...PLAIN, from: { name: "S" } }, ["from.email"]],
  ["from with a bad address", { ...PLAIN, from: { email: "x" } }, ["from.email"]],
  ["reply_to as a list", { ...PLAIN, reply_to: [{ email: "r@example.com" }] }, ["reply_to"]],
  ["reply_to without an address", { ...PLAIN, reply_to: {} }, ["reply_to.email"]],
  ["reply_to and reply_to_list", {
    ...PLAIN,
    reply_to: { email: "r@example.com" },
    reply_to_list: [{ email: "x" }],
  }, ["reply_to_list", "reply_to_list.0.email"]],
  ["an empty subject", { ...PLAIN, subject: "" }, ["subject"]],
  ["a subject as a number", { ...PLAIN, subject: 1 }, ["subject"]],
  ["no content", { ...PLAIN, content: [] }, ["content"]],
  ["content as text", { ...PLAIN, content: "x" }, ["content"]],
  ["empty blocks", { ...PLAIN, content: [{ type: "", value: "" }, {}] }, [
    "content.0.type",
    "content.0.value",
    "content.1.type",
    "content.1.value",
  ]],
  ["a parameter in a content type", {
    ...PLAIN,
    content: [{ type: "text/plain; charset=utf-8", value: "x" }],
  }, ["content.0.type"]],
  ["HTML before plain text", {
    ...PLAIN,
    content: [{ type: "text/html", value: "x" }, { type: "text/plain", value: "x" }],
  }, ["content"]],
  ["attachments without content or name", { ...PLAIN, attachments: [{}, "x"] }, [
    "attachments.0.content",
    "attachments.0.filename",
    "attachments.1",
  ]],
  ["bad members of an attachment", {
    ...PLAIN,
    attachments: [{
      content: "$",
      filename: "a\r\nb",
      type: "text/plain; x",
      disposition: "other",
      content_id: 1,
    }],
  }, [
    "attachments.0.content",
    "attachments.0.filename",
    "attachments.0.type",
    "attachments.0.disposition",
    "attachments.0.content_id",
  ]],
  ["a disposition that is no text", {
    ...PLAIN,
    attachments: [{ ...FILE, disposition: { toString: 1 } }],
  }, ["attachments.0.disposition"]],
  ["reserved and impossible headers", { ...PLAIN, headers: { Subject: "x", "X Y": "x" } }, [
    "headers",
    "headers",
  ]],
  ["headers as a list", { ...PLAIN, headers: ["X-One: 1"] }, ["headers"]],
  ["categories as text", { ...PLAIN, categories: "x" }, ["categories"]],
  ["eleven categories", { ...PLAIN, categories: [..."abcdefghijk"] }, ["categories"]],
  ["a long category and one twice", { ...PLAIN, categories: ["x".repeat(256), "a", "a"] }, [
    "categories",
    "categories",
  ]],
  ["a category as a number", { ...PLAIN, categories: [1] }, ["categories"]],
  ["custom arguments over 10 000 bytes together", {
    ...PLAIN,
    custom_args: { a: "x".repeat(6000) },
    personalizations: [{ to: many(1), custom_args: { b: "x".repeat(6000) } }],
  }, ["personalizations.0.custom_args"]],
  ["custom arguments of the request over 10 000 bytes", {
    ...PLAIN,
    custom_args: { a: "x".repeat(10_000) },
  }, ["custom_args"]],
  ["1001 headers", {
    ...PLAIN,
    headers: Object.fromEntries(Array(1001).entries().map(([i]) => [`X-${i}`, ""])),
  }, ["headers"]],
  ["a time over three days ahead", { ...PLAIN, send_at: NOW.nowMs / 1000 + 72 * 3600 + 1 }, [
    "send_at",
  ]],
  ["bad settings", {
    ...PLAIN,
    batch_id: 1,
    ip_pool_name: 1,
    template_id: 1,
    sections: { a: 1 },
    asm: { groups_to_display: ["x"] },
    mail_settings: { sandbox_mode: { enable: "true" }, footer: "x" },
    tracking_settings: { ganalytics: { enable: 1 } },
  }, [
    "template_id",
    "batch_id",
    "asm.group_id",
    "asm.groups_to_display",
    "ip_pool_name",
    "sections",
    "mail_settings.footer",
    "mail_settings.sandbox_mode.enable",
    "tracking_settings.ganalytics.enable",
  ]],
  ["substitutions with a dynamic template", {
    ...person({ substitutions: { a: "b" } }),
    template_id: "d-1",
  }, ["personalizations.0.substitutions"]],
];
for (const [title, body, fields] of VIOLATIONS) {
  Deno.test(`refused: ${title}`, () => assertEquals(fieldsOf(body), fields));
}

const SENTENCES: readonly (readonly [Body, string])[] = [
  [{ ...PLAIN, personalizations: {} }, "Invalid type. Expected: array, given: object."],
  [
    { ...PLAIN, reply_to: [{ email: "r@example.com" }] },
    "Invalid type. Expected: object, given: array.",
  ],
  [
    { ...PLAIN, personalizations: [] },
    "The personalizations field is required and must have at least one personalization.",
  ],
  [
    person({ to: [] }),
    "The to array is required for all personalization objects, and must have at least one email object with a valid email address.",
  ],
  [person({ to: [{ email: "x" }] }), "Does not contain a valid address."],
  [
    person({ bcc: [{ email: "a@example.com" }] }),
    "Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [a@example.com] in the personalizations.0.bcc field.",
  ],
  [
    { ...PLAIN, from: {} },
    'The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.  e.g. {"email" : "example@example.com"}  or {"email" : "example@example.com", "name" : "Example Recipient"}.',
  ],
  [{ ...PLAIN, from: { email: "x" } }, "The from email does not contain a valid address."],
  [
    { ...PLAIN, subject: null },
    "The subject is required. You can get around this requirement if you use a template with a subject defined or if every personalization has a subject defined.",
  ],
  [
    { ...PLAIN, content: null },
    "Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.",
  ],
  [
    { ...PLAIN, content: [{ type: "text/plain", value: "" }] },
    "The content value must be a string at least one character in length.",
  ],
  [
    { ...PLAIN, attachments: [{ ...FILE, content: "%" }] },
    "The attachment content must be base64 encoded.",
  ],
];
for (const [body, sentence] of SENTENCES) {
  Deno.test(`the vendor's message: ${sentence.slice(0, 60)}`, () => {
    assertEquals(messagesOf(body), [sentence]);
  });
}

const HELP: readonly (readonly [string | null, string | null])[] = [
  [null, null],
  ["personalizations", "-Personalizations-Errors"],
  ["personalizations.0", "message.recipient-errors"],
  ["personalizations.0.to.0.email", "message.personalizations.to"],
  ["from.email", "message.from"],
  ["attachments.12.content", "message.attachments.content"],
  ["subject", "message.subject"],
];
for (const [field, anchor] of HELP) {
  Deno.test(`help for ${field} is ${anchor}`, () => {
    const page = "http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html";
    assertEquals(helpFor(field ?? ""), anchor && `${page}#${anchor}`);
  });
}

Deno.test("a body that is not an object is unreadable", () => {
  for (const body of [null, [], "x", 1]) assertEquals(fieldsOf(body), ["unreadable"]);
});

Deno.test("a message may have 30 MB, bodies and attachments together", () => {
  const content = "AAAA".repeat(30 * 1024 ** 2 / 3);
  const large = (value: string) => ({
    ...PLAIN,
    content: [{ type: "text/html", value }],
    attachments: [{ ...FILE, content: content.slice(4) }],
  });
  assertEquals(fieldsOf(large("xyz")), ["accepted"]);
  assertEquals(fieldsOf(large("xyzz")), ["too_large"]);
});

Deno.test("at most a thousand violations are listed", () => {
  assertEquals(fieldsOf({ ...PLAIN, content: Array(5000).fill("x") }).length, 1000);
});

const NAMES = [
  ...Object.keys(PLAIN),
  ...Object.keys(requests[0]),
  ...["to", "cc", "email", "name", "type", "value", "disposition", "toString", "__proto__"],
  ...["sandbox_mode", "enable", "group_id", "groups_to_display", "reply_to_list"],
];
const vendorish = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, 0, 1.5, "", "x", "a@example.com", "aGk=", "text/html", "d-1"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 6 }),
  ),
})).value;

Deno.test("readSend() returns messages or violations for any JSON", () => {
  const altered = fc.tuple(fc.constantFrom(...NAMES), vendorish).map(([name, value]) => ({
    ...PLAIN,
    [name]: value,
  }));
  fc.assert(
    fc.property(fc.oneof(vendorish, altered, fc.jsonValue()), (body) => {
      const call = readSend(body, NOW);
      if (!call.ok && call.refusal !== REFUSALS.badRequest && call.refusal !== REFUSALS.tooLarge) {
        assert(call.refusal.violations.length > 0);
        for (const violation of call.refusal.violations) {
          assert(violation.message !== "" && violation.field !== "");
          assert(helpFor(violation.field)?.includes("#"));
        }
      }
      if (call.ok) {
        assert(call.value.messages.length > 0);
        JSON.stringify(call.value.messages);
      }
    }),
    fuzzed(1000),
  );
});
