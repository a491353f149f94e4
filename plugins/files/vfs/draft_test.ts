import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import {
  BLOCK_BYTES,
  BlockCollector,
  type Blocks,
  readBlocks,
  splitBlocks,
} from "../../../core/bytes/blocks.ts";
import { SPARE_BYTES } from "../../../core/blobs/spare.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { MemoryBudget } from "../../../core/memory/budget.ts";
import { refusalReply } from "../ftp/errors.ts";
import { statusOf } from "../nfs/errors.ts";
import { refusalStatus } from "../sftp/errors.ts";
import { refusalPacket } from "../tftp/errors.ts";
import { Draft, MAX_FILE_BYTES } from "./draft.ts";
import { DraftPool } from "./draft_pool.ts";
import { VfsError } from "./errors.ts";

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const collector = new BlockCollector();
  for (const part of parts) collector.append(part);
  return readBlocks(collector.finish(), 0, MAX_FILE_BYTES);
}

/** A blob that notes how it was returned. */
function borrow(bytes: Uint8Array<ArrayBuffer>) {
  const returned: string[] = [];
  return {
    blocks: splitBlocks(bytes),
    returned,
    giveBack: () => void returned.push("given back"),
    [Symbol.dispose]: () => void returned.push("disposed"),
  };
}

/** Appends as one who reads does, where there is room ahead; without, by a copy. */
function readInto(draft: Draft, bytes: Uint8Array): void {
  for (let left = bytes; left.length > 0;) {
    const room = draft.ahead();
    const part = left.subarray(0, room.length > 0 ? room.length : 50_000);
    if (room.length > 0) room.set(part);
    draft.write(draft.size, room.length > 0 ? room.subarray(0, part.length) : part);
    left = left.subarray(part.length);
  }
}

Deno.test("a draft holds what was written at any offset, and shared pages do not change", () => {
  const write = fc.oneof(
    fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.uint8Array({ maxLength: 90_000 })),
    fc.nat(20).map((page): [number, Uint8Array] => [
      page * BLOCK_BYTES,
      new Uint8Array(SPARE_BYTES + 100_000).fill(5),
    ]),
  );
  const read = fc.record({ bytes: fc.uint8Array({ maxLength: 90_000 }), more: fc.nat(300_000) });
  const cut = fc.integer({ min: 0, max: 250_000 });
  // Sometimes several large writes are needed to replace what was there at the beginning.
  const begun = fc.oneof(fc.constant(0), fc.nat(300_000), fc.constant(2 * SPARE_BYTES));
  fc.assert(
    fc.property(begun, fc.array(fc.oneof(write, read, cut), { maxLength: 8 }), (begun, steps) => {
      const pool = new DraftPool(10_000_000);
      using draft = new Draft(pool);
      const model = new Uint8Array(6_000_000);
      let size = begun;
      const blob = borrow(new Uint8Array(begun).fill(3));
      if (begun > 0) draft.begin(blob);
      model.fill(3, 0, begun);
      const seen: { parts: readonly Uint8Array[]; then: Uint8Array }[] = [];
      const shared: { blocks: Blocks; then: Uint8Array }[] = [];
      for (const [i, step] of steps.entries()) {
        // Views of a part stay as they are without the whole being shared.
        if (i % 2 === 0) shared.push({ blocks: draft.share(), then: model.slice(0, size) });
        else seen.push({ parts: draft.parts(1000, 200_000), then: model.slice(1000, size) });
        const { parts } = draft.lendParts(1000, 200_000);
        seen.push({ parts, then: model.slice(1000, size) });
        if (typeof step === "number") {
          draft.truncate(step);
          model.fill(0, Math.min(step, size));
          size = step;
        } else if ("bytes" in step) {
          const bytes = new Uint8Array([...step.bytes, ...new Uint8Array(step.more).fill(7)]);
          readInto(draft, bytes);
          model.set(bytes, size);
          size += bytes.length;
        } else if (step[1].length > 0) {
          draft.write(step[0], step[1]);
          model.set(step[1], step[0]);
          size = Math.max(size, step[0] + step[1].length);
        }
      }
      assertEquals(draft.size, size);
      shared.push({ blocks: draft.share(), then: model.slice(0, size) });
      for (const { blocks, then } of shared) {
        assertEquals(readBlocks(blocks, 0, MAX_FILE_BYTES), then);
      }
      for (const { parts, then } of seen) assertEquals(joined(parts), then.slice(0, 200_000));
      assertEquals(
        draft.read(1000, 70_000),
        model.slice(Math.min(1000, size), Math.min(71_000, size)),
      );
      assertEquals(blob.blocks.every((block) => block.every((byte) => byte === 3)), true);
      draft[Symbol.dispose]();
      assertEquals(pool.bytes, 0);
    }),
    { numRuns: 30 },
  );
});

Deno.test("an offset alone takes no memory, and nothing exceeds the limit", () => {
  const pool = new DraftPool(200_000);
  const draft = new Draft(pool);
  draft.truncate(MAX_FILE_BYTES);
  draft.write(60_000_000, new Uint8Array(10));
  assertEquals(pool.bytes, 65_536);
  assertEquals(assertThrows(() => draft.truncate(MAX_FILE_BYTES + 1), VfsError).code, "too_large");
  assertEquals(
    assertThrows(() => draft.write(MAX_FILE_BYTES, Uint8Array.of(1)), VfsError).code,
    "too_large",
  );
  assertEquals(
    assertThrows(() => draft.write(0, new Uint8Array(300_000)), VfsError).code,
    "no_space",
  );
  draft[Symbol.dispose]();
  assertEquals(pool.bytes, 0);
});

Deno.test("a draft takes its pages from the shared memory, and returns them as they are freed", () => {
  const memory = new MemoryBudget({ limitBytes: 10_000_000 });
  const pool = new DraftPool(10_000_000, memory);
  const draft = new Draft(pool);
  draft.write(0, new Uint8Array(10));
  assertEquals(memory.lentBytes, 4096);
  assertEquals(draft.room(100_000), undefined);
  draft.write(0, new Uint8Array(100_000));
  draft.truncate(10);
  assertEquals(memory.lentBytes, 65_536);
  draft.write(0, new Uint8Array(200_000));
  assertEquals(memory.lentBytes, 4 * 65_536);
  draft.share();
  draft.write(0, Uint8Array.of(1));
  draft.take();
  assertEquals(memory.lentBytes, 0);
  draft[Symbol.dispose]();
});

Deno.test("the bytes of a small file are copied once, and do not change with its draft", () => {
  const memory = new MemoryBudget({ limitBytes: 10_000_000 });
  using draft = new Draft(new DraftPool(10_000_000, memory));
  draft.write(0, new Uint8Array(1000));
  assertEquals(memory.lentBytes, 1000);
  const piece = draft.share()[0]!;
  assertEquals(draft.share()[0]!.buffer === piece.buffer, true);
  draft.write(500, Uint8Array.of(1));
  assertEquals([piece[500], draft.read(500, 1)[0]], [0, 1]);
  draft.truncate(800);
  draft.write(900, Uint8Array.of(1));
  assertEquals([draft.read(850, 1)[0], draft.size], [0, 901]);
});

Deno.test("memory reserved ahead is counted, not copied from, and returned if unused", () => {
  const memory = new MemoryBudget({ limitBytes: 10_000_000 });
  const pool = new DraftPool(30 * 65_536, memory);
  using draft = new Draft(pool);
  assertEquals(draft.ahead().length, 0);
  draft.write(0, new Uint8Array(10 * 65_536).fill(1));
  const room = draft.ahead();
  assertEquals([room.length, memory.lentBytes], [10 * 65_536, 20 * 65_536]);
  draft.write(draft.size, room.subarray(0, 100_000).fill(2));
  assertEquals(draft.parts(draft.size - 1000, 1000)[0]!.buffer === room.buffer, true);
  // Bytes that nobody wrote are not seen behind the end.
  draft.ahead().fill(9);
  draft.truncate(draft.size + 100_000);
  assertEquals(draft.read(draft.size - 100_000, 100_000), new Uint8Array(100_000));
  assertEquals(memory.lentBytes, 12 * 65_536);
  const blocks = draft.share();
  assertEquals(blocks.some(({ buffer }) => buffer.byteLength > 65_536), false);
});

Deno.test("a reused buffer shows nothing of the file that it held before", () => {
  const given: Uint8Array[] = [];
  const store = {
    expectBytes() {},
    takeSpare() {
      given.push(new Uint8Array(SPARE_BYTES).fill(9));
      return given.at(-1) as Uint8Array<ArrayBuffer>;
    },
  };
  const pool = new DraftPool(100_000_000, undefined, store);
  const filled = (size: number): Draft => {
    const draft = new Draft(pool);
    readInto(draft, new Uint8Array(size).fill(1));
    return draft;
  };
  const size = 3 * SPARE_BYTES + 70_000;
  for (const longer of [size, size + 50_000, size + 300_000, size + 2_000_000]) {
    using draft = filled(size);
    draft.truncate(longer);
    const expected = new Uint8Array(longer).fill(1, 0, size);
    assertEquals(joined(draft.parts(0, longer)), expected);
    assertEquals(joined(draft.take().blocks), expected);
  }
  assertEquals(given.length > 0, true);
  using shorter = filled(size);
  shorter.truncate(2 * SPARE_BYTES + 10);
  shorter.write(2 * SPARE_BYTES + 1000, Uint8Array.of(5));
  const behind = new Uint8Array(991).fill(1, 0, 10);
  assertEquals(shorter.read(2 * SPARE_BYTES, 991), behind);
});

Deno.test("a draft knows whether anybody may have views of its bytes", () => {
  const isSole = (use: (draft: Draft) => unknown): boolean => {
    using draft = new Draft(new DraftPool(10_000_000));
    draft.write(0, new Uint8Array(1000));
    use(draft);
    return draft.take().isSole;
  };
  assertEquals(isSole((draft) => draft.read(0, 10)), true);
  assertEquals(isSole((draft) => draft.parts(0, 10)), false);
  assertEquals(isSole((draft) => draft.share()), false);
});

Deno.test("a draft gives a blob back unless others may have views of its blocks", () => {
  const returned = (use: (draft: Draft) => unknown): readonly string[] => {
    const blob = borrow(new Uint8Array(3 * BLOCK_BYTES));
    using draft = new Draft(new DraftPool(10_000_000));
    draft.begin(blob);
    use(draft);
    assertEquals(blob.returned, []);
    draft[Symbol.dispose]();
    return blob.returned;
  };
  const replace = (draft: Draft): void => draft.write(0, new Uint8Array(3 * BLOCK_BYTES));
  assertEquals(returned((draft) => draft.read(0, 10)), ["given back"]);
  assertEquals(returned((draft) => (replace(draft), draft.share())), ["given back"]);
  assertEquals(returned((draft) => draft.lendParts(0, 10)[Symbol.dispose]()), ["given back"]);
  assertEquals(returned((draft) => draft.share()), ["disposed"]);
  assertEquals(returned((draft) => (draft.write(0, new Uint8Array(9)), draft.take())), [
    "disposed",
  ]);
  assertEquals(returned((draft) => draft.parts(0, 10)), ["disposed"]);
  assertEquals(returned((draft) => draft.lendParts(0, 10)), ["disposed"]);
});

Deno.test("a draft tells the end of its views of shared bytes, unless others may have some", () => {
  const ends = (use: (draft: Draft) => unknown): boolean => {
    let ended = false;
    using draft = new Draft(new DraftPool(10_000_000));
    draft.write(0, new Uint8Array(1000));
    draft.share();
    draft.onEnd(() => ended = true);
    use(draft);
    draft[Symbol.dispose]();
    return ended;
  };
  assertEquals(ends((draft) => draft.read(0, 10)), true);
  assertEquals(ends((draft) => draft.lendParts(0, 10)[Symbol.dispose]()), true);
  assertEquals(ends((draft) => draft.lendParts(0, 10)), false);
  assertEquals(ends((draft) => draft.parts(0, 10)), false);
  assertEquals(ends((draft) => draft.share()), false);
});

Deno.test("a file that begins with a blob takes memory for what is changed only", () => {
  const memory = new MemoryBudget({ limitBytes: 4 * SPARE_BYTES });
  const pool = new DraftPool(10_000_000, memory);
  using draft = new Draft(pool);
  draft.begin(borrow(new Uint8Array(3 * SPARE_BYTES).fill(1)));
  assertEquals([memory.lentBytes, pool.bytes, draft.size], [0, 0, 3 * SPARE_BYTES]);
  draft.write(5, Uint8Array.of(2));
  draft.append(Uint8Array.of(2));
  assertEquals(memory.lentBytes, 2 * BLOCK_BYTES);
  const bytes = new Uint8Array(2 * SPARE_BYTES).fill(4);
  draft.write(SPARE_BYTES, bytes);
  assertEquals([memory.lentBytes, pool.bytes].map((bytes) => bytes / BLOCK_BYTES), [34, 34]);
  const expected = new Uint8Array(bytes.length + 3).fill(4);
  expected.set([1, 1]);
  expected.set([2], expected.length - 1);
  assertEquals(joined(draft.parts(SPARE_BYTES - 2, expected.length)), expected);
  using tight = new Draft(new DraftPool(20 * BLOCK_BYTES));
  tight.begin(borrow(new Uint8Array(2 * SPARE_BYTES).fill(1)));
  tight.write(0, bytes.subarray(0, 10 * BLOCK_BYTES));
  assertThrows(() => tight.write(SPARE_BYTES, bytes.subarray(0, SPARE_BYTES)), VfsError);
  assertEquals(tight.read(SPARE_BYTES + 9 * BLOCK_BYTES, 2 * BLOCK_BYTES)[BLOCK_BYTES], 1);
  tight.truncate(SPARE_BYTES);
});

Deno.test("short bytes behind long ones go to the pages ahead", () => {
  const memory = new MemoryBudget({ limitBytes: 10_000_000 });
  using draft = new Draft(new DraftPool(10_000_000, memory));
  draft.write(0, new Uint8Array(10 * BLOCK_BYTES).fill(1));
  for (const [value, length] of [[2, 20_000], [3, 1], [4, 20_000], [5, 100]] as const) {
    draft.append(new Uint8Array(length).fill(value));
    assertEquals(memory.lentBytes, 20 * BLOCK_BYTES);
  }
  assertEquals([...draft.read(10 * BLOCK_BYTES + 19_999, 3)], [2, 3, 4]);
  assertEquals([...draft.read(draft.size - 101, 200)].slice(0, 2), [4, 5]);
});

Deno.test("without memory to reserve ahead, less or nothing is reserved", () => {
  using draft = new Draft(new DraftPool(13 * 65_536));
  draft.write(0, new Uint8Array(10 * 65_536));
  assertEquals(draft.ahead().length, 3 * 65_536);
  draft.write(draft.size, draft.ahead());
  assertEquals(draft.ahead().length, 0);
});

Deno.test("when memory is full a draft waits, then is refused in the words of each protocol", async () => {
  const memory = new MemoryBudget({ limitBytes: 8_000_000, waitMs: 1 });
  using holder = memory.lease();
  holder.take(5_900_000);
  using draft = new Draft(new DraftPool(10_000_000, memory));
  draft.write(0, new Uint8Array(60_000));
  const error = assertThrows(() => draft.write(0, new Uint8Array(3_000_000)), VfsError);
  assertEquals(error.code, "busy");
  const late = await assertRejects(
    async () => await draft.room(3_000_000),
    VfsError,
    "memory_limit",
  );
  assertEquals(late.code, "busy");
  assertEquals(refusalReply(error).code, 452);
  assertEquals(statusOf(error), "JUKEBOX");
  assertEquals(refusalStatus(error).code, 4);
  const packet = refusalPacket(error);
  assertEquals(packet.type === "ERROR" && packet.code, 3);
});

Deno.test("room in the store is reserved as bytes arrive, and returned", () => {
  const asked: number[] = [];
  let free = 1000;
  const store = {
    expectBytes(bytes: number): void {
      if (bytes > free) throw new StoreFullError("The store is full");
      asked.push(bytes);
    },
  };
  const pool = new DraftPool(10_000_000, undefined, store);
  const one = new Draft(pool);
  one.write(0, new Uint8Array(600));
  one.write(100, new Uint8Array(100));
  // A gap needs no room before it is kept.
  one.truncate(5000);
  one.write(4000, new Uint8Array(100));
  const two = new Draft(pool);
  const error = assertThrows(() => two.write(0, new Uint8Array(301)), VfsError);
  assertEquals(error.code, "no_space");
  two.write(0, new Uint8Array(100));
  assertEquals(asked, [600, 700, 800]);
  free = 0;
  one.truncate(50);
  one.take();
  two[Symbol.dispose]();
  one[Symbol.dispose]();
  free = 1000;
  using three = new Draft(pool);
  three.write(0, new Uint8Array(1000));
});
