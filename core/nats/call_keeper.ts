import { headers } from "@nats-io/transport-node";
import type { StoredCall } from "../callbacks/call.ts";
import type { SharedCallHooks, SharedCallKeeper } from "../callbacks/ledger.ts";
import { decodeCall, encodeCall } from "../callbacks/stored_call.ts";
import { ConfigError, reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import { type CallNames, type Engine, patiently } from "./engine.ts";
import { InstanceLeases, pause } from "./instance_leases.ts";

/** Maximum wait for a response of the server, in milliseconds. */
const ANSWER_MS = 2000;
/** Pause after a failure, in milliseconds. */
const PAUSE_MS = 1000;
/** Number of calls that are written or read at a time. */
const AT_A_TIME = 32;
/** Part of a message besides its payload, in bytes. */
const HEADER_BYTES = 1024;
/**
 * Time after which other instances take over the calls of a silent one, and interval of its
 * heartbeats.
 */
const [LEASE_MS, BEAT_MS] = [10_000, 2000];
const ROLLUP_HEADER = "Nats-Rollup";

/** Options of the keeper. */
export interface NatsCallOptions {
  readonly log: Logger;
  /** Milliseconds; for tests. */
  readonly leaseMs?: number;
  readonly beatMs?: number;
}

/**
 * Keeps the unfinished calls of all instances in a stream: the last message of a subject for each,
 * under the instance that makes it. Another instance takes over the calls of a lost one. Writing
 * never delays a call; failed writes are repeated once the server is back.
 */
export class NatsCallKeeper implements SharedCallKeeper, AsyncDisposable {
  readonly #engine: Engine;
  readonly #names: CallNames;
  readonly #log: Logger;
  readonly #leases: InstanceLeases;
  /** Pending writes; `undefined` for a call to remove. */
  readonly #dirty = new Map<string, StoredCall | undefined>();
  /** Calls that may be in the stream. */
  readonly #stored = new Set<string>();
  readonly #closing = Promise.withResolvers<void>();
  #hooks: SharedCallHooks | undefined;
  #flushing: Promise<void> | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(engine: Engine, { log, leaseMs = LEASE_MS, beatMs = BEAT_MS }: NatsCallOptions) {
    this.#engine = engine;
    this.#names = engine.names.calls;
    this.#log = log;
    const { stream, lease } = this.#names;
    this.#leases = new InstanceLeases(engine, { stream, lease, leaseMs, beatMs, log }, {
      takeOver: (instance) => this.#takeOver(instance),
      lost: () => this.#lose(),
    });
  }

  async start(hooks: SharedCallHooks): Promise<void> {
    this.#hooks = hooks;
    const { stream: name, subjects } = this.#names;
    const description = "Unfinished callbacks of instances of Standin";
    try {
      await this.#engine.ensureStream({ name, subjects, description });
      await patiently(() => this.#leases.start());
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      throw new ConfigError(`Cannot keep callbacks in NATS: ${reasonOf(error)}`);
    }
  }

  /** Calls of lost instances are taken over later. */
  load(): readonly StoredCall[] {
    return [];
  }

  confirmed(): Promise<void> | undefined {
    return this.#leases.confirmed();
  }

  save(call: StoredCall): void {
    if (isOver(call)) return this.remove([call.id]);
    this.#dirty.set(call.id, call);
    this.#flush();
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#stored.has(id)) this.#dirty.set(id, undefined);
      else this.#dirty.delete(id);
    }
    this.#flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leases.close();
    this.#isClosed = true;
    this.#closing.resolve();
    await this.#flushing;
    try {
      if (this.#hooks === undefined || !this.#engine.link.isConnected) return;
      await this.#leases.release({ isEmpty: this.#stored.size === 0 });
    } catch (error) {
      this.#log.debug("Cannot release the calls; other instances take them over later", { error });
    }
  }

  #flush(): void {
    if (this.#dirty.size === 0) return;
    this.#flushing ??= this.#writeAll().finally(() => this.#flushing = undefined);
  }

  /** Never rejects. At the close, pending writes are tried once. */
  async #writeAll(): Promise<void> {
    // Calls planned in one turn are written together, and one that ends in it is not.
    await Promise.resolve();
    while (this.#dirty.size > 0) {
      const batch = [...this.#dirty].slice(0, AT_A_TIME);
      for (const [id] of batch) this.#dirty.delete(id);
      const failures = (await Promise.all(batch.map(async ([id, call]) => {
        try {
          return await this.#write(id, call);
        } catch (error) {
          if (!this.#dirty.has(id)) this.#dirty.set(id, call);
          return reasonOf(error);
        }
      }))).filter((reason) => reason !== undefined);
      if (failures.length === 0) {
        this.#hasFailed = false;
        continue;
      }
      if (!this.#hasFailed) {
        const [reason] = failures;
        this.#log.warn("Cannot keep callbacks in NATS; trying again", { reason });
      }
      this.#hasFailed = true;
      if (this.#isClosed) return;
      await pause(PAUSE_MS, this.#closing.promise);
    }
  }

  async #write(id: string, call: StoredCall | undefined): Promise<undefined> {
    const { client, manager, link, maxBytes } = this.#engine;
    // The client would queue it, and send it when it is outdated.
    if (!link.isConnected) throw new Error("the connection is lost");
    const subject = this.#names.held(this.#leases.id, id);
    // It may have ended since.
    if (call === undefined || isOver(call)) {
      if (!this.#stored.has(id)) return;
      await manager.streams.purge(this.#names.stream, { filter: subject });
      this.#stored.delete(id);
      return;
    }
    const payload = new TextEncoder().encode(encodeCall(call));
    if (payload.length > maxBytes - HEADER_BYTES) {
      this.#log.warn("Cannot keep a callback in NATS: it exceeds max_payload of the server", {
        id,
        bytes: payload.length,
        max: maxBytes,
      });
      return;
    }
    this.#stored.add(id);
    const added = headers();
    added.set(ROLLUP_HEADER, "sub");
    await client.publish(subject, payload, { timeout: ANSWER_MS, retries: 1, headers: added });
  }

  /** Takes over the calls of an instance in order; those without room stay. */
  async #takeOver(instance: string): Promise<boolean> {
    const { manager } = this.#engine;
    const { stream, held } = this.#names;
    const filter = held(instance, "*");
    const { state } = await manager.streams.info(stream, { subjects_filter: filter });
    const subjects = Object.keys(state.subjects ?? {}).sort();
    if (subjects.length > 0) {
      this.#log.info("Taking over the callbacks of an instance that is gone", {
        calls: subjects.length,
      });
    }
    for (let at = 0; at < subjects.length; at += AT_A_TIME) {
      const some = subjects.slice(at, at + AT_A_TIME);
      const calls = await Promise.all(some.map((subject) => this.#read(subject)));
      const isWhole = await this.#hooks!.adopt(calls.filter((call) => call !== undefined));
      while (this.#flushing !== undefined && !this.#isClosed) await this.#flushing;
      // Only calls kept under this instance are removed there.
      if (!isWhole || this.#isClosed || this.#hasFailed) return false;
      await Promise.all(
        some.map((subject) => manager.streams.purge(stream, { filter: subject })),
      );
    }
    return true;
  }

  async #read(subject: string): Promise<StoredCall | undefined> {
    const { manager } = this.#engine;
    const message = await manager.streams.getMessage(this.#names.stream, {
      last_by_subj: subject,
    });
    if (message === null) return undefined;
    try {
      const call = decodeCall(new TextDecoder().decode(message.data));
      return isOver(call) || !subject.endsWith(`.${call.id}`) ? undefined : call;
    } catch (error) {
      this.#log.warn("Cannot read a callback of another instance, which is skipped", {
        reason: reasonOf(error),
      });
      return undefined;
    }
  }

  /** Other instances make the stored calls; this one still makes the others. */
  #lose(): void {
    this.#log.warn(
      "Other instances make the callbacks of this one, which did not reach NATS in time",
    );
    const ids = [...this.#stored];
    this.#stored.clear();
    for (const id of ids) this.#dirty.delete(id);
    this.#hooks?.release(ids);
  }
}

function isOver({ state }: StoredCall): boolean {
  return state !== "waiting" && state !== "sending";
}
