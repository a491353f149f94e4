/** Random operations on an event store, compared with a plain array, for each of the three logs. */
import { assertEquals } from "@std/assert";
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { MemoryEventStore } from "../../core/events/store.ts";
import { createIds, randomBits } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { openNats } from "../../core/nats/mod.ts";
import { openFileLog } from "../../core/persist/event_log.ts";
import { noise, scratch } from "../support/files.ts";
import { requireNats, toNatsSettings } from "../support/nats.ts";
import { seedFrom } from "../support/settings.ts";

const STEPS = 300;
/** Most events of a plugin. */
const CAPACITY = 12;
const PLUGINS = ["mail", "sms"] as const;
const SEED = seedFrom("MODEL_SEED");

/** A store with its blobs; disposing of it keeps the contents of the log. */
interface Opened extends AsyncDisposable {
  readonly store: MemoryEventStore;
  readonly blobs: MemoryBlobStore;
}

/** Number of concurrent instances of a log, and how to open one. */
interface Kind {
  readonly instances: number;
  /** Absent if nothing survives an instance. */
  readonly reopens?: boolean;
  open(): Promise<Opened>;
}

type OpenKind = (
  t: Deno.TestContext,
  stack: AsyncDisposableStack,
) => Promise<Kind | undefined>;

const KINDS: Readonly<Record<string, OpenKind>> = {
  memory: () => Promise.resolve({ instances: 1, open: () => openStore() }),
  async filesystem(_t, stack) {
    const folder = stack.use(await scratch()).path;
    return {
      instances: 1,
      reopens: true,
      open: () => openStore((blobs) => openFileLog({ folder, blobs, log: QUIET })),
    };
  },
  async nats(t, stack) {
    const nats = await requireNats(t);
    if (nats === undefined) return undefined;
    stack.use(nats);
    const settings = toNatsSettings({ servers: nats.servers });
    return {
      instances: 3,
      reopens: true,
      open: () =>
        openStore(async (blobs) => {
          const opened = await openNats({ settings, blobs, log: QUIET });
          return Object.assign(opened.events, {
            [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
          });
        }),
    };
  },
};

const QUIET = createLogger({ level: "error", write: () => {}, now: () => new Date() });

async function openStore(
  openLog?: (
    blobs: MemoryBlobStore,
  ) => Promise<Parameters<MemoryEventStore["follow"]>[0] & AsyncDisposable>,
): Promise<Opened> {
  const nextId = createIds({ nowMs: () => Date.now(), random: randomBits() });
  const blobs = new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
  const store = new MemoryEventStore({
    limits: { capacityOf: () => CAPACITY, maxRawBytes: Infinity },
    clock: { now: () => new Date() },
    nextId,
    blobs,
    onOversize: () => {},
  });
  const log = await openLog?.(blobs);
  if (log !== undefined) await store.follow(log);
  return { store, blobs, [Symbol.asyncDispose]: async () => await log?.[Symbol.asyncDispose]() };
}

/** An event as stored in the array. */
interface Kept {
  readonly id: string;
  readonly plugin: string;
  readonly summary: string;
  readonly blob?: BlobRef;
}

/** The expected events: the newest of each plugin, in order of capture. */
class Model {
  kept: Kept[] = [];

  add(event: Kept): void {
    this.kept.push(event);
    const own = this.kept.filter(({ plugin }) => plugin === event.plugin);
    if (own.length > CAPACITY) this.kept = this.kept.filter((other) => other !== own[0]);
  }

  drop(fits: (event: Kept) => boolean): void {
    this.kept = this.kept.filter((event) => !fits(event));
  }
}

for (const [name, open] of Object.entries(KINDS)) {
  Deno.test(`${name} log: random operations match a plain array`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const kind = await open(t, stack);
    if (kind === undefined) return;
    const instances: Opened[] = [];
    stack.defer(async () => {
      for (const one of instances) await one[Symbol.asyncDispose]();
    });
    for (let n = 0; n < kind.instances; n++) instances.push(await kind.open());
    const model = new Model();
    const random = generator(SEED);
    for (let step = 0; step < STEPS; step++) {
      const index = random(instances.length);
      if (kind.reopens === true && random(60) === 0) {
        await instances[index]![Symbol.asyncDispose]();
        instances[index] = await kind.open();
      }
      const what = await play(instances[index]!, { model, random, step });
      for (const one of instances) await compare(one, model, `${what}, step ${step}, seed ${SEED}`);
    }
  });
}

/** Runs one random operation on one instance; returns its name. */
async function play(
  { store, blobs }: Opened,
  { model, random, step }: { model: Model; random: (most: number) => number; step: number },
): Promise<string> {
  await store.current();
  const plugin = PLUGINS[random(2)]!;
  const choice = random(20);
  if (choice < 13) {
    for (let n = random(4); n >= 0; n--) {
      const summary = `${step}.${n}`;
      const blob = random(4) === 0 ? await blobs.put(noise(random(200_000), step)) : undefined;
      const event = store.add(plugin, "x", {
        type: `${plugin}.message`,
        summary,
        payload: { summary },
        raw: { transport: "http", text: true, body: new TextEncoder().encode(summary) },
        ...(blob === undefined ? {} : { blobs: [blob.id] }),
      });
      // The log decides the order of unsettled events: one with an attachment may come later.
      if (blob !== undefined) await store.settled(event);
      model.add({ id: event.id, plugin, summary, ...(blob === undefined ? {} : { blob }) });
    }
  } else if (choice < 18) {
    const { id } = model.kept[random(model.kept.length)] ?? { id: "none" };
    const isThere = model.kept.length > 0;
    assertEquals(store.delete(id), isThere);
    model.drop((event) => event.id === id);
  } else if (choice < 19) {
    store.clear(plugin);
    model.drop((event) => event.plugin === plugin);
  } else {
    store.reset();
    model.drop(() => true);
  }
  await store.settled();
  return choice < 13 ? "add" : choice < 18 ? "delete" : choice < 19 ? "clear" : "reset";
}

async function compare({ store, blobs }: Opened, { kept }: Model, where: string): Promise<void> {
  await store.current();
  const found = store.list({}, { limit: 0 }).toReversed();
  assertEquals(
    found.map(({ id, summary }) => [id, summary]),
    kept.map((e) => [e.id, e.summary]),
    where,
  );
  const newest = kept.at(-1);
  if (newest?.blob === undefined) return;
  const { size } = newest.blob;
  assertEquals((await blobs.read(newest.blob.id, 0, size))?.length, size, where);
}

function generator(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 2_147_483_648 * most);
  };
}
