import { assert, assertEquals } from "@std/assert";
import {
  BLOCK_BYTES,
  BlockCollector,
  joinViews,
  readBlocks,
  splitBlocks,
  viewBlocks,
} from "./blocks.ts";

function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, i) => (i * 7 + (i >>> 8)) & 0xff);
}

Deno.test("chunks of any size become blocks that read as the whole", () => {
  for (const size of [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 3 * BLOCK_BYTES + 5]) {
    const bytes = bytesOf(size);
    for (const step of [size, 1000, 70_000].filter((step) => step > 0)) {
      const collector = new BlockCollector();
      for (let at = 0; at < size; at += step) collector.append(bytes.subarray(at, at + step));
      const blocks = collector.finish();
      assertEquals(blocks.length, Math.ceil(size / BLOCK_BYTES));
      assertEquals(readBlocks(blocks, 0, size), bytes);
      assertEquals(readBlocks(blocks, 0, Infinity), bytes);
      for (const at of [0, 1, BLOCK_BYTES - 3, BLOCK_BYTES, size - 1, size, size + 9]) {
        if (at < 0) continue;
        assertEquals(readBlocks(blocks, at, 10), bytes.slice(at, at + 10), `${size} at ${at}`);
      }
    }
  }
});

Deno.test("views that follow each other in one buffer are joined", () => {
  const [one, two] = [bytesOf(3 * BLOCK_BYTES), bytesOf(10)];
  const views = [...splitBlocks(one).slice(1), two.subarray(0, 4), two.subarray(4, 8)];
  const joined = joinViews([...views, two.subarray(9), one.subarray(0, 5)]);
  assertEquals(joined, [one.slice(BLOCK_BYTES), two.slice(0, 8), two.slice(9), one.slice(0, 5)]);
  assertEquals(joined.map(({ buffer }) => buffer === one.buffer), [true, false, false, true]);
  assertEquals(joinViews([]), []);
});

Deno.test("views of blocks are their bytes, without a copy", () => {
  const size = 2 * BLOCK_BYTES + 5;
  const bytes = bytesOf(size);
  const collector = new BlockCollector();
  collector.append(bytes);
  const blocks = collector.finish();
  for (const at of [0, 1, BLOCK_BYTES - 3, BLOCK_BYTES, size - 1, size, size + BLOCK_BYTES]) {
    for (const length of [0, 1, 10, BLOCK_BYTES, size]) {
      const seen = new BlockCollector();
      for (const view of viewBlocks(blocks, at, length)) {
        assert(view.length > 0 && blocks.some(({ buffer }) => buffer === view.buffer));
        seen.append(view);
      }
      assertEquals(readBlocks(seen.finish(), 0, size), bytes.slice(at, at + length));
    }
  }
});

Deno.test("a short last block does not hold the memory of a long one", () => {
  const collector = new BlockCollector();
  collector.append(bytesOf(10));
  assertEquals(collector.finish()[0]!.buffer.byteLength, 10);
});
