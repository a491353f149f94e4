/**
 * Structured field bodies with parameters: RFC 2045 section 5.1, RFC 2183, and the continuations and character sets of
 * RFC 2231.
 *
 *     body      = value *( ";" name "=" ( token / quoted-string ) )
 *     name*     = charset "'" [ language ] "'" percent-encoded
 *     name*0, name*0*, name*1 ...  chunks of one value
 */
import { runToEnd } from "../../bytes/steps.ts";
import { decodeCharset } from "./charset.ts";
import type { Warnings } from "./warnings.ts";

/** A value such as `text/plain` with its parameters. */
export interface Parameterized {
  /** In lower case, without comments. */
  readonly value: string;
  /** By name in lower case; of equal names the first counts. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Maximum number of parameters of one field, counting each chunk of a value. */
const MAX_PARAMETERS = 5000;
/** Maximum number of chunks of one parameter value. */
const MAX_SECTIONS = 1000;

const TOKEN = /[^\s;="(]+/y;
/** A value without quotes; many senders omit them where they are needed, so blanks are accepted. */
const LOOSE_VALUE = /[^;"]*/y;
const QUOTED = /"((?:[^"\\]|\\.)*)("|$)/sy;
const SEPARATOR = /[\s;]*/y;

/** Parses a field body. Never fails: unreadable parts are left out. */
export function parseParameterized(body: string, warnings: Warnings): Parameterized {
  const text = body.includes("(") ? stripComments(body) : body;
  const semicolon = text.indexOf(";");
  const value = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  if (semicolon < 0) return { value, parameters: new Map() };
  const given = new Map<string, string>();
  let at = semicolon;
  while (at < text.length) {
    if (given.size === MAX_PARAMETERS) {
      warnings.add(`More than ${MAX_PARAMETERS} parameters in a field: the rest were left out`);
      break;
    }
    at = match(SEPARATOR, text, at)?.end ?? at;
    const name = match(TOKEN, text, at);
    if (name === undefined) {
      // Not a parameter: continue after the next semicolon.
      at = nextSemicolon(text, at);
      continue;
    }
    const equals = skipBlanks(text, name.end);
    if (text[equals] !== "=") {
      at = nextSemicolon(text, name.end);
      continue;
    }
    const read = readValue(text, skipBlanks(text, equals + 1));
    const key = name.text.toLowerCase();
    if (!given.has(key)) given.set(key, read.text);
    at = read.end;
  }
  return { value, parameters: joinSections(given, warnings) };
}

function match(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  return { text: found[1] ?? found[0], end: at + found[0].length };
}

function readValue(text: string, at: number): { readonly text: string; readonly end: number } {
  const quoted = match(QUOTED, text, at);
  if (quoted !== undefined) {
    return {
      text: quoted.text.includes("\\") ? quoted.text.replace(/\\(["\\])/g, "$1") : quoted.text,
      end: nextSemicolon(text, quoted.end),
    };
  }
  const loose = match(LOOSE_VALUE, text, at)!;
  return { text: loose.text.trim(), end: loose.end };
}

function nextSemicolon(text: string, at: number): number {
  const found = text.indexOf(";", at);
  return found < 0 ? text.length : found;
}

function skipBlanks(text: string, at: number): number {
  let next = at;
  while (text[next] === " " || text[next] === "\t") next++;
  return next;
}

/** Comments may occur wherever a blank may; a parenthesis inside a value (`a (1).pdf`) is part of it. */
function stripComments(body: string): string {
  const sections: string[] = [];
  let depth = 0;
  let quoted = false;
  let inValue = false;
  let start = 0;
  let opened = 0;
  for (let i = 0; i < body.length; i++) {
    const char = body[i];
    if (char === "\\") i++;
    else if (depth > 0) {
      if (char === "(") depth++;
      else if (char === ")" && --depth === 0 && (!inValue || "; \t".includes(body[i + 1] ?? ";"))) {
        sections.push(body.slice(start, opened));
        start = i + 1;
      }
    } else if (char === '"') quoted = !quoted;
    else if (!quoted) {
      if (char === "=") inValue = true;
      else if (char === ";") inValue = false;
      else if (char === "(" && (!inValue || " \t=".includes(body[i - 1]!))) {
        opened = i;
        depth = 1;
      }
    }
  }
  // An unclosed comment is not a comment.
  return sections.join("") + body.slice(start);
}

/** Joins `name*0`, `name*1` and `name*` under `name`; the extended form wins over a plain one (RFC 6266). */
function joinSections(
  given: ReadonlyMap<string, string>,
  warnings: Warnings,
): ReadonlyMap<string, string> {
  const names = [...given.keys()];
  if (!names.some((name) => name.includes("*"))) return given;
  const joined = new Map<string, string>();
  for (const name of names) {
    const star = name.indexOf("*");
    const base = star < 0 ? name : name.slice(0, star);
    if (star < 0) {
      if (!joined.has(base)) joined.set(base, given.get(name)!);
    } else if (name === `${base}*`) {
      joined.set(base, decodeExtended([{ text: given.get(name)!, encoded: true }], warnings));
    } else if (isFirstSection(name, base) && !given.has(`${base}*`)) {
      // Once for each base, however many names begin like its first chunk.
      joined.set(base, decodeExtended(sectionsOf(given, base), warnings));
    }
  }
  return joined;
}

/** If `name*0` and `name*0*` are both given, the second counts. */
function isFirstSection(name: string, base: string): boolean {
  return name === `${base}*0*` || name === `${base}*0`;
}

interface Section {
  readonly text: string;
  /** Percent-encoded. */
  readonly encoded: boolean;
}

function sectionsOf(given: ReadonlyMap<string, string>, base: string): readonly Section[] {
  const sections: Section[] = [];
  for (let i = 0; i < MAX_SECTIONS; i++) {
    const plain = given.get(`${base}*${i}`);
    const encoded = given.get(`${base}*${i}*`);
    const text = encoded ?? plain;
    if (text === undefined) break;
    sections.push({ text, encoded: encoded !== undefined });
  }
  return sections;
}

/** Decodes the chunks as bytes of one text in the character set of the first. */
function decodeExtended(sections: readonly Section[], warnings: Warnings): string {
  const [first] = sections;
  const prefix = first?.encoded ? /^([^']*)'[^']*'/.exec(first.text) : null;
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  sections.forEach((section, index) => {
    const text = index === 0 && prefix !== null
      ? section.text.slice(prefix[0].length)
      : section.text;
    if (section.encoded) pushPercentDecoded(text, bytes);
    else for (const byte of encoder.encode(text)) bytes.push(byte);
  });
  return runToEnd(decodeCharset(Uint8Array.from(bytes), prefix?.[1] || "utf-8", warnings));
}

function pushPercentDecoded(text: string, bytes: number[]): void {
  for (let i = 0; i < text.length; i++) {
    const hex = text[i] === "%" ? /^[0-9a-f]{2}$/i.exec(text.slice(i + 1, i + 3)) : null;
    if (hex !== null) {
      bytes.push(parseInt(hex[0], 16));
      i += 2;
    } else {
      const code = text.codePointAt(i)!;
      if (code > 0xffff) i++;
      if (code < 0x80) bytes.push(code);
      else {for (const byte of new TextEncoder().encode(String.fromCodePoint(code))) {
          bytes.push(byte);
        }}
    }
  }
}
