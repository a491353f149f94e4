import { assertEquals, assertRejects } from "@std/assert";
import { createCipheriv } from "node:crypto";
import { OctetString } from "asn1js";
import { type Bytes, decryptContent } from "./cms_crypto.ts";
import type { EnvelopedData } from "./codec/cms.ts";

const OIDS = {
  "aes-128-cbc": "2.16.840.1.101.3.4.1.2",
  "aes-256-cbc": "2.16.840.1.101.3.4.1.42",
  "des-ede3-cbc": "1.2.840.113549.3.7",
} as const;
const KEY_BYTES = { "aes-128-cbc": 16, "aes-256-cbc": 32, "des-ede3-cbc": 24 } as const;

function encrypt(cipher: keyof typeof OIDS, plain: Uint8Array): [EnvelopedData, Bytes] {
  const key = Uint8Array.from({ length: KEY_BYTES[cipher] }, (_, index) => 7 * index + 1);
  const iv = Uint8Array.from({ length: cipher.startsWith("aes") ? 16 : 8 }, (_, index) => index);
  const encipher = createCipheriv(cipher, key, iv);
  const ciphertext = Uint8Array.from([...encipher.update(plain), ...encipher.final()]);
  const parameters = new OctetString({ valueHex: iv.buffer });
  return [{
    kind: "encrypted",
    recipients: [],
    otherRecipients: 0,
    algorithm: { oid: OIDS[cipher], parameters },
    ciphertext,
  }, key];
}

const PIECE = 64 * 1024;
const sizes: readonly (readonly [keyof typeof OIDS, number])[] = [
  ...[0, 15, 16, PIECE].map((size) => ["aes-128-cbc", size] as const),
  ["aes-256-cbc", PIECE + 16],
  ...[0, 7, 8, PIECE - 9, PIECE - 8, PIECE - 1, PIECE, PIECE + 1, 300_000]
    .map((size) => ["des-ede3-cbc", size] as const),
];

for (const [cipher, size] of sizes) {
  Deno.test(`${size} bytes are decrypted by ${cipher}`, async () => {
    const plain = Uint8Array.from({ length: size }, (_, index) => index % 251);
    const [content, key] = encrypt(cipher, plain);
    const decrypted = await decryptContent(content, key);
    assertEquals(decrypted.length, size);
    assertEquals(decrypted.every((byte, index) => byte === plain[index]), true);
  });
}

Deno.test("truncated content, or content for another key, is refused", async () => {
  for (const [cipher, size] of [["aes-128-cbc", PIECE + 100], ["des-ede3-cbc", 1000]] as const) {
    const [content, key] = encrypt(cipher, new Uint8Array(size));
    const cut = { ...content, ciphertext: content.ciphertext.subarray(0, -1) };
    await assertRejects(() => decryptContent(cut, key));
    await assertRejects(() => decryptContent(content, key.map((byte) => byte ^ 0xff)));
    await assertRejects(() => decryptContent({ ...content, ciphertext: new Uint8Array() }, key));
  }
});
