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

/**
 * Splits a message into lines, one by one. They end with CR, or by mistake with LF or both; empty lines are dropped. The
 * text after `MAX_PARTS` lines is not split.
 */
function* linesOf(text: string): Generator<string> {
  // Searching for a character is ten times as fast as looking at each one.
  const next = (end: string, from: number): number => {
    const at = text.indexOf(end, from);
    return at < 0 ? text.length : at;
  };
  let [cr, lf] = [next("\r", 0), next("\n", 0)];
  for (let from = 0, count = 0; from < text.length;) {
    const end = count < MAX_PARTS ? Math.min(cr, lf) : text.length;
    if (end > from) {
      count++;
      yield text.slice(from, end);
    }
    from = end + 1;
    if (cr < from) cr = next("\r", from);
    if (lf < from) lf = next("\n", from);
  }
}

/** Returns all lines of a message; the text after `MAX_PARTS` of them is the last one. */
export function toLines(text: string): string[] {
  return linesOf(text).toArray();
}

/** Returns whether a line is a header segment, whose first field is the separator itself. */
export function isHeader(line: string): boolean {
  return /^(?:MSH|FHS|BHS)/.test(line);
}

/** Parses a message, up to `MAX_PARTS`; segments beyond that have no fields. */
export function parseSegments(text: string, separators: Separators): Segment[] {
  const parser = new SegmentParser(separators);
  return linesOf(text).take(MAX_PARTS).map((line, at) => parser.segment(line, at + 1)).toArray();
}

/** A segment whose fields are texts as sent. */
export interface SegmentText {
  readonly id: string;
  readonly occurrence: number;
  /** Returns a field by its position; `isWhole` for one that is not divided into components. */
  field(position: number): { readonly value: string; readonly isWhole: boolean } | undefined;
}

/**
 * Yields the segments of one name, in any case, with their fields as texts: dividing a segment into objects takes tens of
 * times the memory of its text.
 */
export function* segmentTexts(
  text: string,
  separators: Separators,
  name: string,
): Generator<SegmentText> {
  const occurrences = new Map<string, number>();
  for (const line of linesOf(text).take(MAX_PARTS)) {
    const id = nameOf(line, separators);
    if (id.toUpperCase() !== name.toUpperCase()) continue;
    const occurrence = (occurrences.get(id) ?? 0) + 1;
    occurrences.set(id, occurrence);
    yield { id, occurrence, field: (position) => fieldAt(line, position, separators) };
  }
}

/** The fields of a header begin with the separator itself, and the declaration of the others. */
function fieldAt(
  line: string,
  position: number,
  { field: separator }: Separators,
): { value: string; isWhole: boolean } | undefined {
  const header = isHeader(line) && separator === line[3];
  if (header && position === 1) return { value: separator, isWhole: true };
  const at = header ? position - 1 : position;
  const value = splitAt(line, separator, at + 1)[at];
  return value === undefined ? undefined : { value, isWhole: header && position === 2 };
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
