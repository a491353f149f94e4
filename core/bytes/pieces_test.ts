import { assertEquals } from "@std/assert";
import { PIECE_BYTES, PieceCollector, readPieces } from "./pieces.ts";

function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >>> 8)) & 0xff);
}

Deno.test("chunks of any size become pieces that read as the whole", () => {
  for (const size of [0, 1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 5]) {
    const bytes = bytesOf(size);
    for (const step of [size, 1000, 70_000].filter((step) => step > 0)) {
      const collector = new PieceCollector();
      for (let at = 0; at < size; at += step) collector.append(bytes.subarray(at, at + step));
      const pieces = collector.finish();
      assertEquals(pieces.length, Math.ceil(size / PIECE_BYTES));
      assertEquals(readPieces(pieces, 0, size), bytes);
      assertEquals(readPieces(pieces, 0, Infinity), bytes);
      for (const at of [0, 1, PIECE_BYTES - 3, PIECE_BYTES, size - 1, size, size + 9]) {
        if (at < 0) continue;
        assertEquals(readPieces(pieces, at, 10), bytes.slice(at, at + 10), `${size} at ${at}`);
      }
    }
  }
});

Deno.test("a short last piece does not hold the memory of a long one", () => {
  const collector = new PieceCollector();
  collector.append(bytesOf(10));
  assertEquals(collector.finish()[0]!.buffer.byteLength, 10);
});
