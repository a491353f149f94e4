/**
 * Places in a message in their usual notation: `PID-3`, `PID-3.1`, `OBX[2]-5`, `PID-3[2].4.1`. Every number counts from
 * 1; a segment or repetition without a number means all of them.
 *
 * @module
 */
import type { Component, Field, Repetition, Segment } from "../model.ts";

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

/** Returns the values at a place, in the order of the message, without empty ones. */
export function valuesAt(segments: readonly Segment[], path: Path): PlacedValue[] {
  const found: PlacedValue[] = [];
  for (const segment of segments) {
    if (segment.id !== path.segment) continue;
    if (path.occurrence !== undefined && segment.occurrence !== path.occurrence) continue;
    const field = segment.fields[path.field - 1];
    if (field === undefined) continue;
    const place = `${segment.id}[${segment.occurrence}]-${path.field}`;
    // One by one: a field may have more repetitions than a call takes arguments.
    for (const value of inField(field, { path, place })) found.push(value);
  }
  return found.filter(({ value }) => value !== "");
}

function inField(field: Field, { path, place }: { path: Path; place: string }): PlacedValue[] {
  if (path.repetition === undefined && path.component === undefined) {
    return [{ path: place, value: field.value }];
  }
  return (field.repetitions ?? []).flatMap((repetition, at) => {
    if (path.repetition !== undefined && path.repetition !== at + 1) return [];
    return [inRepetition(repetition, { path, place: `${place}[${at + 1}]` })];
  });
}

function inRepetition(
  { value, components }: Repetition,
  { path: { component, subcomponent }, place }: { path: Path; place: string },
): PlacedValue {
  if (component === undefined) return { path: place, value };
  const found = components[component - 1];
  const path = `${place}.${component}`;
  if (subcomponent === undefined) return { path, value: found?.value ?? "" };
  return { path: `${path}.${subcomponent}`, value: subcomponentOf(found, subcomponent) };
}

/** An undivided component is its own first subcomponent. */
function subcomponentOf(component: Component | undefined, number: number): string {
  if (component?.subcomponents !== undefined) return component.subcomponents[number - 1] ?? "";
  return number === 1 ? component?.value ?? "" : "";
}
