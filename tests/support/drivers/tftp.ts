import { ByteReader } from "../../../core/bytes/reader.ts";
import { ByteWriter } from "../../../core/bytes/writer.ts";
import type { Datagram, UdpSocket } from "../../../core/net/transport.ts";
import { openUdpSocket } from "../../../core/net/udp.ts";
import {
  type Driver,
  type FileClient,
  type Listening,
  type Name,
  Refused,
  toBytes,
} from "./driver.ts";

const DEFAULT_BLOCK = 512;
/** Requested for large transfers. */
const LARGE_BLOCK = 65_464;
const [RRQ, WRQ, DATA, ACK, ERROR] = [1, 2, 3, 4, 5] as const;

/** TFTP, which only moves whole files. */
export const tftpDriver: Driver = {
  id: "tftp",
  methods: [],
  codes: {
    missing: "1",
    exists: "6",
    directory: "1",
    notEmpty: "0",
    badPath: "2",
    tooLarge: "3",
    full: "3",
  },
  makesParents: true,
  backslashSeparates: true,
  // NUL ends a name.
  canSend: (path) => !path.includes(0),
  async open(service: Listening) {
    const socket = await openUdpSocket({ hostname: "127.0.0.1" });
    return new TftpDriverClient(socket, `127.0.0.1:${service.endpoint("tftp").port}`);
  },
};

/** One block at a time, in octet mode; nothing is lost within one machine. */
class TftpDriverClient implements FileClient {
  readonly #socket: UdpSocket;
  readonly #listener: string;

  constructor(socket: UdpSocket, listener: string) {
    this.#socket = socket;
    this.#listener = listener;
  }

  async put(path: Name, bytes: Uint8Array): Promise<void> {
    const { peer, blockBytes } = await this.#ask(WRQ, path, bytes.length);
    await this.#send(peer, { bytes, blockBytes });
  }

  async get(path: Name): Promise<Uint8Array> {
    let { peer, blockBytes, first } = await this.#ask(RRQ, path, 0);
    const got = new ByteWriter();
    for (let block = 1;; block++) {
      const body = first ?? (await this.#answer()).bytes;
      first = undefined;
      const reader = new ByteReader(body);
      if (reader.u16() !== DATA || reader.u16() !== (block & 0xffff)) {
        throw new Error(`Expected block ${block}`);
      }
      const length = reader.left;
      got.bytes(reader.bytes(length));
      await this.#socket.send(new ByteWriter().u16(ACK).u16(block).take(), peer);
      if (length < blockBytes) return got.take();
    }
  }

  async abandon(path: string, bytes: Uint8Array): Promise<void> {
    const { peer, blockBytes } = await this.#ask(WRQ, path, bytes.length);
    // Only full blocks: a short one would end the transfer.
    const whole = bytes.subarray(0, bytes.length - bytes.length % blockBytes);
    await this.#send(peer, { bytes: whole, blockBytes, open: true });
    await this.#socket[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#socket[Symbol.asyncDispose]();
  }

  async #send(
    peer: string,
    file: { bytes: Uint8Array; blockBytes: number; open?: boolean },
  ): Promise<void> {
    const { bytes, blockBytes } = file;
    for (let block = 1, at = 0;; block++, at += blockBytes) {
      const chunk = bytes.subarray(at, at + blockBytes);
      if (file.open && chunk.length === 0) return;
      await this.#socket.send(new ByteWriter().u16(DATA).u16(block).bytes(chunk).take(), peer);
      const reader = new ByteReader((await this.#answer()).bytes);
      if (reader.u16() !== ACK || reader.u16() !== (block & 0xffff)) {
        throw new Error(`Expected the acknowledgement of block ${block}`);
      }
      if (chunk.length < blockBytes) return;
    }
  }

  /**
   * Sends a request and returns the response that begins the transfer; for a read without options,
   * the first block.
   */
  async #ask(
    opcode: number,
    path: Name,
    length: number,
  ): Promise<{ peer: string; blockBytes: number; first?: Uint8Array }> {
    const large = opcode === RRQ || length > LARGE_BLOCK;
    const request = new ByteWriter().u16(opcode).bytes(toBytes(path)).bytes(toBytes("\0octet\0"));
    if (large) request.bytes(toBytes(`blksize\0${LARGE_BLOCK}\0`));
    await this.#socket.send(request.take(), this.#listener);
    const { bytes, peer } = await this.#answer();
    const kind = new ByteReader(bytes).u16();
    if (kind === DATA) return { peer, blockBytes: DEFAULT_BLOCK, first: bytes };
    if (large && opcode === RRQ) {
      await this.#socket.send(new ByteWriter().u16(ACK).u16(0).take(), peer);
    }
    return { peer, blockBytes: large ? LARGE_BLOCK : DEFAULT_BLOCK };
  }

  /** Returns the next packet; rejects if it is a refusal. */
  async #answer(): Promise<Datagram> {
    const datagram = await this.#socket.receive();
    if (datagram === undefined) throw new Error("The socket was closed");
    const reader = new ByteReader(datagram.bytes);
    if (reader.u16() !== ERROR) return datagram;
    const code = String(reader.u16());
    throw new Refused(code, new TextDecoder().decode(reader.bytes(reader.left)));
  }
}
