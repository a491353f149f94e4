import { assert, assertEquals } from "@std/assert";
import { attempt, type Result } from "../../../core/result.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import type { VendorRefusal } from "./refusals.ts";
import { type EmailRequest, readBatch, readEmail } from "./request.ts";

const EMAIL = { From: "a@example.com", To: "b@example.com", Subject: "s", TextBody: "t" };

function read(body: unknown, templated = false): Result<EmailRequest, VendorRefusal> {
  return attempt(() => readEmail(body, { templated, streams: [] }));
}

const REFUSED: readonly (readonly [change: object, code: number, message: string])[] = [
  [{ From: undefined }, 300, "Invalid 'From' value."],
  [{ From: 1 }, 403, "Invalid request field(s): 'From'."],
  [{ To: undefined }, 300, "Zero recipients specified"],
  [
    { To: "a@example.com, <b" },
    300,
    "Error parsing 'To': Illegal email address '<b'. It must contain the '@' symbol.",
  ],
  [{ Bcc: "a b@example.com" }, 300, "Invalid 'Bcc' address: 'a b@example.com'."],
  [
    { To: "Ada <ada@schön.example>" },
    300,
    "Error parsing 'To': Illegal email domain 'schön.example' in address 'ada@schön.example'.",
  ],
  [
    { Cc: "a@ex_ample.com" },
    300,
    "Error parsing 'Cc': Illegal email domain 'ex_ample.com' in address 'a@ex_ample.com'.",
  ],
  [{ To: "jörg@example.com" }, 300, "Invalid 'To' address: 'jörg@example.com'."],
  [{ To: '"a b"@example.com' }, 300, `Invalid 'To' address: '"a b"@example.com'.`],
  [{ ReplyTo: "a..b@example.com" }, 300, "Invalid 'ReplyTo' address: 'a..b@example.com'."],
  [{ From: "a?b@example.com" }, 300, "Invalid 'From' address: 'a?b@example.com'."],
  [{ TextBody: null }, 300, "Provide either email TextBody or HtmlBody or both."],
  [{ Subject: "x".repeat(2001) }, 300, "The 'Subject' field can have at most 2000 characters."],
  [{ Tag: "x".repeat(1001) }, 300, "The 'Tag' field can have at most 1000 characters."],
  [{ Metadata: { a: 1 } }, 403, "Invalid request field(s): 'Metadata'."],
  [
    { Metadata: { a: "1", A: "2" } },
    300,
    "Invalid metadata content: the names of two fields differ in case only.",
  ],
  [{ TrackLinks: "All" }, 403, "Invalid request field(s): 'TrackLinks'."],
  [
    { Attachments: [{ Name: "a.txt", Content: "?" }] },
    300,
    "The 'Content' of attachment 'a.txt' is not base64.",
  ],
  [{ Attachments: [1] }, 403, "Invalid request field(s): 'Attachments'."],
  [{ Headers: [{ Value: "1" }] }, 300, "A header has no 'Name'."],
];

for (const [change, code, message] of REFUSED) {
  Deno.test(`readEmail() refuses ${JSON.stringify(change).slice(0, 60)}`, () => {
    const result = read({ ...EMAIL, ...change });
    assert(!result.ok);
    assertEquals([result.refusal.ErrorCode, result.refusal.Message], [code, message]);
  });
}

Deno.test("readEmail() accepts what the vendor's expressions accept", () => {
  const To = "Jörg <A.b!#$%&'`*+-/=^_{}|~@xn--schn-7qa.example>, o'hara@Sub.Example.com";
  const result = read({ ...EMAIL, To });
  assert(result.ok);
  assertEquals(result.value.draft.to.map(({ name }) => name), ["Jörg", undefined]);
});

Deno.test("readEmail() accepts a template in place of content, but not beside it", () => {
  const { TextBody: _text, Subject: _subject, ...bare } = EMAIL;
  const good = read({ ...bare, TemplateId: 7, TemplateAlias: "x", TemplateModel: {} }, true);
  assert(good.ok);
  assertEquals(good.value.template, { id: 7, alias: "x", model: {} });
  const codes = [
    { TemplateModel: {} },
    { TemplateId: 7 },
    { TemplateId: 7, TemplateModel: {}, Subject: "s" },
    { TemplateId: "7", TemplateModel: {} },
  ].map((change) => {
    const result = read({ ...bare, ...change }, true);
    return result.ok ? 0 : result.refusal.ErrorCode;
  });
  assertEquals(codes, [1101, 1120, 1123, 403]);
});

Deno.test("readEmail() and readBatch() accept or refuse any JSON", () => {
  const key = fc.constantFrom("From", "To", "Cc", "Headers", "Attachments", "Metadata", "TextBody");
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom("a@example.com", '"a', [{}], [{ Name: "x", Content: "" }]),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(key, value)), fc.boolean(), (body, t) => {
      read(body, t);
      attempt(() => readBatch(body));
    }),
    fuzzed(300),
  );
});
