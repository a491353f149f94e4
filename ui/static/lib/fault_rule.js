/** A fault rule in the form, and as accepted by the API. */

/** @import { FaultOutcome, FaultRule } from "./types.d.ts" */

/**
 * One condition: `how` a value at a place is compared.
 * @typedef {{ readonly place: string, readonly how: keyof typeof HOW, readonly value: string }} Row
 */

/**
 * State of the form: the text of each field.
 * @typedef {object} Draft
 * @property {string} on
 * @property {readonly string[]} outcomes the first is empty for a delay alone
 * @property {boolean} inTurn whether a single outcome is for one hit only
 * @property {Readonly<Record<string, string>>} params
 * @property {readonly Row[]} match
 * @property {boolean} after
 * @property {Readonly<Record<typeof TEXTS[number] | typeof NUMBERS[number], string>>} fields
 */

const TEXTS = /** @type {const} */ (["name", "phase", "namespace", "seed", "delay", "ttl"]);
const NUMBERS = /** @type {const} */ (["skip", "times", "chance"]);

/** Ways to compare: operators of an expectation, with their labels. */
export const HOW = /** @type {const} */ ({
  equals: "is",
  contains: "contains",
  regex: "matches the pattern",
  exists: "is there",
  missing: "is missing",
  json: "as JSON",
});

/** @type {Draft["fields"]} */
const EMPTY = {
  ...{ name: "", phase: "", namespace: "", seed: "", delay: "", ttl: "" },
  ...{ skip: "", times: "", chance: "" },
};

/**
 * Returns the fields for a rule.
 * @param {FaultRule} rule
 * @returns {Draft}
 */
export function toDraft(rule) {
  const { on, outcome = [], with: params = {}, match = {}, after = false } = rule;
  const given = [...TEXTS, ...NUMBERS].flatMap((key) =>
    rule[key] === undefined ? [] : [[key, String(rule[key])]]
  );
  return {
    on,
    outcomes: typeof outcome === "string" ? [outcome] : outcome.length === 0 ? [""] : outcome,
    inTurn: typeof outcome !== "string" && outcome.length > 0,
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, textOf(value)]),
    ),
    match: Object.entries(match).map(([place, condition]) => toRow(place, condition)),
    after,
    fields: { ...EMPTY, ...Object.fromEntries(given) },
  };
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * @param {string} place
 * @param {unknown} condition
 * @returns {Row}
 */
function toRow(place, condition) {
  if (typeof condition === "string") return { place, how: "equals", value: condition };
  if (typeof condition === "object" && condition !== null && !Array.isArray(condition)) {
    const [[how, value] = [], ...more] = Object.entries(condition);
    if (more.length === 0) {
      if (how === "exists") return { place, how: value ? "exists" : "missing", value: "" };
      const isText = how === "equals" || how === "contains" || how === "regex";
      if (isText && typeof value === "string") return { place, how, value };
    }
  }
  return { place, how: "json", value: JSON.stringify(condition) };
}

/**
 * Returns the rule; invalid numbers stay text, which the API refuses by name.
 * @param {Draft} draft
 * @param {readonly FaultOutcome[]} known the outcomes of its place
 * @returns {FaultRule}
 * @throws {RangeError} if the conditions cannot be read
 */
export function toRule({ on, outcomes, inTurn, params, match, after, fields }, known) {
  const ids = outcomes.filter((id) => id !== "");
  const outcome = ids.length > 1 || inTurn ? ids : ids[0];
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const { name, schema } of paramsOf(known, ids)) {
    const text = params[name] ?? "";
    if (text !== "") given[name] = schema.type === "string" ? text : toValue(text);
  }
  const conditions = toMatch(match);
  /** @type {(readonly [string, unknown])[]} */
  const entries = [
    ["name", fields.name],
    ["phase", fields.phase],
    ["match", Object.keys(conditions).length === 0 ? "" : conditions],
    ["namespace", fields.namespace],
    ["skip", toValue(fields.skip)],
    ["outcome", ids.length === 0 ? "" : outcome],
    ["with", Object.keys(given).length === 0 ? "" : given],
    ["chance", toValue(fields.chance)],
    ["seed", fields.seed],
    ["times", toValue(fields.times)],
    ["delay", fields.delay],
    ["after", after || ""],
    ["ttl", fields.ttl],
  ];
  return { on, ...Object.fromEntries(entries.filter(([, value]) => value !== "")) };
}

/**
 * Returns a number for a numeric text, and any other text unchanged.
 * @param {string} text
 */
export function toValue(text) {
  return /^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
}

/**
 * @param {readonly Row[]} rows those without place and value are skipped
 * @returns {Record<string, unknown>}
 */
function toMatch(rows) {
  /** @type {Map<string, Record<string, unknown>>} */
  const found = new Map();
  for (const row of rows) {
    if (row.place === "" && row.value === "") continue;
    const operators = found.get(row.place) ?? {};
    for (const [operator, value] of Object.entries(operatorsOf(row))) {
      if (Object.hasOwn(operators, operator)) {
        throw new RangeError(`"${row.place}" has "${operator}" twice: both cannot be kept`);
      }
      operators[operator] = value;
    }
    found.set(row.place, operators);
  }
  return Object.fromEntries([...found].map(([place, operators]) => {
    const { equals, ...more } = operators;
    const isPlain = equals !== undefined && Object.keys(more).length === 0 &&
      (typeof equals !== "object" || equals === null);
    return [place, isPlain ? equals : operators];
  }));
}

/**
 * @param {Row} row
 * @returns {Record<string, unknown>}
 */
function operatorsOf({ place, how, value }) {
  if (how === "exists" || how === "missing") return { exists: how === "exists" };
  if (how !== "json") return { [how]: value };
  try {
    const read = JSON.parse(value);
    return typeof read === "object" && read !== null && !Array.isArray(read)
      ? read
      : { equals: read };
  } catch {
    throw new RangeError(
      `Cannot read the value of "${place}": expected JSON, such as 42 or {"not": "sent"}`,
    );
  }
}

/**
 * Returns the outcomes of a place, each id once; a plugin includes all of its providers.
 * @param {readonly FaultOutcome[]} all
 * @param {string} on
 */
export function outcomesAt(all, on) {
  const own = all.filter((outcome) => outcome.on === on || outcome.on.startsWith(`${on}/`));
  /** @type {Map<string, FaultOutcome>} */
  const found = new Map();
  for (const outcome of own) {
    const known = found.get(outcome.id);
    found.set(outcome.id, {
      ...outcome,
      ...known,
      phases: [...new Set([...known?.phases ?? [], ...outcome.phases])],
      params: { ...outcome.params, ...known?.params },
    });
  }
  return [...found.values()];
}

/**
 * Returns the phases that all of these outcomes have.
 * @param {readonly FaultOutcome[]} known
 * @param {readonly string[]} ids none: every phase
 */
export function phasesOf(known, ids) {
  const all = [...new Set(known.flatMap(({ phases }) => phases))];
  const chosen = known.filter(({ id }) => ids.includes(id));
  return all.filter((phase) => chosen.every(({ phases }) => phases.includes(phase)));
}

/**
 * Returns the parameters of these outcomes, each name once.
 * @param {readonly FaultOutcome[]} known
 * @param {readonly string[]} ids
 */
export function paramsOf(known, ids) {
  const chosen = known.filter(({ id }) => ids.includes(id));
  return Object.entries(Object.assign({}, ...chosen.map(({ params }) => params)))
    .map(([name, param]) => ({ name, .../** @type {FaultOutcome["params"][string]} */ (param) }));
}
