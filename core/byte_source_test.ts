import { assertEquals } from "@std/assert";
import { fc } from "../tests/support/fast_check.ts";
import { fuzzed } from "../tests/support/fuzz.ts";
import { textSource } from "./byte_source.ts";

async function read(text: string, mostBytes: number): Promise<Uint8Array> {
  const source = textSource(text);
  const bytes: number[] = [];
  for (let part; (part = await source.next(mostBytes)) !== undefined;) bytes.push(...part);
  assertEquals(source.size, bytes.length);
  return Uint8Array.from(bytes);
}

Deno.test("a text is encoded in chunks as it is in one piece, wherever they end", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.integer({ min: 4, max: 20 }),
      async (text, mostBytes) =>
        assertEquals(await read(text, mostBytes), new TextEncoder().encode(text)),
    ),
    fuzzed(500),
  );
});

Deno.test("a long text of characters of any length is encoded as it is in one piece", async () => {
  for (const text of ["x", "é", "€", "🙂", "a🙂", "\ud800", ""]) {
    const long = text.repeat(70_000);
    const bytes: Uint8Array[] = [];
    const source = textSource(long);
    for (let part; (part = await source.next(1_000_000)) !== undefined;) bytes.push(part);
    const whole = new TextEncoder().encode(long);
    assertEquals(source.size, whole.length);
    assertEquals(
      new Uint8Array(await new Blob(bytes as Uint8Array<ArrayBuffer>[]).arrayBuffer()),
      whole,
    );
  }
});
