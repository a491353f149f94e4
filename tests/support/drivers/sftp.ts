// @ts-types="./ssh2_client.d.ts"
import { Client } from "ssh2";
import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import { ByteReader } from "../../../core/bytes/reader.ts";
import { ByteWriter } from "../../../core/bytes/writer.ts";
import { TcpTransport } from "../../../core/net/tcp_transport.ts";
import { WireStream } from "../../../plugins/files/sftp/wire_stream.ts";
import {
  type Driver,
  type FileClient,
  type Listening,
  type Name,
  Refused,
  type Seen,
  toBytes,
} from "./driver.ts";

const IDLE_MS = 30_000;
/** Bytes of one READ or WRITE. */
const PIECE = 255 * 1024;
const MAX_BLOCK = 256 * 1024;
const TYPES = 0o170000;
const DIRECTORY = 0o040000;
const [EOF, OK] = [1, 0];
const [VERSION, STATUS, HANDLE, NAME, EXTENDED] = [2, 101, 102, 104, 200];
const [OPEN, CLOSE, READ, WRITE] = [3, 4, 5, 6];
const [OPENDIR, READDIR, REMOVE, MKDIR, RMDIR, STAT] = [11, 12, 13, 14, 15, 17];
const [FOR_READING, FOR_WRITING, CREATE, TRUNCATE] = [1, 2, 8, 0x10];

/** SFTP version 3 over SSH. */
export const sftpDriver: Driver = {
  id: "sftp",
  methods: ["getFrom", "putFrom", "mkdir", "list", "stat", "rename", "remove", "rmdir"],
  codes: {
    missing: "2",
    exists: "4",
    directory: "4",
    notEmpty: "4",
    badPath: "3",
    tooLarge: "4",
    full: "4",
  },
  makesParents: true,
  backslashSeparates: true,
  canSend: () => true,
  async open(service: Listening) {
    const client = new Client();
    const ready = Promise.withResolvers<void>();
    client.on("ready", ready.resolve).on("error", ready.reject);
    // The library does not always say so before a session has started.
    const lost = Promise.withResolvers<never>();
    lost.promise.catch(() => {});
    // The library's own socket would delay small packets.
    const { port } = service.endpoint("sftp");
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    const wire = new TcpTransport(conn);
    const socket = new WireStream(wire, { idleMs: IDLE_MS });
    socket.once("close", () => {
      wire.abort();
      lost.reject(new Error("The connection is lost"));
    });
    using undo = new DisposableStack();
    undo.defer(() => client.destroy());
    undo.defer(() => wire.abort());
    client.connect({
      sock: socket,
      username: "ada",
      password: "x",
      algorithms: { cipher: ["aes128-gcm@openssh.com"] },
    });
    const starting = startSession(client, { socket, ready: ready.promise });
    const session = await Promise.race([starting, lost.promise]);
    undo.move();
    return new SftpDriverClient(session);
  },
};

async function startSession(
  client: Client,
  { socket, ready }: { socket: Duplex; ready: Promise<void> },
): Promise<SftpWire> {
  await ready;
  const channel = await new Promise<Duplex>((resolve, reject) =>
    client.subsys("sftp", (error, opened) => error ? reject(error) : resolve(opened))
  );
  const session = new SftpWire(client, { socket, channel });
  await session.start();
  return session;
}

function once(stream: Duplex, event: "close" | "finish"): Promise<void> {
  return new Promise((resolve) => stream.once(event, () => resolve()));
}

/** Requests and their responses, one at a time. */
class SftpWire {
  readonly #client: Client;
  readonly #socket: Duplex;
  readonly #channel: Duplex;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();
  #id = 0;

  constructor(client: Client, { socket, channel }: { socket: Duplex; channel: Duplex }) {
    this.#client = client;
    this.#socket = socket;
    this.#channel = channel;
    this.#chunks = channel[Symbol.asyncIterator]();
    channel.on("error", () => {});
  }

  async start(): Promise<void> {
    this.#write(new ByteWriter().u8(1).u32(3));
    if ((await this.#packet()).u8() !== VERSION) throw new Error("Expected VERSION");
  }

  /**
   * Returns type and body of the response; rejects with `Refused` for a STATUS that is neither OK nor
   * in `fine`.
   */
  async ask(
    type: number,
    fields: readonly (Name | number)[],
    fine?: number,
  ): Promise<{ readonly type: number; readonly status: number; readonly body: ByteReader }> {
    const id = ++this.#id;
    const writer = new ByteWriter().u8(type).u32(id);
    for (const field of fields) {
      if (typeof field === "number") writer.u32(field);
      else writer.block(toBytes(field));
    }
    this.#write(writer);
    const body = await this.#packet();
    const answer = body.u8();
    if (body.u32() !== id) throw new Error(`Expected the answer to request ${id}`);
    if (answer !== STATUS) return { type: answer, status: OK, body };
    const status = body.u32();
    if (status === OK || status === fine) return { type: answer, status, body };
    throw new Refused(String(status), new TextDecoder().decode(body.block(MAX_BLOCK)));
  }

  async handle(type: number, fields: readonly (Name | number)[]): Promise<Uint8Array> {
    const answer = await this.ask(type, fields);
    if (answer.type !== HANDLE) throw new Error("Expected HANDLE");
    return answer.body.block(MAX_BLOCK).slice();
  }

  async end(politely: boolean): Promise<void> {
    // The library drops its ciphers without closing them.
    const { _cipher: cipher, _decipher: decipher } = this.#client._protocol ?? {};
    if (!this.#socket.closed) {
      const closed = once(this.#socket, "close");
      if (politely && this.#socket.writable) {
        const said = once(this.#socket, "finish");
        this.#client.end();
        // The library does nothing if the server disconnected first.
        this.#socket.end();
        await Promise.race([said, closed]);
      }
      this.#socket.destroy();
      await closed;
    }
    for (const open of [cipher?._cipherInstance, decipher?._decipherInstance]) {
      try {
        open?.final();
      } catch {
        // It was in the middle of a block.
      }
    }
  }

  #write(writer: ByteWriter): void {
    this.#channel.write(Buffer.from(new ByteWriter().block(writer.take()).take()));
  }

  async #packet(): Promise<ByteReader> {
    const length = new ByteReader(await this.#take(4)).u32();
    return new ByteReader(await this.#take(length));
  }

  async #take(count: number): Promise<Uint8Array> {
    while (this.#rest.length < count) {
      const { value, done } = await this.#chunks.next();
      if (done) throw new Error("The server closed the channel");
      this.#rest = new ByteWriter().bytes(this.#rest).bytes(value).take();
    }
    const taken = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(count);
    return taken;
  }
}

class SftpDriverClient implements FileClient {
  readonly #wire: SftpWire;
  #gone = false;

  constructor(wire: SftpWire) {
    this.#wire = wire;
  }

  async put(path: Name, bytes: Uint8Array): Promise<void> {
    const handle = await this.#wire.handle(OPEN, [path, FOR_WRITING | CREATE | TRUNCATE, 0]);
    await this.#write(handle, 0, bytes);
  }

  async putFrom(path: string, offset: number, bytes: Uint8Array): Promise<void> {
    const handle = await this.#wire.handle(OPEN, [path, FOR_WRITING | CREATE, 0]);
    await this.#write(handle, offset, bytes);
  }

  get(path: Name): Promise<Uint8Array> {
    return this.getFrom(path, 0);
  }

  async getFrom(path: Name, offset: number): Promise<Uint8Array> {
    const handle = await this.#wire.handle(OPEN, [path, FOR_READING, 0]);
    const got = new ByteWriter();
    for (let at = offset;;) {
      const { status, body } = await this.#wire.ask(READ, [handle, 0, at, PIECE], EOF);
      if (status === EOF) break;
      const chunk = body.block(MAX_BLOCK);
      got.bytes(chunk);
      at += chunk.length;
    }
    await this.#wire.ask(CLOSE, [handle]);
    return got.take();
  }

  async abandon(path: string, bytes: Uint8Array): Promise<void> {
    const handle = await this.#wire.handle(OPEN, [path, FOR_WRITING | CREATE | TRUNCATE, 0]);
    await this.#wire.ask(WRITE, [handle, 0, 0, bytes]);
    this.#gone = true;
    await this.#wire.end(false);
  }

  async mkdir(path: Name): Promise<void> {
    await this.#wire.ask(MKDIR, [path, 0]);
  }

  async list(path: Name): Promise<readonly string[]> {
    const handle = await this.#wire.handle(OPENDIR, [path]);
    const names: string[] = [];
    for (;;) {
      const { type, body } = await this.#wire.ask(READDIR, [handle], EOF);
      if (type !== NAME) break;
      for (let left = body.u32(); left > 0; left--) {
        names.push(new TextDecoder().decode(body.block(MAX_BLOCK)));
        body.block(MAX_BLOCK);
        readAttrs(body);
      }
    }
    await this.#wire.ask(CLOSE, [handle]);
    return names.filter((name) => name !== "." && name !== "..").sort();
  }

  async stat(path: Name): Promise<Seen> {
    return readAttrs((await this.#wire.ask(STAT, [path])).body);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#wire.ask(EXTENDED, ["posix-rename@openssh.com", from, to]);
  }

  async remove(path: string): Promise<void> {
    await this.#wire.ask(REMOVE, [path]);
  }

  async rmdir(path: string): Promise<void> {
    await this.#wire.ask(RMDIR, [path]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#gone) await this.#wire.end(true);
  }

  /** Closes the handle even after a refusal, like clients. */
  async #write(handle: Uint8Array, offset: number, bytes: Uint8Array): Promise<void> {
    let refused: unknown;
    try {
      for (let at = 0; at < bytes.length; at += PIECE) {
        const chunk = bytes.subarray(at, at + PIECE);
        await this.#wire.ask(WRITE, [handle, 0, offset + at, chunk]);
      }
    } catch (error) {
      refused = error;
    }
    const closing = this.#wire.ask(CLOSE, [handle]);
    if (refused === undefined) await closing;
    else {
      await closing.catch(() => {});
      throw refused;
    }
  }
}

/** Size and kind; all of these are always sent. */
function readAttrs(body: ByteReader): Seen {
  const flags = body.u32();
  const size = flags & 1 ? Number(body.u64()) : 0;
  if (flags & 2) body.u64();
  const mode = flags & 4 ? body.u32() : 0;
  if (flags & 8) body.u64();
  return { dir: (mode & TYPES) === DIRECTORY, size };
}
