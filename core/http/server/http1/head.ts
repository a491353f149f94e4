/**
 * Request heads of HTTP/1 (RFC 9112 sections 2 to 6), read strictly where two servers could disagree about where a
 * request ends.
 *
 *   method SP request-target SP HTTP-version CRLF
 *   *( field-name ":" OWS field-value OWS CRLF )
 *   CRLF
 *
 * @module
 */
import { toLatin1 } from "../../../bytes/latin1.ts";
import type { HeaderPairs } from "../../../events/event.ts";
import type { HeaderValues } from "../../call.ts";

/** A request head as received. */
export interface RequestHead {
  readonly method: string;
  /** Origin-form, or `*`: an absolute-form target without its scheme and authority (RFC 9112 section 3.2). */
  readonly target: string;
  readonly version: "1.0" | "1.1";
  readonly headers: HeaderPairs;
  /** Look-up of the fields, created on demand; requests with equal heads share it. */
  fields?: HeaderValues;
}

/** Framing of the body after a head: a length in bytes, 0 for none. */
export type BodyFraming = number | "chunked";

/** A head that can be answered. */
export interface ReadHead {
  readonly head: RequestHead;
  readonly body: BodyFraming;
  /** Whether the connection continues after the request (RFC 9112 section 9.3). */
  readonly keepsAlive: boolean;
}

/** Why a request is refused, and the response to it. */
export interface HeadRefusal {
  readonly status: 400 | 408 | 431 | 501 | 502 | 503 | 505;
  readonly reason: string;
  /** The readable part of it. */
  readonly head?: RequestHead;
}

/** Longest request head in bytes, request line included, unless a listener says otherwise. */
export const MAX_HEAD_BYTES = 65_536;
/** Fields of one head; servers commonly stop at this number. */
const MAX_FIELDS = 100;

const CR = 0x0d;
const LF = 0x0a;
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/(\d)\.(\d)$/;
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]*|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/;
const ABSOLUTE_FORM = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i;
/** 1 for each control character but tab. */
const CONTROL = Uint8Array.from(
  { length: 256 },
  (_, byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f ? 1 : 0,
);
/** 1 for each character of a field name (RFC 9110 section 5.6.2). */
const TOKEN = Uint8Array.from(
  { length: 256 },
  (_, byte) => /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(byte)) ? 1 : 0,
);
const ascii = new TextDecoder();

/** A complete head. */
export interface FoundHead {
  readonly read: ReadHead | HeadRefusal;
  /** Its bytes, including the empty line. */
  readonly bytes: number;
}

/** Heads up to this size are kept, and not parsed again if the next one is the same. */
const MAX_KEPT_BYTES = 1024;

/** Finds the heads of one connection in bytes that arrive in chunks; scans each byte once. */
export class HeadReader {
  readonly #maxBytes: number;
  /**
   * The last head and its bytes. Many clients send the same head again and again; comparing takes 0.1 us, reading 2 us,
   * and the events of such requests share their header fields.
   */
  #last: FoundHead | undefined;
  #lastBytes: Uint8Array | undefined;
  /** Position to continue from, and start of the line there. */
  #at = 0;
  #line = 0;
  /** Control characters so far, except line ends, and whether all bytes were ASCII. */
  #controls = 0;
  #isAscii = true;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Number of the bytes at the beginning of `held` that are empty lines, which mean nothing there (RFC 9112 section
   * 2.2).
   */
  blank(held: Uint8Array): number {
    if (this.#at > 1) return 0;
    let blank = 0;
    for (let at = 0; at < held.length; at++) {
      if (held[at] === LF) blank = at + 1;
      else if (held[at] !== CR || at > blank) break;
    }
    if (blank > 0) this.#begin();
    return blank;
  }

  /**
   * The head at the beginning of `held`, which may have grown since the last call; `undefined`
   * while it is incomplete.
   */
  find(held: Uint8Array): FoundHead | undefined {
    if (this.#at === 0 && this.#isLast(held)) return this.#last;
    const bytes = this.#findEnd(held);
    if ((bytes || held.length) > this.#maxBytes) {
      const reason = `Cannot accept a request head of more than ${this.#maxBytes} bytes`;
      return { read: { status: 431, reason }, bytes: bytes || held.length };
    }
    if (bytes === 0) return undefined;
    const own = held.subarray(0, bytes);
    const text = this.#isAscii ? ascii.decode(own) : toLatin1(own);
    const read = readHead(text, { isClean: this.#controls === 0 });
    this.#begin();
    const found = { read, bytes };
    if ("body" in read && bytes <= MAX_KEPT_BYTES) this.#keep(found, own);
    return found;
  }

  #keep(found: FoundHead, own: Uint8Array): void {
    this.#last = found;
    this.#lastBytes ??= new Uint8Array(MAX_KEPT_BYTES);
    this.#lastBytes.set(own);
  }

  /** Returns whether `held` begins with the bytes of the last head. */
  #isLast(held: Uint8Array): boolean {
    const { bytes = Infinity } = this.#last ?? {};
    const last = this.#lastBytes;
    if (last === undefined || held.length < bytes) return false;
    for (let at = 0; at < bytes; at++) if (held[at] !== last[at]) return false;
    return true;
  }

  #begin(): void {
    this.#at = 0;
    this.#line = 0;
    this.#controls = 0;
    this.#isAscii = true;
  }

  /**
   * Index after the first empty line; 0 if there is none yet. RFC 9112 section 2.2 lets a bare LF
   * end a line.
   */
  #findEnd(held: Uint8Array): number {
    let controls = this.#controls;
    let seen = 0;
    let end = 0;
    for (let at = this.#at; at < held.length && end === 0; at++) {
      const byte = held[at]!;
      controls += CONTROL[byte]!;
      seen |= byte;
      if (byte !== LF) continue;
      const lineEnd = at > this.#line && held[at - 1] === CR ? at - 1 : at;
      controls -= at - lineEnd + 1;
      if (lineEnd === this.#line) end = at + 1;
      this.#line = at + 1;
    }
    this.#controls = controls;
    this.#isAscii &&= seen < 0x80;
    this.#at = held.length;
    return end;
  }
}

/**
 * Reads one head: `text` holds its lines and the empty line after them, one character per byte.
 * `isClean` states that it has no control characters except line ends.
 */
export function readHead(text: string, { isClean = false } = {}): ReadHead | HeadRefusal {
  const behind = text.indexOf("\n") + 1 || text.length;
  const line = text.slice(0, endOfLine(text, 0, behind));
  const request = REQUEST_LINE.exec(line);
  if (request === null || (!isClean && hasControl(line))) {
    return refuse(
      400,
      `Cannot read request line "${quote(line)}": expected method, target and HTTP version`,
    );
  }
  const [, method, sent, major, minor] = request as unknown as RequestLine;
  if (major !== "1") {
    return refuse(505, `Cannot accept HTTP version ${major}.${minor} here: expected 1.0 or 1.1`);
  }
  const fields = readFields(text, { behind, isClean });
  if (typeof fields === "string") return refuse(400, fields);
  const head: RequestHead = {
    method,
    // The authority-form of CONNECT names no path (RFC 9112 section 3.2.3).
    target: method === "CONNECT" ? sent : toOrigin(sent),
    version: minor === "0" ? "1.0" : "1.1",
    headers: fields.pairs,
  };
  return check(head, { fields, sent });
}

type RequestLine = readonly [
  line: string,
  method: string,
  target: string,
  major: string,
  minor: string,
];

/** Bounds of a line, without its line end; the next one begins at `behind`. */
function endOfLine(text: string, at: number, behind: number): number {
  let end = behind;
  if (end > at && text.charCodeAt(end - 1) === LF) end--;
  if (end < behind && end > at && text.charCodeAt(end - 1) === CR) end--;
  return end;
}

/** The fields that decide how a request is read. */
interface Fields {
  readonly pairs: (readonly [name: string, value: string])[];
  host?: string;
  length?: string;
  coding?: string;
}

/** A string instead of the fields says what is wrong with them. */
function readFields(
  text: string,
  { behind, isClean }: { behind: number; isClean: boolean },
): Fields | string {
  const fields: Fields = { pairs: [] };
  for (let at = behind; at < text.length;) {
    const next = text.indexOf("\n", at) + 1 || text.length;
    const end = endOfLine(text, at, next);
    if (end === at && next === text.length) break;
    const colon = text.indexOf(":", at);
    if (colon <= at || colon >= end || !isToken(text, at, colon)) {
      const line = quote(text.slice(at, end));
      return `Cannot read header line "${line}": expected name, colon and value`;
    }
    const name = text.slice(at, colon);
    const value = trimmed(text, colon + 1, end);
    if (!isClean && hasControl(value)) {
      return `Cannot read the value of header "${name}": it holds a control character`;
    }
    const pair: readonly [string, string] = [name, value];
    // A copy, because an event keeps only copies: docs/decisions/0019.
    fields.pairs.push([...pair]);
    const problem = note(fields, name, value);
    if (problem !== undefined) return problem;
    at = next;
  }
  return fields;
}

function isToken(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (TOKEN[text.charCodeAt(at)] !== 1) return false;
  return true;
}

function note(fields: Fields, name: string, value: string): string | undefined {
  // Most names differ in length.
  if (name.length !== 4 && name.length !== 14 && name.length !== 17) return undefined;
  switch (name.toLowerCase()) {
    case "host":
      if (fields.host !== undefined) return "Cannot accept a request with two Host headers";
      fields.host = value;
      return HOST.test(value)
        ? undefined
        : `Cannot read Host "${quote(value)}": expected a host name and port`;
    case "content-length":
      // Even equal ones: a server before or after us might use the other (RFC 9112 section 6.3).
      if (fields.length !== undefined) {
        return "Cannot accept a request with two Content-Length headers";
      }
      fields.length = value;
      return undefined;
    case "transfer-encoding":
      fields.coding = fields.coding === undefined ? value : `${fields.coding}, ${value}`;
      return undefined;
    default:
      return undefined;
  }
}

function check(
  head: RequestHead,
  { fields, sent }: { fields: Fields; sent: string },
): ReadHead | HeadRefusal {
  // RFC 9112 section 3.2.
  if (fields.host === undefined && head.version === "1.1") {
    return refuse(400, "Cannot accept an HTTP/1.1 request without a Host header", head);
  }
  if (head.method === "CONNECT") {
    return refuse(
      501,
      `Cannot open a tunnel to "${quote(sent)}": CONNECT is not served here`,
      head,
    );
  }
  if (head.target === "") {
    return refuse(
      400,
      `Cannot read request target "${quote(sent)}": expected a path or an address`,
    );
  }
  if (head.headers.length > MAX_FIELDS) {
    return refuse(
      431,
      `Cannot accept ${head.headers.length} headers: at most ${MAX_FIELDS} allowed`,
      head,
    );
  }
  const body = framing(head, fields);
  return typeof body === "object" ? body : { head, body, keepsAlive: keepsAlive(head) };
}

/** RFC 9112 section 6.3. Anything that could be read in two ways is refused, so that no request hides in a body. */
function framing(head: RequestHead, { length, coding }: Fields): BodyFraming | HeadRefusal {
  if (coding !== undefined) {
    if (length !== undefined) {
      return refuse(
        400,
        "Cannot accept a request with both Transfer-Encoding and Content-Length",
        head,
      );
    }
    if (head.version === "1.0") {
      return refuse(400, "Cannot accept Transfer-Encoding in an HTTP/1.0 request", head);
    }
    if (coding.toLowerCase() === "chunked") return "chunked";
    // With another coding under a final "chunked" the end can be found, but the coding cannot be undone here.
    const codings = coding.toLowerCase().split(",").map((one) => one.trim());
    const framed = codings.indexOf("chunked") === codings.length - 1;
    return refuse(
      framed ? 501 : 400,
      `Cannot accept Transfer-Encoding "${quote(coding)}": expected chunked`,
      head,
    );
  }
  if (length === undefined) return 0;
  if (!/^\d{1,15}$/.test(length)) {
    return refuse(400, `Cannot read Content-Length "${quote(length)}": expected a number`, head);
  }
  return Number(length);
}

/** Returns whether the client waits for 100 Continue; one of HTTP/1.0 never does (RFC 9110 section 10.1.1). */
export function expectsContinue({ headers, version }: RequestHead): boolean {
  return version !== "1.0" &&
    headers.some(([name, value]) =>
      name.length === 6 && name.toLowerCase() === "expect" && value.toLowerCase() === "100-continue"
    );
}

/**
 * Returns whether a list of tokens in the fields of this name contains a token in lower case (RFC 9110 section 5.6.1).
 */
function hasToken(headers: HeaderPairs, name: string, token: string): boolean {
  return headers.some(([own, value]) =>
    own.length === name.length && own.toLowerCase() === name &&
    value.toLowerCase().split(",").some((part) => part.trim() === token)
  );
}

function keepsAlive({ headers, version }: RequestHead): boolean {
  return version === "1.0"
    ? hasToken(headers, "connection", "keep-alive")
    : !hasToken(headers, "connection", "close");
}

/** Absolute-form without scheme and authority; empty for an invalid target. */
function toOrigin(sent: string): string {
  if (sent.startsWith("/") || sent === "*") return sent;
  const rest = sent.replace(ABSOLUTE_FORM, "");
  if (rest === sent) return "";
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : "";
}

function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function hasControl(value: string): boolean {
  for (let i = 0; i < value.length; i++) if (CONTROL[value.charCodeAt(i)] === 1) return true;
  return false;
}

function refuse(status: HeadRefusal["status"], reason: string, head?: RequestHead): HeadRefusal {
  return { status, reason, ...(head === undefined ? {} : { head }) };
}

/** Short enough for a message, and on one line. */
function quote(text: string): string {
  const short = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return short.replace(/[^\x20-\x7e]/g, "?");
}
