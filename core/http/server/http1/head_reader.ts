import { toLatin1 } from "../../../bytes/latin1.ts";
import { type HeadRefusal, type ReadHead, readHead } from "./head.ts";

/** Longest request head in bytes, request line included, unless a listener says otherwise. */
export const MAX_HEAD_BYTES = 65_536;

const CR = 0x0d;
const LF = 0x0a;

/** A head that has come to its end. */
export interface FoundHead {
  readonly read: ReadHead | HeadRefusal;
  /** Its own bytes, the empty line included. */
  readonly bytes: number;
}

/**
 * Finds the heads of one connection in bytes that come in pieces, and looks at each byte once. Pure: who calls it keeps
 * what it holds of a head in one place.
 */
export class HeadReader {
  readonly #maxBytes: number;
  /** Where to go on, and where the line begins that stands there. */
  #at = 0;
  #line = 0;
  #bareLf = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Number of the bytes at the beginning of `held` that are empty lines, which mean nothing there (RFC 9112 section 2.2). */
  blank(held: Uint8Array): number {
    if (this.#at > 1) return 0;
    let blank = 0;
    for (let at = 0; at < held.length; at++) {
      if (held[at] === LF) blank = at + 1;
      else if (held[at] !== CR || at > blank) break;
    }
    if (blank > 0) this.#at = 0;
    return blank;
  }

  /** The head at the beginning of `held`, where more may have come since the last call; nothing before its end. */
  find(held: Uint8Array): FoundHead | undefined {
    const bytes = this.#findEnd(held);
    if ((bytes || held.length) > this.#maxBytes) {
      const reason = `Cannot take a request head of more than ${this.#maxBytes} bytes`;
      return { read: { status: 431, reason }, bytes: bytes || held.length };
    }
    if (bytes === 0) return undefined;
    const bareLf = this.#bareLf;
    this.#at = 0;
    this.#line = 0;
    this.#bareLf = false;
    const text = toText(held.subarray(0, bytes));
    return { read: readHead(withoutEnd(text), { bareLf }), bytes };
  }

  /** Index behind the first empty line; 0 when it has not come. */
  #findEnd(held: Uint8Array): number {
    for (let at = this.#at; at < held.length; at++) {
      if (held[at] !== LF) continue;
      const end = at > this.#line && held[at - 1] === CR ? at - 1 : at;
      if (end === at) this.#bareLf = true;
      if (end === this.#line) return at + 1;
      this.#line = at + 1;
    }
    this.#at = held.length;
    return 0;
  }
}

const utf8 = new TextDecoder();

/** By far the quickest for a head of ASCII alone, which is nearly all of them. */
function toText(bytes: Uint8Array): string {
  const text = utf8.decode(bytes);
  return text.length === bytes.length && !text.includes("\ufffd") ? text : toLatin1(bytes);
}

/** Without the line end and the empty line behind it. */
function withoutEnd(head: string): string {
  return head.endsWith("\r\n\r\n") ? head.slice(0, -4) : head.replace(/\r?\n\r?\n$/, "");
}
