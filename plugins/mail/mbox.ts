/**
 * Mailboxes of RFC 4155, appendix A: before each email a separator line with its sender and time, an empty line after
 * it, and line ends of LF. Lines that look like a separator are prefixed with `>`; the RFC leaves that open.
 */
import { fromLatin1, toLatin1 } from "../../core/bytes/latin1.ts";

export interface MboxMail {
  /** Address of the sender; hostile text. */
  readonly from: string;
  readonly receivedAt: Date;
  /** An Internet message with any line ends. */
  readonly message: Uint8Array;
}

const LF = 10;

/** Size of a chunk, unless a line is longer. */
const CHUNK_BYTES = 65_536;

/** Encodes one email in chunks, from its separator line to the empty line after it. */
export function* mboxChunks(
  { from, receivedAt, message }: MboxMail,
): Generator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(`From ${toSender(from)} ${toTimestamp(receivedAt)}\n`);
  for (let from = 0; from < message.length;) {
    const end = endOfChunk(message, from);
    yield quoted(message.subarray(from, end));
    from = end;
  }
  yield Uint8Array.of(LF);
}

/** Index after the last line of the chunk that begins at `from`. */
function endOfChunk(message: Uint8Array, from: number): number {
  const most = from + CHUNK_BYTES;
  if (most >= message.length) return message.length;
  const last = message.lastIndexOf(LF, most - 1);
  const end = last >= from ? last : message.indexOf(LF, most);
  return end < 0 ? message.length : end + 1;
}

/** Lines with ends of LF, and those like a separator marked. */
function quoted(lines: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = toLatin1(lines).replaceAll("\r\n", "\n").replace(/(?<![^\n])>*From /g, ">$&");
  return fromLatin1(text.endsWith("\n") ? text : `${text}\n`);
}

/** Returns the address if it has no spaces, as the RFC requires, else `MAILER-DAEMON`. */
function toSender(address: string): string {
  return /^[!-~]+@[!-~]+$/.test(address) ? address : "MAILER-DAEMON";
}

/** In the form of C's `asctime`, in UTC. */
function toTimestamp(at: Date): string {
  const [week = "", day = "", month = "", year = "", time = ""] = at.toUTCString().split(/,? /);
  return `${week} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}
