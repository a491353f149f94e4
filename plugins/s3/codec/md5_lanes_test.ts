import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { Md5Lanes, type RunningDigest } from "./md5_lanes.ts";

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}

/** Lanes that may also leave a body alone, and how often they did. */
function openLanes(): { readonly lanes: Md5Lanes; readonly left: () => number } {
  let left = 0;
  const alone = (): RunningDigest => {
    left++;
    const hash = createHash("md5");
    return { update: (bytes) => void hash.update(bytes), finish: () => hash.digest() };
  };
  return { lanes: new Md5Lanes(alone), left: () => left };
}

/** Lanes in which one body says nothing, and is company to the others. */
function openAccompanied(): Md5Lanes {
  const { lanes } = openLanes();
  lanes.open();
  return lanes;
}

const NOISE = new Uint8Array(1_200_000);
for (let i = 0; i < NOISE.length; i++) NOISE[i] = Math.imul(i, 0x9e3779b1) >>> 24;

function noise(size: number, seed: number): Uint8Array {
  return NOISE.subarray(seed, seed + size);
}

/** RFC 1321, appendix A.5. */
const SUITE: Readonly<Record<string, string>> = {
  "": "d41d8cd98f00b204e9800998ecf8427e",
  "a": "0cc175b9c0f1b6a831c399e269772661",
  "abc": "900150983cd24fb0d6963f7d28e17f72",
  "message digest": "f96b697d7cb7938d525a2f31aaf161d0",
  "abcdefghijklmnopqrstuvwxyz": "c3fcd3d76192e4007dfb496cca67e13b",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789":
    "d174ab98d277d9f5a5611c2c9f419d9f",
  "12345678901234567890123456789012345678901234567890123456789012345678901234567890":
    "57edf4a22be3c955ac49da2e2107b67a",
};

Deno.test("MD5 in lanes: the test suite of RFC 1321", () => {
  const lanes = openAccompanied();
  for (const [text, expected] of Object.entries(SUITE)) {
    using digest = lanes.open();
    digest.update(new TextEncoder().encode(text));
    assertEquals(digest.finish().toHex(), expected, text);
  }
});

Deno.test("MD5 in lanes: every length around a block", () => {
  const lanes = openAccompanied();
  for (let size = 0; size <= 260; size++) {
    const bytes = noise(size, size);
    using digest = lanes.open();
    digest.update(bytes);
    assertEquals(digest.finish().toHex(), md5(bytes), `${size}`);
  }
});

Deno.test("MD5 in lanes: a body without company is left alone, one that found company is not", () => {
  const { lanes, left } = openLanes();
  const [alone, late] = [noise(300_000, 1), noise(500_000, 2)];
  const first = lanes.open();
  first.update(alone.subarray(0, 200_000));
  assertEquals(left(), 1);
  const second = lanes.open();
  second.update(late.subarray(0, 300_000));
  first.update(alone.subarray(200_000));
  assertEquals(first.finish().toHex(), md5(alone));
  first[Symbol.dispose]();
  // It has not been begun, and is alone now.
  second.update(late.subarray(300_000));
  assertEquals(second.finish().toHex(), md5(late));
  assertEquals(left(), 2);
});

Deno.test("MD5 in lanes: any number of bodies, cut anywhere, finished in any order", () => {
  const body = fc.record({
    size: fc.oneof(fc.nat(300), fc.nat(200_000), fc.constant(1_100_000)),
    chunk: fc.integer({ min: 7, max: 300_000 }),
    isGivenUp: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 12 }), (bodies) => {
      const { lanes } = openLanes();
      const open = bodies.map(({ size, chunk, isGivenUp }, seed) => ({
        ...{ bytes: noise(size, seed), chunk: Math.max(chunk, size >> 8), isGivenUp, at: 0 },
        digest: lanes.open(),
      }));
      for (let left = open; left.length > 0;) {
        for (const one of left) {
          const part = one.bytes.subarray(one.at, one.at + one.chunk);
          one.digest.update(part);
          one.at += part.length;
          if (one.isGivenUp && one.at > one.bytes.length / 2) one.digest[Symbol.dispose]();
          else if (one.at === one.bytes.length) {
            assertEquals(one.digest.finish().toHex(), md5(one.bytes));
          }
        }
        left = left.filter(({ at, bytes, isGivenUp }) =>
          at < bytes.length && !(isGivenUp && at > bytes.length / 2)
        );
      }
    }),
    { numRuns: 12 },
  );
});
