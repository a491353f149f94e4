import { compact } from "../compact.ts";
import { hasPattern } from "../expect/condition.ts";
import { isTable } from "../expect/pattern.ts";
import { quote } from "../options/given.ts";
import { boolean, integer, optionalDuration, optionalText } from "../options/spec.ts";
import { unknownName } from "../options/suggest.ts";
import { compileMatch } from "./match.ts";
import type { FaultRule } from "./model.ts";
import { type FaultOutcome, paramsOf } from "./outcome.ts";
import { type FaultPlace, resolvePlace } from "./places.ts";

/** A rule that was checked. */
export interface ReadRule {
  /** As given. */
  readonly rule: FaultRule;
  readonly name: string;
  /** Providers, each with the phase in which the rule applies. */
  readonly at: ReadonlyMap<string, string>;
  /** One for each hit, or one for all hits; none if the rule only delays. */
  readonly outcomes: readonly ReadOutcome[];
  /** Whether each outcome is for one hit. */
  readonly inTurn: boolean;
  readonly skip: number;
  readonly chance: number;
  readonly times: number;
  readonly delayMs: number;
  readonly ttlMs: number;
  /** Whether its conditions need the library for regular expressions. */
  readonly hasPattern: boolean;
}

/** One outcome with its parameters. */
export interface ReadOutcome {
  readonly id: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly passes?: FaultOutcome["passes"];
  readonly captures?: true;
}

const SPECS = {
  on: optionalText(""),
  name: optionalText(""),
  phase: optionalText(""),
  namespace: optionalText(""),
  seed: optionalText(""),
  skip: integer("", 0, { max: 1_000_000_000 }),
  times: integer("", 0, { min: 1, max: 1_000_000_000 }),
  delay: optionalDuration(""),
  ttl: optionalDuration(""),
  after: boolean("", false),
} as const;

/** Keys of a rule. */
const RULE_KEYS: readonly string[] = [
  ...["name", "on", "phase", "match", "namespace", "skip", "outcome", "with"],
  ...["chance", "seed", "times", "delay", "after", "ttl"],
];

/** Maximum delay, in milliseconds. */
const MAX_DELAY_MS = 600_000;
/** Longest name, in characters, and longest list of outcomes. */
const MAX_NAME = 200;
const MAX_TURNS = 1000;
/** Longest rule, in characters of its JSON: a thousand may be kept. */
const MAX_RULE = 16_384;

/** Reads a rule, which messages name by `place`. Throws `RangeError` that names the key and the nearest valid word. */
export function readRule(
  given: unknown,
  { place, places }: { place: string; places: readonly FaultPlace[] },
): ReadRule {
  const fail = (key: string, why: string): never => {
    throw new RangeError(`Cannot use ${key === "" ? "" : `${key} of `}${place}: ${why}`);
  };
  if (!isTable(given)) return fail("", "expected an object");
  const unknown = Object.keys(given).find((key) => !RULE_KEYS.includes(key));
  if (unknown !== undefined) fail("", unknownName("key", unknown, RULE_KEYS));
  if (JSON.stringify(given).length > MAX_RULE) {
    fail("", `at most ${MAX_RULE} characters are allowed`);
  }
  const value = <K extends keyof typeof SPECS>(key: K): ReturnType<typeof SPECS[K]["check"]> => {
    const spec = SPECS[key];
    if (given[key] === undefined) return spec.fallback as ReturnType<typeof SPECS[K]["check"]>;
    try {
      return spec.check(given[key]) as ReturnType<typeof SPECS[K]["check"]>;
    } catch (error) {
      if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
      return fail(key, `${error.message}, not ${quote(given[key])}`);
    }
  };
  const word = value("on") ?? fail("on", "it is missing; expected a provider such as mail/smtp");
  const on = resolvePlace(word, places);
  const name = value("name") ?? "";
  if (name.length > MAX_NAME) fail("name", `at most ${MAX_NAME} characters are allowed`);
  const delayMs = value("delay") ?? 0;
  if (delayMs > MAX_DELAY_MS) fail("delay", "expected at most 10m");
  const ids = outcomeIds(given.outcome, fail);
  if (ids.length === 0 && delayMs === 0) fail("outcome", "it is missing, and there is no delay");
  if (value("after") && ids.length === 0) fail("after", "there is no outcome to answer with");
  const { chance = 1 } = given;
  if (typeof chance !== "number" || !(chance > 0 && chance <= 1)) {
    return fail("chance", `expected a number above 0 and up to 1, not ${quote(chance)}`);
  }
  if (value("seed") !== undefined && given.chance === undefined) {
    fail("seed", "it has no effect without chance");
  }
  compileMatch(given.match, place);
  const { at, chosen } = placesOf({ on, ids, phase: value("phase"), places }, fail);
  if (value("after")) {
    const other = [...at].find(([id, phase]) => mainOf(placeOf(places, id)) !== phase);
    if (other !== undefined) {
      const main = mainOf(placeOf(places, other[0]));
      fail("after", `nothing is captured in phase "${other[1]}", only in "${main}"`);
    }
  }
  return {
    // The provider by its id, however it was named.
    rule: { ...given as unknown as FaultRule, on },
    name: name === "" ? ids[0] ?? "delay" : name,
    at,
    outcomes: readParams(given.with, { ids, chosen }, fail),
    inTurn: Array.isArray(given.outcome),
    skip: value("skip"),
    chance,
    times: given.times === undefined ? Infinity : value("times"),
    delayMs,
    ttlMs: value("ttl") ?? Infinity,
    hasPattern: isTable(given.match) && Object.values(given.match).some(hasPattern),
  };
}

type Fail = (key: string, why: string) => never;

function outcomeIds(given: unknown, fail: Fail): readonly string[] {
  if (given === undefined) return [];
  const list: unknown = typeof given === "string" ? [given] : given;
  const isList = Array.isArray(list) && list.length > 0 && list.length <= MAX_TURNS;
  if (isList && list.every((id) => typeof id === "string")) return list;
  return fail("outcome", `expected an outcome, or a list of 1 to ${MAX_TURNS}`);
}

function placeOf(places: readonly FaultPlace[], on: string): FaultPlace {
  return places.find((place) => place.on === on)!;
}

function mainOf(place: FaultPlace): string {
  return Object.keys(place.phases)[0]!;
}

/** The providers of a rule, each with the phase in which it applies. */
function placesOf(
  { on, ids, phase, places }: {
    on: string;
    ids: readonly string[];
    phase: string | undefined;
    places: readonly FaultPlace[];
  },
  fail: Fail,
): { readonly at: ReadonlyMap<string, string>; readonly chosen: readonly FaultPlace[] } {
  const named = places.filter((place) => place.on === on || place.on.startsWith(`${on}/`));
  if (named.length === 0) {
    const plugins = places.map((place) => place.on.slice(0, place.on.indexOf("/")));
    const known = [...new Set([...places.map((place) => place.on), ...plugins])];
    const others = places.flatMap(({ aliases }) => aliases);
    return fail("on", unknownName("provider", on, known, others));
  }
  const has = (id: string) => named.some(({ outcomes }) => outcomes.has(id));
  const unknown = ids.find((id) => !has(id));
  if (unknown !== undefined) {
    const known = [...new Set(named.flatMap(({ outcomes }) => [...outcomes.keys()]))];
    return fail("outcome", unknownName(`outcome of ${on}`, unknown, known));
  }
  if (phase !== undefined && !named.some(({ phases }) => Object.hasOwn(phases, phase))) {
    const known = [...new Set(named.flatMap(({ phases }) => Object.keys(phases)))];
    return fail("phase", unknownName(`phase of ${on}`, phase, known));
  }
  const chosen: FaultPlace[] = [];
  const at = new Map<string, string>();
  for (const place of named) {
    const found = phaseAt(place, ids, phase);
    if (found === undefined) continue;
    chosen.push(place);
    at.set(place.on, found);
  }
  if (chosen.length > 0) return { at, chosen };
  const where = named.flatMap(({ outcomes }) =>
    ids.flatMap((id) => outcomes.get(id)?.phases ?? [])
  );
  const what = phase === undefined ? "one phase" : `phase "${phase}"`;
  return fail(
    "outcome",
    `no provider has ${ids.join(", ")} in ${what}; phases with any of it are ${
      [...new Set(where)].join(", ")
    }`,
  );
}

/** The phase in which a provider has all these outcomes. */
function phaseAt(
  { outcomes, phases }: FaultPlace,
  ids: readonly string[],
  wanted: string | undefined,
): string | undefined {
  const own = ids.map((id) => outcomes.get(id)?.phases ?? []);
  const fits = (phase: string) => own.every((list) => list.includes(phase));
  if (wanted !== undefined) {
    return Object.hasOwn(phases, wanted) && fits(wanted) ? wanted : undefined;
  }
  const main = Object.keys(phases)[0]!;
  return fits(main) ? main : own[0]?.find(fits);
}

function readParams(
  given: unknown,
  { ids, chosen }: { ids: readonly string[]; chosen: readonly FaultPlace[] },
  fail: Fail,
): readonly ReadOutcome[] {
  if (given !== undefined && !isTable(given)) return fail("with", "expected an object");
  const specsOf = (id: string) =>
    Object.assign({}, ...chosen.map(({ outcomes }) => outcomes.get(id)?.params ?? {}));
  const all = ids.map((id) => ({ id, params: specsOf(id) }));
  const known = [...new Set(all.flatMap(({ params }) => Object.keys(params)))];
  for (const [key, value] of Object.entries(given ?? {})) {
    if (!known.includes(key)) {
      const what = ids.length === 0 ? "parameter" : `parameter of ${[...new Set(ids)].join(", ")}`;
      return fail(`with.${key}`, unknownName(what, key, known));
    }
    for (const { params } of all) {
      try {
        params[key]?.check(value);
      } catch (error) {
        if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
        return fail(`with.${key}`, `${error.message}, not ${quote(value)}`);
      }
    }
  }
  return all.map(({ id, params }) => {
    const own = chosen.map(({ outcomes }) => outcomes.get(id));
    const passes = own.map((outcome) => outcome?.passes).find(Boolean);
    const captures = own.map((outcome) => outcome?.captures).find(Boolean);
    return { id, with: paramsOf(params, given ?? {}), ...compact({ passes, captures }) };
  });
}
