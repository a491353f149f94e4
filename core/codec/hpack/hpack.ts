/**
 * Header blocks of HTTP/2: RFC 7541. A block is a sequence of fields, each either
 *
 * - indexed: `1` index(7)
 * - a literal added to the table: `01` name index(6), or 0 and the name; value
 * - a literal not added: `0000` or `0001` name index(4), or 0 and the name; value
 *
 * or a new size of the table: `001` size(5). Strings are `H` length(7) octets, Huffman-coded if H is set.
 *
 * @module
 */
import { WireError } from "../../bytes/decoder.ts";
import { ByteReader } from "../../bytes/reader.ts";
import { ByteWriter } from "../../bytes/writer.ts";
import { decodeHuffman } from "./huffman.ts";

/** Name and value, one character for each octet. */
export type Field = readonly [name: string, value: string];

/** RFC 7541 appendix A, from index 1: a name, and the value after a blank. */
const STATIC: readonly Field[] = `
  :authority
  :method GET
  :method POST
  :path /
  :path /index.html
  :scheme http
  :scheme https
  :status 200
  :status 204
  :status 206
  :status 304
  :status 400
  :status 404
  :status 500
  accept-charset
  accept-encoding gzip, deflate
  accept-language
  accept-ranges
  accept
  access-control-allow-origin
  age
  allow
  authorization
  cache-control
  content-disposition
  content-encoding
  content-language
  content-length
  content-location
  content-range
  content-type
  cookie
  date
  etag
  expect
  expires
  from
  host
  if-match
  if-modified-since
  if-none-match
  if-range
  if-unmodified-since
  last-modified
  link
  location
  max-forwards
  proxy-authenticate
  proxy-authorization
  range
  referer
  refresh
  retry-after
  server
  set-cookie
  strict-transport-security
  transfer-encoding
  user-agent
  vary
  via
  www-authenticate
`.trim().split("\n").map((line) => {
  const [name = "", ...value] = line.trim().split(" ");
  return [name, value.join(" ")];
});

/** Bytes of an entry in addition to its strings: section 4.1. */
const ENTRY_OVERHEAD = 32;
/** Default size of the table: RFC 9113 section 6.5.2. */
const TABLE_BYTES = 4096;
/** Larger than the table of any server here. */
const MAX_TABLE_BYTES = 65_536;
/** Longer integers can only have leading zeros. */
const MAX_INTEGER_OCTETS = 5;

/** Decodes the header blocks of one connection in order: each depends on those before it. */
export class HpackDecoder {
  readonly #maxBytes: number;
  /** Newest first. */
  readonly #table: Field[] = [];
  #tableBytes = 0;
  #capacity = TABLE_BYTES;

  /** `maxBytes` limits the fields of one block, each counted as in the table. */
  constructor(options: { readonly maxBytes: number }) {
    this.#maxBytes = options.maxBytes;
  }

  /** Throws `WireError`; later blocks are undecodable then. */
  decode(block: Uint8Array): Field[] {
    const reader = new ByteReader(block);
    const fields: Field[] = [];
    let total = 0;
    while (reader.left > 0) {
      const field = this.#next(reader);
      if (field === undefined) continue;
      fields.push(field);
      total += sizeOf(field);
      if (total > this.#maxBytes) {
        throw new WireError("limit", `Cannot read header fields: over ${this.#maxBytes} bytes`);
      }
    }
    return fields;
  }

  /** Returns a field, or nothing for a new size of the table. */
  #next(reader: ByteReader): Field | undefined {
    const first = reader.u8();
    if (first & 0x80) return this.#entry(integer(reader, first, 7));
    if (first & 0x40) {
      const field = this.#literal(reader, integer(reader, first, 6));
      this.#keep(field);
      return field;
    }
    if (first & 0x20) {
      this.#resize(integer(reader, first, 5));
      return undefined;
    }
    return this.#literal(reader, integer(reader, first, 4));
  }

  #literal(reader: ByteReader, index: number): Field {
    const name = index === 0 ? string(reader) : this.#entry(index)[0];
    return [name, string(reader)];
  }

  #entry(index: number): Field {
    const entry = STATIC[index - 1] ?? this.#table[index - 1 - STATIC.length];
    if (entry === undefined) {
      throw new WireError("syntax", `Cannot read a header field: there is no index ${index}`);
    }
    return entry;
  }

  #keep(field: Field): void {
    this.#table.unshift(field);
    this.#tableBytes += sizeOf(field);
    this.#evict();
  }

  #resize(capacity: number): void {
    if (capacity > MAX_TABLE_BYTES) {
      throw new WireError("limit", `Cannot keep a header table of ${capacity} bytes`);
    }
    this.#capacity = capacity;
    this.#evict();
  }

  #evict(): void {
    while (this.#tableBytes > this.#capacity) this.#tableBytes -= sizeOf(this.#table.pop()!);
  }
}

/** Encodes a block without dependencies, only with literals that are not added. */
export function encodeFields(fields: readonly Field[]): Uint8Array {
  const writer = new ByteWriter();
  for (const [name, value] of fields) {
    writer.u8(0);
    writeString(writer, name);
    writeString(writer, value);
  }
  return writer.take();
}

function sizeOf([name, value]: Field): number {
  return name.length + value.length + ENTRY_OVERHEAD;
}

/** Section 5.1: in the low bits of `first`, and on from there in groups of seven when they are all ones. */
function integer(reader: ByteReader, first: number, bits: number): number {
  const most = 2 ** bits - 1;
  let value = first & most;
  if (value < most) return value;
  for (let octet = 0; octet < MAX_INTEGER_OCTETS; octet++) {
    const next = reader.u8();
    value += (next & 0x7f) * 2 ** (7 * octet);
    if (next < 0x80) return value;
  }
  throw new WireError("limit", "Cannot read a header block: an integer is too long");
}

/** Section 5.2. */
function string(reader: ByteReader): string {
  const first = reader.u8();
  const bytes = reader.bytes(integer(reader, first, 7));
  if (first & 0x80) return decodeHuffman(bytes);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function writeString(writer: ByteWriter, text: string): void {
  if (text.length < 0x7f) writer.u8(text.length);
  else {
    writer.u8(0x7f);
    let left = text.length - 0x7f;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) writer.u8((left % 0x80) + 0x80);
    writer.u8(left);
  }
  writer.bytes(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
}
