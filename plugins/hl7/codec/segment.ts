/**
 * Segments of a message (HL7 v2.5.1 section 2.5): a line each, its name first,
 *
 *   PID|1||4711^^^HOSP~0815^^^SSN||Doe^John&Jr
 *       field 3: repetitions 4711^^^HOSP and 0815^^^SSN, each of components; field 5, component 2: two subcomponents
 *
 * @module
 */
import { mapKey } from "../../../core/bytes/text.ts";
import type { Component, Field, Repetition, Segment, Separators } from "../model.ts";
import { type EscapeBudget, unescapeText } from "./escape.ts";
import { splitAt } from "./separators.ts";

/** Maximum number of segments, fields, repetitions, components, subcomponents and escape sequences that are parsed. */
export const MAX_PARTS = 200_000;

const CR = 0x0d;
const LF = 0x0a;

/**
 * Splits a message into lines. They end with CR, or by mistake with LF or both; empty lines are dropped. The text after
 * `MAX_PARTS` lines is not split.
 */
export function toLines(text: string): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length && lines.length < MAX_PARTS; at++) {
    const code = text.charCodeAt(at);
    if (code !== CR && code !== LF && at < text.length) continue;
    if (at > from) lines.push(text.slice(from, at));
    from = at + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** Returns whether a line is a header segment, whose first field is the separator itself. */
export function isHeader(line: string): boolean {
  return /^(?:MSH|FHS|BHS)/.test(line);
}

/**
 * Parses a message, up to `MAX_PARTS`; segments beyond that have no fields. `only` selects the segments of one name, in
 * any case; the others cost next to nothing.
 */
export function parseSegments(text: string, separators: Separators, only?: string): Segment[] {
  const parser = new SegmentParser(separators);
  const wanted = only?.toUpperCase();
  const segments: Segment[] = [];
  for (const [at, line] of toLines(text).entries()) {
    if (at >= MAX_PARTS) break;
    if (wanted !== undefined && nameOf(line, separators).toUpperCase() !== wanted) continue;
    segments.push(parser.segment(line, at + 1));
  }
  return segments;
}

function nameOf(line: string, { field }: Separators): string {
  const end = field === "" ? -1 : line.indexOf(field);
  return end < 0 ? line : line.slice(0, end);
}

class SegmentParser {
  readonly #separators: Separators;
  readonly #occurrences = new Map<string, number>();
  readonly #escapes: EscapeBudget = { left: MAX_PARTS };
  #left = MAX_PARTS;

  constructor(separators: Separators) {
    this.#separators = separators;
  }

  segment(line: string, index: number): Segment {
    const values = this.#split(line, this.#separators.field);
    const id = values[0]!;
    const key = mapKey(id);
    const occurrence = (this.#occurrences.get(key) ?? 0) + 1;
    this.#occurrences.set(key, occurrence);
    this.#left--;
    const fields: Field[] = [];
    const header = isHeader(line) && this.#separators.field === line[3];
    if (header) fields.push({ position: 1, value: this.#separators.field });
    for (const value of values.slice(1)) {
      if (this.#left <= 0) break;
      fields.push(this.#field(value, { position: fields.length + 1, whole: header }));
    }
    return { id, index, occurrence, fields };
  }

  #field(value: string, { position, whole }: { position: number; whole: boolean }): Field {
    this.#left--;
    if (value === "" || (whole && position === 2)) return { position, value };
    const repetitions = this.#split(value, this.#separators.repetition)
      .map((part) => this.#repetition(part));
    return { position, value, repetitions };
  }

  #repetition(value: string): Repetition {
    this.#left--;
    const components = this.#split(value, this.#separators.component)
      .map((part) => this.#component(part));
    return { value, components };
  }

  #component(text: string): Component {
    this.#left--;
    const value = this.#unescape(text);
    const parts = this.#split(text, this.#separators.subcomponent);
    if (parts.length < 2) return { value };
    this.#left -= parts.length;
    return { value, subcomponents: parts.map((part) => this.#unescape(part)) };
  }

  #unescape(text: string): string {
    return unescapeText(text, this.#separators, this.#escapes);
  }

  #split(text: string, separator: string): string[] {
    return splitAt(text, separator, Math.max(1, this.#left));
  }
}
