import { assertEquals } from "@std/assert";
import { concat } from "../../../core/bytes/concat.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { WireStream } from "./wire_stream.ts";

const IDENT = new TextEncoder().encode("SSH-2.0-x\r\n");

/** A connection that returns chunks in sequence, and records overlapping reads. */
function wireOf(chunks: readonly Uint8Array[]) {
  const left = [...chunks];
  const seen = { reading: 0, most: 0 };
  const wire: Transport = {
    peer: "a:1",
    local: "b:2",
    async read() {
      seen.most = Math.max(seen.most, ++seen.reading);
      await new Promise((resolve) => setTimeout(resolve, 0));
      seen.reading--;
      return left.shift();
    },
    write: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { wire, seen };
}

Deno.test("bytes come once and in order, however long each piece takes", async () => {
  for (const every of [Infinity, 1, 2, 3]) {
    const chunks = Array.from({ length: 12 }, (_, i) => new Uint8Array(20_000).fill(i + 1));
    const { wire, seen } = wireOf([IDENT.slice(0, 3), IDENT.slice(3), ...chunks]);
    const stream = new WireStream(wire, { idleMs: 1000 });
    const got: Uint8Array[] = [];
    stream.on("data", (piece: Uint8Array) => {
      got.push(piece.slice());
      if (got.length % every !== 0) return;
      for (const endMs = performance.now() + 12; performance.now() < endMs;);
    });
    await new Promise<void>((resolve) => stream.once("close", () => resolve()));
    assertEquals(concat(got), concat([IDENT, ...chunks]));
    assertEquals(seen.most, 1);
  }
});
