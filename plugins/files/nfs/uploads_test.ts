import { assertEquals } from "@std/assert";
import { MemoryBlobStore } from "../../../core/blobs/memory.ts";
import type { NewEvent } from "../../../core/events/event.ts";
import type { FileOperation } from "../model.ts";
import { NO_PENDING } from "../vfs/pending.ts";
import { Tree } from "../vfs/tree.ts";
import { Vfs } from "../vfs/vfs.ts";
import { Uploads } from "./uploads.ts";

const SETTLE_MS = 20;

/** Uploads to a tree whose changes are stored when the test decides. */
class SlowTree implements AsyncDisposable {
  readonly events: NewEvent<FileOperation>[] = [];
  readonly uploads: Uploads;
  readonly vfs: Vfs;
  #storing = Promise.withResolvers<void>();

  constructor() {
    let last = 0;
    const nextId = (): string => `b${++last}`;
    const now = (): Date => new Date(0);
    const journal = { commit() {}, settled: () => this.#storing.promise };
    this.vfs = new Vfs(new Tree({ journal, nowMs: 0 }), {
      blobs: new MemoryBlobStore({ maxBytes: 1000, nextId, onDrop() {} }),
      now,
      pending: { ...NO_PENDING, lasts: true },
      remote: { isUsable: true, remove: () => Promise.resolve() },
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
  await using tree = new SlowTree();
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
  assertEquals(uploads.opened(upload.node.id), upload, "the next write belongs to the same upload");
  const end = performance.now() + 5000;
  while (tree.events.length === 0 && performance.now() < end) {
    await pause(SETTLE_MS);
    tree.stored();
  }
  assertEquals(tree.sizes, [3]);
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
