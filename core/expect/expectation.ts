import { DEFAULT_WAIT_MS, MAX_WAIT_COUNT, MAX_WAIT_MS } from "../events/wait.ts";
import { pluginOf } from "../http/filters.ts";
import { SharedSlice } from "../time_slice.ts";
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

/** Range of the number of matching events. */
export interface CountRange {
  /** 0 by default. */
  readonly min?: number;
  /** Unlimited by default. */
  readonly max?: number;
}

/** Expectation of events, captured already or within a time. */
export interface Expectation extends EventPattern {
  /** Name in reports, at most 200 characters. */
  readonly name?: string;
  /** Number of events that must match: exact, or a range. At least one by default. */
  readonly count?: number | CountRange;
  /** No event may match; the same as a count of 0. */
  readonly none?: boolean;
  /**
   * Events that must arrive in this order, with or without others in between. Conditions next to `order` apply to each.
   */
  readonly order?: readonly EventPattern[];
  /**
   * Longest wait in milliseconds, at most 60 000; 5000 by default. With only an upper bound: how long to watch; 0 by
   * default, which checks the current events.
   */
  readonly timeoutMs?: number;
}

/** A compiled expectation. */
export interface CompiledExpectation {
  readonly timeoutMs: number;
  readonly min: number;
  readonly max: number;
  /** One pattern, or the steps of an order. */
  readonly patterns: readonly CompiledPattern[];
  readonly inOrder: boolean;
}

const KEYS = ["name", ...PATTERN_KEYS, "count", "none", "order"];
/** Longest name, in characters. */
const MAX_NAME = 200;
const MAX_ORDER = 100;

/** Context of an expectation. */
export interface ExpectationContext extends Omit<PatternContext, "comes"> {
  /** Key of its timeout in milliseconds; `timeoutMs` by default. */
  readonly timeoutKey?: string;
}

/** Hundreds of clients with a hundred patterns each would block all others for seconds. */
const compiling = new SharedSlice();

/** Compiles an expectation. Throws `RangeError` with the fault and its place. */
export async function compileExpectation(
  expectation: unknown,
  { timeoutKey = "timeoutMs", ...context }: ExpectationContext,
): Promise<CompiledExpectation> {
  const whole = "the expectation";
  if (!isTable(expectation)) throw new RangeError(`Cannot use ${whole}: expected an object`);
  const plugin = pluginOf(expectation);
  const keys = [...KEYS, timeoutKey];
  checkPatternKeys(expectation, keys, { place: whole, plugin, ctx: context.ctx });
  const { name, count, none, order, [timeoutKey]: timeoutMs, ...pattern } = expectation;
  checkName(name);
  const steps = readOrder(order);
  const { min, max } = readCount(count, none);
  const comes = steps !== undefined || min > 0;
  const { compile } = await createCompiler([pattern, ...steps ?? []], { ...context, comes });
  const patterns = await compiling.run(function* () {
    const common = yield* compile(pattern, whole);
    if (steps === undefined) return [common];
    const narrowed: CompiledPattern[] = [];
    for (const [index, step] of steps.entries()) {
      narrowed.push(narrow(common, yield* compile(step, `order[${index}]`, plugin)));
      yield;
    }
    return narrowed;
  }());
  if (steps !== undefined && (count !== undefined || none !== undefined)) {
    throw new RangeError(
      "Cannot use count or none together with order: each entry of order is expected once",
    );
  }
  return {
    min,
    max,
    patterns,
    inOrder: steps !== undefined,
    timeoutMs: readTimeout(timeoutMs, comes ? DEFAULT_WAIT_MS : 0),
  };
}

function checkName(name: unknown): void {
  if (name === undefined || (typeof name === "string" && name.length <= MAX_NAME)) return;
  throw new RangeError(`Cannot use name: expected text of at most ${MAX_NAME} characters`);
}

function readOrder(order: unknown): readonly unknown[] | undefined {
  if (order === undefined) return undefined;
  if (Array.isArray(order) && order.length > 0 && order.length <= MAX_ORDER) return order;
  throw new RangeError(`Cannot use order: expected a list of 1 to ${MAX_ORDER} patterns`);
}

/** Combines both. If both name the same filter, the inner one wins. */
function narrow(common: CompiledPattern, step: CompiledPattern): CompiledPattern {
  const own = new Set(Object.keys(step.filter));
  const { plugin: _plugin, ...others } = common.filter;
  const isOther = common.impliesPlugin && step.filter.provider !== undefined;
  if (isOther) own.add("plugin");
  return {
    filter: { ...(isOther ? others : common.filter), ...step.filter },
    fields: [...common.fields.filter(({ path }) => !own.has(path)), ...step.fields],
    *match(event) {
      return (yield* common.match(event)) && (yield* step.match(event));
    },
    slow: common.slow || step.slow,
    impliesPlugin: false,
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
  throw new RangeError(`Cannot use the timeout: expected 0 to ${MAX_WAIT_MS} milliseconds`);
}
