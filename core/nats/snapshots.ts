import type { JsMsg, StoredMsg } from "@nats-io/jetstream";
import { sourceStream } from "../byte_source.ts";
import { reasonOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { SharedView } from "../shared_state.ts";
import { type Engine, hasAnswered, type SharedNames } from "./engine.ts";
import { CHUNK_BYTES } from "./chunks.ts";
import { decodeNote, encodeNote, readLines } from "./shared_message.ts";

/** Minimum number of changes between two snapshots. */
const LEAST_MESSAGES = 1000;
/** Maximum wait for one response of the server, in milliseconds. */
const ANSWER_MS = 5000;

/**
 * Keeps the stream short: from time to time an instance stores a copy of the whole state, names it
 * in a message, and removes the changes before. A starting instance reads the copy, then the
 * changes after it. The last change always stays, because the next one names it as its predecessor.
 */
export class Snapshots<C> {
  readonly #engine: Engine;
  readonly #names: SharedNames;
  readonly #view: SharedView<C>;
  readonly #log: Logger;
  #last = 0;
  #messages = 0;
  /** Number of changes in the last snapshot. */
  #size = 0;
  /** The message that names the last snapshot, and the snapshot. */
  #note: { readonly seq: number; readonly object: string | undefined } = NO_NOTE;
  /** Objects of messages, in order. */
  #objects: { readonly seq: number; readonly object: string }[] = [];
  #running: Promise<void> | undefined;

  constructor(
    engine: Engine,
    { names, view, log }: { names: SharedNames; view: SharedView<C>; log: Logger },
  ) {
    this.#engine = engine;
    this.#names = names;
    this.#view = view;
    this.#log = log;
  }

  /** Sequence of the last change in the state of this instance; 0 for none. */
  get last(): number {
    return this.#last;
  }

  async close(): Promise<void> {
    await this.#running;
  }

  /** Restores the state from the last snapshot. Returns the sequence after which changes follow. */
  async restore(): Promise<number> {
    const { manager } = this.#engine;
    const { stream, snapshots } = this.#names;
    const message = await manager.streams.getMessage(stream, { last_by_subj: snapshots });
    const changes: C[] = [];
    const note = message === null ? undefined : decodeNote(message.data);
    if (note !== undefined) {
      const found = await this.#engine.objects.open({ name: note.object, size: note.size });
      if (found === undefined) throw new Error("a snapshot was just replaced by another");
      const lines = readLines(sourceStream(found, CHUNK_BYTES));
      for await (const value of lines) changes.push(this.#view.decode(value));
    }
    // Together, so that no reader sees a part of it.
    this.#view.forget();
    this.#view.apply(changes, { own: false });
    this.#last = note?.at ?? 0;
    this.#messages = 0;
    this.#objects = [];
    this.#size = changes.length;
    this.#setNote(message, note?.object);
    return this.#last;
  }

  /** Another snapshot was stored. */
  note(message: JsMsg): void {
    const { at, object, count } = decodeNote(message.data);
    this.#setNote(message, object);
    this.#size = count;
    this.#messages = 0;
    this.#objects = this.#objects.filter(({ seq }) => seq >= at);
  }

  #setNote(message: Pick<StoredMsg, "seq"> | null, object: string | undefined): void {
    this.#note = message === null ? NO_NOTE : { seq: message.seq, object };
  }

  /** A change was made; the instance that planned it makes the next snapshot when it is time. */
  count(seq: number, { object, own }: { object: string | undefined; own: boolean }): void {
    this.#last = seq;
    this.#messages++;
    if (object !== undefined) this.#objects.push({ seq, object });
    if (!own || this.#running !== undefined) return;
    if (this.#messages < Math.max(LEAST_MESSAGES, this.#size)) return;
    this.#running = this.#store().catch((error) =>
      this.#log.debug(`Cannot store a copy of ${this.#view.what}; the next change tries again`, {
        reason: reasonOf(error),
      })
    ).finally(() => this.#running = undefined);
  }

  async #store(): Promise<void> {
    const { client, manager, objects } = this.#engine;
    const { stream, snapshots } = this.#names;
    const [at, before] = [this.#last, this.#note];
    const { chunks, count } = this.#encode();
    const object = `${stream}-${crypto.randomUUID()}`;
    const size = await objects.store(object, ReadableStream.from(chunks));
    try {
      // If two instances do this at the same time, one succeeds.
      await client.publish(snapshots, encodeNote({ at, object, size, count }), {
        timeout: ANSWER_MS,
        expect: { lastSubjectSequence: before.seq },
      });
    } catch (error) {
      // It may have been stored if there was no response.
      if (hasAnswered(error)) await objects.remove(object);
      throw error;
    }
    const old = this.#objects.filter(({ seq }) => seq < at);
    await manager.streams.purge(stream, { seq: at });
    if (before.object !== undefined) await objects.remove(before.object);
    for (const { object } of old) await objects.remove(object);
  }

  /** Synchronous, so that it is the state after one change. */
  #encode(): { readonly chunks: readonly Uint8Array[]; readonly count: number } {
    const encoder = new TextEncoder();
    const chunks: Uint8Array[] = [];
    let text = "";
    let count = 0;
    for (const change of this.#view.changes()) {
      text += `${JSON.stringify(this.#view.encode(change))}\n`;
      count++;
      if (text.length < CHUNK_BYTES) continue;
      chunks.push(encoder.encode(text));
      text = "";
    }
    if (text !== "") chunks.push(encoder.encode(text));
    return { chunks, count };
  }
}

const NO_NOTE = { seq: 0, object: undefined };
