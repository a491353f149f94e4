import { assertEquals, assertThrows } from "@std/assert";
import { WireError } from "../../../core/bytes/decoder.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { decodeBase64Url } from "./base64url.ts";
import { decryptAes128gcm, decryptAesgcm, encryptAes128gcm } from "./encryption.ts";
import {
  admitsKey,
  decodeToken,
  encodeToken,
  isPoint,
  makeKeys,
  type SubscriptionKeys,
} from "./subscription.ts";

const encoder = new TextEncoder();
const bytesOf = (text: string): Uint8Array => decodeBase64Url(text)!;
const keysOf = (seed: string): SubscriptionKeys =>
  makeKeys((purpose) => encoder.encode(`${seed} ${purpose}`));

/** RFC 8291 section 5 and appendix A. */
const EXAMPLE = {
  keys: {
    privateKey: bytesOf("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
    publicKey: bytesOf(
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    ),
    auth: bytesOf("BTBZMqHH6r4Tts7J_aSIgg"),
  },
  body: bytesOf(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  ),
};

Deno.test("the example of RFC 8291 is decrypted", () => {
  assertEquals(
    new TextDecoder().decode(decryptAes128gcm(EXAMPLE.body, EXAMPLE.keys)),
    "When I grow up, I want to be a watermelon",
  );
});

Deno.test("a payload encrypted for a subscription is decrypted by that subscription only", () => {
  const keys = keysOf("a");
  const sender = { privateKey: keysOf("sender").privateKey, salt: new Uint8Array(16).fill(7) };
  const payload = encoder.encode("Hello");
  const body = encryptAes128gcm(payload, keys, sender);
  assertEquals(decryptAes128gcm(body, keys), payload);
  assertThrows(() => decryptAes128gcm(body, keysOf("b")), WireError, "not encrypted for the keys");
});

Deno.test("a body that a browser would discard is refused with the reason", () => {
  const { body, keys } = EXAMPLE;
  const changed = (at: number, byte: number): Uint8Array =>
    body.map((old, index) => index === at ? byte : old);
  const rows: readonly (readonly [Uint8Array, string])[] = [
    [new Uint8Array(), "has 0 of 21 bytes"],
    [body.subarray(0, 90), "expected at least 17"],
    [changed(20, 64), "expected a key of 65"],
    [changed(21, 9), "not a point of P-256"],
    [changed(18, 0), "expected at least 18"],
    [changed(140, 1), "not encrypted for the keys"],
  ];
  for (const [bytes, reason] of rows) {
    assertThrows(() => decryptAes128gcm(bytes, keys), WireError, reason);
  }
  const small = changed(18, 0).map((byte, index) => index === 19 ? 40 : byte);
  assertThrows(() => decryptAes128gcm(small, keys), WireError, "more than one record");
});

Deno.test("any bytes are a payload or a WireError", () => {
  const header = { salt: new Uint8Array(16), senderKey: EXAMPLE.keys.publicKey, recordSize: 4096 };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      for (
        const decrypt of [
          () => decryptAes128gcm(bytes, EXAMPLE.keys),
          () => decryptAes128gcm(new Uint8Array([...EXAMPLE.body, ...bytes]), EXAMPLE.keys),
          () => decryptAesgcm(bytes, EXAMPLE.keys, header),
        ]
      ) {
        try {
          decrypt();
        } catch (error) {
          assertEquals(error instanceof WireError, true);
        }
      }
    }),
    fuzzed(),
  );
});

Deno.test("a token holds its keys, and a changed one is distinguished from one made elsewhere", () => {
  const keys = keysOf("a");
  const token = encodeToken(keys);
  assertEquals(decodeToken(token), keys);
  assertEquals(decodeToken(`${token.slice(0, -3)}AAA`), "broken");
  assertEquals(decodeToken("st1-AAAA"), "broken");
  assertEquals(decodeToken("gAAAAABnpdbulnTLVcG1dB8MMTW1w9txxdv6vnAidRDz"), "foreign");
  fc.assert(
    fc.property(fc.string(), (text) => void decodeToken(`st1-${text}`)),
    fuzzed(),
  );
});

Deno.test("a subscription with a sender's key accepts no other", () => {
  const [own, other] = [keysOf("own").publicKey, keysOf("other").publicKey];
  const bound = decodeToken(encodeToken(makeKeys((p) => encoder.encode(p), own)));
  if (typeof bound === "string") throw new Error(bound);
  assertEquals([admitsKey(bound, own), admitsKey(bound, other)], [true, false]);
  assertEquals(admitsKey(keysOf("free"), other), true);
});

Deno.test("only points of the curve are keys", () => {
  assertEquals(isPoint(EXAMPLE.keys.publicKey), true);
  assertEquals(isPoint(new Uint8Array(65).fill(4)), false);
  assertEquals(isPoint(new Uint8Array(64)), false);
});
