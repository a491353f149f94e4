import { fc } from "../../../tests/support/fast_check.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { WireError } from "../../../core/bytes/decoder.ts";
import { digestByName } from "./algorithms.ts";
import { readAs2Name, readOctetText, readReceiptRequest } from "./as2_header.ts";
import { readCms } from "./cms.ts";
import { createRc2Decipher, PITABLE, removePadding } from "./rc2.ts";
import { composeAttributes, composeSignedData } from "./signed_data.ts";

Deno.test("the table of RC2 is a permutation", () => {
  assertEquals(new Set(PITABLE).size, 256);
});

Deno.test("RC2 decrypts the vectors of RFC 2268 section 5", () => {
  const vectors: readonly (readonly [string, number, string, string])[] = [
    ["0000000000000000", 63, "0000000000000000", "ebb773f993278eff"],
    ["ffffffffffffffff", 64, "ffffffffffffffff", "278b27e42e2f0d49"],
    ["3000000000000000", 64, "1000000000000001", "30649edf9be7d2c2"],
    ["88bca90e90875a7f0f79c384627bafb2", 128, "0000000000000000", "2269552ab0f85ca6"],
  ];
  for (const [key, effectiveBits, plain, cipher] of vectors) {
    // The iv makes the block decrypt to full padding except for its first octet.
    const wanted = Uint8Array.fromHex("4107070707070707");
    const iv = Uint8Array.fromHex(plain).map((byte, index) => byte ^ wanted[index]!);
    const about = { key: Uint8Array.fromHex(key), iv, effectiveBits };
    const decrypted = createRc2Decipher(about)(Uint8Array.fromHex(cipher)).slice();
    assertEquals(removePadding(decrypted), Uint8Array.of(0x41));
  }
});

Deno.test("RC2 decrypts the same in chunks, and wrong padding is refused", () => {
  const about = { key: Uint8Array.of(1, 2, 3, 4, 5), iv: new Uint8Array(8), effectiveBits: 40 };
  const cipher = Uint8Array.from({ length: 64 }, (_, index) => index * 7);
  const whole = createRc2Decipher(about)(cipher);
  const decipher = createRc2Decipher(about);
  const cuts = [[0, 8], [8, 40], [40, 64]] as const;
  const chunks = cuts.flatMap(([from, to]) => [...decipher(cipher.subarray(from, to))]);
  assertEquals(chunks, [...whole]);
  for (const plain of ["", "0000000000000000", "0000000000000009", "0000000000000202ff"]) {
    assertThrows(() => removePadding(Uint8Array.fromHex(plain)), WireError);
  }
  assertThrows(() => createRc2Decipher({ ...about, effectiveBits: 0 }), WireError);
});

Deno.test("quotes and escapes are removed from names", () => {
  assertEquals(readAs2Name('"My \\"Partner\\" \\\\"'), 'My "Partner" \\');
  assertEquals(readAs2Name(" plain "), "plain");
  assertEquals(readOctetText("M\u00c3\u00bcller"), "Müller");
  assertEquals(readOctetText("M\u00fcller"), "Müller");
});

Deno.test("digests are recognized in any spelling", () => {
  const spelled = ["sha1", "SHA-1", "rsa-sha256", "sha_256", "md5", "rsa-md5", "SHA3-256", "x"];
  assertEquals(spelled.map(digestByName), [
    ...["sha1", "sha1", "sha256", "sha256", "md5", "md5", "sha3-256"] as const,
    undefined,
  ]);
});

Deno.test("receipt options are read in any order, case and spacing", () => {
  const options =
    "Signed-Receipt-MICalg = required , SHA-256,md5;; signed-receipt-protocol=pkcs7-signature";
  const headers = new Headers({
    "disposition-notification-to": "x",
    "disposition-notification-options": options,
  });
  const wish = readReceiptRequest(headers);
  assertEquals(wish.mic_algs, ["SHA-256", "md5"]);
  assertEquals([wish.signed_requested, wish.signed_importance], [true, "optional"]);
});

const SAMPLE = (() => {
  const about = {
    digestOid: "2.16.840.1.101.3.4.2.1",
    digest: new Uint8Array(32),
    signedAt: new Date(0),
  };
  const name = Uint8Array.fromHex("300c310a300806035504030c0178");
  const attributes = composeAttributes(about);
  return composeSignedData(about, {
    attributes,
    signature: new Uint8Array(256),
    certificate: Uint8Array.fromHex("3000"),
    issuer: name,
    serial: "ff01",
  });
})();

Deno.test("a signature parses as it was written", () => {
  const data = readCms(SAMPLE);
  assert(data.kind === "signed");
  assertEquals(data.content, undefined);
  assertEquals(data.signers[0]?.signer.serial, "ff01");
  assertEquals(data.signers[0]?.messageDigest, new Uint8Array(32));
  assertEquals(data.signers[0]?.signature.length, 256);
});

Deno.test("damaged CMS is parsed or refused with a WireError, and nothing else", () => {
  fc.assert(fc.property(
    fc.array(fc.tuple(fc.nat(SAMPLE.length - 1), fc.nat(255)), { maxLength: 6 }),
    fc.nat(SAMPLE.length),
    (changes, cut) => {
      const bytes = SAMPLE.slice(0, cut);
      for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
      try {
        readCms(bytes);
      } catch (error) {
        assert(error instanceof WireError, String(error));
      }
    },
  ));
  assertThrows(() => readCms(new Uint8Array()), WireError);
  assertThrows(() => readCms(new TextEncoder().encode("0 is no CMS")), WireError);
});
