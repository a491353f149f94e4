import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { formFields } from "../../../core/codec/form.ts";
import { readAction, readBatch, readPublish } from "./request.ts";
import { EXAMPLE } from "./snippets.ts";

const TOPIC = "arn:aws:sns:eu-west-1:000000000000:orders";

type Given = Readonly<Record<string, string>>;

function codeOf(given: Given): string {
  const read = readPublish(formFields(Object.entries(given)));
  return read.ok ? "" : `${read.refusal.code}: ${read.refusal.message}`;
}

const cases: [what: string, given: Given, refusal: string][] = [
  ["a message to a number", EXAMPLE, ""],
  ["a message to a topic", { TopicArn: TOPIC, Message: "x" }, ""],
  ["a number with spaces", { ...EXAMPLE, PhoneNumber: "+44 7700 900123" }, ""],
  [
    "no target",
    { Message: "x" },
    "InvalidParameter: Invalid parameter: TopicArn or TargetArn Reason: no value for required parameter",
  ],
  [
    "an empty message",
    { ...EXAMPLE, Message: "" },
    "InvalidParameter: Invalid parameter: Empty message",
  ],
  [
    "a number of letters",
    { ...EXAMPLE, PhoneNumber: "nobody" },
    "InvalidParameter: Invalid parameter: PhoneNumber Reason: nobody is not valid to publish to",
  ],
  [
    "a topic by its name",
    { TopicArn: "orders", Message: "x" },
    "InvalidParameter: Invalid parameter: TopicArn Reason: orders does not start with arn",
  ],
  [
    "1601 characters",
    { ...EXAMPLE, Message: "a".repeat(1601) },
    "InvalidParameter: Invalid parameter: Message too long",
  ],
  ["1600 characters beyond the basic plane", { ...EXAMPLE, Message: "👋".repeat(1600) }, ""],
  [
    "an ordered topic without a group",
    { TopicArn: `${TOPIC}.fifo`, Message: "x" },
    "InvalidParameter: Invalid parameter: The MessageGroupId parameter is required for FIFO topics",
  ],
  [
    "a structure without a default",
    { TopicArn: TOPIC, Message: '{"sms":"x"}', MessageStructure: "json" },
    "InvalidParameter: Invalid parameter: Message Structure - No default entry in JSON message body",
  ],
  [
    "a structure that is none",
    { TopicArn: TOPIC, Message: "x", MessageStructure: "json" },
    "InvalidParameter: Invalid parameter: Message Structure - JSON message body failed to parse",
  ],
  ["a subject of 100 characters", { ...EXAMPLE, Subject: "a".repeat(100) }, ""],
  [
    "a subject of 101 characters",
    { ...EXAMPLE, Subject: "a".repeat(101) },
    "InvalidParameter: Invalid parameter: Subject",
  ],
  [
    "a subject of two lines",
    { ...EXAMPLE, Subject: "two\nlines" },
    "InvalidParameter: Invalid parameter: Subject",
  ],
  ["an attribute with a label", attribute("a.b-c_1", "Number.int", { StringValue: "1" }), ""],
  ["an attribute of bytes", attribute("a", "Binary", { BinaryValue: "AP8=" }), ""],
  [
    "an attribute without a type",
    attribute("a", undefined, { StringValue: "x" }),
    "ValidationError: 1 validation error detected: Value null at 'messageAttributes.a.member.dataType' " +
    "failed to satisfy constraint: Member must not be null",
  ],
  [
    "an attribute of an unknown type",
    attribute("a", "Boolean", { StringValue: "true" }),
    "ParameterValueInvalid: The message attribute 'a' has an invalid message attribute type, the set of " +
    "supported type prefixes is Binary, Number, and String.",
  ],
  [
    "an attribute without a value",
    attribute("a", "String", { StringValue: "" }),
    "ParameterValueInvalid: The message attribute 'a' must contain non-empty message attribute value for " +
    "message attribute type 'String'.",
  ],
  [
    "a text in place of bytes",
    attribute("a", "Binary", { StringValue: "x" }),
    "ParameterValueInvalid: The message attribute 'a' with type 'Binary' must use field 'Binary'.",
  ],
  [
    "an attribute whose name has a space",
    attribute("a b", "String", { StringValue: "x" }),
    "ParameterValueInvalid: Invalid non-alphanumeric character '#x20' was found in the message attribute " +
    "name. Can only include alphanumeric characters, hyphens, underscores, or dots.",
  ],
];

function attribute(name: string, type: string | undefined, value: Given): Given {
  const at = "MessageAttributes.entry.1.";
  const members = Object.entries(value).map(([key, text]) => [`${at}Value.${key}`, text]);
  return {
    ...EXAMPLE,
    [`${at}Name`]: name,
    ...(type !== undefined && { [`${at}Value.DataType`]: type }),
    ...Object.fromEntries(members),
  };
}

for (const [what, given, refusal] of cases) {
  Deno.test(`sms2 ${refusal === "" ? "takes" : "refuses"} ${what}`, () => {
    assertEquals(codeOf(given), refusal);
  });
}

Deno.test("sms2 takes the text for phones from a structured message", () => {
  const read = readPublish(formFields(Object.entries({
    TopicArn: TOPIC,
    Message: '{"default":"d","sms":"s"}',
    MessageStructure: "json",
  })));
  assert(read.ok);
  assertEquals([read.value.draft.body, read.value.meta.structured_message], [
    "s",
    '{"default":"d","sms":"s"}',
  ]);
});

Deno.test("sms2 reads any bytes as an action or one of the vendor's refusals", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const read = readAction(bytes);
      assert(read.ok || read.refusal.status === 400);
    }),
    fuzzed(300),
  );
  const entry = "PublishBatchRequestEntries.member.1.";
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom("TopicArn", `${entry}Id`, `${entry}Message`, `${entry}MessageStructure`),
  );
  const value = fc.oneof(fc.string(), fc.constantFrom(TOPIC, "a", "json"));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 10 }), (pairs) => {
      const read = readBatch(formFields(pairs));
      assert(read.ok || read.refusal.status === 400);
    }),
    fuzzed(300),
  );
});
