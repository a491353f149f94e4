import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readArguments, readFlag } from "./arguments.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const FORM_TYPE = "application/x-www-form-urlencoded";

const read = async (body: string, type: string | null) => {
  const given = await readArguments(new TextEncoder().encode(body), type);
  return !given.ok ? given.refusal.error : {
    text: given.value.text("a"),
    json: given.value.json("a"),
    flag: readFlag(given.value.text("a")),
  };
};

const cases: readonly [body: string, type: string | null, expected: unknown][] = [
  ['{"a":"x"}', JSON_TYPE, { text: "x", json: "x", flag: undefined }],
  ['{"a":1.500}', JSON_TYPE, { text: "1.500", json: "1.500", flag: undefined }],
  ['{"a":true}', JSON_TYPE, { text: "true", json: "true", flag: true }],
  ['{"a":null}', JSON_TYPE, { text: undefined, json: undefined, flag: undefined }],
  ['{"a":[ 1 ]}', JSON_TYPE, { text: undefined, json: "[ 1 ]", flag: undefined }],
  ['{"a":"[ 1 ]"}', JSON_TYPE, { text: "[ 1 ]", json: "[ 1 ]", flag: undefined }],
  ['{"a":1,"a":0}', JSON_TYPE, { text: "0", json: "0", flag: false }],
  ["{}", JSON_TYPE, { text: undefined, json: undefined, flag: undefined }],
  ["a=1", FORM_TYPE, { text: "1", json: "1", flag: true }],
  ["a=1", null, { text: "1", json: "1", flag: true }],
  ["a=false&a=1", FORM_TYPE, { text: "false", json: "false", flag: false }],
  ['payload={"a":"%2B"}', FORM_TYPE, { text: "+", json: "+", flag: undefined }],
  ['\ufeff {"a":"x"}', FORM_TYPE, { text: "x", json: "x", flag: undefined }],
  ["", FORM_TYPE, { text: undefined, json: undefined, flag: undefined }],
  ["hello", null, "invalid_json"],
  ["hello", FORM_TYPE, { text: undefined, json: undefined, flag: undefined }],
  ["a=1", JSON_TYPE, "invalid_json"],
  ["", JSON_TYPE, "invalid_json"],
  ["payload={", FORM_TYPE, "invalid_json"],
  ["payload=[]", FORM_TYPE, "json_not_object"],
  ["[1]", FORM_TYPE, "json_not_object"],
  ["&".repeat(10_000), FORM_TYPE, "invalid_form_data"],
  ["x", "multipart/form-data", "invalid_form_data"],
];

for (const [body, type, expected] of cases) {
  Deno.test(`arguments are read from ${body.slice(0, 30)} as ${type}`, async () => {
    assertEquals(await read(body, type), expected);
  });
}

Deno.test("any bytes of any type are arguments or a refusal in the vendor's words", async () => {
  const type = fc.constantFrom(
    null,
    JSON_TYPE,
    FORM_TYPE,
    "text/plain",
    "multipart/form-data; boundary=x",
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), type, async (body, type) => {
      const given = await readArguments(body, type);
      if (given.ok) void [given.value.text("a"), given.value.json("a")];
    }),
    fuzzed(200),
  );
});
