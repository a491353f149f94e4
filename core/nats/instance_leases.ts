import { headers } from "@nats-io/transport-node";
import type { StoredMsg } from "@nats-io/jetstream";
import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { type Engine, hasAnswered } from "./engine.ts";

/** Maximum wait for a response of the server, in milliseconds. */
const ANSWER_MS = 2000;
/** Removes the earlier messages of the subject. */
const ROLLUP_HEADER = "Nats-Rollup";

/** Where leases are, and how long they last. */
export interface LeaseOptions {
  readonly stream: string;
  /** Subject of the lease of an instance. */
  lease(instance: string): string;
  /** Time without a renewal after which an instance counts as lost, in milliseconds. */
  readonly leaseMs: number;
  /** Interval of renewals, and of looks at the others, in milliseconds. */
  readonly beatMs: number;
  readonly log: Logger;
}

/** Reacts to changes of leases. */
export interface LeaseHooks {
  /** Takes over the work of a lost instance; resolves with whether all of it was taken over. */
  takeOver(instance: string): Promise<boolean>;
  /** Another instance takes over the work of this one, which has another id from now on. */
  lost(): void;
}

/** Content of a lease. */
interface Holder {
  /** The instance that has renewed it. */
  readonly holder: string;
  /** Its end was announced. */
  readonly isReleased: boolean;
}

/**
 * The lease of this instance, and a watch on the others. Each is the last message of a subject. An
 * instance that does not see a new one for a while, by its own clock, claims it: the server stores
 * a claim only directly after the message that it was made from, so only one instance succeeds.
 */
export class InstanceLeases {
  /** Id of this instance; it gets another one after a loss. */
  id = newId();
  readonly #engine: Engine;
  readonly #options: LeaseOptions;
  readonly #hooks: LeaseHooks;
  readonly #closing = Promise.withResolvers<void>();
  /** Last message of each lease held here, by instance: the own one, and those that were claimed. */
  readonly #held = new Map<string, number>();
  readonly #seen = new Map<string, { readonly seq: number; readonly sinceMs: number }>();
  /** Earlier ids of this instance: it may have stored work there after a claim. */
  readonly #former = new Set<string>();
  /** Time at which this instance got its id, on the monotonic clock. */
  #namedMs = performance.now();
  #loops: readonly Promise<void>[] = [];
  /** Time at which the last stored renewal of the own lease was sent, on the monotonic clock. */
  #renewedMs = 0;
  /** Resolves with the next renewal or the loss. */
  #settled = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(engine: Engine, options: LeaseOptions, hooks: LeaseHooks) {
    this.#engine = engine;
    this.#options = options;
    this.#hooks = hooks;
  }

  /** Announces this instance. Rejects if the server does not store that. */
  async start(): Promise<void> {
    await this.#renew(this.id);
    this.#loops = [this.#repeat(() => this.#renewAll()), this.#repeat(() => this.#look())];
  }

  /**
   * Resolves once the lease of this instance was renewed or lost; `undefined` while no other instance
   * can have claimed it. An instance that was suspended or cut off waits here before it acts.
   */
  confirmed(): Promise<void> | undefined {
    const isValid = performance.now() - this.#renewedMs < this.#options.leaseMs;
    return isValid || this.#isClosed ? undefined : this.#settled.promise;
  }

  /** Ends the watch. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closing.resolve();
    this.#settled.resolve();
    await Promise.all(this.#loops);
  }

  /** Ends the lease of this instance: others take over its remaining work, if any. */
  async release({ isEmpty }: { isEmpty: boolean }): Promise<void> {
    if (isEmpty) await this.#remove(this.id);
    else await this.#renew(this.id, { isReleased: true });
  }

  async #repeat(task: () => Promise<void>): Promise<void> {
    while (!this.#isClosed) {
      try {
        if (this.#engine.link.isConnected) await task();
      } catch (error) {
        this.#options.log.debug("Cannot follow the calls of all instances; trying again", {
          reason: reasonOf(error),
        });
      }
      await pause(this.#options.beatMs, this.#closing.promise);
    }
  }

  async #renewAll(): Promise<void> {
    // After a loss, the new lease is not held until a response says that it is stored. If that takes too long, another
    // instance may have claimed it and removed it again.
    const isUnknown = !this.#held.has(this.id);
    if (isUnknown && performance.now() - this.#namedMs >= this.#options.leaseMs) {
      await this.#verify(this.id);
    }
    for (const instance of new Set([this.id, ...this.#held.keys()])) {
      try {
        await this.#renew(instance);
      } catch (error) {
        if (!hasAnswered(error)) throw error;
        await this.#verify(instance);
      }
    }
  }

  async #renew(instance: string, { isReleased = false } = {}): Promise<void> {
    await this.#put(instance, this.#held.get(instance) ?? 0, isReleased);
  }

  async #put(instance: string, lastSubjectSequence: number, isReleased: boolean): Promise<void> {
    const added = headers();
    added.set(ROLLUP_HEADER, "sub");
    const holder: Holder = { holder: this.id, isReleased };
    const sentMs = performance.now();
    const { seq } = await this.#engine.client.publish(
      this.#options.lease(instance),
      JSON.stringify(holder),
      { timeout: ANSWER_MS, retries: 1, headers: added, expect: { lastSubjectSequence } },
    );
    this.#held.set(instance, seq);
    if (instance !== this.id) return;
    this.#renewedMs = sentMs;
    this.#settled.resolve();
    this.#settled = Promise.withResolvers();
  }

  /** Finds out who has a lease that could not be renewed: the response to the last renewal may be lost. */
  async #verify(instance: string): Promise<void> {
    const message = await this.#last(instance);
    if (message !== null && holderOf(message)?.holder === this.id) {
      this.#held.set(instance, message.seq);
      return;
    }
    this.#held.delete(instance);
    if (instance !== this.id) return;
    this.#former.add(instance);
    this.id = newId();
    this.#namedMs = performance.now();
    this.#hooks.lost();
    await this.#renew(this.id);
  }

  /** Checks the leases of the others, and claims those that have expired. */
  async #look(): Promise<void> {
    const { manager } = this.#engine;
    const { stream, lease, leaseMs } = this.#options;
    const { state } = await manager.streams.info(stream, { subjects_filter: lease("*") });
    const prefix = lease("");
    const instances = Object.keys(state.subjects ?? {}).map((name) => name.slice(prefix.length));
    for (const known of this.#seen.keys()) {
      if (!instances.includes(known)) this.#seen.delete(known);
    }
    for (const former of this.#former) {
      if (instances.includes(former)) continue;
      if (await this.#hooks.takeOver(former)) this.#former.delete(former);
    }
    for (const instance of instances) {
      if (this.#isClosed) return;
      if (this.#held.has(instance)) continue;
      const message = await this.#last(instance);
      if (message === null) continue;
      const { seq } = message;
      const nowMs = performance.now();
      const seen = this.#seen.get(instance);
      if (seen?.seq !== seq) this.#seen.set(instance, { seq, sinceMs: nowMs });
      const sinceMs = seen?.seq === seq ? seen.sinceMs : nowMs;
      const isOver = holderOf(message)?.isReleased === true || nowMs - sinceMs >= leaseMs;
      if (isOver) await this.#claim(instance, seq);
    }
  }

  async #claim(instance: string, seq: number): Promise<void> {
    try {
      await this.#put(instance, seq, false);
    } catch (error) {
      // Another instance was faster, or it is back.
      if (hasAnswered(error)) return;
      throw error;
    }
    this.#seen.delete(instance);
    try {
      if (await this.#hooks.takeOver(instance) && this.#held.has(instance)) {
        await this.#remove(instance);
      }
    } finally {
      // The rest is claimed again, by this instance or by another one.
      this.#held.delete(instance);
    }
  }

  async #last(instance: string): Promise<StoredMsg | null> {
    const { stream, lease } = this.#options;
    return await this.#engine.manager.streams.getMessage(stream, {
      last_by_subj: lease(instance),
    });
  }

  async #remove(instance: string): Promise<void> {
    const { stream, lease } = this.#options;
    await this.#engine.manager.streams.purge(stream, { filter: lease(instance) });
    this.#held.delete(instance);
  }
}

/** Waits, or until the promise resolves; leaves no timer. */
export async function pause(ms: number, until: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  await Promise.race([over, until]);
  clearTimeout(timer);
}

/** Returns what a lease says; `undefined` if that cannot be understood. */
function holderOf({ data }: StoredMsg): Holder | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(data));
  } catch {
    return undefined;
  }
}

function newId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
