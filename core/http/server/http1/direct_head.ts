import { readHead, type RequestHead } from "./head.ts";

const CR = 0x0d;
const LF = 0x0a;
/** Those that the platform makes no request of, or none with that name. */
const UNUSUAL: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

const decoder = new TextDecoder();

/** A head that leaves nothing to be decided. */
export interface PlainHead {
  readonly head: RequestHead;
  /** Bytes of the body behind it. */
  readonly body: number;
  /** Its own bytes, the empty line included. */
  readonly bytes: number;
}

/**
 * Reads a head that stands whole at the beginning of `held`. Nothing for what is not plain: no HTTP/1.1, not ended,
 * too long, lines that end in LF alone, characters beyond ASCII, a target to be written in another way, an upgrade, a
 * body in chunks, and whatever is to be refused.
 */
export function readPlainHead(held: Uint8Array, maxBytes: number): PlainHead | undefined {
  const end = findEnd(held);
  if (end === 0 || end > maxBytes) return undefined;
  const read = readHead(decoder.decode(held.subarray(0, end - 4)));
  if (!("body" in read) || read.rewritten !== undefined) return undefined;
  const { head, body } = read;
  if (typeof body !== "number" || head.version !== "1.1") return undefined;
  if (UNUSUAL.has(head.method) || !head.target.startsWith("/")) return undefined;
  if (body > 0 && (head.method === "GET" || head.method === "HEAD")) return undefined;
  return { head, body, bytes: end };
}

/** Index behind the first empty line; 0 when there is none, or something odd before it. */
function findEnd(bytes: Uint8Array): number {
  let lineStart = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) return 0;
    if (byte !== LF) continue;
    if (bytes[at - 1] !== CR) return 0;
    if (at - lineStart === 1) return lineStart === 0 ? 0 : at + 1;
    lineStart = at + 1;
  }
  return 0;
}
