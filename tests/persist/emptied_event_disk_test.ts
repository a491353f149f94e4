/** A disk full of events can be emptied, whatever their sizes, and then takes new ones. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { LogWriteError } from "../../core/errors.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { MemoryEventStore } from "../../core/events/store.ts";
import { createIds } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { openFileLog } from "../../core/persist/event_log.ts";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { scratch } from "../support/files.ts";

const MIB = 1024 * 1024;
/** Refused events after which the disk is full. */
const REFUSALS = 30;

interface Opened extends AsyncDisposable {
  readonly store: MemoryEventStore;
  /** Resolves once it is on the disk; rejects if it is refused. */
  capture(size: number): Promise<void>;
}

async function open(folder: string): Promise<Opened> {
  const nextId = createIds({ nowMs: () => Date.now(), random: Math.random });
  const blobs = new MemoryBlobStore({ maxBytes: 1e9, nextId, onDrop: () => {} });
  const store = new MemoryEventStore({
    limits: { capacityOf: () => 1e6, maxRawBytes: Infinity },
    clock: { now: () => new Date() },
    nextId,
    blobs,
    onOversize: () => {},
    namespaceOf: () => undefined,
  });
  const quiet = createLogger({ level: "error", write: () => {}, now: () => new Date() });
  const log = await openFileLog({ folder, blobs, log: quiet });
  await store.follow(log);
  const add = (size: number): CapturedEvent =>
    store.add("mail", "smtp", {
      type: "mail.message",
      summary: "Hello",
      summary_parts: { to: ["ada@example.org"], title: "Hello" },
      meta: {},
      payload: {},
      raw: { transport: "smtp", text: true, body: new Uint8Array(size) },
    });
  return {
    store,
    capture: async (size) => void await store.settled(add(size)),
    [Symbol.asyncDispose]: () => log[Symbol.asyncDispose](),
  };
}

/** Captures until the disk is full; the events of one turn share a transaction. */
async function fill(
  { capture }: Opened,
  { sizes, perTurn = 20 }: { sizes: readonly number[]; perTurn?: number },
): Promise<void> {
  for (let refused = 0, n = 0; refused < REFUSALS;) {
    const burst = Array.from({ length: perTurn }, () => capture(sizes[n++ % sizes.length]!));
    for (const { status } of await Promise.allSettled(burst)) {
      if (status === "rejected") refused++;
    }
    assert(n < 1e6, "The disk never becomes full");
  }
}

/** Runs the test on a disk of its own; skips it where nothing can be mounted. */
function diskTest(
  name: string,
  bytes: number,
  run: (folder: string) => Promise<void>,
): void {
  clientTest(name, ["mount", "umount"], async ({ mount, umount }, t) => {
    await using folder = await scratch();
    const args = ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder.path];
    if ((await runProgram(mount, args)).code !== 0) {
      return skipTest(t, "mount", "may not mount here");
    }
    try {
      await run(folder.path);
    } finally {
      await runOk(umount, [folder.path]);
    }
  });
}

for (
  const [what, bytes, captures] of [
    ["bodies in the database", 30 * MIB, { sizes: [200_000], perTurn: 40 }],
    ["small events, most of them moved into the database", 40 * MIB, { sizes: [2000, 3000] }],
  ] as const
) {
  diskTest(`a disk full of ${what} is emptied, and takes new events`, bytes, async (folder) => {
    await using opened = await open(folder);
    const { store, capture } = opened;
    await fill(opened, captures);
    assert(store.count() > REFUSALS);
    const some = store.list({}).filter((_, i) => i % 3 === 0);
    assertEquals(store.deleteAll(some), some.length);
    await store.settled();
    store.clear();
    await store.settled();
    for (const size of [500, 5000, 100_000]) await capture(size);
    assertEquals(store.count(), 3);
  });
}

diskTest("on a full disk events are deleted while others are refused", 16 * MIB, async (folder) => {
  await using opened = await open(folder);
  const { store, capture } = opened;
  await fill(opened, { sizes: [200_000, 500] });
  const refused = assertRejects(() => capture(16 * MIB), LogWriteError);
  store.clear();
  await store.settled();
  await refused;
  await capture(100_000);
  assertEquals(store.count(), 1);
});
