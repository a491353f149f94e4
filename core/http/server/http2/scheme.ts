/**
 * firebase-admin for Node sends `:scheme: https:`, with the colon. The vendor accepts that, and stock servers reset the
 * stream (RFC 9113 section 8.3.1). This removes the colon before the inner server.
 *
 * A frame is length(24) type(8) flags(8) stream(32), then `length` octets: RFC 9113 section 4.1. A header block is the
 * payload of HEADERS and of the CONTINUATIONs behind it.
 *
 * @module
 */
import { WireError } from "../../../bytes/decoder.ts";
import { ByteWriter } from "../../../bytes/writer.ts";
import { encodeFields, type Field, HpackDecoder } from "../../../codec/hpack/hpack.ts";

const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;
const HEADERS = 1;
const CONTINUATION = 9;
const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const PADDED = 0x8;
const PRIORITY = 0x20;
const PRIORITY_BYTES = 5;
/** Default of a server: RFC 9113 section 6.5.2. */
const MAX_FRAME_BYTES = 16_384;
/** Largest header block that is inspected, and largest list of fields in it. */
const MAX_BLOCK_BYTES = 65_536;

interface FrameHead {
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
}

/** Frames of an incomplete header block, and their beginning. */
interface Block {
  readonly first: FrameHead;
  readonly priority: Uint8Array;
  readonly raw: ByteWriter;
  readonly fragment: ByteWriter;
}

/**
 * Forwards the bytes of one client. A client with a valid first header block is not examined
 * further; all blocks of the other one are encoded again, because each depends on those before it.
 */
export class SchemeFixer {
  readonly #decoder = new HpackDecoder({ maxBytes: MAX_BLOCK_BYTES });
  #state: "looking" | "fixing" | "through" = "looking";
  /** Bytes that pass as they are: the preface, then payloads of frames other than header blocks. */
  #passing = PREFACE_BYTES;
  /** Beginning of an incomplete frame. */
  #rest: Uint8Array = new Uint8Array();
  #block: Block | undefined;

  /**
   * Returns the bytes for the server. Throws `WireError` if a block cannot be rewritten; the connection is lost then.
   */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#state === "through") return chunk;
    const out = new ByteWriter();
    let left = joined(this.#rest, chunk);
    this.#rest = new Uint8Array();
    while (left.length > 0) {
      const taken = this.#step(left, out);
      if (taken === 0) break;
      left = left.subarray(taken);
    }
    // Not a view: the caller reads its next bytes into the same buffer.
    this.#rest = left.slice();
    return out.take();
  }

  /** Consumes complete frames, and returns the number of bytes; 0 if there are too few. */
  #step(bytes: Uint8Array, out: ByteWriter): number {
    if (this.#state === "through") {
      out.bytes(bytes);
      return bytes.length;
    }
    if (this.#passing > 0) {
      const passed = bytes.subarray(0, this.#passing);
      this.#passing -= passed.length;
      out.bytes(passed);
      return passed.length;
    }
    if (bytes.length < HEAD_BYTES) return 0;
    const head = readHead(bytes);
    const isPart = head.type === HEADERS || head.type === CONTINUATION;
    const fits = isPart && head.length <= MAX_FRAME_BYTES &&
      (head.type === CONTINUATION) === (this.#block !== undefined);
    if (!fits) {
      if (isPart || this.#block !== undefined) this.#giveUp(out, "a header block out of order");
      else this.#passing = HEAD_BYTES + head.length;
      return this.#step(bytes, out);
    }
    const size = HEAD_BYTES + head.length;
    if (bytes.length < size) return 0;
    this.#takePart(head, bytes.subarray(0, size), out);
    return size;
  }

  #takePart(head: FrameHead, frame: Uint8Array, out: ByteWriter): void {
    const { priority, fragment } = partOf(head, frame.subarray(HEAD_BYTES));
    const block = this.#block ??= {
      first: head,
      priority: priority.slice(),
      raw: new ByteWriter(),
      fragment: new ByteWriter(),
    };
    block.raw.bytes(frame);
    block.fragment.bytes(fragment);
    if (block.raw.length > MAX_BLOCK_BYTES) this.#giveUp(out, "a header block that is too large");
    else if ((head.flags & END_HEADERS) !== 0) this.#endBlock(block, out);
  }

  #endBlock(block: Block, out: ByteWriter): void {
    let fields: readonly Field[];
    try {
      fields = this.#decoder.decode(block.fragment.take());
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#giveUp(out, error.message);
      return;
    }
    const fixed = fields.map(fix);
    if (this.#state === "looking") {
      this.#state = fixed.some((field, index) => field !== fields[index]) ? "fixing" : "through";
    }
    this.#block = undefined;
    if (this.#state === "through") out.bytes(block.raw.take());
    else writeBlock(block, fixed, out);
  }

  /** Leaves invalid header blocks to the server, as long as it has read all of them itself. */
  #giveUp(out: ByteWriter, what: string): void {
    if (this.#state === "fixing") {
      throw new WireError("syntax", `Cannot read an HTTP/2 header block: ${what}`);
    }
    this.#state = "through";
    if (this.#block !== undefined) out.bytes(this.#block.raw.take());
    this.#block = undefined;
  }
}

function fix(field: Field): Field {
  const [name, value] = field;
  return name === ":scheme" && value === "https:" ? [name, "https"] : field;
}

function joined(rest: Uint8Array, chunk: Uint8Array): Uint8Array {
  if (rest.length === 0) return chunk;
  return new ByteWriter().bytes(rest).bytes(chunk).take();
}

function readHead(bytes: Uint8Array): FrameHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  return {
    length: view.getUint32(0) >>> 8,
    type: view.getUint8(3),
    flags: view.getUint8(4),
    stream: view.getUint32(5),
  };
}

/** RFC 9113 section 6.2: length of the padding(8)?, priority(40)?, fragment, padding. */
function partOf(
  { type, flags }: FrameHead,
  payload: Uint8Array,
): { readonly priority: Uint8Array; readonly fragment: Uint8Array } {
  if (type === CONTINUATION) return { priority: new Uint8Array(), fragment: payload };
  const padded = (flags & PADDED) === 0 ? 0 : 1;
  const padding = padded === 0 ? 0 : payload[0] ?? 0;
  const from = padded + ((flags & PRIORITY) === 0 ? 0 : PRIORITY_BYTES);
  return {
    priority: payload.subarray(padded, from),
    fragment: payload.subarray(from, Math.max(from, payload.length - padding)),
  };
}

function writeBlock({ first, priority }: Block, fields: readonly Field[], out: ByteWriter): void {
  const payload = new ByteWriter().bytes(priority).bytes(encodeFields(fields)).take();
  for (let at = 0; at === 0 || at < payload.length; at += MAX_FRAME_BYTES) {
    const part = payload.subarray(at, at + MAX_FRAME_BYTES);
    const kept = at === 0 ? first.flags & (END_STREAM | PRIORITY) : 0;
    const ends = at + MAX_FRAME_BYTES >= payload.length ? END_HEADERS : 0;
    out.u8(part.length >>> 16).u16(part.length).u8(at === 0 ? HEADERS : CONTINUATION)
      .u8(kept | ends).u32(first.stream).bytes(part);
  }
}
