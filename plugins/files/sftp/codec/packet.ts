/**
 * Packets of version 3 (draft-ietf-secsh-filexfer-02 section 3), with the extensions of OpenSSH's PROTOCOL file:
 *
 *   uint32 length, byte type, uint32 id, ...
 *
 * INIT and VERSION have a version instead of the id.
 *
 * @module
 */
import { type Decoder, WireError } from "../../../../core/bytes/decoder.ts";
import { ByteReader } from "../../../../core/bytes/reader.ts";
import { takeScratch } from "../../../../core/bytes/scratch.ts";
import { ByteWriter } from "../../../../core/bytes/writer.ts";
import { type Attrs, type Changes, readAttrs, writeAttrs } from "./attrs.ts";

/** Longest packet, without its length: OpenSSH's own limit. */
export const MAX_PACKET_BYTES = 256 * 1024;
/** Maximum bytes of one READ or WRITE. */
export const MAX_DATA_BYTES = MAX_PACKET_BYTES - 1024;
const MAX_TEXT = 65_536;
const MAX_HANDLE = 256;

/** Flags of OPEN. */
export const OPEN_FLAG = {
  read: 1,
  write: 2,
  append: 4,
  create: 8,
  truncate: 0x10,
  exclusive: 0x20,
};

/** Codes of STATUS. */
export const STATUS = {
  ok: 0,
  eof: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  unsupported: 8,
} as const;
/** A code of STATUS. */
export type StatusCode = typeof STATUS[keyof typeof STATUS];

/** A request. Paths and handles are bytes as sent. */
export type Request =
  & { readonly id: number }
  & (
    | { readonly type: "INIT"; readonly version: number }
    | {
      readonly type: "OPEN";
      readonly path: Uint8Array;
      readonly flags: number;
      readonly attrs: Changes;
    }
    | { readonly type: "CLOSE" | "FSTAT" | "READDIR"; readonly handle: Uint8Array }
    | {
      readonly type: "READ";
      readonly handle: Uint8Array;
      readonly offset: number;
      readonly length: number;
    }
    | {
      readonly type: "WRITE";
      readonly handle: Uint8Array;
      readonly offset: number;
      readonly bytes: Uint8Array;
    }
    | {
      readonly type:
        | "LSTAT"
        | "STAT"
        | "OPENDIR"
        | "REMOVE"
        | "MKDIR"
        | "RMDIR"
        | "REALPATH"
        | "READLINK";
      readonly path: Uint8Array;
    }
    | { readonly type: "SETSTAT"; readonly path: Uint8Array; readonly attrs: Changes }
    | { readonly type: "FSETSTAT"; readonly handle: Uint8Array; readonly attrs: Changes }
    | { readonly type: "RENAME"; readonly from: Uint8Array; readonly to: Uint8Array }
    | { readonly type: "EXTENDED"; readonly name: string; readonly body: ByteReader }
    /** SYMLINK, and types of other versions. */
    | { readonly type: "OTHER"; readonly code: number }
  );

const ONE_PATH = {
  7: "LSTAT",
  11: "OPENDIR",
  13: "REMOVE",
  14: "MKDIR",
  15: "RMDIR",
  16: "REALPATH",
  17: "STAT",
  19: "READLINK",
} as const;
const ONE_HANDLE = { 4: "CLOSE", 8: "FSTAT", 12: "READDIR" } as const;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Splits a stream into packets, without their length. Throws `WireError` "limit" for one that is too long or empty. */
export class PacketDecoder implements Decoder<Uint8Array> {
  readonly #head = new Uint8Array(4);
  #headLength = 0;
  #body: Uint8Array | undefined;
  #bodyLength = 0;

  /** Whether a packet has begun and not ended. */
  get inside(): boolean {
    return this.#body !== undefined || this.#headLength > 0;
  }

  *push(chunk: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#body === undefined) {
        const count = Math.min(4 - this.#headLength, chunk.length - at);
        this.#head.set(chunk.subarray(at, at + count), this.#headLength);
        this.#headLength += count;
        at += count;
        if (this.#headLength < 4) return;
        const length = checkLength(new ByteReader(this.#head).u32());
        this.#headLength = 0;
        if (chunk.length - at >= length) {
          yield chunk.subarray(at, at + length);
          at += length;
          continue;
        }
        this.#body = new Uint8Array(length);
        this.#bodyLength = 0;
      }
      const count = Math.min(this.#body.length - this.#bodyLength, chunk.length - at);
      this.#body.set(chunk.subarray(at, at + count), this.#bodyLength);
      this.#bodyLength += count;
      at += count;
      if (this.#bodyLength < this.#body.length) return;
      const whole = this.#body;
      this.#body = undefined;
      yield whole;
    }
  }

  end(): void {
    if (!this.inside) return;
    throw new WireError("truncated", "Cannot end the stream inside a packet");
  }
}

function checkLength(length: number): number {
  if (length > 0 && length <= MAX_PACKET_BYTES) return length;
  throw new WireError(
    "limit",
    `Cannot read a packet of ${length} bytes: expected 1 to ${MAX_PACKET_BYTES}`,
  );
}

/** Parses a packet without its length. Throws `WireError`. */
export function decodeRequest(packet: Uint8Array): Request {
  const reader = new ByteReader(packet);
  const code = reader.u8();
  const id = reader.u32();
  if (code in ONE_PATH) {
    return { type: ONE_PATH[code as keyof typeof ONE_PATH], id, path: reader.block(MAX_TEXT) };
  }
  if (code in ONE_HANDLE) {
    return { type: ONE_HANDLE[code as keyof typeof ONE_HANDLE], id, handle: readHandle(reader) };
  }
  switch (code) {
    case 1:
      return { type: "INIT", id: 0, version: id };
    case 3: {
      const path = reader.block(MAX_TEXT);
      return { type: "OPEN", id, path, flags: reader.u32(), attrs: readAttrs(reader) };
    }
    case 5: {
      const handle = readHandle(reader);
      return { type: "READ", id, handle, offset: Number(reader.u64()), length: reader.u32() };
    }
    case 6: {
      const handle = readHandle(reader);
      const offset = Number(reader.u64());
      return { type: "WRITE", id, handle, offset, bytes: reader.block(MAX_PACKET_BYTES) };
    }
    case 9:
      return { type: "SETSTAT", id, path: reader.block(MAX_TEXT), attrs: readAttrs(reader) };
    case 10:
      return { type: "FSETSTAT", id, handle: readHandle(reader), attrs: readAttrs(reader) };
    case 18:
      return { type: "RENAME", id, from: reader.block(MAX_TEXT), to: reader.block(MAX_TEXT) };
    case 200: {
      const name = decoder.decode(reader.block(MAX_HANDLE));
      return { type: "EXTENDED", id, name, body: reader };
    }
    default:
      return { type: "OTHER", id, code };
  }
}

/** Decodes a handle. */
export function readHandle(reader: ByteReader): Uint8Array {
  return reader.block(MAX_HANDLE);
}

/** Reads a path inside an extended request. */
export function readPath(reader: ByteReader): Uint8Array {
  return reader.block(MAX_TEXT);
}

/** VERSION 3 with the supported extensions. */
export function encodeVersion(
  extensions: readonly (readonly [name: string, data: string])[],
): Uint8Array {
  const writer = new ByteWriter().u8(2).u32(3);
  for (const [name, data] of extensions) {
    writer.block(encoder.encode(name)).block(encoder.encode(data));
  }
  return framed(writer.take());
}

/** STATUS, with message and language. */
export function encodeStatus(id: number, code: StatusCode, message: string): Uint8Array {
  return framed(
    new ByteWriter().u8(101).u32(id).u32(code).block(encoder.encode(message))
      .block(encoder.encode("en")).take(),
  );
}

/** HANDLE. */
export function encodeHandle(id: number, handle: string): Uint8Array {
  return framed(new ByteWriter().u8(102).u32(id).block(encoder.encode(handle)).take());
}

/** DATA with all parts, in order. Pass the packet to `returnScratch` once it is sent. */
export function encodeData(id: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const packet = takeScratch(13 + length);
  const view = new DataView(packet.buffer, packet.byteOffset);
  view.setUint32(0, 9 + length);
  view.setUint8(4, 103);
  view.setUint32(5, id);
  view.setUint32(9, length);
  let at = 13;
  for (const part of parts) {
    packet.set(part, at);
    at += part.length;
  }
  return packet;
}

/** An entry of NAME. */
export interface NameEntry {
  readonly name: string;
  /** The line of `ls -l`. */
  readonly longName: string;
  readonly attrs: Attrs;
}

/** NAME. */
export function encodeNames(id: number, entries: readonly NameEntry[]): Uint8Array {
  const writer = new ByteWriter().u8(104).u32(id).u32(entries.length);
  for (const { name, longName, attrs } of entries) {
    writer.block(encoder.encode(name)).block(encoder.encode(longName));
    writeAttrs(writer, attrs);
  }
  return framed(writer.take());
}

/** ATTRS. */
export function encodeAttrs(id: number, attrs: Attrs): Uint8Array {
  const writer = new ByteWriter().u8(105).u32(id);
  writeAttrs(writer, attrs);
  return framed(writer.take());
}

/** EXTENDED_REPLY of 64-bit numbers, for statvfs and limits. */
export function encodeNumbers(id: number, numbers: readonly number[]): Uint8Array {
  const writer = new ByteWriter().u8(201).u32(id);
  for (const number of numbers) writer.u32(Math.floor(number / 2 ** 32)).u32(number >>> 0);
  return framed(writer.take());
}

function framed(body: Uint8Array): Uint8Array {
  return new ByteWriter().block(body).take();
}
