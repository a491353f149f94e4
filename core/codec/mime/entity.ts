/**
 * MIME entities: RFC 2045 and RFC 2046 section 5.1.
 *
 *     entity    = header CRLF body
 *     multipart = [ preamble CRLF ] delimiter entity *( CRLF delimiter entity ) CRLF close [ CRLF epilogue ]
 *     delimiter = "--" boundary *WSP CRLF          close = "--" boundary "--" *WSP
 *
 * Every body is a view of the bytes given, so that signatures over a part can be checked and nothing is copied.
 */
import { STEP, type Steps } from "../../bytes/steps.ts";
import { fieldValue, type HeaderBlock, readHeaderBlock } from "./header.ts";
import { type Parameterized, parseParameterized } from "./parameters.ts";
import type { Warnings } from "./warnings.ts";

/** A message or body part. */
export interface Entity {
  readonly header: HeaderBlock;
  /** `type/subtype` in lower case; the default of the container if absent. */
  readonly contentType: Parameterized;
  /** Empty value if absent. */
  readonly disposition: Parameterized;
  /** Content-Transfer-Encoding in lower case; empty if absent. */
  readonly encoding: string;
  /** Header and body as sent. */
  readonly bytes: Uint8Array;
  /** As sent, not decoded. */
  readonly body: Uint8Array;
  /** Parts of a multipart; empty for anything else, and for a multipart that cannot be parsed. */
  readonly parts: readonly Entity[];
}

/** Limits of parsing. */
export interface EntityLimits {
  /** Nesting of multiparts; 20 by default. */
  readonly maxDepth?: number;
  /** Parts in total; 1000 by default. */
  readonly maxParts?: number;
}

const NOTHING: Parameterized = { value: "", parameters: new Map() };
const LF = 0x0a;
const CR = 0x0d;
const HYPHEN = 0x2d;

/** Parses a message or body part. Never fails: parses malformed input as far as possible, and adds a warning. */
export function* parseEntity(
  bytes: Uint8Array,
  warnings: Warnings,
  limits: EntityLimits = {},
): Steps<Entity> {
  const budget = { parts: limits.maxParts ?? 1000, depth: limits.maxDepth ?? 20 };
  return yield* parseWithin(bytes, { warnings, budget, depth: 0, defaultType: "text/plain" });
}

interface Place {
  readonly warnings: Warnings;
  /** Shared by the whole message. */
  readonly budget: { parts: number; readonly depth: number };
  readonly depth: number;
  readonly defaultType: string;
}

function* parseWithin(bytes: Uint8Array, place: Place): Steps<Entity> {
  const { warnings } = place;
  const header = readHeaderBlock(bytes, warnings);
  const read = (name: string): Parameterized => {
    const value = fieldValue(header, name);
    return value === undefined ? NOTHING : parseParameterized(value, warnings);
  };
  const given = read("content-type");
  const contentType = /^[^\s/]+\/[^\s/]+$/.test(given.value)
    ? given
    : { value: place.defaultType, parameters: given.parameters };
  const body = bytes.subarray(header.bodyStart);
  return {
    header,
    contentType,
    disposition: read("content-disposition"),
    encoding: read("content-transfer-encoding").value.replaceAll('"', ""),
    bytes,
    body,
    parts: contentType.value.startsWith("multipart/")
      ? yield* parseParts(body, contentType, place)
      : [],
  };
}

function* parseParts(
  body: Uint8Array,
  contentType: Parameterized,
  place: Place,
): Steps<Entity[]> {
  const { warnings, budget } = place;
  const boundary = contentType.parameters.get("boundary") ?? "";
  if (boundary === "") {
    warnings.add(`A ${contentType.value} without a boundary: its body was read as one part`);
    return [];
  }
  if (place.depth >= budget.depth) {
    warnings.add(`Multiparts more than ${budget.depth} deep: the innermost were not parsed`);
    return [];
  }
  const found = yield* splitParts(body, boundary, budget.parts);
  if (found.parts.length === 0) {
    warnings.add(
      `A ${contentType.value} whose boundary does not occur: its body was read as one part`,
    );
  } else if (!found.closed) warnings.add(`A ${contentType.value} that is not closed`);
  if (found.cut) warnings.add("Too many body parts: the last one holds the rest");
  budget.parts -= found.parts.length;
  const inner: Place = {
    ...place,
    depth: place.depth + 1,
    // RFC 2046 section 5.1.5.
    defaultType: contentType.value === "multipart/digest" ? "message/rfc822" : "text/plain",
  };
  const parts: Entity[] = [];
  for (const part of found.parts) {
    parts.push(yield* parseWithin(part, inner));
    yield;
  }
  return parts;
}

/**
 * Returns the bytes between the delimiter lines of a multipart body. With `maxParts` reached, the last part is the rest of the
 * body, and `cut` says so.
 */
export function* splitParts(
  body: Uint8Array,
  boundary: string,
  maxParts: number,
): Steps<
  { readonly parts: readonly Uint8Array[]; readonly closed: boolean; readonly cut: boolean }
> {
  const delimiter = new TextEncoder().encode(`--${boundary}`);
  const parts: Uint8Array[] = [];
  let start = -1;
  let at = 0;
  let pause = STEP;
  while (at < body.length) {
    if (at >= pause) {
      yield;
      pause = at + STEP;
    }
    const line = body[at] === HYPHEN && body[at + 1] === HYPHEN
      ? readDelimiter(body, at, delimiter)
      : undefined;
    if (line !== undefined) {
      if (start >= 0) parts.push(body.subarray(start, Math.max(start, beforeLineEnd(body, at))));
      if (line.closes) return { parts, closed: true, cut: false };
      start = line.next;
      at = line.next;
      if (parts.length + 1 >= maxParts) {
        if (maxParts > 0) parts.push(body.subarray(start));
        return { parts, closed: true, cut: true };
      }
      continue;
    }
    // A loop is faster than searching, as lines are short.
    while (at < body.length && body[at] !== LF) at++;
    at++;
  }
  if (start >= 0) parts.push(body.subarray(Math.min(start, body.length)));
  return { parts, closed: false, cut: false };
}

/** Returns where the line continues after a delimiter that starts at `at`; `undefined` if it is not a delimiter line. */
function readDelimiter(
  body: Uint8Array,
  at: number,
  delimiter: Uint8Array,
): { readonly closes: boolean; readonly next: number } | undefined {
  for (let i = 2; i < delimiter.length; i++) if (body[at + i] !== delimiter[i]) return undefined;
  let end = at + delimiter.length;
  const closes = body[end] === HYPHEN && body[end + 1] === HYPHEN;
  if (closes) end += 2;
  while (body[end] === 0x20 || body[end] === 0x09) end++;
  if (body[end] === CR && body[end + 1] === LF) return { closes, next: end + 2 };
  if (body[end] === LF) return { closes, next: end + 1 };
  return end >= body.length ? { closes, next: body.length } : undefined;
}

/** The line end before a delimiter belongs to the delimiter. */
function beforeLineEnd(body: Uint8Array, at: number): number {
  if (body[at - 1] !== LF) return at;
  return body[at - 2] === CR ? at - 2 : at - 1;
}
