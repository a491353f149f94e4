import type { CapturedEvent, EventFilter } from "../events/event.ts";
import { type Steps, waitFor, type WaitingSteps } from "../bytes/steps.ts";
import type { Finding } from "../checks/model.ts";
import { compact } from "../compact.ts";
import { matches } from "../events/query.ts";
import { checkEventNames } from "../http/event_names.ts";
import {
  checkFilterNames,
  filterNames,
  type Fits,
  pluginOf,
  selectByValues,
} from "../http/filters.ts";
import type { RouteContext } from "../http/route.ts";
import { didYouMean } from "../options/suggest.ts";
import {
  type Check,
  compileCondition,
  type Condition,
  conditionsOf,
  hasPattern,
} from "./condition.ts";
import { namesBefore, parsePath, selectValues, type Step } from "./path.ts";
import { loadRegex, type TestText } from "./regex.ts";
import type { ExtractFrom } from "../extract/load.ts";
import { isExtracted, rawOf, rootOf, ROOTS, type Sources } from "./subject.ts";

/** Pattern of events; all conditions must hold. */
export interface EventPattern extends Omit<EventFilter, "afterSeq"> {
  /**
   * Conditions by path, such as `{ "payload.subject": { contains: "Welcome" }, "codes[0]": { regex: "^[0-9]{6}$" } }`. A
   * path whose first name is not a property of events begins in the payload. At most 200.
   */
  readonly match?: Readonly<Record<string, Condition>>;
}

/** One compiled condition of a pattern. */
export interface Field {
  /** As written. */
  readonly path: string;
  /** As written. */
  readonly wanted: unknown;
  /** Returns the values of an event that `met` has just looked at. */
  values(event: CapturedEvent): readonly unknown[];
  met(event: CapturedEvent): WaitingSteps<boolean>;
  /** Returns the existing names if there is no value. */
  near(event: CapturedEvent): readonly string[];
}

/** A compiled pattern. */
export interface CompiledPattern {
  readonly filter: EventFilter;
  /** The filter's conditions, then those of `match`. */
  readonly fields: readonly Field[];
  /** Returns whether an event that passes the filter meets the other conditions. */
  match(event: CapturedEvent): WaitingSteps<boolean>;
  /** Whether the check may be slow. */
  readonly slow: boolean;
  /** Whether the plugin of the filter is only implied by the vendor that it names. */
  readonly impliesPlugin: boolean;
}

/** Compiles patterns; slow libraries must be loaded first. */
export interface Compiler {
  /** `plugin` provides the filters if the pattern names none itself. Pauses at each condition. */
  compile(pattern: unknown, place: string, plugin?: string): Steps<CompiledPattern>;
}

/** Context of patterns. */
export interface PatternContext {
  readonly extract: ExtractFrom;
  /** Filters of the plugins. */
  readonly ctx: RouteContext;
  /** Whether events must come. */
  readonly comes: boolean;
}

/** Loads the libraries that the patterns need. */
export async function createCompiler(
  patterns: readonly unknown[],
  context: PatternContext,
): Promise<Compiler> {
  const needsRegex = patterns.some((pattern) =>
    isTable(pattern) && isTable(pattern.match) && Object.values(pattern.match).some(hasPattern)
  );
  const toTest = needsRegex ? await loadRegex() : () => () => false;
  return {
    compile: (pattern, place, plugin) =>
      compilePattern(pattern, { ...context, place, toTest, plugin }),
  };
}

interface FieldContext extends PatternContext {
  readonly place: string;
  readonly toTest: (pattern: string) => TestText;
  readonly plugin: string | undefined;
}

const TEXT_FILTERS = ["plugin", "provider", "namespace", "type", "search", "after"] as const;

/** Keys of a pattern. */
export const PATTERN_KEYS: readonly string[] = [...TEXT_FILTERS, "since", "match"];

function* compilePattern(pattern: unknown, context: FieldContext): Steps<CompiledPattern> {
  const { place } = context;
  if (!isTable(pattern)) throw new RangeError(`Cannot use ${place}: expected an object`);
  const plugin = pluginOf(pattern) ?? context.plugin;
  checkPatternKeys(pattern, PATTERN_KEYS, { ...context, plugin });
  const { after, ...others } = readFilter(pattern, place);
  const asked = { ...others, ...(after === undefined ? {} : context.ctx.events.behind(after)) };
  const names = checkEventNames(asked, { ...context, cannot: `Cannot use ${place}` });
  const filter: EventFilter = { ...asked, ...compact(names) };
  const own = readOwn(pattern, { ...context, plugin });
  const held = new HeldRaw();
  const conditions = yield* readFields(pattern.match, { ...context, held });
  return {
    filter,
    fields: [...filterFields(filter), ...own.fields, ...conditions],
    *match(event) {
      yield;
      if (own.fits?.(event) === false) return false;
      const isMet = yield* allMet(conditions, event);
      held.forget();
      return isMet;
    },
    slow: own.fits !== undefined || conditions.length > 0,
    impliesPlugin: names.plugin !== asked.plugin,
  };
}

function* allMet(conditions: readonly Field[], event: CapturedEvent): WaitingSteps<boolean> {
  for (const field of conditions) if (!(yield* field.met(event))) return false;
  return true;
}

/** Like {@link checkKeys}, for keys that may also be filters of a plugin. */
export function checkPatternKeys(
  pattern: Readonly<Record<string, unknown>>,
  known: readonly string[],
  { place, plugin, ctx: { filters } }: Pick<FieldContext, "place" | "plugin" | "ctx">,
): void {
  const names = Object.keys(pattern).filter((key) => pattern[key] !== undefined);
  checkFilterNames(names, { known, plugin, filters, what: "key", cannot: `Cannot use ${place}` });
}

/** The filters of the plugin, combined and, for a report, one by one. */
function readOwn(
  pattern: Readonly<Record<string, unknown>>,
  { plugin, ctx, place }: Pick<FieldContext, "place" | "plugin" | "ctx">,
): { readonly fields: readonly Field[]; readonly fits: Fits | undefined } {
  const given = filterNames(ctx.filters, plugin).filter((name) =>
    !PATTERN_KEYS.includes(name) && pattern[name] !== undefined
  );
  const select = (names: readonly string[]): Fits | undefined =>
    selectByValues(Object.fromEntries(names.map((name) => [name, pattern[name]])), { plugin, ctx });
  let fits: Fits | undefined;
  try {
    fits = select(given);
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`Cannot use ${place}: ${error.message}`);
    throw error;
  }
  const fields = given.map((name): Field => {
    const alone = selectAlone(() => select([name])) ?? fits;
    return {
      path: name,
      wanted: pattern[name],
      values: (event) => [event.summary],
      *met(event) {
        yield;
        return alone?.(event) !== false;
      },
      near: () => [],
    };
  });
  return { fields, fits };
}

/** Some filters need another one. */
function selectAlone(select: () => Fits | undefined): Fits | undefined {
  try {
    return select();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Throws `RangeError` for an unknown key, with the likely intended one. */
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
    *met(event) {
      yield;
      return matches(event, { [key]: wanted });
    },
    near: () => [],
  }));
}

function shownFor(key: string, event: CapturedEvent): unknown {
  if (key === "search") return event.summary;
  if (key === "after" || key === "afterSeq") return event.id;
  if (key === "since") return event.received_at.toISOString();
  return event[key as "plugin" | "provider" | "namespace" | "type"];
}

/** The cheapest checks come first. */
function* readFields(match: unknown, context: FieldContext & { held: HeldRaw }): Steps<Field[]> {
  const fields: { field: Field; cost: number }[] = [];
  for (const [path, condition] of conditionsOf(match, context.place)) {
    fields.push(readField(path, condition, context));
    yield;
  }
  return fields.toSorted((a, b) => a.cost - b.cost).map(({ field }) => field);
}

function readField(
  path: string,
  condition: unknown,
  { place, toTest, extract, ctx, held: heldRaw }: FieldContext & { held: HeldRaw },
): { field: Field; cost: number } {
  const { root, steps } = readPlace(path);
  const check: Check = compileCondition(condition, `match["${path}"] of ${place}`, toTest);
  const held = new HeldFindings((event) => ctx.findings(event));
  const sources: Sources = {
    extract,
    findings: (event) => held.of(event),
    raw: (event) => heldRaw.of(event),
  };
  const values = (event: CapturedEvent) => selectValues(rootOf(event, root, sources), steps);
  const field: Field = {
    path,
    wanted: condition,
    values,
    *met(event) {
      if (root === "checks") yield* held.load(event);
      return yield* check(values(event));
    },
    near: (event) => namesBefore(rootOf(event, root, sources), steps),
  };
  const cost = Number(hasPattern(condition)) + Number(isExtracted(root)) +
    2 * Number(root === "checks");
  return { field, cost };
}

/** Findings of the last event that a condition looked at. */
class HeldFindings {
  readonly #load: (event: CapturedEvent) => Promise<readonly Finding[]>;
  #last: { readonly id: string; readonly findings: readonly Finding[] } | undefined;

  constructor(load: (event: CapturedEvent) => Promise<readonly Finding[]>) {
    this.#load = load;
  }

  *load(event: CapturedEvent): WaitingSteps<void> {
    const findings = yield* waitFor(this.#load(event));
    this.#last = { id: event.id, findings };
  }

  of({ id }: CapturedEvent): readonly Finding[] {
    return this.#last?.id === id ? this.#last.findings : [];
  }
}

/** The request of the event that conditions look at, read once for all of them. */
class HeldRaw {
  #last: { readonly id: string; readonly raw: Readonly<Record<string, unknown>> } | undefined;

  of(event: CapturedEvent): Readonly<Record<string, unknown>> {
    if (this.#last?.id !== event.id) this.#last = { id: event.id, raw: rawOf(event) };
    return this.#last.raw;
  }

  /** While an expectation waits, it holds no text of a body. */
  forget(): void {
    this.#last = undefined;
  }
}

function readPlace(path: string): { root: string; steps: readonly Step[] } {
  const [first, ...rest] = parsePath(path);
  if (first?.kind === "name" && ROOTS.includes(first.name)) {
    return { root: first.name, steps: rest };
  }
  return { root: "payload", steps: first === undefined ? rest : [first, ...rest] };
}

/** Returns whether a value is an object with named properties. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
