import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { payloadLimit, readPayload } from "./request.ts";

const read = (text: string) => readPayload(new TextEncoder().encode(text));

Deno.test("data is everything but aps, each value as sent", () => {
  const body = '{"big": 12345678901234567890, "aps": {"badge": 1}, "a b": "\\u0041" , "x":[ 1 ]}';
  const { draft } = read(body);
  assertEquals(draft.data?.text, '{"big":12345678901234567890,"a b":"\\u0041","x":[ 1 ]}');
  assertEquals(draft.data?.json["a b"], "A");
  assertEquals(draft.alert, { badge: 1 });
  assertEquals(new TextDecoder().decode(draft.payloads[0]!.bytes), body);
});

Deno.test("a payload of aps alone has no data", () => {
  assertEquals(read('{"aps":{"alert":"x"}}').draft.data, undefined);
  assertEquals(read("{}").draft.data, undefined);
});

Deno.test("a name like a built-in one stays data", () => {
  const { draft } = read('{"__proto__":{"a":1},"constructor":2}');
  assertEquals(Object.keys(draft.data!.json), ["__proto__", "constructor"]);
  assertEquals(draft.data!.text, '{"__proto__":{"a":1},"constructor":2}');
});

Deno.test("a payload that is not a JSON object is stored and explained", () => {
  const broken = read('{"aps":');
  assertEquals(broken.draft.unreadable, "the payload is not JSON");
  assertEquals(typeof broken.meta.parse_error, "string");
  assertEquals(broken.draft.payloads[0]!.json, undefined);
  const list = read("[1]");
  assertEquals(list.draft.unreadable, "the payload is not a JSON object");
  assertEquals(list.draft.payloads[0]!.json, [1]);
});

Deno.test("calls may carry more than other types", () => {
  assertEquals([payloadLimit("voip"), payloadLimit("alert"), payloadLimit(undefined)], [
    5120,
    4096,
    4096,
  ]);
});

Deno.test("any bytes are read without an error, and stored", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array(), fc.json().map((text) => new TextEncoder().encode(text))),
      (body) => {
        assertEquals(readPayload(body).draft.payloads[0]!.bytes, body);
      },
    ),
    fuzzed(200),
  );
});
