import { assertEquals, assertRejects } from "@std/assert";
import { BLOCK_BYTES, splitBlocks } from "../bytes/blocks.ts";
import { MemoryFullError, StoreFullError } from "../errors.ts";
import { MemoryBudget } from "../memory/budget.ts";
import type { BlobLoan } from "./blob.ts";
import { MemoryBlobStore } from "./memory.ts";
import { SPARE_BYTES } from "./spare.ts";

function store(maxBytes: number): { blobs: MemoryBlobStore; dropped: number[] } {
  let last = 0;
  const dropped: number[] = [];
  const blobs = new MemoryBlobStore({
    maxBytes,
    nextId: () => `b${++last}`,
    onDrop: (count) => dropped.push(count),
  });
  return { blobs, dropped };
}

async function read(blobs: MemoryBlobStore, id: string, range?: { start: number; end: number }) {
  const opened = await blobs.open(id, range);
  return opened && await new Response(opened.body).text();
}

Deno.test("a blob keeps its own copy of bytes and metadata", async () => {
  const { blobs } = store(100);
  const bytes = new TextEncoder().encode("hello");
  const ref = await blobs.put(bytes, { content_type: "text/plain", filename: "a.txt" });
  bytes.fill(0);
  assertEquals(ref, { id: "b1", size: 5, content_type: "text/plain", filename: "a.txt" });
  assertEquals(await read(blobs, "b1"), "hello");
  assertEquals(await read(blobs, "b1", { start: 1, end: 3 }), "ell");
  assertEquals(await read(blobs, "nope"), undefined);
});

Deno.test("a large blob is read in chunks, and an empty one ends at once", async () => {
  const { blobs } = store(1_000_000);
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const whole = new Uint8Array(180_000);
  for (let i = 0; i < 3; i++) whole.set(bytes, i * 60_000);
  const ref = await blobs.put(new Blob([whole]).stream());
  const opened = await blobs.open(ref.id);
  assertEquals(new Uint8Array(await new Response(opened!.body).arrayBuffer()), whole);
  const empty = await blobs.put(new Uint8Array());
  assertEquals(await read(blobs, empty.id), "");
});

Deno.test("the oldest unreferenced blobs make room; referenced ones are never dropped", async () => {
  const { blobs, dropped } = store(30);
  const [a, b, c] = [
    await blobs.put(new Uint8Array(10)),
    await blobs.put(new Uint8Array(10)),
    await blobs.put(new Uint8Array(10)),
  ];
  blobs.release(b.id);
  blobs.release(c.id);
  const d = await blobs.put(new Uint8Array(10));
  assertEquals([a, b, c, d].map((ref) => blobs.get(ref.id) !== undefined), [
    true,
    false,
    true,
    true,
  ]);
  assertEquals(dropped, [1]);
});

Deno.test("a full store refuses without dropping anything", async () => {
  const { blobs } = store(30);
  const a = await blobs.put(new Uint8Array(20));
  const b = await blobs.put(new Uint8Array(10));
  blobs.release(b.id);
  await assertRejects(() => blobs.put(new Uint8Array(11)), StoreFullError, "blob_limit");
  assertEquals(blobs.get(b.id)?.size, 10);
  await assertRejects(
    () => blobs.put(new Blob([new Uint8Array(11)]).stream()),
    StoreFullError,
  );
  blobs.release(a.id);
  await blobs.put(new Uint8Array(11));
  assertEquals(blobs.bytes, 21);
});

Deno.test("a blob with two references is kept until both are released; removal ignores references", async () => {
  const { blobs } = store(10);
  const a = await blobs.put(new Uint8Array(10));
  blobs.retain(a.id);
  blobs.release(a.id);
  await assertRejects(() => blobs.put(new Uint8Array(1)), StoreFullError);
  await blobs.remove(a.id);
  assertEquals(blobs.bytes, 0);
  await blobs.put(new Uint8Array(10));
});

Deno.test("a blob removed during a read counts until the read ends", async () => {
  const { blobs } = store(30);
  const a = await blobs.put(new Uint8Array(20));
  const b = await blobs.put(new Uint8Array(10));
  blobs.release(b.id);
  const [one, two, three] = [blobs.reader(a.id)!, blobs.reader(a.id)!, blobs.reader(b.id)!];
  await blobs.remove(a.id);
  await assertRejects(() => blobs.put(new Uint8Array(1)), StoreFullError);
  blobs.prune();
  assertEquals(blobs.bytes, 30);
  await assertRejects(() => blobs.put(new Uint8Array(1)), StoreFullError);
  for (const reader of [one, one, two]) reader[Symbol.dispose]();
  assertEquals(blobs.bytes, 10);
  three[Symbol.dispose]();
  assertEquals(blobs.bytes, 0);
  await blobs.put(new Uint8Array(30));
});

Deno.test("pruning drops unreferenced blobs", async () => {
  const { blobs } = store(100);
  const a = await blobs.put(new Uint8Array(10));
  const b = await blobs.put(new Uint8Array(10));
  blobs.release(a.id);
  blobs.prune();
  assertEquals([blobs.get(a.id), blobs.get(b.id)?.id, blobs.bytes], [undefined, b.id, 10]);
});

Deno.test("unreferenced blobs are limited in number, empty ones included; referenced ones are always kept", async () => {
  const { blobs, dropped } = store(1000);
  const ids: string[] = [];
  const named = await blobs.put(new Uint8Array());
  const readers = await blobs.put(new Uint8Array());
  using _reader = blobs.reader(readers.id)!;
  blobs.release(readers.id);
  for (let i = 0; i < 25_000; i++) {
    const { id } = await blobs.put(new Uint8Array(i % 10 === 0 ? 1 : 0));
    ids.push(id);
    blobs.release(id);
  }
  const held = ids.filter((id) => blobs.get(id) !== undefined);
  assertEquals(held, ids.slice(-held.length));
  assertEquals(held.length > 5000 && held.length <= 10_000, true);
  assertEquals([blobs.get(named.id)?.id, blobs.get(readers.id)?.id], [named.id, readers.id]);
  assertEquals(dropped.length > 0, true);
  const [first, second] = held;
  blobs.retain(first!);
  blobs.prune();
  assertEquals([blobs.get(first!)?.id, blobs.get(second!)], [first, undefined]);
  blobs.release(first!);
  blobs.prune();
  assertEquals(blobs.bytes, 0);
});

Deno.test("unreferenced blobs are dropped when others need memory, and referenced ones are refused room", async () => {
  const memory = new MemoryBudget({ limitBytes: 1000 });
  let last = 0;
  const nextId = () => `b${++last}`;
  const blobs = new MemoryBlobStore({ maxBytes: 1e6, nextId, onDrop: () => {}, memory });
  const free = await blobs.put(new Uint8Array(400));
  blobs.release(free.id);
  await blobs.put(new Uint8Array(400));
  assertEquals(memory.keptBytes, 800);
  memory.holding().set(500);
  assertEquals([memory.keptBytes, blobs.get(free.id)], [900, undefined]);
  await assertRejects(() => blobs.put(new Uint8Array(200)), MemoryFullError);
  const stream = new Blob([new Uint8Array(200)]).stream();
  await assertRejects(() => blobs.put(stream), MemoryFullError);
  assertEquals(memory.keptBytes, 900);
});

/** Puts a blob whose chunks lie in two buffers of the size that is reused, with a chunk behind them. */
async function putReusable(blobs: MemoryBlobStore, value = 1) {
  const buffers = [0, 1].map(() => new Uint8Array(SPARE_BYTES).fill(value));
  const blocks = [...buffers.flatMap(splitBlocks), new Uint8Array(10).fill(value)];
  const { id } = await blobs.put(blocks, {}, { isSole: true });
  return { id, buffers: buffers.map(({ buffer }) => buffer) };
}

Deno.test("buffers of a removed blob are reused, and freed when others need memory", async () => {
  const memory = new MemoryBudget({ limitBytes: 32 * SPARE_BYTES });
  let last = 0;
  const nextId = () => `b${++last}`;
  const blobs = new MemoryBlobStore({ maxBytes: 1e9, nextId, onDrop: () => {}, memory });
  const { id, buffers } = await putReusable(blobs);
  assertEquals(blobs.takeSpare() === undefined, true);
  await blobs.remove(id);
  assertEquals(memory.keptBytes, 2 * SPARE_BYTES);
  assertEquals(blobs.takeSpare()!.buffer === buffers[1], true);
  assertEquals(memory.keptBytes, SPARE_BYTES);
  const other = memory.holding();
  other.set(32 * SPARE_BYTES);
  assertEquals([blobs.takeSpare(), memory.keptBytes], [undefined, 32 * SPARE_BYTES]);
  assertEquals(buffers.map(({ detached }) => detached), [true, false]);
  other.set(0);
  // Up to an eighth of the limit is kept, and the rest freed at once.
  const three = await Promise.all([1, 2, 3].map(() => putReusable(blobs)));
  for (const one of three) await blobs.remove(one.id);
  assertEquals(memory.keptBytes, 4 * SPARE_BYTES);
  assertEquals(three[2]!.buffers.map(({ detached }) => detached), [true, true]);
  memory.freeSpare();
  assertEquals([blobs.takeSpare(), memory.keptBytes], [undefined, 0]);
});

Deno.test("no buffer is reused of which anybody else has views", async () => {
  const { blobs } = store(1e8);
  const views: ((id: string) => unknown)[] = [
    (id) => blobs.open(id),
    (id) => blobs.read(id, 0, 10),
    (id) => blobs.readParts(id, 0, 10),
    (id) => blobs.reader(id)![Symbol.dispose](),
    (id) => blobs.concat([id]),
    (id) => {
      using loan = blobs.lend(id, 0)!;
      for (const _ of loan) break;
    },
    (id) => blobs.lendParts(id, 0, 10),
    (id) => blobs.borrow(id)![Symbol.dispose](),
  ];
  for (const view of views) {
    const { id } = await putReusable(blobs);
    await view(id);
    // A complete loan does not make up for it.
    using loan = blobs.lend(id, 0)!;
    assertEquals([...loan].length > 0, true);
    loan[Symbol.dispose]();
    await blobs.remove(id);
    assertEquals(blobs.takeSpare() === undefined, true);
  }
  const shared = await blobs.put(splitBlocks(new Uint8Array(SPARE_BYTES)));
  await blobs.remove(shared.id);
  assertEquals(blobs.takeSpare() === undefined, true);
  const mixed = [new Uint8Array(BLOCK_BYTES), ...splitBlocks(new Uint8Array(SPARE_BYTES))];
  mixed.splice(5, 1, new Uint8Array(BLOCK_BYTES));
  const { id } = await blobs.put(mixed, {}, { isSole: true });
  await blobs.remove(id);
  assertEquals(blobs.takeSpare() === undefined, true);
});

Deno.test("buffers are reused once lent parts and borrowed blocks are given back", async () => {
  const { blobs } = store(1e8);
  const { id, buffers } = await putReusable(blobs, 7);
  const lent = blobs.lendParts(id, SPARE_BYTES - 100, 200)!;
  assertEquals(lent.parts.map(({ length }) => length), [100, 100]);
  assertEquals(blobs.lendParts(id, 0, 1e7)!.parts.map(({ length }) => length), [
    ...[SPARE_BYTES, SPARE_BYTES, 10],
  ]);
  assertEquals([blobs.lendParts("?", 0, 1), blobs.borrow("?")], [undefined, undefined]);
  const given = await putReusable(blobs);
  const other = blobs.lendParts(given.id, 0, 10)!;
  other[Symbol.dispose]();
  other[Symbol.dispose]();
  const borrowed = blobs.borrow(given.id)!;
  assertEquals(borrowed.blocks.length, 2 * SPARE_BYTES / BLOCK_BYTES + 1);
  await blobs.remove(given.id);
  assertEquals(blobs.takeSpare() === undefined, true, "the blob is still borrowed");
  borrowed.giveBack();
  assertEquals(blobs.takeSpare()!.buffer === given.buffers[1], true);
  await blobs.remove(id);
  const left = blobs.takeSpare()!.buffer;
  assertEquals([left === given.buffers[0], buffers.includes(left)], [true, false]);
  assertEquals(blobs.takeSpare() === undefined, true, "parts of the other blob are still lent");
});

Deno.test("buffers are reused once whoever put the chunks gives up its views of them", async () => {
  const { blobs } = store(1e8);
  const buffer = new Uint8Array(SPARE_BYTES);
  const { id } = await blobs.put(splitBlocks(buffer));
  blobs.own(id);
  await blobs.remove(id);
  blobs.own(id);
  assertEquals(blobs.takeSpare()!.buffer === buffer.buffer, true);
});

Deno.test("the bytes of a removed blob are lent to the end before their buffers are reused", async () => {
  const { blobs } = store(1e8);
  const { id } = await putReusable(blobs, 7);
  using first = blobs.lend(id, SPARE_BYTES + 5)!;
  using second = blobs.lend(id, 0)!;
  await blobs.remove(id);
  assertEquals([blobs.takeSpare(), blobs.lend(id, 0)], [undefined, undefined]);
  const sum = (loan: BlobLoan): number => {
    let bytes = 0;
    for (const chunk of loan) bytes += chunk.every((value) => value === 7) ? chunk.length : 0;
    return bytes;
  };
  assertEquals(sum(first), SPARE_BYTES + 5);
  first[Symbol.dispose]();
  assertEquals(blobs.takeSpare() === undefined, true);
  assertEquals(sum(second), 2 * SPARE_BYTES + 10);
  assertEquals([blobs.takeSpare(), blobs.bytes > 0], [undefined, true]);
  second[Symbol.dispose]();
  second[Symbol.dispose]();
  assertEquals([blobs.takeSpare()?.length, blobs.bytes], [SPARE_BYTES, 0]);
});
