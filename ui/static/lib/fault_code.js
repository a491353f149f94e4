/** A rule of a fault as code to copy: for the configuration file, a shell, and a test. */
import { shellQuote } from "./curl.js";
import { literal } from "./quote.js";

/** @import { FaultRecord, FaultRule, SnippetInfo } from "./types.d.ts" */

/**
 * Syntax of a language for JSON values.
 * @typedef {{ readonly key: (name: string) => string, readonly sign: string, readonly nothing: string }} Style
 */

/** @param {string} name */
const tomlKey = (name) => /^[\w-]+$/.test(name) ? name : literal(name);
/** @param {string} name */
const jsKey = (name) =>
  name === "__proto__" ? '["__proto__"]' : /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name);

/** @type {Style} */
const TOML = { key: tomlKey, sign: " = ", nothing: "" };
/** @type {Style} */
const JS = { key: jsKey, sign: ": ", nothing: "null" };

/**
 * @param {unknown} value
 * @param {Style} style
 * @returns {string} on one line
 */
function write(value, style) {
  if (value === null) return style.nothing;
  if (typeof value === "string") return literal(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, style)).join(", ")}]`;
  if (typeof value !== "object") return String(value);
  const pairs = pairsOf(/** @type {object} */ (value), style);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

/**
 * @param {object} value
 * @param {Style} style
 */
function pairsOf(value, style) {
  return Object.entries(value).map(([name, item]) =>
    `${style.key(name)}${style.sign}${write(item, style)}`
  );
}

/** @param {unknown} value @returns {boolean} */
function hasNull(value) {
  return value === null || typeof value === "object" && Object.values(value).some(hasNull);
}

/**
 * Returns a table of the configuration file.
 * @param {FaultRule} rule
 */
export function toToml(rule) {
  if (hasNull(rule)) return "# TOML has no null: add this rule over the API, or with the client.";
  return ["[[faults]]", ...pairsOf(rule, TOML)].join("\n");
}

/**
 * Returns the rule in three languages.
 * @param {FaultRule} rule
 * @param {string} origin such as `http://localhost:8811`
 * @returns {readonly SnippetInfo[]}
 */
export function faultSnippets(rule, origin) {
  const json = write(rule, { key: literal, sign: ": ", nothing: "null" });
  const object = pairsOf(rule, JS).map((pair) => `  ${pair},\n`).join("");
  return [
    { title: "TOML", lang: "toml", code: toToml(rule) },
    {
      title: "curl",
      lang: "sh",
      code: [
        `curl ${shellQuote(`${origin}/api/v1/faults`)}`,
        "-H 'content-type: application/json'",
        `--data-binary ${shellQuote(json)}`,
      ].join(" \\\n  "),
    },
    {
      title: "TypeScript",
      lang: "ts",
      code: `import { connect } from "@standin/client";

const standin = connect(${literal(origin)});
await using fault = await standin.fault({
${object}});
// Run the tested code here; the fault ends with the block.
console.log(await fault.hits());`,
    },
  ];
}

/**
 * Returns the rule of a fault as it was given; a name equal to the outcome is omitted.
 * @param {FaultRecord} fault
 * @returns {FaultRule}
 */
export function ruleOf(
  { id: _id, hits: _hits, matches: _matches, from: _from, spent: _spent, ...rule },
) {
  const { name, ...rest } = rule;
  const usual = (typeof rule.outcome === "string" ? rule.outcome : rule.outcome?.[0]) ?? "delay";
  return name === usual ? rest : rule;
}
