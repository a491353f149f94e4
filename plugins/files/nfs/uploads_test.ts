import { assertEquals, assertThrows } from "@std/assert";
import { SPARE_BYTES } from "../../../core/blobs/spare.ts";
import { splitBlocks } from "../../../core/bytes/blocks.ts";
import { MemoryBlobStore } from "../../../core/blobs/memory.ts";
import type { NewEvent } from "../../../core/events/event.ts";
import type { FileOperation } from "../model.ts";
import { VfsError } from "../vfs/errors.ts";
import type { FileNode } from "../vfs/node.ts";
import { NO_PENDING } from "../vfs/pending.ts";
import { Tree } from "../vfs/tree.ts";
import { Vfs } from "../vfs/vfs.ts";
import { Uploads } from "./uploads.ts";

const SETTLE_MS = 20;

/** Uploads to a tree; those to a slow one are stored when the test decides. */
class TestTree implements AsyncDisposable {
  readonly events: NewEvent<FileOperation>[] = [];
  readonly uploads: Uploads;
  readonly vfs: Vfs;
  #storing = Promise.withResolvers<void>();

  constructor({ slow, maxBytes = 1e8 }: { slow: boolean; maxBytes?: number }) {
    let last = 0;
    const nextId = (): string => `b${++last}`;
    const now = (): Date => new Date(0);
    const journal = {
      commit() {},
      ...(slow ? { settled: () => this.#storing.promise } : {}),
    };
    this.vfs = new Vfs(new Tree({ journal, nowMs: 0 }), {
      blobs: new MemoryBlobStore({ maxBytes, nextId, onDrop() {} }),
      now,
      ...(slow
        ? {
          pending: { ...NO_PENDING, lasts: true },
          remote: { isUsable: true, remove: () => Promise.resolve() },
        }
        : {}),
    });
    this.uploads = new Uploads({
      vfs: this.vfs,
      settleMs: SETTLE_MS,
      maxWorks: 10,
      abandonMs: 1000,
      now,
      isCaptured: () => false,
      refuse({ reason }) {
        throw new Error(reason);
      },
      fault(error) {
        throw error;
      },
    });
  }

  by(procedure: string) {
    const actor = {
      provider: "nfs",
      transport: "tcp",
      capture: (event: NewEvent<FileOperation>) => this.events.push(event),
    } as const;
    return { client: "ada", actor, procedure };
  }

  /** Stores every change so far; later ones wait again. */
  stored(): void {
    this.#storing.resolve();
    this.#storing = Promise.withResolvers();
  }

  get sizes(): readonly number[] {
    return this.events.map(({ payload }) => payload.size);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#storing.resolve();
    await this.uploads[Symbol.asyncDispose]();
  }
}

Deno.test("the quiet period of a file begins once its client has every answer", async () => {
  await using tree = new TestTree({ slow: true });
  const { uploads, vfs } = tree;
  const upload = uploads.create(vfs.tree.root, "a", tree.by("CREATE"));
  await pause(3 * SETTLE_MS);
  assertEquals(tree.sizes, []);
  tree.stored();
  await pause(SETTLE_MS / 4);
  upload.draft.write(0, new Uint8Array(3));
  upload.changed(tree.by("WRITE"), { nowMs: 0, bytes: 3 });
  const committing = uploads.commit(upload);
  await pause(3 * SETTLE_MS);
  assertEquals(tree.sizes, []);
  tree.stored();
  await committing;
  assertEquals(
    uploads.openAtOnce(upload.node.id, tree.by("WRITE")),
    upload,
    "the next write belongs to the same upload",
  );
  const end = performance.now() + 5000;
  while (tree.events.length === 0 && performance.now() < end) {
    await pause(SETTLE_MS);
    tree.stored();
  }
  assertEquals(tree.sizes, [3]);
  assertEquals(uploads.openAtOnce(upload.node.id, tree.by("WRITE")), undefined, "not in memory");
});

Deno.test("a file that is written and read again and again stays in the same buffers", async () => {
  await using tree = new TestTree({ slow: false });
  const { uploads, vfs } = tree;
  const by = tree.by("WRITE");
  const bytes = new Uint8Array(2 * SPARE_BYTES);
  const { node: { id } } = uploads.create(vfs.tree.root, "a", tree.by("CREATE"));
  const write = async (value: number): Promise<void> => {
    const upload = uploads.openAtOnce(id, by)!;
    for (let at = 0; at < bytes.length; at += SPARE_BYTES) {
      upload.draft.write(at, bytes.subarray(0, SPARE_BYTES).fill(value));
      upload.changed(by, { nowMs: 0, bytes: SPARE_BYTES });
    }
    await uploads.commit(upload);
    assertEquals(uploads.commit(upload), undefined, "there is nothing left to wait for");
    const unsettled = upload.draft.lendParts(0, bytes.length);
    unsettled[Symbol.dispose]();
    await uploads.settle(upload);
    using settled = vfs.lendParts(vfs.tree.withId(id) as FileNode, 0, bytes.length)!;
    assertEquals(settled.parts.every((part) => part.every((byte) => byte === value)), true);
  };
  const counts: number[] = [];
  for (let round = 1; round <= 4; round++) {
    await write(round);
    const spare: Uint8Array<ArrayBuffer>[] = [];
    for (let one; (one = vfs.blobs.takeSpare!()) !== undefined;) spare.push(one);
    counts.push(spare.length);
    // They are returned, as those of a removed file.
    const { id: blob } = await vfs.blobs.put(spare.flatMap(splitBlocks), {}, { isSole: true });
    await vfs.blobs.remove(blob);
  }
  // Those of each former version are free.
  assertEquals(counts, [0, 2, 2, 2]);
});

Deno.test("a commit in memory is done at once, and later bytes wait for the next one", async () => {
  await using tree = new TestTree({ slow: false });
  const { uploads, vfs } = tree;
  const upload = uploads.create(vfs.tree.root, "a", tree.by("CREATE"));
  const write = (text: string): void => {
    upload.draft.write(0, new TextEncoder().encode(text));
    upload.changed(tree.by("WRITE"), { nowMs: 0, bytes: text.length });
  };
  const stored = async (): Promise<string> => {
    const bytes = await vfs.blobs.read(upload.stored!.bytes.ref.id, 0, 100);
    return new TextDecoder().decode(bytes);
  };
  write("one");
  assertEquals(uploads.commit(upload), undefined);
  write("two!");
  assertEquals(await stored(), "one");
  const { id: former } = upload.stored!.bytes.ref;
  assertEquals(uploads.commit(upload), undefined);
  assertEquals([await stored(), vfs.blobs.get(former)], ["two!", undefined]);
  await uploads.settle(upload);
  assertEquals(tree.sizes, [4]);
});

Deno.test("a commit that does not fit is refused, and succeeds once there is room", async () => {
  await using tree = new TestTree({ slow: false, maxBytes: 10 });
  const { uploads, vfs } = tree;
  const upload = uploads.create(vfs.tree.root, "a", tree.by("CREATE"));
  upload.draft.write(0, new Uint8Array(6));
  upload.changed(tree.by("WRITE"), { nowMs: 0, bytes: 6 });
  const { id } = await vfs.blobs.put(new Uint8Array(5));
  assertThrows(() => uploads.commit(upload), VfsError, "Cannot keep");
  assertEquals(upload.failed, true);
  await vfs.blobs.remove(id);
  assertEquals(uploads.commit(upload), undefined);
  assertEquals([upload.failed, upload.unstable], [false, false]);
  await uploads.settle(upload);
  assertEquals(tree.sizes, [6]);
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
