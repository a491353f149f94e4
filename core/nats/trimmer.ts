import { reasonOf } from "../errors.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { Logger } from "../log.ts";
import type { Engine } from "./engine.ts";

/** Interval of the rounds, in milliseconds. */
const ROUND_MS = 2000;
/** Maximum number of messages between others to delete in one round; each is one request. */
const MOST_DELETED = 256;
/** Lifetime of deletions, so that disconnected instances find them, in milliseconds. */
export const REMOVALS_MS = 600_000;

/** A message of the stream with current events. */
interface Live {
  count: number;
  /** Names of its objects. */
  readonly objects: readonly string[];
  /**
   * Some of its events were deleted, so the record of the deletion is needed as long as the
   * message.
   */
  isPartial: boolean;
}

/**
 * Removes from NATS what no event refers to: messages older than the oldest current one of a plugin with one request,
 * those between others one by one, and attachments by name. Every instance does so, with the same result.
 */
export class Trimmer {
  readonly #engine: Engine;
  readonly #log: Logger;
  readonly #isNeeded: (name: string) => boolean;
  /** By plugin: its messages with current events, in order. */
  readonly #live = new Map<string, Map<number, Live>>();
  readonly #messageOf = new Map<string, number>();
  /** Number of events that refer to an attachment. */
  readonly #names = new Map<string, number>();
  readonly #dead = new Map<string, number[]>();
  #removals: { readonly seq: number; readonly ms: number }[] = [];
  #objects: string[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;
  #round: Promise<void> | undefined;

  /** `isNeeded` returns whether an attachment is about to be referenced again. */
  constructor(
    engine: Engine,
    { log, isNeeded }: { log: Logger; isNeeded: (name: string) => boolean },
  ) {
    this.#engine = engine;
    this.#log = log;
    this.#isNeeded = isNeeded;
  }

  /** Starts the rounds; `position` is that of the view. */
  start(position: () => number): void {
    this.#timer = setInterval(() => {
      this.#round ??= this.#trim(position()).catch((error) =>
        this.#log.debug("Cannot trim the events in NATS; the next round tries again", {
          reason: reasonOf(error),
        })
      ).finally(() => this.#round = undefined);
    }, ROUND_MS);
    Deno.unrefTimer(this.#timer);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  /** Forgets everything: the stream is read from its start. */
  forget(): void {
    this.#live.clear();
    this.#messageOf.clear();
    this.#names.clear();
    this.#dead.clear();
    this.#removals = [];
    this.#objects = [];
  }

  /** Registers a message of events before they are added to the view. */
  add(
    seq: number,
    { plugin, events, objects }: {
      plugin: string;
      events: readonly Pick<CapturedEvent, "id" | "blobs">[];
      objects: readonly string[];
    },
  ): void {
    const live = this.#live.get(plugin) ?? new Map<number, Live>();
    this.#live.set(plugin, live);
    live.set(seq, { count: events.length, objects, isPartial: false });
    for (const { id, blobs } of events) {
      this.#messageOf.set(id, seq);
      for (const name of blobs) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
    }
  }

  addRemoval(seq: number): void {
    this.#removals.push({ seq, ms: performance.now() });
  }

  /** Number of messages with current events. */
  get messages(): number {
    return [...this.#live.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Registers the removal of an event. */
  drop({ id, plugin, blobs }: CapturedEvent): void {
    const seq = this.#messageOf.get(id);
    if (seq === undefined) return;
    this.#messageOf.delete(id);
    for (const name of blobs) this.#dropName(name);
    const live = this.#live.get(plugin);
    const message = live?.get(seq);
    if (live === undefined || message === undefined) return;
    message.isPartial = true;
    if (--message.count > 0) return;
    live.delete(seq);
    for (const name of message.objects) this.#objects.push(name);
    const dead = this.#dead.get(plugin);
    if (dead === undefined) this.#dead.set(plugin, [seq]);
    else dead.push(seq);
  }

  #dropName(name: string): void {
    const names = (this.#names.get(name) ?? 1) - 1;
    if (names > 0) {
      this.#names.set(name, names);
      return;
    }
    this.#names.delete(name);
    this.#objects.push(name);
  }

  /** Keeps the last message of the stream: a reader that waits for it must find it. */
  async #trim(position: number): Promise<void> {
    const { manager, names, objects } = this.#engine;
    for (const [plugin, dead] of this.#dead) {
      const ready = dead.filter((seq) => seq < position);
      if (ready.length === 0) continue;
      const [oldest = position] = this.#live.get(plugin)?.keys() ?? [];
      const floor = Math.min(oldest, position);
      if (ready.some((seq) => seq < floor)) {
        await manager.streams.purge(names.stream, { filter: names.events(plugin), seq: floor });
      }
      const between = ready.filter((seq) => seq > floor).slice(0, MOST_DELETED);
      for (const seq of between) await this.#deleteMessage(seq);
      const gone = new Set([...ready.filter((seq) => seq < floor), ...between]);
      const left = (this.#dead.get(plugin) ?? []).filter((seq) => !gone.has(seq));
      if (left.length > 0) this.#dead.set(plugin, left);
      else this.#dead.delete(plugin);
    }
    await this.#trimRemovals(position);
    for (let name = this.#objects.shift(); name !== undefined; name = this.#objects.shift()) {
      if (this.#names.has(name) || this.#isNeeded(name)) continue;
      await objects.remove(name);
    }
  }

  /** Another instance may already have deleted it. */
  async #deleteMessage(seq: number): Promise<void> {
    try {
      await this.#engine.manager.streams.deleteMessage(this.#engine.names.stream, seq, false);
    } catch (error) {
      if (!(error instanceof Error && error.name === "JetStreamApiError")) throw error;
    }
  }

  async #trimRemovals(position: number): Promise<void> {
    const before = performance.now() - REMOVALS_MS;
    if (this.#removals[0] === undefined || this.#removals[0].ms > before) return;
    if (this.#dead.size > 0) return;
    const needed = this.#oldestPartial() ?? position;
    const old = this.#removals.findLast(({ seq, ms }) => ms <= before && seq < needed);
    if (old === undefined) return;
    const { manager, names } = this.#engine;
    await manager.streams.purge(names.stream, { filter: names.removals, seq: old.seq + 1 });
    this.#removals = this.#removals.filter(({ seq }) => seq > old.seq);
  }

  #oldestPartial(): number | undefined {
    let oldest: number | undefined;
    for (const live of this.#live.values()) {
      for (const [seq, { isPartial }] of live) {
        if (isPartial && !(seq >= (oldest ?? Infinity))) oldest = seq;
      }
    }
    return oldest;
  }
}
