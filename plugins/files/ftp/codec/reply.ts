/**
 * Replies of the control connection (RFC 959 section 4.2):
 *
 *   code SP text CR LF
 *   code "-" text CR LF *( SP text CR LF ) code SP text CR LF
 *
 * @module
 */

/** A reply: a code and one line, or several. */
export interface Reply {
  readonly code: number;
  /** At least one; those between first and last are indented so that none looks like the last. */
  readonly lines: readonly string[];
  /** Caused by a fault, which has a record already. */
  readonly fault?: true;
}

const encoder = new TextEncoder();

/** Creates a reply of one or several lines. */
export function toReply(code: number, ...lines: readonly [string, ...string[]]): Reply {
  return { code, lines };
}

/** Encodes one line; the platform's encoder takes longer than a loop over ASCII. */
function encodeLine(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length + 2);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code >= 0x80) return encoder.encode(`${toClean(text)}\r\n`);
    bytes[i] = code;
  }
  bytes[text.length] = 0x0d;
  bytes[text.length + 1] = 0x0a;
  return bytes;
}

function toClean(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, "?");
}

/** Encodes a reply. Text contains neither line ends nor telnet's IAC; line ends are replaced all the same. */
export function encodeReply({ code, lines }: Reply): Uint8Array {
  if (lines.length === 1) return encodeLine(`${code} ${lines[0]}`);
  const clean = lines.map(toClean);
  const last = clean.at(-1)!;
  const between = clean.slice(1, -1).map((line) => ` ${line}\r\n`).join("");
  return encoder.encode(`${code}-${clean[0]}\r\n${between}${code} ${last}\r\n`);
}

/** Quotes a path as in `257`: quotes in it are doubled (RFC 959 appendix II). */
export function quotePath(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
