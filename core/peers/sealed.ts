/**
 * Encryption of a connection between two instances that know one key. Each side sends a public key made for this
 * connection; the two secrets derived from them and from the key (HKDF, RFC 5869) encrypt what it carries with AES-GCM,
 * one for each direction. This is pattern NNpsk0 of the Noise framework with other primitives
 * (https://noiseprotocol.org/noise.html#pattern-modifiers): without the key nobody can read or change anything, and a
 * recording cannot be replayed, even with the key.
 *
 * The platform's TLS is not used, because its server cannot turn off the delay of small segments (RFC 896), which costs
 * 40 ms per exchange.
 *
 * After the two public keys come records: four bytes of length, then the encrypted bytes with their tag. The number of
 * a record is its nonce. An empty one is the end, which nobody else can forge.
 */
import { concat } from "../bytes/concat.ts";
import { writeAll } from "../net/socket.ts";
import type { ByteConn } from "../net/socket_conn.ts";
import { DisconnectedError } from "../net/transport.ts";
import { readFrame, writeFrame } from "./frame.ts";

const MAX_PLAIN_BYTES = 65_536;
const [LENGTH_BYTES, TAG_BYTES, NONCE_BYTES, KEY_BITS] = [4, 16, 12, 256];
const MAX_RECORD_BYTES = MAX_PLAIN_BYTES + TAG_BYTES;
/** Sizes of buffers; the first is small, because most connections carry little. */
const [FIRST_BUFFER_BYTES, BUFFER_BYTES] = [4096, LENGTH_BYTES + MAX_RECORD_BYTES];
const PURPOSE = "standin: connection between instances";

type Bytes = Uint8Array<ArrayBuffer>;

/** Agrees on encryption with the instance that was called. Rejects if it refuses. */
export async function sealAsCaller(conn: Deno.TcpConn, key: string): Promise<SealedConn> {
  const pair = await createPair();
  const caller = await exported(pair);
  await writeFrame(conn, { sealed: caller.toHex() });
  const { sealed, error } = await readFrame(conn);
  if (typeof error === "string") throw new DisconnectedError(error);
  const called = Uint8Array.fromHex(String(sealed));
  const { up, down } = await deriveKeys({ pair, other: called, key, caller, called });
  return new SealedConn(conn, { read: down, write: up });
}

/** Agrees on encryption with a caller. Rejects with the reason, after sending it, if the caller does not encrypt. */
export async function sealAsCalled(conn: Deno.TcpConn, key: string): Promise<SealedConn> {
  const { sealed } = await readFrame(conn);
  if (typeof sealed !== "string") {
    const error = "connections between instances are encrypted; update the one that called";
    await writeFrame(conn, { error });
    throw new UnsealedError(error);
  }
  const caller = Uint8Array.fromHex(sealed);
  const pair = await createPair();
  const called = await exported(pair);
  const { up, down } = await deriveKeys({ pair, other: caller, key, caller, called });
  await writeFrame(conn, { sealed: called.toHex() });
  return new SealedConn(conn, { read: up, write: down });
}

/** Thrown if the caller does not encrypt. */
export class UnsealedError extends Error {}

/** A connection that encrypts its data. */
export class SealedConn implements ByteConn {
  readonly localAddr: Deno.Addr;
  readonly remoteAddr: Deno.Addr;
  readonly #conn: Deno.TcpConn;
  readonly #keys: { readonly read: CryptoKey; readonly write: CryptoKey };
  #buffer = new Uint8Array(FIRST_BUFFER_BYTES);
  #from = 0;
  #to = 0;
  #plain: Uint8Array = new Uint8Array();
  #received = 0;
  #sent = 0;
  #hasEnded = false;

  /** Use `sealAsCaller` or `sealAsCalled`. */
  constructor(conn: Deno.TcpConn, keys: { read: CryptoKey; write: CryptoKey }) {
    this.#conn = conn;
    this.#keys = keys;
    this.localAddr = conn.localAddr;
    this.remoteAddr = conn.remoteAddr;
  }

  /** As `Deno.Conn.read`; rejects for a record that was changed, and for an end that the other side did not send. */
  async read(into: Uint8Array): Promise<number | null> {
    if (this.#plain.length === 0) {
      if (this.#hasEnded) return null;
      this.#plain = await this.#open(await this.#record());
      this.#hasEnded = this.#plain.length === 0;
      if (this.#hasEnded) return null;
    }
    const count = Math.min(this.#plain.length, into.length);
    into.set(this.#plain.subarray(0, count));
    this.#plain = this.#plain.subarray(count);
    return count;
  }

  /** As `Deno.Conn.write`; not while another one is under way. */
  async write(bytes: Uint8Array): Promise<number> {
    const part = bytes.subarray(0, MAX_PLAIN_BYTES);
    if (part.length > 0) await this.#send(part);
    return part.length;
  }

  /** Ends the sending half. */
  async closeWrite(): Promise<void> {
    await this.#send(new Uint8Array());
    await this.#conn.closeWrite();
  }

  /** Ends both halves now; the other side takes that for a failure. */
  close(): void {
    this.#conn.close();
  }

  async #send(plain: Uint8Array): Promise<void> {
    const algorithm = { name: "AES-GCM", iv: toNonce(this.#sent++) };
    const sealed = await crypto.subtle.encrypt(algorithm, this.#keys.write, plain as Bytes);
    const record = new Uint8Array(LENGTH_BYTES + sealed.byteLength);
    new DataView(record.buffer).setUint32(0, sealed.byteLength);
    record.set(new Uint8Array(sealed), LENGTH_BYTES);
    await writeAll(this.#conn, record);
  }

  async #open(record: Bytes): Promise<Uint8Array> {
    const algorithm = { name: "AES-GCM", iv: toNonce(this.#received++) };
    try {
      return new Uint8Array(await crypto.subtle.decrypt(algorithm, this.#keys.read, record));
    } catch {
      throw new Deno.errors.InvalidData("the key is another one, or the connection was changed");
    }
  }

  async #record(): Promise<Bytes> {
    await this.#fill(LENGTH_BYTES);
    const length = new DataView(this.#buffer.buffer).getUint32(this.#from);
    if (length < TAG_BYTES || length > MAX_RECORD_BYTES) {
      throw new Deno.errors.InvalidData("the connection is damaged");
    }
    await this.#fill(LENGTH_BYTES + length);
    const start = this.#from + LENGTH_BYTES;
    this.#from = start + length;
    return this.#buffer.slice(start, this.#from);
  }

  /** Reads until that many bytes are in the buffer. */
  async #fill(length: number): Promise<void> {
    if (this.#from + length > this.#buffer.length) {
      const rest = this.#buffer.subarray(this.#from, this.#to);
      if (length > this.#buffer.length) this.#buffer = new Uint8Array(BUFFER_BYTES);
      this.#buffer.set(rest);
      this.#to = rest.length;
      this.#from = 0;
    }
    while (this.#to - this.#from < length) {
      const count = await this.#conn.read(this.#buffer.subarray(this.#to));
      if (count === null) throw new Deno.errors.UnexpectedEof("the connection was cut");
      this.#to += count;
    }
  }
}

async function createPair(): Promise<CryptoKeyPair> {
  return await crypto.subtle.generateKey("X25519", false, ["deriveBits"]) as CryptoKeyPair;
}

async function exported({ publicKey }: CryptoKeyPair): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.exportKey("raw", publicKey));
}

async function deriveKeys(
  { pair, other, key, caller, called }: {
    pair: CryptoKeyPair;
    other: Uint8Array;
    key: string;
    caller: Uint8Array;
    called: Uint8Array;
  },
): Promise<{ readonly up: CryptoKey; readonly down: CryptoKey }> {
  const { subtle } = crypto;
  const point = await subtle.importKey("raw", other as Bytes, "X25519", false, []);
  const shared = await subtle.deriveBits(
    { name: "X25519", public: point },
    pair.privateKey,
    KEY_BITS,
  );
  const secret = concat([new Uint8Array(shared), Uint8Array.fromHex(key)]);
  const material = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const info = concat([new TextEncoder().encode(PURPOSE), caller, called]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const bits = await subtle.deriveBits(hkdf, material, 2 * KEY_BITS);
  const toKey = (part: ArrayBuffer): Promise<CryptoKey> =>
    subtle.importKey("raw", part, "AES-GCM", false, ["encrypt", "decrypt"]);
  const half = KEY_BITS / 8;
  return { up: await toKey(bits.slice(0, half)), down: await toKey(bits.slice(half)) };
}

function toNonce(count: number): Bytes {
  const nonce = new Uint8Array(NONCE_BYTES);
  new DataView(nonce.buffer).setBigUint64(NONCE_BYTES - 8, BigInt(count));
  return nonce;
}
