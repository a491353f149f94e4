import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import captures from "../../../tests/fixtures/vendors/mail3_resend.json" with { type: "json" };
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { type EmailRequest, readBatch, readEmail, readListQuery, readUpdate } from "./request.ts";

const MINIMAL = { from: "a@example.com", to: "b@example.com", subject: "s", text: "t" };

function accepted(body: unknown): EmailRequest {
  const read = readEmail(body);
  assert(read.ok, read.ok ? "" : read.refusal.message);
  return read.value;
}

function refused(body: unknown): string {
  const read = readEmail(body);
  assert(!read.ok, "was accepted");
  const { statusCode, name, message } = read.refusal;
  return `${statusCode} ${name}: ${message}`;
}

function captured(scenario: string): unknown {
  const capture = captures.captures.find((item) => item.scenario === scenario);
  assert(capture !== undefined, scenario);
  return JSON.parse(capture.request.body_text);
}

Deno.test("readEmail() reads the full request of the Node.js SDK", () => {
  const { draft, meta } = accepted(captured("emails.send full, idempotencyKey"));
  assertEquals(draft.from, { email: "onboarding@resend.dev", name: "Acme" });
  assertEquals(draft.to, [{ email: "delivered@resend.dev" }]);
  assertEquals(draft.cc, [{ email: "c@example.com" }]);
  assertEquals(draft.bcc, [{ email: "b@example.com" }]);
  assertEquals(draft.reply_to, [{ email: "r@example.com" }]);
  assertEquals([draft.subject, draft.text, draft.html], ["hi", "x", "<p>x</p>"]);
  assertEquals(draft.headers, [["X-Entity-Ref-ID", "1"]]);
  const bytes = new TextEncoder().encode("hello");
  assertEquals(draft.attachments, [
    { bytes, inline: false, filename: "a.txt", content_type: "text/plain" },
    {
      bytes,
      inline: true,
      filename: "b.txt",
      content_type: "text/plain",
      content_id: "cid-b",
    },
  ]);
  assertEquals(meta, {
    tags: [{ name: "category", value: "confirm_email" }],
    scheduled_at: "2030-01-01T00:00:00Z",
    remote_attachments: [{ path: "https://example.com/x.pdf", filename: "x.pdf" }],
  });
});

Deno.test("readEmail() accepts a template instead of bodies, sender and subject", () => {
  const { draft, meta } = accepted(captured("emails.send to[] + template"));
  assertEquals(draft.to, [{ email: "x@example.com" }, { email: "y@example.com", name: "Y" }]);
  assertEquals(meta, { template: { id: "tpl", variables: { a: 1 } } });
  assertEquals(accepted({ to: "b@example.com", template: { id: "t" } }).draft.from.email, "");
});

Deno.test("readBatch() reads the batches of the Node.js SDK", () => {
  for (const scenario of ["batch.send strict", "batch.send permissive"]) {
    const read = readBatch(captured(scenario));
    assert(read.ok);
    for (const entry of read.value) accepted(entry);
  }
});

Deno.test("readEmail() accepts attachment content as base64, as bytes and as a Buffer", () => {
  for (
    const content of [
      "AP8K",
      "AP8K\n",
      [0, 255, 10],
      { type: "Buffer", data: [0, 255, 10] },
    ]
  ) {
    const [attachment] = accepted({ ...MINIMAL, attachments: [{ content }] }).draft.attachments;
    assertEquals(attachment, { bytes: new Uint8Array([0, 255, 10]), inline: false });
  }
  for (const name of ["content_id", "contentId", "inline_content_id"]) {
    const attachments = [{ content: "", filename: "l.png", [name]: "<logo@x>" }];
    const [attachment] = accepted({ ...MINIMAL, attachments }).draft.attachments;
    assertEquals(attachment, {
      bytes: new Uint8Array(),
      inline: true,
      filename: "l.png",
      content_type: "image/png",
      content_id: "logo@x",
    });
  }
});

Deno.test("readEmail() tolerates nulls, camel case and odd names", () => {
  const { draft, meta } = accepted({
    from: '"Acme, Inc. \\"x\\"" <a@example.com>',
    to: ["b@example.com"],
    cc: null,
    bcc: "",
    replyTo: "r@example.com",
    subject: "s",
    html: "<p>",
    text: null,
    attachments: null,
    tags: null,
    headers: { __proto__x: "1", constructor: "2" },
    scheduledAt: "in 1 min",
    topic_id: "t1",
    unknown: {},
  });
  assertEquals(draft.from, { email: "a@example.com", name: 'Acme, Inc. "x"' });
  assertEquals(draft.reply_to, [{ email: "r@example.com" }]);
  assertEquals(draft.headers, [["__proto__x", "1"], ["constructor", "2"]]);
  assertEquals(meta, { topic_id: "t1", scheduled_at: "in 1 min" });
});

const FORMAT = "field. The email address needs to follow the `email@example.com` or " +
  "`Name <email@example.com>` format.";
const TAGS =
  "Tags should only contain ASCII letters, numbers, underscores, or dashes, and at most 256 of them.";

/** Changes to a valid request, with the refusal. */
const REFUSALS: readonly (readonly [Record<string, unknown>, string])[] = [
  [{ from: undefined }, "422 missing_required_field: Missing `from` field."],
  [{ from: "" }, "422 missing_required_field: Missing `from` field."],
  [{ from: 1 }, "422 validation_error: The `from` field must be a `string`."],
  [{ from: "nobody" }, `422 validation_error: Invalid \`from\` ${FORMAT}`],
  [{ to: undefined }, "422 missing_required_field: Missing `to` field."],
  [{ to: [] }, "422 missing_required_field: Missing `to` field."],
  [{ to: {} }, "422 validation_error: The `to` field must be a `string`."],
  [{ to: [1] }, "422 validation_error: The `to` field must be a `string`."],
  [{ to: ["x"] }, `422 validation_error: Invalid \`to\` ${FORMAT}`],
  [{ to: "a@example.com, b@example.com" }, `422 validation_error: Invalid \`to\` ${FORMAT}`],
  [
    { to: Array(51).fill("a@example.com") },
    "422 validation_error: The `to` field must contain at most 50 email addresses.",
  ],
  [{ cc: "x" }, `422 validation_error: Invalid \`cc\` ${FORMAT}`],
  [{ bcc: [null] }, "422 validation_error: The `bcc` field must be a `string`."],
  [{ reply_to: "@" }, `422 validation_error: Invalid \`reply_to\` ${FORMAT}`],
  [{ subject: undefined }, "422 missing_required_field: Missing `subject` field."],
  [{ subject: [] }, "422 validation_error: The `subject` field must be a `string`."],
  [{ text: undefined }, "422 validation_error: Missing `html` or `text` field."],
  [{ text: "" }, "422 validation_error: Missing `html` or `text` field."],
  [{ html: 5 }, "422 validation_error: The `html` field must be a `string`."],
  [
    { template: { id: "t" } },
    "422 validation_error: The `template` field cannot be used together with the `html` or `text` field.",
  ],
  [{ template: "t" }, "422 validation_error: The `template` field must be an `object`."],
  [{ template: {} }, "422 missing_required_field: Missing `template.id` field."],
  [{ headers: [] }, "422 validation_error: The `headers` field must be an `object`."],
  [{ headers: { A: 1 } }, "422 validation_error: The `headers` field must be a `string`."],
  [{ headers: { A: ["a"] } }, "422 validation_error: The `headers` field must be a `string`."],
  [{ tags: {} }, "422 validation_error: The `tags` field must be an `array`."],
  [{ tags: [1] }, "422 validation_error: The `tags` field must be an `object`."],
  [{ tags: [{ name: "a" }] }, "422 missing_required_field: Missing `tags.value` field."],
  [
    { tags: [{ name: 1, value: "a" }] },
    "422 validation_error: The `tags.name` field must be a `string`.",
  ],
  [{ tags: [{ name: "a b", value: "a" }] }, `422 validation_error: ${TAGS}`],
  [{ tags: [{ name: "a", value: "x".repeat(257) }] }, `422 validation_error: ${TAGS}`],
  [{ scheduled_at: 1 }, "422 validation_error: The `scheduled_at` field must be a `string`."],
  [
    { scheduled_at: "x".repeat(257) },
    "422 validation_error: The `scheduled_at` field must have at most 256 characters.",
  ],
  [{ attachments: {} }, "422 validation_error: The `attachments` field must be an `array`."],
  [{ attachments: ["x"] }, "422 validation_error: The `attachments` field must be an `object`."],
  [
    { attachments: [{ filename: "x" }] },
    "422 invalid_attachment: Attachment must have either a `content` or `path`.",
  ],
  [
    { attachments: [{ content: "***" }] },
    "422 invalid_attachment: The `content` of an attachment must be base64.",
  ],
  [
    { attachments: [{ content: [256] }] },
    "422 invalid_attachment: The `content` of an attachment must be an array of numbers from 0 to 255.",
  ],
  [
    { attachments: [{ content: { type: "Buffer" } }] },
    "422 invalid_attachment: The `content` of an attachment must be base64 or an array of bytes.",
  ],
];

Deno.test("readEmail() refuses every fault in the vendor's words", () => {
  for (const [change, expected] of REFUSALS) {
    assertEquals(refused({ ...MINIMAL, ...change }), expected, JSON.stringify(change));
  }
  assertEquals(refused([]), "422 validation_error: The request body must be an `object`.");
  assertEquals(refused(null), "422 validation_error: The request body must be an `object`.");
});

Deno.test("readEmail() refuses more than 40 MB in base64", () => {
  const content = btoa("x".repeat(16 * 1024 * 1024));
  const attachments = [{ content }, { content }];
  assertEquals(
    refused({ ...MINIMAL, attachments }),
    "413 validation_error: The email exceeds the maximum size of 40MB.",
  );
  assertEquals(accepted({ ...MINIMAL, attachments: [{ content }] }).draft.attachments.length, 1);
});

Deno.test("readBatch(), readUpdate() and readListQuery() refuse as the vendor does", () => {
  for (const body of [{}, null, [], Array(101).fill(MINIMAL)]) assert(!readBatch(body).ok);
  assert(readBatch(Array(100).fill(MINIMAL)).ok);
  for (const body of [{}, [], null, { scheduled_at: 1 }, { scheduled_at: null }]) {
    assert(!readUpdate(body).ok);
  }
  assertEquals(readUpdate({ scheduled_at: "in 1 min" }), { ok: true, value: "in 1 min" });
  for (const query of ["limit=0", "limit=101", "limit=x", "limit=-1", "after=a&before=b"]) {
    assert(!readListQuery(new URLSearchParams(query)).ok, query);
  }
  assertEquals(readListQuery(new URLSearchParams("limit=&after=a")), {
    ok: true,
    value: { limit: 20, after: "a" },
  });
});

Deno.test("readEmail() never throws and refuses in the vendor's form", () => {
  const field = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(MINIMAL), ["AP8K"]));
  const fields = ["from", "to", "cc", "subject", "html", "text", "headers", "tags", "template"];
  const attachment = fc.record(
    { content: field, path: field, filename: field, content_id: field },
    {
      requiredKeys: [],
    },
  );
  const body = fc.tuple(
    fc.dictionary(fc.constantFrom(...fields), field),
    fc.record({ attachments: fc.oneof(field, fc.array(attachment)) }, { requiredKeys: [] }),
    fc.boolean(),
  ).map(([some, more, good]) => ({ ...(good ? MINIMAL : {}), ...some, ...more }));
  fc.assert(
    fc.property(fc.oneof(body, fc.jsonValue()), (value) => {
      const read = readEmail(value);
      if (read.ok) return assert(read.value.draft.to.length > 0);
      assert(
        read.refusal.statusCode >= 400 && read.refusal.name !== "" && read.refusal.message !== "",
      );
    }),
    fuzzed(500),
  );
});
