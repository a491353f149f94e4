import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { FormReader, MAX_FORM_BYTES } from "./form_reader.ts";
import { checkPolicy, parsePolicy, sizesOf } from "./post_policy.ts";

const encoder = new TextEncoder();

function part(head: string, value: string): string {
  return `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
}

/** Reads a form that arrives in chunks. */
function read(form: string | Uint8Array, cuts: readonly number[] = []) {
  const bytes = typeof form === "string" ? encoder.encode(form) : form;
  const reader = new FormReader("x");
  const places = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  let file = "";
  for (let i = 1; i < places.length; i++) {
    for (const piece of reader.push(bytes.slice(places[i - 1], places[i]))) {
      file += new TextDecoder("latin1").decode(piece);
    }
  }
  return { fields: reader.fields, name: reader.file, file, ended: reader.ended };
}

const FORM = part('name="key"', "ü/${filename}") + part('name="empty"', "") +
  part('name="file"; filename="C:\\photos\\a.txt"\r\nContent-Type: text/plain', "Hel\r\n--lo\r\n") +
  part('name="after"', "passed over") + "--x--\r\n";

Deno.test("a form is read whatever its chunks", () => {
  const length = encoder.encode(FORM).length;
  fc.assert(fc.property(fc.array(fc.nat(length), { maxLength: 5 }), (cuts) => {
    assertEquals(read(FORM, cuts), {
      fields: [["key", "ü/${filename}"], ["empty", ""]],
      name: "a.txt",
      file: "Hel\r\n--lo\r\n",
      ended: true,
    });
  }));
});

Deno.test("any bytes of a file come through", () => {
  const [start, end] = [encoder.encode(part('name="file"', "").slice(0, -2)), "\r\n--x--\r\n"];
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(400), (bytes, cut) => {
    const form = new Uint8Array([...start, ...bytes, ...encoder.encode(end)]);
    const { file, ended } = read(form, [Math.min(cut, form.length)]);
    assertEquals([file, ended], [new TextDecoder("latin1").decode(bytes), true]);
  }));
});

Deno.test("a file name is read as browsers and libraries write it", () => {
  const names: readonly (readonly [string, string])[] = [
    ['filename="a b.txt"', "a b.txt"],
    ['filename="/home/me/a.txt"', "a.txt"],
    ['filename="a \\"b\\".txt"', 'a "b".txt'],
    ["filename=a.txt", "a.txt"],
    ["filename*=utf-8''%C3%BC.txt", "ü.txt"],
    ["filename*=utf-8''%zz", ""],
    ["x=y", ""],
  ];
  for (const [text, name] of names) {
    assertEquals(read(part(`name="file"; ${text}`, "x")).name, name, text);
  }
});

Deno.test("an invalid form, or one with too much before its file, is refused", () => {
  const long = "y".repeat(MAX_FORM_BYTES);
  const forms: readonly (readonly [string, WireError["code"]])[] = [
    ["--x--\r\n", "syntax"],
    ["--xy\r\n", "syntax"],
    ["--x\r\nContent-Type: text/plain\r\n\r\nz\r\n--x--", "syntax"],
    [part('name="key"', "a") + "--x--\r\n", "syntax"],
    ["no delimiter" + long, "limit"],
    [part('name="key"', long), "limit"],
    [part('name="key"', long) + part('name="file"', "x"), "limit"],
    [`--x\r\nContent-Disposition: form-data; name="${long}`, "limit"],
  ];
  for (const [form, code] of forms) {
    const error = assertThrows(() => read(form), WireError, "", form.slice(0, 60));
    assertEquals(error.code, code, form.slice(0, 60));
  }
  assertThrows(
    () =>
      read(
        new Uint8Array([
          ...encoder.encode(part('name="k"', "").slice(0, -2)),
          0xff,
          13,
          10,
          ...encoder.encode("--x\r\n"),
        ]),
      ),
    WireError,
    "not UTF-8",
  );
  assertEquals(read(part('name="file"', "x").slice(0, -2)).ended, false);
});

const SOON = "2030-01-01T00:00:00.000Z";
const encode = (policy: unknown): string => btoa(JSON.stringify(policy));

Deno.test("an invalid policy is refused with the reason", () => {
  const policies: readonly (readonly [string, string])[] = [
    ["", "JSON in base64"],
    ["%%%", "JSON in base64"],
    [btoa("{"), "JSON in base64"],
    [encode([]), "an object"],
    [encode({ conditions: [] }), "no expiration"],
    [encode({ expiration: 5, conditions: [] }), "no expiration"],
    [encode({ expiration: "tomorrow", conditions: [] }), "not an ISO 8601 date"],
    [encode({ expiration: "2030-13-01T00:00:00Z", conditions: [] }), "not a valid date"],
    [encode({ expiration: SOON }), "no list of conditions"],
    [encode({ expiration: SOON, conditions: [], extra: 1 }), '"extra"'],
    ...[
      {},
      { a: "b", c: "d" },
      { a: 5 },
      "x",
      null,
      [],
      ["eq", "key", "a"],
      ["eq", "$key"],
      ["ends-with", "$key", "a"],
      ["content-length-range", 1],
      ["content-length-range", 1, -2],
      ["content-length-range", 1, 2, 3],
    ].map((
      one,
    ): [string, string] => [encode({ expiration: SOON, conditions: [one] }), "is invalid"]),
  ];
  for (const [text, reason] of policies) {
    const parsed = parsePolicy(text);
    assert(!parsed.ok && parsed.refusal.includes(reason), JSON.stringify([text, parsed]));
  }
});

Deno.test("fields are checked against the conditions of a policy", () => {
  const json =
    `{ "expiration": "${SOON}", "conditions": [ {"Bucket": "box"}, ["eq", "$Key", "a\\$b"],
    ["starts-with", "$Content-Type", "image/"], ["content-length-range", 1, "10"], ] }`;
  const parsed = parsePolicy(btoa(json));
  assert(parsed.ok);
  assertEquals(sizesOf(parsed.value), { least: 1, most: 10 });
  const check = (more: Readonly<Record<string, string>>, at = "2029-01-01") => {
    const fields = {
      key: "a$b",
      "content-type": "image/png",
      policy: "x",
      signature: "y",
      ...more,
    };
    const given = Object.entries(fields).filter(([, value]) => value !== "");
    return checkPolicy(parsed.value, {
      fields: new Map(given),
      bucket: "box",
      now: new Date(at),
    });
  };
  assertEquals(check({}), undefined);
  assertEquals(check({ "x-ignore-me": "1" }), undefined);
  assertEquals(check({ "content-type": "image/png, image/gif" }), undefined);
  assertEquals(check({}, SOON), "Policy expired.");
  assertEquals(check({ key: "b" }), 'Policy Condition failed: ["eq","$key","a$b"]');
  const type = 'Policy Condition failed: ["starts-with","$content-type","image/"]';
  assertEquals(check({ "content-type": "image/png,text/html" }), type);
  assertEquals(check({ "content-type": "" }), type);
  assertEquals(check({ acl: "private" }), "Extra input fields: acl");
});
