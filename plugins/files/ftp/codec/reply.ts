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

/** Encodes a reply. Text contains neither line ends nor telnet's IAC; line ends are replaced all the same. */
export function encodeReply({ code, lines }: Reply): Uint8Array {
  const clean = lines.map((line) => line.replaceAll(/[\r\n\0]/g, "?"));
  const last = clean.at(-1)!;
  if (clean.length === 1) return encoder.encode(`${code} ${last}\r\n`);
  const between = clean.slice(1, -1).map((line) => ` ${line}\r\n`).join("");
  return encoder.encode(`${code}-${clean[0]}\r\n${between}${code} ${last}\r\n`);
}

/** Quotes a path as in `257`: quotes in it are doubled (RFC 959 appendix II). */
export function quotePath(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
