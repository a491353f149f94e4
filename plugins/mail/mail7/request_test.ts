import { assert, assertEquals } from "@std/assert";
import type { IngressCall } from "../../../core/plugin.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readSend } from "./request.ts";

const MAIL = {
  sender: { email: "a@example.com" },
  to: [{ email: "b@example.com" }],
  subject: "s",
  textContent: "t",
};

function read(body: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return readSend({ body: bytes, headers: new Headers() } as unknown as IngressCall);
}

const REFUSED: readonly (readonly [change: object, message: string])[] = [
  [{ sender: { name: "x" } }, "valid sender email required"],
  [{ to: [] }, "to is missing"],
  [{ cc: [] }, "cc is missing"],
  [{ bcc: [] }, "bcc is missing"],
  [{ messageVersions: [{}] }, "to is missing"],
  [{ messageVersions: [{ to: [{ email: "c@example.com" }], bcc: [] }] }, "bcc is missing"],
  [
    {
      textContent: undefined,
      messageVersions: [{ to: [{ email: "c@example.com" }], htmlContent: "own" }],
    },
    "htmlContent is missing",
  ],
  [{ to: "b@example.com" }, "to is not valid"],
  [{ to: [1] }, "to.0 is not valid"],
  [{ cc: [{ email: "x" }] }, "email is not valid in cc"],
  [{ replyTo: {} }, "email is missing in replyTo"],
  [{ headers: { a: 1 } }, "headers is not valid"],
  [{ tags: [1] }, "tags is not valid"],
  [{ scheduledAt: "soon" }, "scheduledAt is not valid"],
  [{ templateId: "1" }, "templateId is not valid"],
  [{ attachment: [{ name: "a.txt" }] }, "attachment content is missing"],
  [{ attachment: [{ content: "AA==" }] }, "attachment name is missing"],
  [{ attachment: [{ name: "a.txt", content: "?" }] }, "attachment content is not valid base64"],
  [{ messageVersions: [] }, "messageVersions must have 1 to 1000 entries"],
  [
    { messageVersions: Array(30).fill({ to: Array(99).fill({ email: "b@example.com" }) }) },
    "a call can have at most 2000 recipients",
  ],
];

for (const [change, message] of REFUSED) {
  Deno.test(`readSend() refuses ${JSON.stringify(change).slice(0, 60)}`, () => {
    const result = read({ ...MAIL, ...change });
    assert(!result.ok);
    assertEquals(result.refusal.message, message);
  });
}

Deno.test("values that a version lacks come from the call", () => {
  const result = read({
    ...MAIL,
    params: { a: 1, b: 2 },
    headers: { "X-A": "1", "X-B": "1" },
    cc: [{ email: "d@example.com" }],
    messageVersions: [
      { to: [{ email: "e@example.com" }], params: { b: 3 }, headers: { "x-b": "2" } },
      { to: [{ email: "c@example.com" }], subject: "own" },
    ],
  });
  assert(result.ok);
  const [first, second] = result.value.versions;
  assertEquals([first!.params, first!.draft.headers], [
    { a: 1, b: 3 },
    [["X-A", "1"], ["x-b", "2"]],
  ]);
  assertEquals([first!.draft.to, first!.draft.cc], [
    [{ email: "e@example.com" }],
    [{ email: "d@example.com" }],
  ]);
  assertEquals([second!.draft.to, second!.draft.subject, second!.draft.text], [
    [{ email: "c@example.com" }],
    "own",
    "t",
  ]);
});

Deno.test("readSend() accepts or refuses any JSON", () => {
  const key = fc.constantFrom(
    "sender",
    "to",
    "email",
    "messageVersions",
    "params",
    "attachment",
    "name",
    "content",
    "headers",
    "subject",
    "textContent",
    "templateId",
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom("a@example.com", "a.txt", "AA=="),
      fc.dictionary(key, tie("tree")),
      fc.array(tie("tree"), { maxLength: 2 }),
    ),
  }));
  fc.assert(fc.property(tree, (body) => void read(body)), fuzzed(300));
});
