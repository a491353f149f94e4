/**
 * Mails as a mailbox of RFC 4155, appendix A: each behind a line with its sender and time, lines ended by LF, an empty
 * line behind it. Lines that would pass for such a line get a `>` before them, as the RFC leaves open.
 */

/** A mail of a mailbox. */
export interface MboxMail {
  /** Address of the sender; hostile text. */
  readonly from: string;
  readonly receivedAt: Date;
  /** An Internet message, with line ends of any kind. */
  readonly message: Uint8Array;
}

const LF = 10;
const CR = 13;
const QUOTE = 62;
const FROM = [70, 114, 111, 109, 32];

/** Bytes of a piece, unless a line is longer. */
const PIECE_BYTES = 65_536;

/** Writes one mail out in pieces, from its separating line to the empty line behind it. */
export function* mboxPieces(
  { from, receivedAt, message }: MboxMail,
): Generator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(`From ${toSender(from)} ${toTimestamp(receivedAt)}\n`);
  for (let from = 0; from < message.length;) {
    const end = endOfPiece(message, from);
    yield quoted(message.subarray(from, end));
    from = end;
  }
  yield Uint8Array.of(LF);
}

/** Behind the last line that is still of the piece. */
function endOfPiece(message: Uint8Array, from: number): number {
  const most = from + PIECE_BYTES;
  if (most >= message.length) return message.length;
  const last = message.lastIndexOf(LF, most - 1);
  const end = last >= from ? last : message.indexOf(LF, most);
  return end < 0 ? message.length : end + 1;
}

/** Whole lines as a mailbox has them. */
function quoted(piece: Uint8Array): Uint8Array<ArrayBuffer> {
  const lines = linesOf(piece);
  const marks = lines.filter(looksLikeSeparator).length;
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const out = new Uint8Array(size + marks);
  let at = 0;
  for (const line of lines) {
    if (looksLikeSeparator(line)) out[at++] = QUOTE;
    out.set(line, at);
    at += line.length;
    out[at++] = LF;
  }
  return out;
}

/** An addr-spec without spaces, as the RFC wants one; `MAILER-DAEMON` for any other. */
function toSender(address: string): string {
  return /^[!-~]+@[!-~]+$/.test(address) ? address : "MAILER-DAEMON";
}

/** As `asctime` of C writes it, in UTC. */
function toTimestamp(at: Date): string {
  const [week = "", day = "", month = "", year = "", time = ""] = at.toUTCString().split(/,? /);
  return `${week} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`;
}

function linesOf(message: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < message.length;) {
    const found = message.indexOf(LF, start);
    const end = found < 0 ? message.length : found;
    lines.push(message.subarray(start, found > start && message[end - 1] === CR ? end - 1 : end));
    start = end + 1;
  }
  return lines;
}

function looksLikeSeparator(line: Uint8Array): boolean {
  let at = 0;
  while (line[at] === QUOTE) at++;
  return FROM.every((byte, index) => line[at + index] === byte);
}
