import type { CapturedEvent, EventFilter } from "../events/event.ts";
import { matches } from "../events/query.ts";
import { didYouMean } from "../options/suggest.ts";
import { type Check, compileCondition, type Condition, hasPattern } from "./condition.ts";
import { namesBefore, parsePath, selectValues, type Step } from "./path.ts";
import { loadRegex, type TestText } from "./regex.ts";
import type { ExtractFrom } from "../extract/load.ts";
import { isExtracted, rootOf, ROOTS } from "./subject.ts";

/** Which events are meant; everything given must hold. */
export interface EventPattern extends EventFilter {
  /**
   * Conditions by place, such as `{ "payload.subject": { contains: "Welcome" }, "codes[0]": { regex: "^[0-9]{6}$" } }`.
   * A place that begins with none of the names of an event begins in its payload.
   */
  readonly match?: Readonly<Record<string, Condition>>;
}

/** One condition of a pattern, ready to be checked. */
export interface Field {
  /** As written. */
  readonly path: string;
  /** As written. */
  readonly wanted: unknown;
  /** What the event has there. */
  values(event: CapturedEvent): readonly unknown[];
  met(event: CapturedEvent): boolean;
  /** What could have been named instead, when nothing is there. */
  near(event: CapturedEvent): readonly string[];
}

/** A pattern ready to be checked. */
export interface CompiledPattern {
  readonly filter: EventFilter;
  /** The filter's conditions, then those of `match`. */
  readonly fields: readonly Field[];
  /** Whether an event that passes the filter meets the rest too. */
  match(event: CapturedEvent): boolean;
}

/** Makes patterns ready; what is slow to load is loaded before. */
export interface Compiler {
  compile(pattern: unknown, place: string): CompiledPattern;
}

/** Loads what the patterns need. */
export async function createCompiler(
  patterns: readonly unknown[],
  extract: ExtractFrom,
): Promise<Compiler> {
  const needsRegex = patterns.some((pattern) =>
    isTable(pattern) && isTable(pattern.match) && Object.values(pattern.match).some(hasPattern)
  );
  const toTest = needsRegex ? await loadRegex() : () => () => false;
  return { compile: (pattern, place) => compilePattern(pattern, { place, toTest, extract }) };
}

interface Around {
  readonly place: string;
  readonly toTest: (pattern: string) => TestText;
  readonly extract: ExtractFrom;
}

const TEXT_FILTERS = ["plugin", "provider", "namespace", "type", "search", "after"] as const;

/** Keys of a pattern. */
export const PATTERN_KEYS: readonly string[] = [...TEXT_FILTERS, "since", "match"];

function compilePattern(pattern: unknown, around: Around): CompiledPattern {
  const { place } = around;
  if (!isTable(pattern)) throw new RangeError(`Cannot use ${place}: expected an object`);
  checkKeys(pattern, PATTERN_KEYS, place);
  const filter = readFilter(pattern, place);
  const conditions = readFields(pattern.match, around);
  return {
    filter,
    fields: [...filterFields(filter), ...conditions],
    match: (event) => conditions.every((field) => field.met(event)),
  };
}

/** Throws `RangeError` for a key that means nothing, with what was probably meant. */
export function checkKeys(
  table: Readonly<Record<string, unknown>>,
  known: readonly string[],
  place: string,
): void {
  const unknown = Object.keys(table).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known, { what: "keys" });
  throw new RangeError(`Cannot use ${place}: unknown key "${unknown}"; ${hint}`);
}

function readFilter(pattern: Readonly<Record<string, unknown>>, place: string): EventFilter {
  const filter: Record<string, unknown> = {};
  for (const key of TEXT_FILTERS) {
    const value = pattern[key];
    if (value === undefined) continue;
    if (typeof value !== "string") {
      throw new RangeError(`Cannot use ${key} of ${place}: expected text`);
    }
    filter[key] = value;
  }
  const { since } = pattern;
  if (since !== undefined) {
    if (!(since instanceof Date) || Number.isNaN(since.getTime())) {
      throw new RangeError(`Cannot use since of ${place}: expected a moment`);
    }
    filter.since = since;
  }
  return filter;
}

function filterFields(filter: EventFilter): Field[] {
  return Object.entries(filter).map(([key, wanted]): Field => ({
    path: key,
    wanted: wanted instanceof Date ? wanted.toISOString() : wanted,
    values: (event) => [shownFor(key, event)],
    met: (event) => matches(event, { [key]: wanted }),
    near: () => [],
  }));
}

function shownFor(key: string, event: CapturedEvent): unknown {
  if (key === "search") return event.summary;
  if (key === "after") return event.id;
  if (key === "since") return event.received_at.toISOString();
  return event[key as "plugin" | "provider" | "namespace" | "type"];
}

/** What costs least to check comes first. */
function readFields(match: unknown, around: Around): Field[] {
  if (match === undefined) return [];
  if (!isTable(match)) {
    throw new RangeError(`Cannot use match of ${around.place}: expected conditions by path`);
  }
  return Object.entries(match).map(([path, condition]) => readField(path, condition, around))
    .toSorted((a, b) => a.cost - b.cost).map(({ field }) => field);
}

function readField(
  path: string,
  condition: unknown,
  { place, toTest, extract }: Around,
): { field: Field; cost: number } {
  const { root, steps } = readPlace(path);
  const check: Check = compileCondition(condition, `match["${path}"] of ${place}`, toTest);
  const values = (event: CapturedEvent) => selectValues(rootOf(event, root, extract), steps);
  const field: Field = {
    path,
    wanted: condition,
    values,
    met: (event) => check(values(event)),
    near: (event) => namesBefore(rootOf(event, root, extract), steps),
  };
  return { field, cost: Number(hasPattern(condition)) + Number(isExtracted(root)) };
}

function readPlace(path: string): { root: string; steps: readonly Step[] } {
  const [first, ...rest] = parsePath(path);
  if (first?.kind === "name" && ROOTS.includes(first.name)) {
    return { root: first.name, steps: rest };
  }
  return { root: "payload", steps: first === undefined ? rest : [first, ...rest] };
}

/** Whether a value is an object with named properties. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
