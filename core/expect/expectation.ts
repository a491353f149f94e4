import { DEFAULT_WAIT_MS, MAX_WAIT_COUNT, MAX_WAIT_MS } from "../events/wait.ts";
import { pluginOf } from "../http/filters.ts";
import {
  checkKeys,
  checkPatternKeys,
  type CompiledPattern,
  createCompiler,
  type EventPattern,
  isTable,
  PATTERN_KEYS,
  type PatternContext,
} from "./pattern.ts";

/** How many events may fit. */
export interface CountRange {
  /** 0 unless given. */
  readonly min?: number;
  /** Any number unless given. */
  readonly max?: number;
}

/** What is expected of the events that were captured, or will be within a time. */
export interface Expectation extends EventPattern {
  /** How many must fit: exactly so many, or a range. At least one unless given. */
  readonly count?: number | CountRange;
  /** None may fit; the same as a count of 0. */
  readonly none?: boolean;
  /** Events that must have come in this order, others between them or not. What stands beside `order` holds for each. */
  readonly order?: readonly EventPattern[];
  /**
   * Milliseconds until it must hold, at most 60 000; 5000 unless given. Where there is only an upper bound, how long
   * that is watched; 0 unless given, which looks at what is there now.
   */
  readonly timeoutMs?: number;
}

/** An expectation ready to be checked. */
export interface CompiledExpectation {
  readonly timeoutMs: number;
  readonly min: number;
  readonly max: number;
  /** One pattern, or those that come in order. */
  readonly patterns: readonly CompiledPattern[];
  readonly inOrder: boolean;
}

const KEYS = [...PATTERN_KEYS, "count", "none", "order"];
const MAX_ORDER = 100;

/** What an expectation is held against, and how it is written. */
export interface ExpectationContext extends Omit<PatternContext, "comes"> {
  /** Key of its time-out, which is in milliseconds; `timeoutMs` unless given. */
  readonly timeoutKey?: string;
}

/** Reads an expectation. Throws `RangeError` that says what is wrong, and where. */
export async function compileExpectation(
  expectation: unknown,
  { timeoutKey = "timeoutMs", ...context }: ExpectationContext,
): Promise<CompiledExpectation> {
  const whole = "the expectation";
  if (!isTable(expectation)) throw new RangeError(`Cannot use ${whole}: expected an object`);
  const plugin = pluginOf(expectation);
  const keys = [...KEYS, timeoutKey];
  checkPatternKeys(expectation, keys, { place: whole, plugin, ctx: context.ctx });
  const { count, none, order, [timeoutKey]: timeoutMs, ...pattern } = expectation;
  const steps = readOrder(order);
  const { min, max } = readCount(count, none);
  const comes = steps !== undefined || min > 0;
  const { compile } = await createCompiler([pattern, ...steps ?? []], { ...context, comes });
  const common = compile(pattern, whole);
  const patterns = steps === undefined
    ? [common]
    : steps.map((step, index) => narrow(common, compile(step, `order[${index}]`, plugin)));
  if (steps !== undefined && (count !== undefined || none !== undefined)) {
    throw new RangeError("Cannot use count or none beside order: each of the order comes once");
  }
  return {
    min,
    max,
    patterns,
    inOrder: steps !== undefined,
    timeoutMs: readTimeout(timeoutMs, comes ? DEFAULT_WAIT_MS : 0),
  };
}

function readOrder(order: unknown): readonly unknown[] | undefined {
  if (order === undefined) return undefined;
  if (Array.isArray(order) && order.length > 0 && order.length <= MAX_ORDER) return order;
  throw new RangeError(`Cannot use order: expected a list of 1 to ${MAX_ORDER} patterns`);
}

/** Both hold. Where both name the same filter, the narrower place decides. */
function narrow(common: CompiledPattern, step: CompiledPattern): CompiledPattern {
  const own = new Set(Object.keys(step.filter));
  return {
    filter: { ...common.filter, ...step.filter },
    fields: [...common.fields.filter(({ path }) => !own.has(path)), ...step.fields],
    *match(event) {
      return (yield* common.match(event)) && (yield* step.match(event));
    },
    slow: common.slow || step.slow,
  };
}

function readCount(count: unknown, none: unknown): { min: number; max: number } {
  if (none !== undefined && typeof none !== "boolean") {
    throw new RangeError("Cannot use none: expected true or false");
  }
  if (none === true) {
    if (count !== undefined && count !== 0) {
      throw new RangeError("Cannot use none and count together: none is a count of 0");
    }
    return { min: 0, max: 0 };
  }
  if (count === undefined) return { min: 1, max: Infinity };
  if (!isTable(count)) return { min: readBound(count), max: readBound(count) };
  checkKeys(count, ["min", "max"], "count");
  const min = count.min === undefined ? 0 : readBound(count.min);
  const max = count.max === undefined ? Infinity : readBound(count.max);
  if (min > max || count.min === undefined && count.max === undefined) {
    throw new RangeError(`Cannot use count: expected a min of at most its max`);
  }
  return { min, max };
}

function readBound(count: unknown): number {
  if (Number.isInteger(count) && Number(count) >= 0 && Number(count) <= MAX_WAIT_COUNT) {
    return Number(count);
  }
  throw new RangeError(
    `Cannot use count: expected an integer from 0 to ${MAX_WAIT_COUNT}, or an object with min and max`,
  );
}

function readTimeout(timeoutMs: unknown, fallback: number): number {
  if (timeoutMs === undefined) return fallback;
  if (typeof timeoutMs === "number" && timeoutMs >= 0 && timeoutMs <= MAX_WAIT_MS) return timeoutMs;
  throw new RangeError(`Cannot use the time-out: expected 0 to ${MAX_WAIT_MS} milliseconds`);
}
