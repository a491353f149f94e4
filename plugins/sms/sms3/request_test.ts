import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readMessage, readSms } from "./request.ts";
import { EXAMPLE } from "./snippets.ts";

const JSON_TYPE = "application/json";
const bytes = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));
const MESSAGE = { ...EXAMPLE, channel: "sms", message_type: "text" };

const cases: [what: string, body: unknown, refusal: string][] = [
  ["a whole message", EXAMPLE, ""],
  ["a message without recipient", { ...EXAMPLE, to: "" }, "2 Missing to param"],
  ["a message without sender", { ...EXAMPLE, from: null }, "2 Missing from param"],
  ["a message without text", { ...EXAMPLE, text: undefined }, "2 Missing text param"],
  ["a name for a number", { ...EXAMPLE, to: "nobody" }, "3 to address is not numeric"],
  ["an unknown type", { ...EXAMPLE, type: "fax" }, "3 type must be one of text, unicode, binary"],
  ["bytes", { ...EXAMPLE, type: "binary", body: "00ff", udh: "06" }, ""],
  ["bytes that are none", { ...EXAMPLE, type: "binary", body: "0g" }, "3 body is not hexadecimal"],
  ["an object for a number", { ...EXAMPLE, to: { toString: 1 } }, "3 to address is not numeric"],
  ["an array", [], "3 The body cannot be read"],
];

for (const [what, body, refusal] of cases) {
  Deno.test(`sms3 ${refusal === "" ? "takes" : "refuses"} ${what}`, () => {
    const read = readSms(bytes(body), JSON_TYPE);
    assertEquals(read.ok ? "" : read.refusal.sms.join(" "), refusal);
  });
}

Deno.test("sms3 accepts a form declared as JSON, as the vendor's Python package sends it", () => {
  const form = new TextEncoder().encode("to=447700900123&from=A&text=Hello+%26+bye");
  const read = readSms(form, JSON_TYPE);
  assert(read.ok);
  assertEquals(read.value.draft.body, "Hello & bye");
});

const VIBER = { channel: "viber_service" };

const messages: [what: string, body: unknown, name: string][] = [
  ["a whole message", MESSAGE, ""],
  ["an unknown channel", { ...MESSAGE, channel: "pigeon" }, "channel"],
  ["a picture over SMS", { ...MESSAGE, message_type: "image" }, "message_type"],
  ["a number that is none", { ...MESSAGE, to: "nobody" }, "to"],
  [
    "a picture without a link",
    { ...MESSAGE, channel: "mms", message_type: "image", image: {} },
    "image.url",
  ],
  ["3200 characters", { ...MESSAGE, text: "👋".repeat(3200) }, ""],
  ["3201 characters", { ...MESSAGE, text: "a".repeat(3201) }, "text"],
  ["1001 characters to Viber", { ...MESSAGE, ...VIBER, text: "a".repeat(1001) }, "text"],
  ["an unknown kind of message", { ...MESSAGE, message_type: "txt" }, "message_type"],
  ["a sticker to Viber", { ...MESSAGE, ...VIBER, message_type: "sticker" }, "message_type"],
  ["a reference of 101 characters", { ...MESSAGE, client_ref: "a".repeat(101) }, "client_ref"],
  [
    "no content",
    { ...MESSAGE, channel: "mms", message_type: "content", content: [] },
    "content",
  ],
];

for (const [what, body, name] of messages) {
  Deno.test(`sms3 ${name === "" ? "takes" : "refuses"} ${what} over the Messages API`, () => {
    const read = readMessage(bytes(body), JSON_TYPE);
    assertEquals(read.ok ? "" : read.refusal.members?.[0]?.[0], name);
  });
}

Deno.test("sms3 reads any body as a message or one of the vendor's refusals", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("447700900123", "text", "mms", "image"));
  const body = fc.record({
    to: value,
    from: value,
    text: value,
    type: value,
    channel: value,
    message_type: value,
    image: value,
  });
  fc.assert(
    fc.property(fc.oneof(body, fc.jsonValue()), (body) => {
      for (const read of [readSms, readMessage]) {
        const request = read(bytes(body), JSON_TYPE);
        assert(request.ok ? request.value.draft.to !== "" : request.refusal.messages[0] >= 400);
      }
    }),
    fuzzed(300),
  );
});
