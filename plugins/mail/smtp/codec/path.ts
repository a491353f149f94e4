/**
 * Paths of MAIL and RCPT: RFC 5321 section 4.1.2, with the letters beyond ASCII of RFC 6531 section 3.3.
 *
 *     Path       = "<" [ A-d-l ":" ] Mailbox ">"      A-d-l is a source route, to be ignored (appendix C)
 *     Mailbox    = Local-part "@" ( Domain / address-literal )
 *     Local-part = Dot-string / Quoted-string
 *
 * Also accepted, because clients send it: a path without angle brackets, spaces around it, and dots anywhere in a
 * Dot-string.
 */
import { WireError } from "../../../../core/bytes/decoder.ts";

/** An address of the envelope. */
export interface Path {
  /** As sent, with quotes and without source route; empty for the null reverse-path `<>`. */
  readonly address: string;
  /** Whether it has letters beyond ASCII. */
  readonly utf8: boolean;
}

export class PathError extends WireError {
  override name = "PathError";
}

/** Longest path in characters; RFC 5321 section 4.5.3.1.3 requires at least 256 octets. */
const MAX_PATH = 1000;

const SOURCE_ROUTE = /^@[^\s@:<>,]+(?:,@[^\s@:<>,]+)*:/;
const DOT_STRING = /^[^\s"(),:;<>@[\\\]\p{Cc}]+/u;
const QUOTED_STRING = /^"(?:[^"\\\p{Cc}]|\\[\x20-\x7e])*"/u;
const DOMAIN = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]|\.(?=[\p{L}\p{N}_]))*\.?/u;
const ADDRESS_LITERAL = /^\[[\x21-\x5a\x5e-\x7e]+\]/;

/**
 * Parses the path at the start of `text`; `rest` is the text after it, without leading spaces.
 * Throws `PathError`.
 */
export function readPath(
  text: string,
  kind: "reverse" | "forward",
): { readonly path: Path; readonly rest: string } {
  const trimmed = text.trimStart();
  const bracketed = trimmed.startsWith("<");
  const inner = bracketed ? trimmed.slice(1) : trimmed;
  const { address, length } = readAddress(inner, kind);
  let rest = inner.slice(length);
  if (bracketed) {
    rest = rest.trimStart();
    if (!rest.startsWith(">")) throw bad(text);
    rest = rest.slice(1);
  }
  if (rest !== "" && !rest.startsWith(" ")) throw bad(text);
  return { path: { address, utf8: hasUtf8(address) }, rest: rest.trimStart() };
}

function readAddress(
  text: string,
  kind: "reverse" | "forward",
): { readonly address: string; readonly length: number } {
  if (kind === "reverse" && /^ *>/.test(text)) return { address: "", length: 0 };
  const blank = text.length - text.trimStart().length;
  const route = SOURCE_ROUTE.exec(text.slice(blank, blank + MAX_PATH))?.[0].length ?? 0;
  const start = blank + route;
  const window = text.slice(start, start + MAX_PATH + 1);
  const local = (DOT_STRING.exec(window) ?? QUOTED_STRING.exec(window))?.[0] ?? "";
  const behind = window.slice(local.length);
  if (local !== "" && behind.startsWith("@")) {
    const domain = (DOMAIN.exec(behind.slice(1)) ?? ADDRESS_LITERAL.exec(behind.slice(1)))?.[0];
    if (domain === undefined) throw bad(text);
    const address = `${local}@${domain}`;
    if (address.length > MAX_PATH) throw bad(text);
    return { address, length: start + address.length };
  }
  // The only recipient without a domain: RFC 5321 section 4.1.1.3.
  if (kind === "forward" && local.toLowerCase() === "postmaster") {
    return { address: local, length: start + local.length };
  }
  throw bad(text);
}

function hasUtf8(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return true;
  return false;
}

function bad(text: string): PathError {
  return new PathError(
    "syntax",
    `Cannot read address "${text.slice(0, 100)}": expected <local-part@domain>`,
  );
}
