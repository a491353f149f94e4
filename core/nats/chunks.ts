import type { JetStreamClient, JetStreamManager, StreamInfo } from "@nats-io/jetstream";
import type { ByteSource } from "../byte_source.ts";
import { concat } from "../bytes/concat.ts";
import { LogWriteError, reasonOf } from "../errors.ts";
import type { Link } from "./link.ts";
import type { StreamShape } from "./stream_shape.ts";

/**
 * Size of each chunk except the last: any range is found without reading the bytes before it. Part
 * of the format.
 */
export const CHUNK_BYTES = 131_072;
/** Number of chunks in flight. */
const AHEAD = 6;
/** Maximum memory of one transfer, in bytes. */
export const TRANSFER_BYTES = AHEAD * CHUNK_BYTES;
/** Maximum wait for one response of the server, in milliseconds. */
const ANSWER_MS = 2000;
/** Maximum time for one chunk, in milliseconds. */
const CHUNK_MS = 8000;
/** Pause between two attempts, in milliseconds. */
const PAUSE_MS = 100;

/** Bytes in a stream, and their size. */
export interface ChunksRef {
  readonly name: string;
  readonly size: number;
}

/** Writes a reference as the value of a header field. */
export function writeRef({ name, size }: ChunksRef): string {
  return `${name} ${size}`;
}

/** Reads it; `undefined` for none. */
export function readRef(text: string | undefined): ChunksRef | undefined {
  const found = /^(\S+) (\d+)$/.exec(text ?? "");
  return found === null ? undefined : { name: found[1]!, size: Number(found[2]) };
}

/** A chunk was removed. */
export class ChunkGoneError extends Error {
  override name = "ChunkGoneError";
}

/** The parts of the engine that chunks need. */
interface Servers {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly link: Link;
}

/**
 * Bytes of any size as numbered chunks in a stream. Each is written and read by one request, so a
 * lost server costs a request, not the whole transfer, and any range is read without the bytes
 * before it.
 */
export class Chunks {
  readonly #servers: Servers;
  readonly #stream: string;
  readonly #prefix: string;

  /** `prefix` is that of the subjects. */
  constructor(servers: Servers, { stream, prefix }: { stream: string; prefix: string }) {
    this.#servers = servers;
    this.#stream = stream;
    this.#prefix = prefix;
  }

  /** Returns the stream that must exist. */
  shape(description: string): StreamShape {
    return { name: this.#stream, subjects: [this.#subject("*", "*")], description, direct: true };
  }

  /** Resolves once all bytes are stored, with their number. Removes them again if the source fails. */
  async store(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
    const writer = new ChunkWriter((index, bytes) => this.#store(name, index, bytes));
    try {
      for await (const chunk of chunks) await writer.write(chunk);
      await writer.end();
      return writer.size;
    } catch (error) {
      await writer.settled();
      const isThere = writer.count > 0 && !(error instanceof LogWriteError);
      if (isThere) await this.remove(name).catch(() => {});
      throw error;
    }
  }

  /** Opens a range, with an exclusive end. Resolves with nothing if its first chunk was removed. */
  async open(
    { name, size }: ChunksRef,
    { start = 0, end = size }: { readonly start?: number; readonly end?: number } = {},
  ): Promise<ByteSource | undefined> {
    const source = new ChunkSource((index) => this.#fetch(name, index), { start, end });
    return await source.begin() ? source : undefined;
  }

  /** Returns all bytes; `undefined` if they were removed. */
  async read(ref: ChunksRef): Promise<Uint8Array | undefined> {
    const source = await this.open(ref);
    if (source === undefined) return undefined;
    const parts: Uint8Array[] = [];
    try {
      for (let part = await source.next(CHUNK_BYTES); part !== undefined;) {
        parts.push(part);
        part = await source.next(CHUNK_BYTES);
      }
    } catch (error) {
      if (error instanceof ChunkGoneError) return undefined;
      throw error;
    }
    return concat(parts);
  }

  /** Removes all chunks, if there are any. */
  async remove(name: string): Promise<void> {
    // Several instances remove the same bytes, and most find nothing: asking first is cheaper.
    if (await this.#fetch(name, 0) === undefined) return;
    const filter = this.#subject(name, "*");
    await this.#servers.manager.streams.purge(this.#stream, { filter });
  }

  /** Returns the names of everything stored. */
  async names(): Promise<readonly string[]> {
    const options = { subjects_filter: this.#subject("*", 0) };
    const { state }: StreamInfo = await this.#servers.manager.streams.info(this.#stream, options);
    return Object.keys(state.subjects ?? {}).map((subject) => subject.split(".").at(-2)!);
  }

  #subject(name: string, index: number | "*"): string {
    return `${this.#prefix}.${name}.${index}`;
  }

  async #store(name: string, index: number, bytes: Uint8Array): Promise<void> {
    const subject = this.#subject(name, index);
    // Without an id: stored twice, it is the same, and stored again after its removal, it must not be dropped.
    const options = { timeout: ANSWER_MS, retries: 1 };
    await this.#patiently(() => this.#servers.client.publish(subject, bytes, options));
  }

  /** Returns nothing if the chunk was removed. */
  async #fetch(name: string, index: number): Promise<Uint8Array | undefined> {
    const { streams, direct } = this.#servers.manager;
    const query = { last_by_subj: this.#subject(name, index) };
    return await this.#patiently(async () => {
      const found = await direct.getMessage(this.#stream, query) ??
        // A replica may be slightly behind the leader.
        await streams.getMessage(this.#stream, query);
      return found === null ? undefined : toPlain(found.data);
    });
  }

  async #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const endMs = performance.now() + CHUNK_MS;
    for (;;) {
      try {
        // The client would queue it, and send it when no caller still waits for it.
        if (!this.#servers.link.isConnected) throw new Error("the connection is lost");
        return await attempt();
      } catch (error) {
        const { isLost, isClosed } = this.#servers.link;
        if (performance.now() >= endMs || isLost || isClosed) {
          throw new LogWriteError(`Cannot reach the bytes in NATS: ${reasonOf(error)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}

/** The client returns buffers of Node, whose `slice` copies nothing. */
export function toPlain({ buffer, byteOffset, length }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

/** Splits bytes into chunks, and stores several of them concurrently. */
class ChunkWriter {
  size = 0;
  count = 0;
  readonly #store: (index: number, bytes: Uint8Array) => Promise<void>;
  readonly #storing = new Set<Promise<void>>();
  #chunk = new Uint8Array(CHUNK_BYTES);
  #filled = 0;
  #failure: unknown;

  constructor(store: (index: number, bytes: Uint8Array) => Promise<void>) {
    this.#store = store;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.size += chunk.length;
    for (let left = chunk; left.length > 0;) {
      const part = left.subarray(0, CHUNK_BYTES - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      left = left.subarray(part.length);
      if (this.#filled === CHUNK_BYTES) await this.#send();
    }
  }

  async end(): Promise<void> {
    if (this.#filled > 0) await this.#send();
    await Promise.all(this.#storing);
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Resolves once nothing is in flight. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#storing);
  }

  async #send(): Promise<void> {
    const storing: Promise<void> = this.#store(this.count++, this.#chunk.subarray(0, this.#filled))
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#storing.delete(storing));
    this.#storing.add(storing);
    this.#chunk = new Uint8Array(CHUNK_BYTES);
    this.#filled = 0;
    if (this.#storing.size >= AHEAD) await Promise.race(this.#storing);
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Reads a range of a blob; the next chunks are requested while one is sent. */
class ChunkSource implements ByteSource {
  readonly size: number;
  readonly #fetch: (index: number) => Promise<Uint8Array | undefined>;
  readonly #ahead: Promise<Uint8Array | undefined>[] = [];
  #index: number;
  /** Bytes of the current chunk, and their place. */
  #chunk: Uint8Array | undefined;
  #at: number;
  #left: number;

  constructor(
    fetch: (index: number) => Promise<Uint8Array | undefined>,
    { start, end }: { start: number; end: number },
  ) {
    this.#fetch = fetch;
    this.size = this.#left = Math.max(0, end - start);
    this.#index = Math.floor(start / CHUNK_BYTES);
    this.#at = start % CHUNK_BYTES;
  }

  /** Returns whether the first chunk exists. */
  async begin(): Promise<boolean> {
    if (this.#left === 0) return true;
    this.#request();
    this.#chunk = await this.#ahead.shift();
    return this.#chunk !== undefined;
  }

  async next(mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#left === 0) return undefined;
    this.#request();
    this.#chunk ??= await this.#ahead.shift();
    if (this.#chunk === undefined || this.#chunk.length <= this.#at) {
      throw new ChunkGoneError("The bytes were just removed");
    }
    const end = this.#at + Math.min(mostBytes, this.#left);
    const part = this.#chunk.subarray(this.#at, end) as Uint8Array<ArrayBuffer>;
    this.#at += part.length;
    this.#left -= part.length;
    if (this.#at === CHUNK_BYTES) {
      this.#chunk = undefined;
      this.#at = 0;
    }
    return part;
  }

  close(): void {
    this.#left = 0;
    this.#ahead.length = 0;
  }

  #request(): void {
    const first = this.#index;
    const had = this.#chunk === undefined ? 0 : CHUNK_BYTES - this.#at;
    const wanted = Math.ceil(
      (this.#left - had + (this.#chunk === undefined ? this.#at : 0)) /
        CHUNK_BYTES,
    );
    const most = Math.min(AHEAD, wanted) - this.#ahead.length;
    for (let index = first; index < first + most; index++) {
      const chunk = this.#fetch(index);
      // Awaited when its turn comes.
      chunk.catch(() => {});
      this.#ahead.push(chunk);
      this.#index++;
    }
  }
}
