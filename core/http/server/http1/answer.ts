/** Encodes HTTP/1 responses: RFC 9112 sections 4 to 7. */
import { STATUS_TEXT } from "@std/http/status";
import { concat } from "../../../bytes/concat.ts";
import type { ByteSource } from "../../../byte_source.ts";
import { type Answer, dropAnswer, ShortAnswer, sourceOf } from "../../answer.ts";
import { soon } from "../../../net/within.ts";

/** Bytes of a body that are asked for at once. */
const TAKE_BYTES = 524_288;
/** Up to this size, a body is copied after its head, to send both at once. */
const JOIN_BYTES = 32_768;

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
const CRLF = encoder.encode("\r\n");
const LAST_CHUNK = encoder.encode("0\r\n\r\n");

/**
 * A body that ended before or after its announced length: the client could not distinguish it from
 * a complete one.
 */
export class AnswerBrokenError extends Error {
  override name = "AnswerBrokenError";
}

/** How to send a response. */
export interface AnswerAbout {
  /** Method of the request. */
  readonly method: string;
  /** Version of the request; a response to HTTP/1.0 has no chunks. */
  readonly version: "1.0" | "1.1";
  /** Whether the connection ends after it. */
  readonly close: boolean;
  /** Aborts when the connection is cut. */
  readonly signal: AbortSignal;
  /** Takes bytes; resolves when they may be used again. */
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * Sends a response. Resolves with whether the connection ends after it. Rejects if its body or the
 * connection fails; the connection is then unusable.
 */
export async function writeAnswer(response: Answer, about: AnswerAbout): Promise<boolean> {
  if (response instanceof ShortAnswer) {
    const bytes = writeHead(response, about, { size: 0 });
    await about.write(bytes);
    freeHead(bytes);
    return about.close;
  }
  const source = sourceOf(response);
  if (about.method === "HEAD" || isBare(response.status) || (source ?? response.body) === null) {
    await about.write(
      writeHead(response, about, { size: about.method === "HEAD" ? undefined : 0 }),
    );
    dropAnswer(response);
  } else if (source !== undefined) {
    await writeSource(source, response, about);
  } else {
    return await writeStream(response.body!, response, about);
  }
  return about.close;
}

/** RFC 9110 sections 15.3.5 and 15.4.5: neither a body nor a length. */
function isBare(status: number): boolean {
  return status === 204 || status === 304;
}

async function writeSource(
  source: ByteSource,
  response: Response,
  about: AnswerAbout,
): Promise<void> {
  try {
    const { size } = source;
    let left = size;
    if (left === 0) await about.write(writeHead(response, about, { size }));
    while (left > 0) {
      const bytes = await source.next(TAKE_BYTES);
      if (bytes === undefined) throw new AnswerBrokenError(`${left} bytes of the body are missing`);
      const isFirst = left === size;
      left -= bytes.length;
      if (isFirst && bytes.length <= JOIN_BYTES) {
        await about.write(writeHead(response, about, { size, along: bytes }));
        continue;
      }
      if (isFirst) await about.write(writeHead(response, about, { size }));
      await about.write(bytes);
    }
  } finally {
    source.close();
  }
}

async function writeStream(
  body: ReadableStream<Uint8Array>,
  response: Response,
  given: AnswerAbout,
): Promise<boolean> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  given.signal.addEventListener("abort", cancel, { once: true });
  try {
    let next = reader.read();
    const first = (await soon(next))?.value ?? NOTHING;
    if (first.length > 0) next = reader.read();
    // Most bodies are one text, which ends with its first chunk and is sent with its length.
    const isWhole = (await soon(next))?.done === true;
    const stated = response.headers.get("content-length");
    const size = isWhole ? first.length : stated === null ? undefined : Number(stated);
    // A response with neither length nor chunks ends with its connection.
    const isEndless = size === undefined && given.version === "1.0";
    const about = isEndless ? { ...given, close: true } : given;
    const toWire = size === undefined && !isEndless ? chunk : asIs;
    const along = toWire(first);
    if (along.length <= JOIN_BYTES) {
      await about.write(writeHead(response, about, { size, along }));
    } else {
      await about.write(writeHead(response, about, { size }));
      await about.write(along);
    }
    let sent = first.length;
    for (let { value, done } = await next; !done; { value, done } = await reader.read()) {
      sent += value!.length;
      if (size !== undefined && sent > size) break;
      if (value!.length > 0) await about.write(toWire(value!));
    }
    if (size === undefined && !isEndless) await about.write(LAST_CHUNK);
    else if (size !== undefined && sent !== size) {
      throw new AnswerBrokenError(`The body does not have ${size} bytes`);
    }
    return about.close;
  } finally {
    given.signal.removeEventListener("abort", cancel);
    cancel();
  }
}

const asIs = (bytes: Uint8Array): Uint8Array => bytes;

/** RFC 9112 section 7.1. No bytes give no chunk, because an empty one would be the end. */
function chunk(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  return concat([encoder.encode(`${bytes.length.toString(16)}\r\n`), bytes, CRLF]);
}

/** Bytes that nearly all heads fit into, and how many buffers of that size are kept for the next ones. */
const HEAD_BYTES = 1024;
const MAX_IDLE = 256;
const idle: Uint8Array<ArrayBuffer>[] = [];

/** Makes the buffer of a sent head available for another one. */
export function freeHead({ buffer }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === HEAD_BYTES && idle.length < MAX_IDLE) idle.push(new Uint8Array(buffer));
}

/** A head that is being written, one byte for each character. */
class HeadBytes {
  #bytes = idle.pop() ?? new Uint8Array(HEAD_BYTES);
  #length = 0;

  add(text: string): void {
    const bytes = this.#room(text.length);
    const from = this.#length;
    for (let at = 0; at < text.length; at++) bytes[from + at] = text.charCodeAt(at);
    this.#length += text.length;
  }

  /** Returns everything written so far, followed by `along`. */
  take(along: Uint8Array): Uint8Array<ArrayBuffer> {
    const bytes = this.#room(along.length);
    if (along.length > 0) bytes.set(along, this.#length);
    return bytes.subarray(0, this.#length + along.length);
  }

  #room(more: number): Uint8Array<ArrayBuffer> {
    const end = this.#length + more;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(end * 2);
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/**
 * Encodes the head of a response, followed by the first bytes of its body. `size` is the size of the whole body; without
 * it, the body is chunked, and the response to a HEAD keeps the length that its header fields state.
 */
export function writeHead(
  { status, headers }: Answer,
  { method, version, close }: Pick<AnswerAbout, "method" | "version" | "close">,
  { size, along = NOTHING }: { size: number | undefined; along?: Uint8Array },
): Uint8Array<ArrayBuffer> {
  const head = new HeadBytes();
  head.add(version === "1.1" ? statusLine(status) : `HTTP/1.0${statusLine(status).slice(8)}`);
  const isHead = method === "HEAD";
  let isDated = false;
  const add = (value: string, name: string): void => {
    if (name === "connection" || name === "transfer-encoding") return;
    if (name === "content-length" && !isHead) return;
    isDated ||= name === "date";
    head.add(fieldName(name));
    head.add(value);
    head.add("\r\n");
  };
  // Four times as fast as iterating.
  if (headers instanceof Headers) headers.forEach(add);
  else for (const [name, value] of headers.pairs) add(value, name);
  if (!isDated) head.add(dateLine());
  if (!isHead && !isBare(status)) {
    if (size !== undefined) head.add(`Content-Length: ${size}\r\n`);
    else if (version === "1.1") head.add("Transfer-Encoding: chunked\r\n");
  }
  if (close) head.add("Connection: close\r\n");
  else if (version === "1.0") head.add("Connection: keep-alive\r\n");
  head.add("\r\n");
  return head.take(along);
}

const statusLines = new Map<number, string>();

function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? ""}\r\n`;
  statusLines.set(status, line);
  return line;
}

/**
 * Limit of `fieldNames`: names that a client chooses, such as those of S3 metadata, must not grow
 * it without bound.
 */
const MAX_FIELD_NAMES = 256;
const fieldNames = new Map([["etag", "ETag: "], ["www-authenticate", "WWW-Authenticate: "]]);

/**
 * `Content-Type: ` for `content-type`: sendgrid-java and others look names up in the vendor's
 * spelling. S3 uses lower case.
 */
function fieldName(name: string): string {
  const known = fieldNames.get(name);
  if (known !== undefined) return known;
  const spelled = name.startsWith("x-amz-")
    ? `${name}: `
    : `${name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())}: `;
  if (fieldNames.size < MAX_FIELD_NAMES) fieldNames.set(name, spelled);
  return spelled;
}

let date = { second: 0, line: "" };

/** Formatted once a second. */
function dateLine(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== date.second) date = { second, line: `Date: ${new Date(now).toUTCString()}\r\n` };
  return date.line;
}
