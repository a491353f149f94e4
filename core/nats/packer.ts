import { LogWriteError, reasonOf } from "../errors.ts";
import type { LogRecord, Placeless } from "../events/log.ts";
import { within } from "../net/within.ts";
import type { Attachments } from "./attachments.ts";
import type { Engine } from "./engine.ts";
import { encodeEvent, encodeRemoval, Parcel } from "./message.ts";
import { writeRef } from "./chunks.ts";
import type { Removal } from "./sound.ts";
import { APPEND_MS, type Outgoing, type Writer } from "./writer.ts";

/** Maximum bytes of events in one message. */
const PARCEL_BYTES = 262_144;
/** Maximum number of events in one message, and of ids in one deletion. */
const MOST_EVENTS = 5000;
/** Maximum wait until a message is read back, in milliseconds. */
const READ_BACK_MS = APPEND_MS + 2000;
/** Maximum time for the attachments of an event, in milliseconds. */
const ATTACH_MS = 60_000;

/** A message that this instance writes. */
interface Batch {
  readonly id: string;
  readonly records: LogRecord[];
  readonly done: PromiseWithResolvers<void>;
  /** On the monotonic clock. */
  readonly sinceMs: number;
  timer?: ReturnType<typeof setTimeout>;
  isDone: boolean;
}

/** Events written and read back. */
export interface Taken {
  readonly records: readonly LogRecord[];
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Packs records into messages: events captured while the previous message is in flight share one. A record counts as
 * written once its message has been read back from the stream, which proves that the stream has it.
 */
export class Packer {
  readonly #engine: Engine;
  readonly #writer: Writer;
  readonly #attachments: Attachments;
  readonly #instance = crypto.randomUUID();
  /** Written, but not read back yet. */
  readonly #own = new Map<string, Batch>();
  /** Messages with room for events, by kind and plugin. */
  readonly #open = new Map<string, { readonly parcel: Parcel; readonly batch: Batch }>();
  /** Deletions in flight. */
  readonly #removing = new Set<Promise<void>>();
  /** Events with attachments in flight. */
  readonly #preparing = new Set<Promise<void>>();
  #count = 0;
  #events = 0;

  constructor(
    { engine, writer, attachments }: { engine: Engine; writer: Writer; attachments: Attachments },
  ) {
    this.#engine = engine;
    this.#writer = writer;
    this.#attachments = attachments;
  }

  /** Number of events packed into messages. */
  get events(): number {
    return this.#events;
  }

  /** Resolves once everything in flight has been read back. Rejects for a deletion that cannot be stored. */
  async settled(): Promise<void> {
    const writing = [...this.#own.values()].map(({ done }) => done.promise);
    const all = Promise.allSettled([...this.#preparing, ...writing]);
    await Promise.all([all, ...this.#removing]);
  }

  /** Resolves once the record has been read back. Rejects with `LogWriteError`. */
  append(record: LogRecord): Promise<void> {
    try {
      this.#writer.checkRoom();
      switch (record.kind) {
        case "captured":
          return this.#appendEvent(record);
        case "restored":
          return this.#track(this.#appendRestored(record.events));
        default:
          return this.#appendRemoval(record);
      }
    } catch (error) {
      if (error instanceof LogWriteError) return Promise.reject(error);
      return Promise.reject(new LogWriteError(`Cannot keep the event: ${reasonOf(error)}`));
    }
  }

  /**
   * Returns the records of a message read back; `undefined` if another instance wrote it, or no caller waits for it.
   */
  take(id: string): Taken | undefined {
    const batch = this.#own.get(id);
    if (batch === undefined) return undefined;
    this.#own.delete(id);
    clearTimeout(batch.timer);
    batch.isDone = true;
    const { records, done: { resolve, reject } } = batch;
    return { records, resolve, reject };
  }

  /** Stops expecting messages. */
  close(): void {
    const error = new LogWriteError("Cannot keep what was captured: the log is closed");
    for (const batch of this.#own.values()) this.#fail(batch, error);
  }

  #appendEvent(record: Extract<LogRecord, { kind: "captured" }>): Promise<void> {
    const { event, ms } = record;
    const about = encodeEvent(event);
    const refs = this.#attachments.refsOf(event.blobs);
    const stored = this.#attachments.store(refs);
    if (stored !== undefined) return this.#track(this.#appendAfter(stored, record));
    return this.#pack("captured", { event, about, ms, refs }, record);
  }

  #track(preparing: Promise<void>): Promise<void> {
    this.#preparing.add(preparing);
    preparing.catch(() => {}).finally(() => this.#preparing.delete(preparing));
    return preparing;
  }

  /** Stores attachments before the event that refers to them. */
  async #appendAfter(
    stored: Promise<unknown>,
    record: Extract<LogRecord, { kind: "captured" }>,
  ): Promise<void> {
    try {
      await within(stored, ATTACH_MS, "it does not accept attachments");
    } catch (error) {
      throw new LogWriteError(`Cannot keep what was captured: NATS: ${reasonOf(error)}`);
    }
    const { event, ms } = record;
    const refs = this.#attachments.refsOf(event.blobs);
    await this.#pack("captured", { event, about: encodeEvent(event), ms, refs }, record);
  }

  /** Packs an event into the open message, or into a new one. */
  #pack(
    kind: Parcel["kind"],
    { event, ...more }: { event: Placeless } & Parameters<Parcel["add"]>[1],
    record: LogRecord,
  ): Promise<void> {
    const key = `${kind} ${event.plugin}`;
    let open = this.#open.get(key);
    const bytes = more.about.length + event.raw.body.length;
    const fits = open !== undefined && open.parcel.count < MOST_EVENTS &&
      open.parcel.bytes + bytes <= PARCEL_BYTES;
    if (open === undefined || !fits) open = this.#openParcel(kind, event.plugin, key);
    const { parcel, batch } = open;
    const before = parcel.bytes;
    parcel.add(event, more);
    this.#writer.count(parcel.bytes - before);
    batch.records.push(record);
    this.#events++;
    return batch.done.promise;
  }

  #openParcel(
    kind: Parcel["kind"],
    plugin: string,
    key: string,
  ): { parcel: Parcel; batch: Batch } {
    const opened = { parcel: new Parcel(kind, plugin), batch: this.#newBatch() };
    const { parcel, batch } = opened;
    this.#open.set(key, opened);
    this.#writer.add(() => {
      if (this.#open.get(key) === opened) this.#open.delete(key);
      return this.#toOutgoing(batch, {
        subject: this.#engine.names.events(plugin),
        bytes: parcel.bytes,
        encode: () => parcel.encode(),
      });
    });
    return opened;
  }

  async #appendRestored(events: readonly Placeless[]): Promise<void> {
    const byPlugin = Map.groupBy(events, ({ plugin }) => plugin);
    const appended: Promise<void>[] = [];
    for (const event of [...byPlugin.values()].flat()) {
      const refs = this.#attachments.refsOf(event.blobs);
      await this.#attachments.store(refs);
      const about = encodeEvent(event);
      const ms = event.received_at.getTime();
      appended.push(
        this.#pack("restored", { event, about, ms, refs }, { kind: "restored", events: [event] }),
      );
    }
    await Promise.all(appended);
  }

  #appendRemoval(record: Removal): Promise<void> {
    const parts: readonly Removal[] = record.kind === "deleted" && record.ids.length > MOST_EVENTS
      ? Array.from({ length: Math.ceil(record.ids.length / MOST_EVENTS) }, (_, index) => ({
        kind: "deleted",
        ids: record.ids.slice(index * MOST_EVENTS, (index + 1) * MOST_EVENTS),
      }))
      : [record];
    // A deletion follows the events captured before it.
    this.#open.clear();
    const removing = Promise.all(parts.map((part) => this.#writeRemoval(part))).then(() => {});
    this.#removing.add(removing);
    removing.catch(() => {}).finally(() => this.#removing.delete(removing));
    return removing;
  }

  #writeRemoval(record: Removal): Promise<void> {
    const batch = this.#newBatch();
    batch.records.push(record);
    const payload = encodeRemoval(record);
    this.#writer.count(payload.length);
    const subject = this.#engine.names.removals;
    this.#writer.add(() =>
      this.#toOutgoing(batch, { subject, bytes: payload.length, encode: () => payload })
    );
    return batch.done.promise;
  }

  #newBatch(): Batch {
    const id = `${this.#instance}-${++this.#count}`;
    const batch: Batch = {
      id,
      records: [],
      done: Promise.withResolvers(),
      sinceMs: performance.now(),
      isDone: false,
    };
    batch.done.promise.catch(() => {});
    batch.timer = setTimeout(() => {
      const detail = "NATS has not confirmed it";
      this.#fail(batch, new LogWriteError(`Cannot keep what was captured: ${detail}`));
    }, READ_BACK_MS);
    this.#own.set(id, batch);
    return batch;
  }

  #toOutgoing(
    batch: Batch,
    { subject, bytes, encode }: { subject: string; bytes: number; encode: () => Uint8Array },
  ): Outgoing {
    let prepared: ReturnType<Outgoing["prepare"]> | undefined;
    return {
      subject,
      bytes,
      id: batch.id,
      sinceMs: batch.sinceMs,
      prepare: () => {
        prepared ??= this.#prepare(batch.id, encode());
        prepared.catch(() => prepared = undefined);
        return prepared;
      },
      fail: (error) => this.#fail(batch, error),
      get isDone() {
        return batch.isDone;
      },
    };
  }

  /** Stores a body that is too large for a message as an object, which the message names. */
  async #prepare(id: string, payload: Uint8Array): ReturnType<Outgoing["prepare"]> {
    if (payload.length <= Math.min(2 * PARCEL_BYTES, this.#engine.maxBytes - 1024)) {
      return { payload };
    }
    const name = `message-${id}`;
    const size = await this.#engine.objects.store(name, ReadableStream.from([payload]));
    return { payload: new Uint8Array(), object: writeRef({ name, size }) };
  }

  #fail(batch: Batch, error: LogWriteError): void {
    this.#own.delete(batch.id);
    clearTimeout(batch.timer);
    batch.isDone = true;
    batch.done.reject(error);
  }
}
