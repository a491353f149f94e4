import type { WaitingSteps } from "../bytes/steps.ts";
import type { CapturedEvent, EventStore } from "../events/event.ts";
import type { CompiledPattern, Field } from "./pattern.ts";

/** One condition checked against one event. */
export interface FieldReport {
  /** Place or filter, as written in the expectation. */
  readonly path: string;
  /** As written in the expectation. */
  readonly wanted: unknown;
  /** Whether the event meets it. */
  readonly met: boolean;
  /** The actual value, shortened; absent if there is none. */
  readonly got?: unknown;
  /** Without a value: the existing names. */
  readonly near?: readonly string[];
}

/** The captured event closest to an expectation, and the differences. */
export interface NearMiss {
  /** It meets more conditions than any other. */
  readonly event: CapturedEvent;
  /** Every condition, in the order of the expectation. */
  readonly fields: readonly FieldReport[];
}

/** Newest events that are compared with a failed expectation. */
const CANDIDATES = 100;
/** Longest value shown, in characters of its JSON. */
const SHOWN = 500;

/** Returns the event that meets the most conditions without matching, the newest of several; nothing if none is held. */
export function* closestTo(
  pattern: CompiledPattern,
  events: EventStore,
  { after, except }: { after: CapturedEvent | undefined; except: ReadonlySet<string> },
): WaitingSteps<NearMiss | undefined> {
  let best: { event: CapturedEvent; score: number } | undefined;
  for (const event of candidates(events, pattern)) {
    if (except.has(event.id)) continue;
    let score = isLater(event, after) ? 0.5 : 0;
    for (const field of pattern.fields) if (yield* field.met(event)) score++;
    if (best === undefined || score > best.score) best = { event, score };
  }
  if (best === undefined) return undefined;
  const { event } = best;
  const fields: FieldReport[] = [];
  for (const field of pattern.fields) fields.push(yield* report(field, event));
  return { event, fields: [...fields, ...reportOrder(event, after)] };
}

/** Events of the same namespace, or of all if it has none, because then the namespace may be wrong. */
function candidates(
  events: EventStore,
  { filter: { namespace } }: CompiledPattern,
): CapturedEvent[] {
  const page = { limit: CANDIDATES };
  const own = namespace === undefined ? [] : events.list({ namespace }, page);
  return own.length > 0 ? own : events.list({}, page);
}

function isLater(event: CapturedEvent, after: CapturedEvent | undefined): boolean {
  return after === undefined || event.seq > after.seq;
}

function reportOrder(event: CapturedEvent, after: CapturedEvent | undefined): FieldReport[] {
  if (after === undefined) return [];
  const wanted = { after: `${after.type} ${after.id}` };
  const met = isLater(event, after);
  return [{ path: "order", wanted, met, got: met ? "after it" : "before it" }];
}

function* report(field: Field, event: CapturedEvent): WaitingSteps<FieldReport> {
  const { path, wanted } = field;
  const about = { path, wanted: shown(wanted), met: yield* field.met(event) };
  const values = field.values(event);
  if (values.length === 0) return { ...about, near: field.near(event) };
  return { ...about, got: shorten(values.length === 1 ? values[0] : values) };
}

/** A program's expression would be an empty object in JSON. */
function shown(wanted: unknown): unknown {
  if (typeof wanted !== "object" || wanted === null || !("regex" in wanted)) return wanted;
  return wanted.regex instanceof RegExp ? { ...wanted, regex: String(wanted.regex) } : wanted;
}

function shorten(value: unknown): unknown {
  if (typeof value === "string") return value.length <= SHOWN ? value : `${value.slice(0, SHOWN)}…`;
  const json = JSON.stringify(value) ?? "";
  return json.length <= SHOWN ? value : `${json.slice(0, SHOWN)}…`;
}

/** Formats the near miss. */
export function describeNearMiss({ event, fields }: NearMiss): string {
  const lines = fields.map(({ path, wanted, met, got, near }) => {
    if (met) return `  matches ${path}: ${JSON.stringify(got)}`;
    const have = got !== undefined
      ? JSON.stringify(got)
      : `nothing${near === undefined || near.length === 0 ? "" : `; there are ${near.join(", ")}`}`;
    return `  differs ${path}: expected ${JSON.stringify(wanted)}, got ${have}`;
  });
  const head = `closest is ${event.type} ${event.id} by ${event.provider}: ${event.summary}`;
  return [head, ...lines].join("\n");
}
