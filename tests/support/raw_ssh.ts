/**
 * An SSH client that sends arbitrary payloads: the library exchanges keys and logs in, and the test
 * supplies everything after that.
 *
 * @module
 */
// @ts-types="./drivers/ssh2_client.d.ts"
import { Client } from "ssh2";
import { ByteReader } from "../../core/bytes/reader.ts";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import { closeCiphers } from "../../plugins/files/sftp/library.ts";
import { WireStream } from "../../plugins/files/sftp/wire_stream.ts";

/** Numbers of messages: RFC 4250 section 4.1.2. */
export const SSH = {
  disconnect: 1,
  ignore: 2,
  debug: 4,
  serviceRequest: 5,
  userauthRequest: 50,
  globalRequest: 80,
  requestFailure: 82,
  channelOpen: 90,
  channelOpenConfirmation: 91,
  channelOpenFailure: 92,
  channelWindowAdjust: 93,
  channelData: 94,
  channelEof: 96,
  channelClose: 97,
  channelRequest: 98,
  channelSuccess: 99,
  channelFailure: 100,
} as const;

const IDLE_MS = 60_000;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A payload, field by field: texts and bytes with their length, numbers as uint32, `byte`
 * unchanged.
 */
export function payload(
  type: number,
  ...fields: readonly (string | number | boolean | Uint8Array)[]
): Uint8Array {
  const writer = new ByteWriter().u8(type);
  for (const field of fields) {
    if (typeof field === "number") writer.u32(field);
    else if (typeof field === "boolean") writer.u8(field ? 1 : 0);
    else writer.block(typeof field === "string" ? encoder.encode(field) : field);
  }
  return writer.take();
}

/** Options of a connection. */
export interface RawSshOptions {
  /** Whether it logs in first; otherwise it only exchanges keys. */
  readonly login?: boolean;
  readonly kex?: readonly string[];
  readonly ciphers?: readonly string[];
}

/** One connection. */
export class RawSsh implements AsyncDisposable {
  readonly #client: Client;
  readonly #socket: WireStream;
  readonly #got: Uint8Array[] = [];
  #wake = (): void => {};
  /** Ends with the connection. */
  readonly closed: Promise<void>;

  /** Use `open`. */
  constructor(client: Client, socket: WireStream) {
    this.#client = client;
    this.#socket = socket;
    this.closed = new Promise((resolve) =>
      socket.once("close", () => {
        resolve();
        this.#wake();
      })
    );
  }

  /** Connects. Rejects without a connection, or without a requested login. */
  static async open(port: number, options: RawSshOptions = {}): Promise<RawSsh> {
    const wire = new TcpTransport(await Deno.connect({ hostname: "127.0.0.1", port }));
    const socket = new WireStream(wire, { idleMs: IDLE_MS });
    socket.on("error", () => {});
    socket.once("close", () => wire.abort());
    const client = new Client();
    const raw = new RawSsh(client, socket);
    const ready = Promise.withResolvers<void>();
    client.on("error", ready.reject).on("close", () => ready.reject(new Error("It ended")));
    const { login = true, kex, ciphers = ["aes128-gcm@openssh.com"] } = options;
    client.on(login ? "ready" : "handshake", ready.resolve);
    client.connect({
      sock: socket,
      username: "ada",
      ...(login ? {} : { authHandler: () => {} }),
      algorithms: { cipher: ciphers, ...(kex === undefined ? {} : { kex }) },
    });
    await ready.promise;
    raw.#listen();
    client.on("handshake", () => raw.#listen());
    return raw;
  }

  /**
   * Records incoming packets, and hides them from the library, which does not expect these responses.
   */
  #listen(): void {
    const decipher = this.#client._protocol!._decipher;
    const handle = decipher._onPayload;
    decipher._onPayload = (payload) => {
      const type = payload[0]!;
      if (type >= 20 && type < 50) return handle(payload);
      this.#got.push(new Uint8Array(payload));
      this.#wake();
    };
  }

  /** Whether the connection has ended. */
  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Bytes that the system has not accepted yet. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** Sends a payload. */
  send(bytes: Uint8Array): void {
    if (this.isClosed) return;
    const cipher = this.#client._protocol!._cipher;
    const packet = cipher.allocPacket(bytes.length);
    packet.set(bytes, 5);
    cipher.encrypt(packet);
  }

  /** Sends many payloads, with back-pressure. Resolves early if the connection ends. */
  async flood(count: number, make: (i: number) => Uint8Array): Promise<void> {
    for (let i = 0; i < count && !this.isClosed;) {
      this.#socket.together(() => {
        for (const end = Math.min(count, i + 500); i < end; i++) this.send(make(i));
      });
      await this.#room();
    }
  }

  async #room(): Promise<void> {
    while (this.#socket.writableNeedDrain && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.#socket.once("drain", resolve).once("close", resolve);
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** Stops reading from the server. */
  stopReading(): void {
    this.#socket.pause();
  }

  /** Starts another key exchange; resolves at its end. */
  rekey(): Promise<void> {
    this.#client._protocol!.rekey();
    return new Promise((resolve) => this.#client.on("handshake", resolve));
  }

  /** Ends its side of the TCP connection without DISCONNECT. */
  async hangUp(): Promise<void> {
    this.#socket.end();
    await this.closed;
  }

  /**
   * Returns the next payload whose type is not skipped; `undefined` at the end of the connection.
   */
  async next(...passedOver: readonly number[]): Promise<Uint8Array | undefined> {
    for (;;) {
      const payload = this.#got.shift();
      if (payload !== undefined) {
        if (!passedOver.includes(payload[0]!)) return payload;
      } else if (this.isClosed) return undefined;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  /** Returns reason and text of the server's DISCONNECT. */
  async farewell(): Promise<readonly [code: number, text: string] | undefined> {
    for (let payload; (payload = await this.next()) !== undefined;) {
      if (payload[0] !== SSH.disconnect) continue;
      const reader = new ByteReader(payload.subarray(1));
      return [reader.u32(), decoder.decode(reader.block(1000))];
    }
    return undefined;
  }

  /** Opens a session and returns the server's number for it. */
  async openSession(
    { window = 2 ** 21, packet = 32_768 }: { window?: number; packet?: number } = {},
  ): Promise<number> {
    this.send(payload(SSH.channelOpen, "session", 0, window, packet));
    const answer = await this.next(SSH.channelClose);
    if (answer?.[0] !== SSH.channelOpenConfirmation) throw new Error("The channel was refused");
    return new DataView(answer.buffer).getUint32(5);
  }

  /** Starts `sftp` in a session. */
  async startSftp(session: number): Promise<void> {
    this.send(payload(SSH.channelRequest, session, "subsystem", true, "sftp"));
    const answer = await this.next(SSH.channelData, SSH.channelClose, SSH.channelWindowAdjust);
    if (answer?.[0] !== SSH.channelSuccess) throw new Error("The subsystem was refused");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.closed;
    closeCiphers(this.#client);
  }
}
