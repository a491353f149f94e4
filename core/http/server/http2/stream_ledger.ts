import { join } from "../../../bytes/concat.ts";
import { encodeFrame, ErrorCode, type Frame, FrameGauge, FrameType } from "./frames.ts";

/** Bytes of a request from its HEADERS frame to the end of its response, on both sides of the inner server; measured. */
const CALL_BYTES = 49_152;
/** Bytes of a DATA frame besides its payload until it is read, even an empty one; measured. */
const FRAME_BYTES = 256;
/** Maximum unread payload of all streams: the window that the inner server gives a connection. */
const WINDOW_BYTES = 1_048_576;
const END_STREAM = 0x1;

/** Bytes of one stream that were passed to the inner server and not yet read there. */
interface Unread {
  bytes: number;
  frames: number;
}

/**
 * Counts what the inner server holds for one connection. Only its frames show what it has read: by
 * WINDOW_UPDATE of a stream (RFC 9113 section 6.9), and by the end of a response.
 */
export class StreamLedger {
  readonly #streams = new Map<number, Unread>();
  readonly #answers = new FrameGauge({ preface: false, onFrame: (frame) => this.#sent(frame) });
  #newest = 0;
  #answered = false;
  #bytes = 0;
  #frames = 0;
  #calls = 0;

  /** Calls that have no complete response. */
  get calls(): number {
    return this.#calls;
  }

  /** All of it, in bytes. */
  get bytes(): number {
    // A stream that its client has reset ends before its call; a new one begins before its call.
    const calls = Math.max(this.#streams.size, this.#calls);
    return calls * CALL_BYTES + Math.min(this.#bytes, WINDOW_BYTES) + this.#frames * FRAME_BYTES;
  }

  /**
   * What ends the connection (RFC 9113 section 6.8), and before a reset each open stream (section 6.4). Nothing if the
   * inner server is inside a frame.
   */
  farewell(kind: "close" | "reset"): Uint8Array | undefined {
    if (this.#answers.inside) return undefined;
    const code = kind === "reset" ? ErrorCode.INTERNAL_ERROR : ErrorCode.NO_ERROR;
    const streams = kind === "reset" ? [...this.#streams.keys()] : [];
    return join([
      // A server says its settings first (RFC 9113 section 3.4).
      ...(this.#answered ? [] : [encodeFrame({ type: FrameType.SETTINGS, stream: 0 }, [])]),
      ...streams.map((stream) => encodeFrame({ type: FrameType.RST_STREAM, stream }, [code])),
      encodeFrame({ type: FrameType.GOAWAY, stream: 0 }, [this.#newest, code]),
    ]);
  }

  /** A request reached its handler. */
  begin(): void {
    this.#calls++;
  }

  /** Its response is over. */
  end(): void {
    this.#calls--;
  }

  /** The client sent a frame. */
  took({ type, stream, length }: Frame): void {
    if (type === FrameType.HEADERS && stream > this.#newest) {
      this.#newest = stream;
      this.#streams.set(stream, { bytes: 0, frames: 0 });
    } else if (type === FrameType.RST_STREAM) this.#close(stream);
    else if (type === FrameType.DATA) this.#add(stream, { bytes: length, frames: 1 });
  }

  /** The inner server sent bytes. */
  answered(bytes: Uint8Array): void {
    this.#answers.push(bytes);
    this.#answered = true;
  }

  #sent({ type, flags, stream, word }: Frame): void {
    if (type === FrameType.WINDOW_UPDATE) return this.#read(stream, word);
    const carries = type === FrameType.DATA || type === FrameType.HEADERS;
    const ends = carries && (flags & END_STREAM) !== 0;
    if (ends || type === FrameType.RST_STREAM) this.#close(stream);
  }

  /** Frames are read in order; the number of frames of these bytes is unknown. */
  #read(stream: number, bytes: number): void {
    const unread = this.#streams.get(stream);
    if (unread === undefined) return;
    const read = Math.min(bytes, unread.bytes);
    if (read === 0) return;
    this.#add(stream, { bytes: -read, frames: -Math.floor(unread.frames * read / unread.bytes) });
  }

  #add(stream: number, { bytes, frames }: Unread): void {
    const unread = this.#streams.get(stream);
    if (unread === undefined) return;
    unread.bytes += bytes;
    unread.frames += frames;
    this.#bytes += bytes;
    this.#frames += frames;
  }

  #close(stream: number): void {
    const unread = this.#streams.get(stream);
    if (unread === undefined) return;
    this.#bytes -= unread.bytes;
    this.#frames -= unread.frames;
    this.#streams.delete(stream);
  }
}
