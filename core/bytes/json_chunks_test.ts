import { assert, assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { isLong, jsonChunks } from "./json_chunks.ts";
import { LongList } from "./long_list.ts";
import { Base64Text, Utf8Text } from "./long_text.ts";

const LONG = 200_000;

function written(value: unknown): string {
  const chunks = [...jsonChunks(value)];
  // Joined text below 64 Ki, and one short value whose characters may take six each.
  for (const chunk of chunks) assert(chunk.length <= 7 * 65_536 + 100, `${chunk.length}`);
  return chunks.join("");
}

Deno.test("any value is written as by JSON.stringify(), however long its strings", () => {
  const texts = ["plain", 'quote " \\ \n \u2028 \0', "é€", "😀", "\ud83d", "a\udc00"]
    .map((text) => text.repeat(Math.ceil(LONG / text.length)));
  const long = fc.constantFrom(...texts, ...texts.map((text) => `x${text}`));
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), long, fc.nat(3), (value, text, depth) => {
      let all: unknown = [value, text, { text, value, none: undefined }];
      for (let i = 0; i < depth; i++) all = i % 2 === 0 ? { all } : [all, undefined];
      assert(isLong(all));
      assertEquals(written(all), JSON.stringify(all));
    }),
    fuzzed(60),
  );
});

Deno.test("short values are written at once", () => {
  for (const value of [null, 1, "text", [], {}, [1, { a: "b" }], { date: new Date(0) }]) {
    assertEquals([...jsonChunks(value)], [JSON.stringify(value)]);
  }
});

Deno.test("toJSON() is called", () => {
  const value = { text: "x", toJSON: () => ({ text: "y".repeat(LONG), at: new Date(0) }) };
  assertEquals(written([value, value]), JSON.stringify([value, value]));
  const list = new LongList([1, 2], (at) => ({ at, text: "z".repeat(LONG), none: undefined }));
  const empty = new LongList([], (at) => at);
  assertEquals(written({ list, empty }), JSON.stringify({ list, empty }));
});

Deno.test("an array of very many values is written in chunks", () => {
  const values = Array.from({ length: 100_000 }, (_, at) => at);
  assertEquals(written({ values, empty: [] }), JSON.stringify({ values, empty: [] }));
});

Deno.test("a long text is decoded from its bytes while it is written", () => {
  const bytes = Uint8Array.from({ length: LONG + 1 }, (_, at) => at * 7 & 0xff);
  assertEquals(written({ a: new Base64Text(bytes) }), JSON.stringify({ a: bytes.toBase64() }));
  const text = new TextEncoder().encode("aé€😀".repeat(LONG / 10));
  const decoded = new TextDecoder().decode(text);
  assertEquals(written([new Utf8Text(text)]), JSON.stringify([decoded]));
  assertEquals(JSON.stringify([new Utf8Text(text)]), JSON.stringify([decoded]));
});
