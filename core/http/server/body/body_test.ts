import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { ByteIntake } from "../../../byte_source.ts";
import type { MemoryLease } from "../../../memory/lease.ts";
import type { HttpCall } from "../../call.ts";
import { BodyEncodingError, BodyTooLargeError, decodeBody, readBody } from "./body.ts";

const PLAIN = new TextEncoder().encode(`{"text":"${"abc ".repeat(500)}"}`);

const coded: readonly (readonly [encoding: string | null, bytes: Uint8Array])[] = [
  [null, PLAIN],
  ["", PLAIN],
  ["identity", PLAIN],
  ["gzip", gzipSync(PLAIN)],
  ["GZIP", gzipSync(PLAIN)],
  ["x-gzip", gzipSync(PLAIN)],
  ["deflate", deflateSync(PLAIN)],
  ["deflate", deflateRawSync(PLAIN)],
  ["br", brotliCompressSync(PLAIN)],
  ["deflate, gzip", gzipSync(deflateSync(PLAIN))],
  ["br, identity ,gzip", gzipSync(brotliCompressSync(PLAIN))],
];
for (const [encoding, bytes] of coded) {
  Deno.test(`decodeBody() undoes "${encoding}" of ${bytes.length} bytes`, async () => {
    assertEquals(
      new Uint8Array(await decodeBody(bytes, encoding, { maxBytes: PLAIN.length })),
      PLAIN,
    );
  });
}

const bad: readonly (readonly [name: string, encoding: string, bytes: Uint8Array])[] = [
  ["text that is not gzip", "gzip", PLAIN],
  ["gzip that is cut short", "gzip", gzipSync(PLAIN).subarray(0, 40)],
  ["gzip with bytes behind it", "gzip", Uint8Array.of(...gzipSync(PLAIN), 1, 2, 3)],
  ["deflate that is cut short", "deflate", deflateSync(PLAIN).subarray(0, 20)],
  ["text that is not brotli", "br", PLAIN],
  ["brotli that is cut short", "br", brotliCompressSync(PLAIN).subarray(0, 20)],
  ["a coding that is not known", "zstd", PLAIN],
  ["codings without end", "gzip, gzip, gzip, gzip", PLAIN],
  ["nothing at all", "gzip", new Uint8Array()],
];
for (const [name, encoding, bytes] of bad) {
  Deno.test(`decodeBody() refuses ${name}`, async () => {
    const error = await assertRejects(
      () => decodeBody(bytes, encoding, { maxBytes: 1_000_000 }),
      BodyEncodingError,
    );
    assertEquals(error.message.startsWith("Cannot decode a body "), true, error.message);
  });
}

for (
  const [encoding, pack] of [["gzip", gzipSync], ["deflate", deflateSync], [
    "br",
    brotliCompressSync,
  ]] as const
) {
  Deno.test(`decodeBody() stops a bomb of ${encoding} at the limit`, async () => {
    const bomb = pack(new Uint8Array(30 * 1024 * 1024));
    const error = await assertRejects(() => decodeBody(bomb, encoding, { maxBytes: 100_000 }));
    assertInstanceOf(error, BodyTooLargeError);
    assertEquals(error.maxBytes, 100_000);
  });
}

Deno.test("decodeBody() takes a body of just the size allowed, and not one byte more", async () => {
  const packed = gzipSync(PLAIN);
  assertEquals((await decodeBody(packed, "gzip", { maxBytes: PLAIN.length })).length, PLAIN.length);
  await assertRejects(
    () => decodeBody(packed, "gzip", { maxBytes: PLAIN.length - 1 }),
    BodyTooLargeError,
  );
});

Deno.test("readBody() does not wait for garbage collections over HTTP/1", async () => {
  const size = 200_000;
  let left = size;
  const intake: ByteIntake = {
    size,
    read: (into) => {
      const count = Math.min(into.length, left);
      into.fill(0x61, 0, count);
      left -= count;
      return Promise.resolve(count);
    },
  };
  const call: Pick<HttpCall, "intake" | "headers"> = { intake, headers: new Headers() };
  let covered = 0;
  const lease: MemoryLease = {
    bytes: 0,
    cover: (bytes) => void (covered = Math.max(covered, bytes)),
    take: () => {},
    give: () => {},
    waste: () => new Promise(() => {}),
    [Symbol.dispose]: () => {},
  };
  const body = await readBody(call as HttpCall, { maxBytes: size, lease });
  assertEquals([body.length, body.every((byte) => byte === 0x61)], [size, true]);
  // It still reserves room for the body.
  assertEquals(covered >= size, true);
});
