/**
 * Commands of the control connection (RFC 959 section 4.1, RFC 2640 for names in UTF-8):
 *
 *   verb [SP argument] CR LF
 *
 * Before ABOR clients send a telnet Synch (RFC 854): IAC IP IAC DM, some of it as urgent data. Urgent bytes do not
 * arrive with the others, so any of the four may be missing; those that arrive are removed. Some clients send a
 * whole command as urgent data if it may come during a transfer; its line feed is then missing.
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { toLatin1 } from "../../../../core/bytes/latin1.ts";

/** One command. */
export interface Command {
  /** In upper case. */
  readonly verb: string;
  /** As sent, without the one space before it; empty if absent. */
  readonly argument: string;
}

const IAC = 0xff;
/** Lowest byte that is a telnet command: SE. */
export const FIRST_TELNET = 0xf0;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a line, with or without its line end. Throws `WireError` "syntax" if it is not UTF-8. */
export function decodeCommand(line: Uint8Array): Command {
  const text = toText(line).replace(/\r?\n?$/, "");
  const space = text.indexOf(" ");
  return space < 0
    ? { verb: text.toUpperCase(), argument: "" }
    : { verb: text.slice(0, space).toUpperCase(), argument: text.slice(space + 1) };
}

/**
 * Returns whether unread bytes of the control connection are an ABOR. If it was sent as urgent data, its line end or
 * the whole telnet signal may be missing: `ABOR CR` counts as complete.
 */
export function isAbort(waiting: Uint8Array): boolean {
  const bytes = withoutTelnet(waiting);
  if (bytes.length < 5 || bytes.length > 6) return false;
  return /^ABOR(\r|\r?\n)$/i.test(toLatin1(bytes));
}

/**
 * Returns whether a line that ends with CR, without a line feed, is complete: a command that clients may send during a
 * transfer, and so as urgent data (RFC 959 section 4.1.3).
 */
export function isUrgent(line: Uint8Array): boolean {
  return /^(ABOR|QUIT|STAT( .*)?)\r$/i.test(toLatin1(withoutTelnet(line)));
}

/** Removes telnet codes. No verb begins with one, so each counts there, with or without IAC. */
function withoutTelnet(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte < FIRST_TELNET);
  if (start <= 0 && !bytes.includes(IAC)) return bytes;
  const kept: number[] = [];
  for (let i = Math.max(0, start); i < bytes.length; i++) {
    if (bytes[i] !== IAC) kept.push(bytes[i]!);
    else if ((bytes[i + 1] ?? 0) >= FIRST_TELNET) i++;
  }
  return Uint8Array.from(kept);
}

/** The platform's decoder takes longer than a loop over ASCII. */
function toText(line: Uint8Array): string {
  return line.every(isAscii) ? toLatin1(line) : decode(withoutTelnet(line));
}

function isAscii(byte: number): boolean {
  return byte < 0x80;
}

function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    throw new WireError("syntax", "Cannot read the command: it is not valid UTF-8");
  }
}
