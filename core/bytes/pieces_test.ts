import { assert, assertEquals } from "@std/assert";
import { PIECE_BYTES, PieceCollector, readPieces, viewPieces } from "./pieces.ts";

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

Deno.test("views of pieces are their bytes, without a copy", () => {
  const size = 2 * PIECE_BYTES + 5;
  const bytes = bytesOf(size);
  const collector = new PieceCollector();
  collector.append(bytes);
  const pieces = collector.finish();
  for (const at of [0, 1, PIECE_BYTES - 3, PIECE_BYTES, size - 1, size, size + PIECE_BYTES]) {
    for (const length of [0, 1, 10, PIECE_BYTES, size]) {
      const seen = new PieceCollector();
      for (const view of viewPieces(pieces, at, length)) {
        assert(view.length > 0 && pieces.some(({ buffer }) => buffer === view.buffer));
        seen.append(view);
      }
      assertEquals(readPieces(seen.finish(), 0, size), bytes.slice(at, at + length));
    }
  }
});

Deno.test("a short last piece does not hold the memory of a long one", () => {
  const collector = new PieceCollector();
  collector.append(bytesOf(10));
  assertEquals(collector.finish()[0]!.buffer.byteLength, 10);
});
