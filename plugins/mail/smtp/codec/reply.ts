/**
 * Replies: RFC 5321 section 4.2, with the enhanced status codes of RFC 2034 and RFC 3463.
 *
 *     reply = *( code "-" [ enhanced SP ] text CRLF )  code SP [ enhanced SP ] text CRLF
 */
import { compact } from "../../../../core/compact.ts";

/** A reply to one command. */
export interface Reply {
  /** 200 to 599. */
  readonly code: number;
  /** `class.subject.detail`; absent from greetings, EHLO and 3yz replies (RFC 2034 section 4). */
  readonly enhanced?: string;
  /** At least one. */
  readonly lines: readonly string[];
  /** Caused by a fault, which is recorded separately. */
  readonly fault?: true;
}

/** Longest text of one line in characters; RFC 5321 section 4.5.3.1.5 allows 512 octets in all. */
const MAX_TEXT = 480;

const encoder = new TextEncoder();
/** Bytes of the replies of `toFixedReply`. */
const encoded = new WeakMap<Reply, Uint8Array>();

export function toReply(code: number, enhanced: string | undefined, text: string): Reply {
  return { code, lines: [text], ...compact({ enhanced }) };
}

/** Returns a reply of one line that is encoded once. Its bytes must not be changed. */
export function toFixedReply(code: number, enhanced: string | undefined, text: string): Reply {
  const reply = toReply(code, enhanced, text);
  encoded.set(reply, encodeReply(reply));
  return reply;
}

/** Encodes a reply. Control characters, which could forge a line, become spaces; long lines are cut. */
export function encodeReply(reply: Reply): Uint8Array {
  const known = encoded.get(reply);
  if (known !== undefined) return known;
  const status = reply.enhanced === undefined ? "" : `${reply.enhanced} `;
  const last = reply.lines.length - 1;
  let wire = "";
  reply.lines.forEach((line, index) => {
    const text = line.slice(0, MAX_TEXT).toWellFormed().replace(/\p{Cc}/gu, " ");
    wire += `${reply.code}${index < last ? "-" : " "}${status}${text}\r\n`;
  });
  return encoder.encode(wire);
}
