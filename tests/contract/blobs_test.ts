import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { ByteIntake, ByteSource } from "../../core/byte_source.ts";
import type { BlobStore } from "../../core/blobs/blob.ts";
import { openDiskBlobs } from "../../core/blobs/disk.ts";
import { JoinedBlobStore } from "../../core/blobs/joined.ts";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { createLogger } from "../../core/log.ts";
import { unboundedMemory } from "../../core/memory/budget.ts";
import { openNats } from "../../core/nats/mod.ts";
import { noise } from "../support/files.ts";
import { requireNats, toNatsSettings } from "../support/nats.ts";

function ids(): () => string {
  let last = 0;
  return () => `b${++last}`;
}

function memory(): MemoryBlobStore {
  return new MemoryBlobStore({ maxBytes: 1e8, nextId: ids(), onDrop: () => {} });
}

/** Opens a store; `undefined`, after reporting it, when its engine is missing. */
type Open = (
  folder: string,
  about: { readonly t: Deno.TestContext; readonly stack: AsyncDisposableStack },
) => Promise<BlobStore | undefined>;

const STORES: Readonly<Record<string, Open>> = {
  memory: () => Promise.resolve(memory()),
  disk: (folder) => openDiskBlobs(folder, ids()),
  joined: () => Promise.resolve(new JoinedBlobStore(memory())),
  async nats(_folder, { t, stack }) {
    const servers = await requireNats(t);
    if (servers === undefined) return undefined;
    stack.use(servers);
    const log = createLogger({ level: "error", write: () => {}, now: () => new Date() });
    const settings = toNatsSettings({ servers: servers.servers });
    const nats = stack.use(await openNats({ settings, blobs: memory(), log }));
    return stack.use(await nats.openBlobs("s3", { nextId: ids(), memory: unboundedMemory() }));
  },
};

async function read(
  blobs: BlobStore,
  id: string,
  range?: { start: number; end: number },
): Promise<Uint8Array | undefined> {
  const opened = await blobs.open(id, range);
  return opened && await new Response(opened.body).bytes();
}

/** Bytes that arrive one by one, and fail at a given point. */
function intakeOf(bytes: Uint8Array, { atMost, breaksAt = Infinity }: {
  atMost: number;
  breaksAt?: number;
}): ByteIntake {
  let at = 0;
  return {
    size: bytes.length,
    read(into) {
      if (at >= breaksAt) return Promise.reject(new Error("The sender went away"));
      const part = bytes.subarray(at, at + Math.min(atMost, into.length));
      into.set(part);
      at += part.length;
      return Promise.resolve(part.length);
    },
  };
}

/** All bytes of a source that returns at most `atMost` per call. */
async function drain(source: ByteSource, atMost: number): Promise<Uint8Array> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const chunk = await source.next(atMost);
    if (chunk === undefined) break;
    assert(chunk.length > 0 && chunk.length <= atMost);
    chunks.push(chunk);
  }
  source.close();
  source.close();
  return await new Blob(chunks).bytes();
}

for (const [name, open] of Object.entries(STORES)) {
  Deno.test(`blobs (${name}): bytes from a sender read back, with or without a stream`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const free = blobs.freeBytes;
    let size = 0;
    for (const [length, atMost] of [[0, 1], [1, 9], [65_536, 7777], [300_000, 1e6]] as const) {
      const bytes = noise(length, length + 1);
      const ref = await blobs.put(intakeOf(bytes, { atMost }), { filename: "a" });
      assertEquals(ref, { id: ref.id, size: length, filename: "a" });
      size += length;
      assertEquals(blobs.freeBytes, free - size);
      for (const most of [1000, 65_537, 1e6]) {
        const { source } = (await blobs.open(ref.id))!;
        assertEquals(source.size, length);
        assertEquals(await drain(source, most), bytes);
      }
      if (length < 10) continue;
      const { source } = (await blobs.open(ref.id, { start: 3, end: length - 5 }))!;
      assertEquals(await drain(source, 65_536), bytes.slice(3, -4));
      assertEquals(await read(blobs, ref.id), bytes);
      assertEquals(await blobs.read(ref.id, 5, 1e6), bytes.slice(5));
    }
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): an upload that its sender breaks off leaves nothing`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const free = blobs.freeBytes;
    for (const breaksAt of [0, 100_000, 262_144, 299_000]) {
      const intake = intakeOf(noise(300_000, 1), { atMost: 1000, breaksAt });
      await assertRejects(() => blobs.put(intake), Error, "went away");
      assertEquals(blobs.freeBytes, free);
    }
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): stored bytes read back, whole and in ranges`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    for (const size of [0, 1, 65_536, 65_537, 300_000]) {
      const bytes = noise(size, size + 1);
      const about = { content_type: "text/plain", filename: "a" };
      const ref = await blobs.put(bytes, about);
      assertEquals(ref, { id: ref.id, size, ...about });
      assertEquals(blobs.get(ref.id), ref);
      assertEquals(await read(blobs, ref.id), bytes);
      const streamed = await blobs.put(new Blob([bytes]).stream());
      assertEquals(await read(blobs, streamed.id), bytes);
      assertEquals(await blobs.read(ref.id, 0, 1e6), bytes);
      assertEquals(await blobs.read(ref.id, size, 10), new Uint8Array());
      for (const [at, length] of [[0, 1e6], [5, 65_536], [65_530, 10], [size, 10]] as const) {
        const parts = await blobs.readParts(ref.id, at, length) ?? [];
        assert(parts.every(({ length }) => length > 0));
        assertEquals(
          await new Blob([...parts] as BlobPart[]).bytes(),
          bytes.slice(at, at + length),
        );
      }
      if (size < 10) continue;
      assertEquals(await blobs.read(ref.id, size - 5, 3), bytes.slice(-5, -2));
      assertEquals(await read(blobs, ref.id, { start: 3, end: 9 }), bytes.slice(3, 10));
      assertEquals(await read(blobs, ref.id, { start: size - 2, end: size - 1 }), bytes.slice(-2));
    }
    assertEquals(await blobs.open("nope"), undefined);
    assertEquals(await blobs.read("nope", 0, 1), undefined);
    assertEquals(await blobs.readParts("nope", 0, 1), undefined);
    const free = blobs.freeBytes;
    await blobs.put(new Uint8Array(1000));
    assertEquals(blobs.freeBytes, free - 1000);
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): a blob can be composed of others, which may be removed first`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const mixes = [[], [5], [131_072, 65_536, 7], [10, 0, 65_536, 100_000], [0, 0], [65_536, 0]];
    for (const sizes of mixes) {
      const parts = await Promise.all(sizes.map((size) => blobs.put(noise(size, size + 1))));
      const whole = await blobs.concat(parts.map(({ id }) => id), { content_type: "a/b" });
      const size = sizes.reduce((sum, size) => sum + size, 0);
      assertEquals(whole, { id: whole!.id, size, content_type: "a/b" });
      for (const { id } of parts) await blobs.remove(id);
      const expected = new Uint8Array(sizes.flatMap((size) => [...noise(size, size + 1)]));
      assertEquals(await read(blobs, whole!.id), expected);
      if (size > 65_540) {
        const range = { start: 65_530, end: 65_539 };
        assertEquals(await read(blobs, whole!.id, range), expected.slice(65_530, 65_540));
      }
      await blobs.remove(whole!.id);
    }
    const known = await blobs.put(noise(1));
    assertEquals(await blobs.concat([known.id, "nope"]), undefined);
    await blobs.remove(known.id);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): a reader keeps bytes that are removed meanwhile`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const ref = await blobs.put(noise(500_000));
    const reader = (await blobs.open(ref.id))!.body.getReader();
    const first = await reader.read();
    await blobs.remove(ref.id);
    assertEquals([blobs.get(ref.id), await blobs.open(ref.id)], [undefined, undefined]);
    let size = first.value?.length ?? 0;
    for (let part; !(part = await reader.read()).done;) size += part.value.length;
    assertEquals(size, 500_000);
    const other = await blobs.put(noise(500_000));
    const abandoned = (await blobs.open(other.id))!.body;
    await abandoned.cancel();
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): a blob allows random access, even when removed meanwhile`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const bytes = noise(200_000);
    const ref = await blobs.put(bytes);
    const empty = await blobs.put(new Uint8Array());
    if (name === "nats") {
      assertThrows(() => blobs.reader(ref.id), RangeError, "it is in NATS");
      assertEquals(blobs.reader("nope"), undefined);
    } else {
      using reader = blobs.reader(ref.id)!;
      using nothing = blobs.reader(empty.id)!;
      for (const id of [ref.id, empty.id]) await blobs.remove(id);
      assertEquals([reader.size, nothing.size, nothing.read(0, 10).length], [200_000, 0, 0]);
      for (const [at, length] of [[0, 10], [65_530, 10], [199_990, 100], [0, 300_000]] as const) {
        assertEquals(reader.read(at, length), bytes.slice(at, at + length));
      }
      assertEquals(reader.read(200_000, 10), new Uint8Array());
      assertEquals(blobs.reader(ref.id), undefined);
    }
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): pruning removes unreferenced blobs only`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const kept = await blobs.put(noise(10));
    const dropped = await blobs.put(noise(10));
    blobs.retain(dropped.id);
    blobs.release(dropped.id);
    blobs.prune();
    assert(blobs.get(dropped.id) !== undefined);
    blobs.release(dropped.id);
    blobs.prune();
    assertEquals([blobs.get(kept.id)?.size, blobs.get(dropped.id)], [10, undefined]);
    await Deno.remove(folder, { recursive: true });
  });

  Deno.test(`blobs (${name}): a stream that fails leaves nothing`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    const blobs = await open(folder, { t, stack });
    if (blobs === undefined) return;
    const failing = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(noise(10));
      },
      pull: () => Promise.reject(new Error("Gone")),
    });
    const failed = await blobs.put(failing).then(() => false, () => true);
    assertEquals(failed, true);
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
    await Deno.remove(folder, { recursive: true });
  });
}
