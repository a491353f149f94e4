/**
 * Places in a message in their usual notation: `PID-3`, `PID-3.1`, `OBX[2]-5`, `PID-3[2].4.1`. Every number counts from
 * 1; a segment or repetition without a number means all of them.
 *
 * @module
 */
import type { Separators } from "../model.ts";
import { type EscapeBudget, unescapeText } from "./escape.ts";
import { MAX_PARTS, type SegmentText } from "./segment.ts";
import { splitAt } from "./separators.ts";

/** A place. */
export interface Path {
  readonly segment: string;
  readonly occurrence?: number;
  readonly field: number;
  readonly repetition?: number;
  readonly component?: number;
  readonly subcomponent?: number;
}

/** A value with its full path. */
export interface PlacedValue {
  /** Such as `PID[1]-3[2].1`. */
  readonly path: string;
  /** As sent for a field or repetition, decoded for its parts; never empty. */
  readonly value: string;
}

const SHAPE =
  /^([A-Z][A-Z0-9]{2})(?:\[(\d{1,6})\])?-(\d{1,4})(?:\[(\d{1,6})\])?(?:\.(\d{1,4})(?:\.(\d{1,4}))?)?$/;

/** Parses a place; `undefined` if it is malformed. */
export function parsePath(text: string): Path | undefined {
  const match = SHAPE.exec(text.trim().toUpperCase());
  if (match === null) return undefined;
  const numbers = {
    occurrence: match[2],
    field: match[3],
    repetition: match[4],
    component: match[5],
    subcomponent: match[6],
  };
  const given = Object.entries(numbers).filter(([, digits]) => digits !== undefined)
    .map(([name, digits]) => [name, Number(digits)] as const);
  if (given.some(([, number]) => number < 1)) return undefined;
  return { segment: match[1]!, field: Number(match[3]), ...Object.fromEntries(given) };
}

/**
 * Yields the values at a place, in the order of the message, without empty ones. They are divided one by one, so that a
 * field with many repetitions takes no more memory than its text.
 */
export function* valuesAt(
  segments: Iterable<SegmentText>,
  path: Path,
  separators: Separators,
): Generator<PlacedValue> {
  const escapes: EscapeBudget = { left: MAX_PARTS };
  for (const { id, occurrence, field } of segments) {
    if (id !== path.segment) continue;
    if (path.occurrence !== undefined && occurrence !== path.occurrence) continue;
    const found = field(path.field);
    if (found === undefined || found.value === "") continue;
    const place = `${id}[${occurrence}]-${path.field}`;
    if (path.repetition === undefined && path.component === undefined) {
      yield { path: place, value: found.value };
    } else if (!found.isWhole) {
      yield* inField(found.value, { path, place, separators, escapes });
    }
  }
}

/** Where values are looked for. */
interface Place {
  readonly path: Path;
  readonly place: string;
  readonly separators: Separators;
  readonly escapes: EscapeBudget;
}

function* inField(field: string, about: Place): Generator<PlacedValue> {
  const { path, place, separators } = about;
  let number = 0;
  for (const repetition of partsOf(field, separators.repetition)) {
    number++;
    if (path.repetition !== undefined && path.repetition !== number) continue;
    const found = inRepetition(repetition, { ...about, place: `${place}[${number}]` });
    if (found.value !== "") yield found;
  }
}

function inRepetition(value: string, { path, place, separators, escapes }: Place): PlacedValue {
  const { component, subcomponent } = path;
  if (component === undefined) return { path: place, value };
  const found = partAt(value, separators.component, component);
  const below = `${place}.${component}`;
  if (subcomponent === undefined) {
    return { path: below, value: unescapeText(found, separators, escapes) };
  }
  // An undivided component is its own first subcomponent.
  const part = partAt(found, separators.subcomponent, subcomponent);
  return { path: `${below}.${subcomponent}`, value: unescapeText(part, separators, escapes) };
}

/** Yields the parts of a text one by one. */
function* partsOf(text: string, separator: string): Generator<string> {
  let from = 0;
  for (let at; separator !== "" && (at = text.indexOf(separator, from)) >= 0; from = at + 1) {
    yield text.slice(from, at);
  }
  yield text.slice(from);
}

/** Returns the part with a number, counted from 1; empty if there are fewer. */
function partAt(text: string, separator: string, number: number): string {
  return splitAt(text, separator, number)[number - 1] ?? "";
}
