import { assertEquals, assertLess, assertThrows } from "@std/assert";
import { concat } from "../../../core/bytes/concat.ts";
import { ChaChaDecipher, fixCipher } from "./chacha.ts";

const MIB = 1024 * 1024;

function noise(size: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed * 17) % 251);
}

/** The two ends of a connection with the same keys, as the library makes them. */
function ends() {
  const [main, length] = [noise(32, 1), noise(32, 2)];
  const sent: Uint8Array[] = [];
  const got: Uint8Array[] = [];
  const cipher = {
    outSeqno: 2 ** 32 - 2,
    _dead: false,
    _encKeyMain: main,
    _encKeyPktLen: length,
    _onWrite: (bytes: Uint8Array) => void sent.push(bytes.slice()),
    allocPacket(payloadBytes: number) {
      let padding = 8 - (1 + payloadBytes) % 8;
      if (padding < 4) padding += 8;
      const packet = new Uint8Array(5 + payloadBytes + padding);
      new DataView(packet.buffer).setUint32(0, packet.length - 4);
      packet[4] = padding;
      return packet;
    },
    encrypt: (_packet: Uint8Array): void => {},
  };
  fixCipher(cipher);
  const decipher = new ChaChaDecipher({
    inSeqno: 2 ** 32 - 2,
    _onPayload: (payload) => void got.push(new Uint8Array(payload)),
    _decKeyMain: main,
    _decKeyPktLen: length,
  });
  const send = (payload: Uint8Array): Uint8Array => {
    const packet = cipher.allocPacket(payload.length);
    packet.set(payload, 5);
    cipher.encrypt(packet);
    return concat(sent.splice(0));
  };
  return { send, decipher, got };
}

Deno.test("packets arrive as they were sent, however the bytes are cut", () => {
  const payloads = [noise(1), noise(7), noise(300), noise(30_000), noise(2)];
  for (const step of [1, 3, 4, 5, 1000, Infinity]) {
    const { send, decipher, got } = ends();
    const bytes = concat(payloads.map(send));
    for (let at = 0; at < bytes.length; at += step) {
      const piece = bytes.subarray(at, at + step);
      assertEquals(decipher.decrypt(piece, 0, piece.length), undefined);
    }
    assertEquals(got, payloads);
  }
});

Deno.test("reading stops where the handler asks for it", () => {
  const { send, decipher } = ends();
  const first = send(noise(10));
  const bytes = concat([first, send(noise(10))]);
  decipher._onPayload = () => false;
  assertEquals(decipher.decrypt(bytes, 0, bytes.length), first.length);
  decipher._onPayload = () => Infinity;
  assertEquals(decipher.decrypt(bytes, first.length, bytes.length), Infinity);
});

Deno.test("a packet of which one bit was changed is not opened", () => {
  for (const at of [0, 3, 4, 20, 40, 47]) {
    const { send, decipher } = ends();
    const bytes = send(noise(20));
    bytes[at]! ^= 1;
    const more = concat([bytes, new Uint8Array(40_000)]);
    const error = assertThrows(() => decipher.decrypt(more, 0, more.length), Error);
    assertEquals(/^(Bad packet length|Invalid MAC)$/.test(error.message), true, error.message);
  }
});

Deno.test("ciphers are ended: many packets leave nothing behind", () => {
  const { send, decipher, got } = ends();
  const block = noise(16);
  const exchange = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const bytes = send(block);
      decipher.decrypt(bytes, 0, bytes.length);
      got.length = 0;
    }
  };
  exchange(2000);
  const { rss } = Deno.memoryUsage();
  exchange(60_000);
  // The platform keeps some 300 bytes of each cipher that is not ended, and a packet takes four: 75 MiB of 60 000.
  assertLess(Deno.memoryUsage().rss - rss, 40 * MIB);
});
