/**
 * Floods over HTTP/2 (RFC 9113), frame by frame, because the platform's client would respect the
 * limits.
 *
 * @module
 */
import { ByteReader } from "../../core/bytes/reader.ts";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { encodeFields, HpackDecoder } from "../../core/codec/hpack/hpack.ts";
import { closeQuietly } from "../../core/net/socket.ts";
import { type Flood, type Flooded, hold, largest, MB, portOf } from "./flood.ts";

const encoder = new TextEncoder();
/** RFC 9113 section 3.4. */
export const PREFACE = encoder.encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
/** RFC 9113 section 6. */
export const FRAME_TYPES = { data: 0, headers: 1, rstStream: 3, settings: 4, windowUpdate: 8 };
const {
  data: DATA,
  headers: HEADERS,
  rstStream: RST_STREAM,
  settings: SETTINGS,
  windowUpdate: WINDOW_UPDATE,
} = FRAME_TYPES;
/** Flags of HEADERS. */
export const FRAME_FLAGS = { endStream: 1, endHeaders: 4 };
const ACK = 1;
const { endStream: END_STREAM, endHeaders: END_HEADERS } = FRAME_FLAGS;
const INITIAL_WINDOW_SIZE = 4;
const HEAD_BYTES = 9;
const FRAME_BYTES = 16_384;
/** RFC 9113 section 6.9.2. */
const FIRST_WINDOW = 65_535;

/** RFC 9113 section 4.1. */
export function frame(
  type: number,
  payload: Uint8Array,
  { flags = 0, stream = 0 } = {},
): Uint8Array {
  return new ByteWriter().u8(payload.length >>> 16).u16(payload.length & 0xffff)
    .u8(type).u8(flags).u32(stream).bytes(payload).take();
}

const MAIL_HEAD = encodeFields([
  [":method", "POST"],
  [":scheme", "http"],
  [":authority", "localhost"],
  [":path", "/v3/mail/send"],
  ["authorization", "Bearer SG.x"],
  ["content-type", "application/json"],
]);

/** A connection that sends as much as its windows allow. */
export class Http2Sender implements Disposable {
  readonly #conn: Deno.TcpConn;
  readonly #windows = new Map<number, number>();
  readonly #statuses = new Map<number, PromiseWithResolvers<number>>();
  readonly #decoder = new HpackDecoder({ maxBytes: 65_536 });
  #window = FIRST_WINDOW;
  #initial = FIRST_WINDOW;
  #next = 1;
  #wake = (): void => {};
  #isOver = false;
  readonly #ended = Promise.withResolvers<void>();

  constructor(conn: Deno.TcpConn) {
    this.#conn = conn;
    this.#read().catch(() => {}).finally(() => {
      this.#isOver = true;
      this.#wake();
      this.#ended.resolve();
    });
  }

  /** Connects, and sends the preface. */
  static async open(port: number): Promise<Http2Sender> {
    const sender = new Http2Sender(await Deno.connect({ hostname: "127.0.0.1", port }));
    await sender.write(PREFACE);
    await sender.write(frame(SETTINGS, new Uint8Array()));
    return sender;
  }

  /** Resolves once the system accepted it. Rejects at the end of the connection. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let left = bytes; left.length > 0;) left = left.subarray(await this.#conn.write(left));
  }

  /** Starts a request whose body follows; `ends` sends it without one. */
  async begin({ ends = false } = {}): Promise<number> {
    const stream = this.#next;
    this.#next += 2;
    if (!ends) this.#windows.set(stream, this.#initial);
    this.#statuses.set(stream, Promise.withResolvers());
    const flags = END_HEADERS | (ends ? END_STREAM : 0);
    await this.write(frame(HEADERS, MAIL_HEAD, { flags, stream }));
    return stream;
  }

  /** The response of a stream. */
  async status(stream: number): Promise<number | undefined> {
    return await this.#statuses.get(stream)?.promise;
  }

  /**
   * Sends as much of `body` as allowed on every open stream, repeatedly, until all streams are
   * answered or the connection ends.
   */
  async pour(body: Uint8Array): Promise<void> {
    const sent = new Map<number, number>();
    while (!this.#isOver && this.#windows.size > 0) {
      let wrote = false;
      for (const [stream, window] of this.#windows) {
        const at = sent.get(stream) ?? 0;
        const count = Math.min(FRAME_BYTES, window, this.#window, body.length - at);
        if (count <= 0) continue;
        sent.set(stream, at + count);
        this.#windows.set(stream, window - count);
        this.#window -= count;
        await this.write(frame(DATA, body.subarray(at, at + count), { stream }));
        wrote = true;
      }
      if (!wrote) await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Sends this many empty DATA frames, which flow control does not count. */
  async empty(stream: number, count: number): Promise<void> {
    const one = frame(DATA, new Uint8Array(), { stream });
    const many = new Uint8Array(count * one.length);
    for (let at = 0; at < many.length; at += one.length) many.set(one, at);
    await this.write(many);
  }

  /** Ends a stream without its response. */
  async reset(stream: number): Promise<void> {
    await this.write(frame(RST_STREAM, new Uint8Array(4), { stream }));
  }

  /** Resolves at the end of the connection. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  [Symbol.dispose](): void {
    closeQuietly(this.#conn);
  }

  async #read(): Promise<void> {
    const writer = new ByteWriter();
    const buffer = new Uint8Array(65_536);
    for (let count; (count = await this.#conn.read(buffer)) !== null;) {
      let left = writer.bytes(buffer.subarray(0, count)).take();
      for (let taken; (taken = this.#take(left)) > 0;) left = left.subarray(taken);
      writer.bytes(left);
      this.#wake();
    }
  }

  /** Handles the first frame and returns its length, or 0 while it is incomplete. */
  #take(bytes: Uint8Array): number {
    if (bytes.length < HEAD_BYTES) return 0;
    const reader = new ByteReader(bytes);
    const length = reader.u8() << 16 | reader.u16();
    if (bytes.length < HEAD_BYTES + length) return 0;
    const [type, flags, stream] = [reader.u8(), reader.u8(), reader.u32()];
    if (type === SETTINGS && (flags & ACK) === 0) this.#settle(reader, length);
    if (type === WINDOW_UPDATE) this.#widen(stream, reader.u32());
    if (type === HEADERS) {
      const fields = this.#decoder.decode(reader.bytes(length));
      const [, status] = fields.find(([name]) => name === ":status") ?? [];
      this.#statuses.get(stream)?.resolve(Number(status));
    }
    if (type === RST_STREAM || type === HEADERS) this.#windows.delete(stream);
    return HEAD_BYTES + length;
  }

  #settle(reader: ByteReader, length: number): void {
    for (let at = 0; at < length; at += 6) {
      const [id, value] = [reader.u16(), reader.u32()];
      if (id !== INITIAL_WINDOW_SIZE) continue;
      for (const [stream, window] of this.#windows) {
        this.#windows.set(stream, window + value - this.#initial);
      }
      this.#initial = value;
    }
    this.write(frame(SETTINGS, new Uint8Array(), { flags: ACK })).catch(() => {});
  }

  #widen(stream: number, more: number): void {
    if (stream === 0) this.#window += more;
    const window = this.#windows.get(stream);
    if (window !== undefined) this.#windows.set(stream, window + more);
  }
}

const CONNECTIONS = 24;
const STREAMS = 40;
/** Open at once: SETTINGS_MAX_CONCURRENT_STREAMS of the inner server. */
const MOST_STREAMS = 200;

/** Connections that are reopened when they end, until the time is up. */
async function holdStreams(
  connections: number,
  flooded: Flooded,
  talk: (sender: Http2Sender) => Promise<void>,
): Promise<void> {
  const port = await portOf(flooded, "ingress");
  const endMs = performance.now() + flooded.ms;
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < endMs) {
      try {
        using sender = await Http2Sender.open(port);
        const timer = setTimeout(() => sender[Symbol.dispose](), endMs - performance.now());
        await talk(sender);
        clearTimeout(timer);
      } catch {
        // Refused in some way; retries a moment later.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }));
}

/** Endless bodies on many streams of many connections. */
export const streams: Flood = async (flooded) => {
  const body = new Uint8Array(largest(flooded, 60 * MB)).fill(0x61);
  await holdStreams(CONNECTIONS, flooded, async (sender) => {
    for (let i = 0; i < STREAMS; i++) await sender.begin();
    await sender.pour(body);
  });
};

/** The maximum number of streams, without a body byte on any of them. */
export const silentStreams: Flood = async (flooded) => {
  await holdStreams(2 * CONNECTIONS, flooded, async (sender) => {
    for (let i = 0; i < MOST_STREAMS; i++) await sender.begin();
    await sender.ended;
  });
};

/** Request heads in fragments whose last one never comes, on every HTTP listener. */
export const http2Heads: Flood = async (flooded) => {
  const long = encodeFields([
    ...[[":method", "GET"], [":scheme", "http"], [":authority", "x"], [":path", "/"]] as const,
    ["x-long", "a".repeat(FRAME_BYTES - 100)],
  ]);
  const opening = new ByteWriter().bytes(PREFACE).bytes(frame(SETTINGS, new Uint8Array()))
    .bytes(frame(HEADERS, long.subarray(0, FRAME_BYTES), { stream: 1 })).take();
  await Promise.all(["ingress", "ui", "http"].map(async (name) => {
    const port = await portOf(flooded, name);
    await hold({ connections: 300, port }, flooded, async (sender) => {
      await sender.send(opening);
      // GOAWAY ends it, or the connection.
      await sender.until(/never/);
    });
  }));
};
