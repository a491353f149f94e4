import { Buffer } from "node:buffer";
import { createDecipheriv } from "node:crypto";
import { assertEquals, assertThrows } from "@std/assert";
import { noise } from "../../../tests/support/chacha.ts";
import { fixGcmCipher } from "./gcm.ts";

type Name = "aes-128-gcm" | "aes-256-gcm";

/** A cipher as created by the SSH library, whose counter is about to overflow. */
function toCipher(name: Name) {
  const sent: Uint8Array[] = [];
  const filled: (Promise<void> | undefined)[] = [];
  const key = noise(name === "aes-128-gcm" ? 16 : 32);
  const cipher = {
    outSeqno: 2 ** 32 - 2,
    _dead: false,
    _encSSLName: name,
    _encKey: Buffer.from(key),
    _encIV: Buffer.from("0a0b0c0dfffffffffffffffe", "hex"),
    _onWrite: (bytes: Uint8Array) => void sent.push(bytes),
    allocPacket: (size: number) => new Uint8Array(size),
    encrypt: (_packet: Uint8Array<ArrayBuffer>): void => {},
  };
  fixGcmCipher(cipher, (_bytes, done) => void (filled[sent.length] = done));
  return { cipher, key, sent, filled };
}

function toPacket(size: number): Uint8Array<ArrayBuffer> {
  const packet = new Uint8Array(4 + size);
  new DataView(packet.buffer).setUint32(0, size);
  packet.set(noise(size), 4);
  return packet;
}

function open(name: Name, { key, nonce, bytes }: Record<"key" | "nonce" | "bytes", Uint8Array>) {
  const opening = createDecipheriv(name, key, nonce);
  opening.setAAD(bytes.subarray(0, 4));
  opening.setAuthTag(bytes.subarray(-16));
  const opened = opening.update(bytes.subarray(4, -16));
  opening.final();
  return new Uint8Array(opened);
}

/** The counter overflows into itself, and leaves the fixed part as it is (RFC 5647 section 7.1). */
const NONCES = ["0a0b0c0dfffffffffffffffe", "0a0b0c0dffffffffffffffff"]
  .concat(["00", "01", "02"].map((last) => `0a0b0c0d00000000000000${last}`))
  .map((nonce) => Uint8Array.fromHex(nonce));

for (const name of ["aes-128-gcm", "aes-256-gcm"] as const) {
  Deno.test(`packets of any length are sealed by ${name} in order, the long ones later`, async () => {
    const { cipher, key, sent, filled } = toCipher(name);
    const sizes = [30_000, 12, 30_000, 4092, 4091];
    // The key is not there yet for the first.
    cipher.encrypt(toPacket(sizes[0]!));
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const size of sizes.slice(1)) cipher.encrypt(toPacket(size));
    assertEquals(Array.from(sizes, (_, i) => filled[i] !== undefined), [
      ...[false, false, true, true, false],
    ]);
    await Promise.all(filled);
    for (const [i, bytes] of sent.entries()) {
      assertEquals(bytes.length, 4 + sizes[i]! + 16);
      assertEquals(open(name, { key, nonce: NONCES[i]!, bytes }), noise(sizes[i]!));
      assertThrows(() => open(name, { key, nonce: NONCES[(i + 1) % 5]!, bytes }));
    }
    assertEquals([sent.length, cipher.outSeqno], [5, 3]);
    cipher._dead = true;
    cipher.encrypt(toPacket(12));
    assertEquals(sent.length, 5);
  });
}
