import { assertEquals, assertThrows } from "@std/assert";
import { concat } from "../../../core/bytes/concat.ts";
import { ends, noise } from "../../../tests/support/chacha.ts";

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

Deno.test("reading stops where the handler requests it", () => {
  const { send, decipher } = ends();
  const first = send(noise(10));
  const bytes = concat([first, send(noise(10))]);
  decipher._onPayload = () => false;
  assertEquals(decipher.decrypt(bytes, 0, bytes.length), first.length);
  decipher._onPayload = () => Infinity;
  assertEquals(decipher.decrypt(bytes, first.length, bytes.length), Infinity);
});

Deno.test("a packet with one changed bit is not opened", () => {
  for (const at of [0, 3, 4, 20, 40, 47]) {
    const { send, decipher } = ends();
    const bytes = send(noise(20));
    bytes[at]! ^= 1;
    const more = concat([bytes, new Uint8Array(40_000)]);
    const error = assertThrows(() => decipher.decrypt(more, 0, more.length), Error);
    assertEquals(/^(Bad packet length|Invalid MAC)$/.test(error.message), true, error.message);
  }
});
