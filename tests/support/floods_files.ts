/**
 * Floods of files over SFTP and TFTP.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
// @ts-types="./drivers/ssh2_client.d.ts"
import { Client } from "ssh2";
import { ByteReader } from "../../core/bytes/reader.ts";
import { ByteWriter } from "../../core/bytes/writer.ts";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import { closeCiphers } from "../../plugins/files/sftp/library.ts";
import { WireStream } from "../../plugins/files/sftp/wire_stream.ts";
import { type Flood, type Flooded, hold, MB, portOf } from "./flood.ts";

const encoder = new TextEncoder();

const IDLE_MS = 30_000;
/** Types of SFTP packets: draft-ietf-secsh-filexfer-02 section 3. */
const [INIT, OPEN, CLOSE, READ, WRITE, HANDLE] = [1, 3, 4, 5, 6, 102];
const [FOR_READING, FOR_WRITING_NEW] = [1, 2 | 8];
/** Size of the file that is read. */
const FILE_BYTES = 20 * MB;
/** Bytes of one READ or WRITE. */
const PIECE_BYTES = 255 * 1024;

/** An SFTP client that sends requests without waiting for responses. */
class SftpSender implements AsyncDisposable {
  readonly #client = new Client();
  readonly #socket: WireStream;
  #channel: Duplex | undefined;

  constructor(wire: TcpTransport) {
    this.#socket = new WireStream(wire, { idleMs: IDLE_MS });
    this.#socket.on("error", () => {});
    this.#socket.once("close", () => wire.abort());
  }

  /** Logs in. Rejects if it is refused, or after `ms`. */
  static async open(port: number, ms: number): Promise<SftpSender> {
    const sender = new SftpSender(
      new TcpTransport(await Deno.connect({ hostname: "127.0.0.1", port })),
    );
    const client = sender.#client;
    const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
    const timer = setTimeout(() => sender.#socket.destroy(), ms);
    client.on("error", reject).on("close", () => reject(new Error("It ended")));
    client.on("ready", () => {
      client.subsys("sftp", (error, opened) => error ? reject(error) : resolve(opened));
    });
    client.connect({
      sock: sender.#socket,
      username: "ada",
      password: "x",
      algorithms: { cipher: ["aes128-gcm@openssh.com"] },
    });
    try {
      sender.#channel = await promise;
    } catch (error) {
      await sender[Symbol.asyncDispose]();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    sender.#channel.on("error", () => {});
    await sender.ask(new ByteWriter().u8(INIT).u32(3));
    return sender;
  }

  /** Resolves at the end of the connection. */
  get ended(): Promise<void> {
    return new Promise((resolve) => this.#socket.once("close", resolve));
  }

  get isOver(): boolean {
    return this.#socket.destroyed;
  }

  /** Opens a file. */
  async file(path: string, flags: number): Promise<Uint8Array> {
    const answer = await this.ask(
      new ByteWriter().u8(OPEN).u32(1).block(encoder.encode(path)).u32(flags).u32(0),
    );
    if (answer.u8() !== HANDLE) throw new Error("The file was refused");
    answer.u32();
    return answer.block(256).slice();
  }

  /** Discards all further input. */
  readNothing(): void {
    this.#channel?.on("data", () => {}).resume();
  }

  /** Resolves once it was accepted, or at the end of the connection. */
  async send(packet: ByteWriter): Promise<void> {
    const bytes = Buffer.from(new ByteWriter().block(packet.take()).take());
    await new Promise<void>((resolve) => {
      this.#socket.once("close", resolve);
      this.#channel?.write(bytes, () => {
        this.#socket.removeListener("close", resolve);
        resolve();
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#socket.once("close", () => resolve()));
    if (!this.#socket.closed) {
      this.#socket.destroy();
      await closed;
    }
    closeCiphers(this.#client);
  }

  /** The response to a packet; a short one arrives in one chunk. */
  async ask(packet: ByteWriter): Promise<ByteReader> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const end = (): void => reject(new Error("It ended"));
    this.#socket.once("close", end);
    this.#channel?.once("data", resolve).resume();
    await this.send(packet);
    const bytes = await promise;
    this.#socket.removeListener("close", end);
    this.#channel?.pause();
    return new ByteReader(bytes.subarray(4));
  }
}

/** Holds `connections` SFTP clients, each restarted when it ends, until the time is up. */
async function holdSftp(
  connections: number,
  flooded: Flooded,
  talk: (sender: SftpSender, number: number) => Promise<void>,
): Promise<void> {
  const port = await portOf(flooded, "sftp");
  const endMs = performance.now() + flooded.ms;
  await Promise.all(Array.from({ length: connections }, async (_, number) => {
    for (let leftMs; (leftMs = endMs - performance.now()) > 0;) {
      try {
        await using sender = await SftpSender.open(port, leftMs);
        const timer = setTimeout(
          () => void sender[Symbol.asyncDispose](),
          endMs - performance.now(),
        );
        await talk(sender, number);
        clearTimeout(timer);
      } catch {
        // Refused in some way; retries a moment later.
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }));
}

function write(handle: Uint8Array, at: number, bytes: Uint8Array): ByteWriter {
  return new ByteWriter().u8(WRITE).u32(2).block(handle).u32(0).u32(at).block(bytes);
}

/** Files over SFTP that are never closed. */
export const sftpWrites: Flood = async (flooded) => {
  const bytes = new Uint8Array(PIECE_BYTES);
  // Ciphers keep the client busy, so large amounts take longer to send.
  await holdSftp(24, { ...flooded, ms: 4 * flooded.ms }, async (sender, number) => {
    const handle = await sender.file(`/file${number}`, FOR_WRITING_NEW);
    sender.readNothing();
    for (let at = 0; !sender.isOver; at += bytes.length) {
      await sender.send(write(handle, at, bytes));
    }
  });
};

/** A file requested repeatedly by clients that read nothing of it. */
export const sftpReads: Flood = async (flooded) => {
  const port = await portOf(flooded, "sftp");
  {
    await using sender = await SftpSender.open(port, IDLE_MS);
    const handle = await sender.file("/large", FOR_WRITING_NEW);
    const bytes = new Uint8Array(PIECE_BYTES);
    for (let at = 0; at < FILE_BYTES; at += bytes.length) {
      await sender.ask(write(handle, at, bytes));
    }
    await sender.ask(new ByteWriter().u8(CLOSE).u32(2).block(handle));
  }
  await holdSftp(40, flooded, async (sender) => {
    const handle = await sender.file("/large", FOR_READING);
    for (let i = 0; i < 200; i++) {
      const at = i * PIECE_BYTES % FILE_BYTES;
      await sender.send(
        new ByteWriter().u8(READ).u32(3).block(handle).u32(0).u32(at).u32(PIECE_BYTES),
      );
    }
    await sender.ended;
  });
};

/** RFC 1350 blocks of the maximum size and window that RFC 2348 and RFC 7440 allow. */
const BLOCK_BYTES = 65_464;
const WINDOW_BLOCKS = 16;
const [WRQ, DATA, ACK, ERROR, OACK] = [2, 3, 4, 5, 6];

/** Many concurrent files over TFTP. */
export const transfers: Flood = async (flooded) => {
  const port = await portOf(flooded, "tftp");
  const endMs = performance.now() + flooded.ms;
  await Promise.all(Array.from({ length: 200 }, async (_, number) => {
    while (performance.now() < endMs) await sendFile(port, { name: `file${number}`, endMs });
  }));
};

/** Sends one endless file until it is refused or the time is up. */
async function sendFile(
  port: number,
  { name, endMs }: { name: string; endMs: number },
): Promise<void> {
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  const timer = setTimeout(() => socket.close(), endMs - performance.now());
  const block = new Uint8Array(BLOCK_BYTES);
  const options = `${name}\0octet\0blksize\0${BLOCK_BYTES}\0windowsize\0${WINDOW_BLOCKS}\0`;
  try {
    await socket.send(new ByteWriter().u16(WRQ).bytes(encoder.encode(options)).take(), {
      ...{ transport: "udp", hostname: "127.0.0.1", port },
    });
    for (;;) {
      const [packet, from] = await socket.receive();
      const reader = new ByteReader(packet);
      const type = reader.u16();
      if (type === ERROR) break;
      if (type !== ACK && type !== OACK) continue;
      const acknowledged = type === ACK ? reader.u16() : 0;
      for (let i = 1; i <= WINDOW_BLOCKS; i++) {
        const data = new ByteWriter().u16(DATA).u16((acknowledged + i) & 0xffff);
        await socket.send(data.bytes(block).take(), from);
      }
    }
    clearTimeout(timer);
    socket.close();
  } catch {
    // The time is over.
  }
}

/** Records of NFS calls (RFC 5531 section 11), each without its last byte, on as many connections as there may be. */
export const halfRecords: Flood = async (flooded) => {
  const port = await portOf(flooded, "nfs");
  const bytes = new Uint8Array(1024 * 1024 - 1);
  const mark = new ByteWriter().u32(0x8000_0000 + bytes.length + 1).take();
  await hold({ connections: 250, port }, flooded, async (sender) => {
    await sender.send(mark);
    await sender.send(bytes);
    await new Promise((resolve) => setTimeout(resolve, flooded.ms));
  });
};
