/**
 * Where each request of an HTTP/1 connection begins and ends (RFC 9112 sections 2.1, 6 and 9.3.2), found in bytes
 * cut anywhere:
 *
 *   *( [ empty lines ] head body )
 *
 * @module
 */
import { join } from "../../../bytes/concat.ts";
import { ByteGatherer } from "../../../bytes/gatherer.ts";
import { toLatin1 } from "../../../bytes/latin1.ts";
import { ChunkedScanner } from "./chunked.ts";
import { type HeadRefusal, readHead, type RequestHead } from "./head.ts";
import { AHEAD_BYTES } from "../wire/limits.ts";

/** Longest request head in bytes, request line included, unless a listener says otherwise. */
export const MAX_HEAD_BYTES = 65_536;

const CR = 0x0d;
const LF = 0x0a;

/** What a chunk of bytes brought. */
export interface Step {
  /** To pass on; a view of the chunk, or new bytes. */
  readonly forward: Uint8Array;
  /** Heads that became complete, in order. */
  readonly heads: readonly RequestHead[];
  /** A request that is the last of its connection: neither its head nor anything of its body is passed on. */
  readonly unread?: UnreadRequest;
  /** Why nothing more of this connection is passed on. */
  readonly refusal?: TrackerRefusal;
}

/** A request whose body is too long to be passed on. */
export interface UnreadRequest {
  readonly head: RequestHead;
  /** Announced length of the body. */
  readonly bodyBytes: number;
  /** What has come of it with the head, a view of the chunk. */
  readonly ahead: Uint8Array;
}

/** A request that is not passed on, or one whose body broke off in an error. */
export interface TrackerRefusal extends HeadRefusal {
  /** `body`: the head has been passed on already. */
  readonly part: "head" | "body";
  /** The head as far as received, or the bytes at fault. */
  readonly raw: Uint8Array;
}

/** Follows the requests of one connection. Pure: what to do about them is the caller's business. */
export class RequestTracker {
  readonly #scanner = new HeadScanner();
  readonly #maxHeadBytes: number;
  readonly #maxBodyBytes: (head: RequestHead) => number;
  /** An unfinished head. */
  readonly #held = new ByteGatherer();
  #bodyLeft = 0;
  #chunked: ChunkedScanner | undefined;
  #refused = false;
  #last: RequestHead | undefined;

  /** `maxBodyBytes`: the longest body that a request may announce to be passed on; any unless given. */
  constructor(
    { maxHeadBytes = MAX_HEAD_BYTES, maxBodyBytes = () => Infinity }: {
      maxHeadBytes?: number;
      maxBodyBytes?: (head: RequestHead) => number;
    } = {},
  ) {
    this.#maxHeadBytes = maxHeadBytes;
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** `between` requests, inside a `head` or a `body`, or `refused` for good. */
  get phase(): "between" | "head" | "body" | "refused" {
    if (this.#refused) return "refused";
    if (this.#inBody) return "body";
    return this.#held.length > 0 ? "head" : "between";
  }

  /** The request whose head came last. */
  get last(): RequestHead | undefined {
    return this.#last;
  }

  /** What was received of an unfinished head, a copy. */
  get held(): Uint8Array {
    return this.#held.view().slice();
  }

  /** Takes the next bytes of the connection; they may be reused once `forward` was sent. */
  push(chunk: Uint8Array): Step {
    const heads: RequestHead[] = [];
    const out = new Output(chunk);
    let at = 0;
    while (at < chunk.length && !this.#refused) {
      const next = this.#inBody ? this.#skipBody(chunk, at) : this.#takeHead(chunk, at, out);
      if (typeof next === "number") {
        at = next;
      } else if ("reason" in next) {
        return { forward: out.take(at), heads, refusal: next };
      } else if ("unread" in next) {
        return { forward: out.take(at), heads, unread: next.unread };
      } else {
        heads.push(next.head);
        at = next.end;
      }
    }
    return { forward: out.take(at), heads };
  }

  get #inBody(): boolean {
    return this.#bodyLeft > 0 || this.#chunked !== undefined;
  }

  #skipBody(chunk: Uint8Array, at: number): number | TrackerRefusal {
    if (this.#chunked === undefined) {
      const taken = Math.min(this.#bodyLeft, chunk.length - at);
      this.#bodyLeft -= taken;
      return at + taken;
    }
    const end = this.#chunked.scan(chunk, at);
    if (typeof end === "string") {
      return this.#refuse({ status: 400, reason: end, ...this.#lastHead() }, {
        part: "body",
        raw: chunk.slice(at),
      });
    }
    if (this.#chunked.done) this.#chunked = undefined;
    return end;
  }

  /** The head that `chunk` completes, or where to go on once what there is of it is kept. */
  #takeHead(
    chunk: Uint8Array,
    at: number,
    out: Output,
  ): { head: RequestHead; end: number } | { unread: UnreadRequest } | TrackerRefusal | number {
    const { start, end } = this.#scanner.scan(chunk, at);
    // Empty lines before a request mean nothing (RFC 9112 section 2.2).
    if (start > at || (end < 0 && start < 0)) this.#held.clear();
    const from = start < 0 ? chunk.length : start;
    if (end < 0) {
      out.drop(at, chunk.length);
      return this.#hold(chunk.subarray(from)) ?? chunk.length;
    }
    const whole = this.#held.length === 0;
    const bytes = whole ? chunk.subarray(from, end) : this.#join(chunk.subarray(from, end));
    if (bytes.length > this.#maxHeadBytes) return this.#refuseLong(bytes);
    const { bareLf, ascii } = this.#scanner;
    const text = ascii ? utf8.decode(bytes) : toLatin1(bytes);
    const read = readHead(withoutEnd(text), { bareLf });
    if (!("body" in read)) return this.#refuse(read, { part: "head", raw: bytes });
    this.#last = read.head;
    if (read.body !== "chunked" && this.#isTooLong(read.head, read.body)) {
      this.#refused = true;
      const ahead = chunk.subarray(end, end + read.body);
      return { unread: { head: read.head, bodyBytes: read.body, ahead } };
    }
    if (read.body === "chunked") this.#chunked = new ChunkedScanner();
    else this.#bodyLeft = read.body;
    if (!whole || from > at || read.rewritten !== undefined) {
      out.replace(at, end, read.rewritten === undefined ? bytes : toBytes(read.rewritten));
    }
    return { head: read.head, end };
  }

  /** What is small passes in any case: whoever answers without it does no harm by that. */
  #isTooLong(head: RequestHead, bodyBytes: number): boolean {
    return bodyBytes > AHEAD_BYTES && bodyBytes > this.#maxBodyBytes(head);
  }

  #hold(bytes: Uint8Array): TrackerRefusal | undefined {
    this.#held.append(bytes);
    if (this.#held.length <= this.#maxHeadBytes) return undefined;
    return this.#refuseLong(this.#held.take());
  }

  #join(rest: Uint8Array): Uint8Array {
    this.#held.append(rest);
    return this.#held.take();
  }

  #refuseLong(raw: Uint8Array): TrackerRefusal {
    const reason = `Cannot take a request head of more than ${this.#maxHeadBytes} bytes`;
    return this.#refuse({ status: 431, reason }, { part: "head", raw });
  }

  #lastHead(): { head?: RequestHead } {
    return this.#last === undefined ? {} : { head: this.#last };
  }

  #refuse(
    refusal: HeadRefusal,
    about: { part: "head" | "body"; raw: Uint8Array },
  ): TrackerRefusal {
    this.#refused = true;
    this.#held.clear();
    return { ...refusal, part: about.part, raw: about.raw.slice(0, MAX_HEAD_BYTES) };
  }
}

/** Finds the empty line behind a head. */
class HeadScanner {
  /** Bytes of the current line, its line end left out. */
  #lineBytes = 0;
  #sawCr = false;
  /** A line that is not empty has been seen. */
  #started = false;
  #bareLf = false;
  #bits = 0;

  /** Whether the head just found had no byte beyond ASCII. */
  ascii = false;
  /** Whether the head just found had a line that ended in LF alone. */
  bareLf = false;

  /**
   * `end`: index behind the empty line, or -1. `start`: where the head begins in this chunk, behind any empty lines; -1
   * when it has not begun, `from` when it began earlier.
   */
  scan(chunk: Uint8Array, from: number): { start: number; end: number } {
    let start = from;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      this.#bits |= byte;
      if (byte === LF) {
        if (!this.#sawCr) this.#bareLf = true;
        this.#sawCr = false;
        if (this.#lineBytes > 0) {
          this.#started = true;
        } else if (this.#started) {
          this.#started = false;
          this.bareLf = this.#bareLf;
          this.#bareLf = false;
          this.ascii = this.#bits < 0x80;
          this.#bits = 0;
          return { start, end: at + 1 };
        } else {
          this.#bareLf = false;
          start = at + 1;
        }
        this.#lineBytes = 0;
      } else if (byte === CR) {
        if (this.#sawCr) this.#lineBytes++;
        this.#sawCr = true;
      } else {
        this.#lineBytes += this.#sawCr ? 2 : 1;
        this.#sawCr = false;
      }
    }
    return { start: start === chunk.length && start > from ? -1 : start, end: -1 };
  }
}

/** What is passed on of a chunk: mostly the chunk itself, so that nothing is copied. */
class Output {
  readonly #chunk: Uint8Array;
  readonly #pieces: Uint8Array[] = [];
  #from = 0;

  constructor(chunk: Uint8Array) {
    this.#chunk = chunk;
  }

  drop(from: number, to: number): void {
    if (from > this.#from) this.#pieces.push(this.#chunk.subarray(this.#from, from));
    this.#from = to;
  }

  replace(from: number, to: number, bytes: Uint8Array): void {
    this.drop(from, to);
    this.#pieces.push(bytes);
  }

  take(to: number): Uint8Array {
    this.drop(to, this.#chunk.length);
    return join(this.#pieces);
  }
}

/** For heads of ASCII alone, which is nearly all of them: ten times as quick as byte by byte. */
const utf8 = new TextDecoder();

/** Without the line end and the empty line behind it. */
function withoutEnd(head: string): string {
  return head.endsWith("\r\n\r\n") ? head.slice(0, -4) : head.replace(/\r?\n\r?\n$/, "");
}

function toBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}
