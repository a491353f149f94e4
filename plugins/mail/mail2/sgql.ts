/**
 * Queries for contacts, a part of https://www.twilio.com/docs/sendgrid/for-developers/sending-email/segmentation-query-language:
 *
 * ```
 * email LIKE 'ada%' AND first_name = 'Ada' OR contact_id IN ('a', 'b') OR CONTAINS(list_ids, 'c')
 * ```
 *
 * @module
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";

/** Tests whether a contact matches a query. */
export type Matcher = (contact: JsonObject) => boolean;

/** Maximum characters of a query. */
const MAX_QUERY = 10_000;
const TEXT = "'((?:[^']|'')*)'";
const COMPARISON = new RegExp(`\\s*([a-z]\\w*)\\s*(=|!=|<>|NOT LIKE|LIKE)\\s*${TEXT}\\s*`, "iy");
const MEMBERSHIP = new RegExp(
  `\\s*([a-z]\\w*)\\s+IN\\s*\\(\\s*(${TEXT}(?:\\s*,\\s*${TEXT})*)\\s*\\)\\s*`,
  "iy",
);
const CONTAINS = new RegExp(`\\s*CONTAINS\\s*\\(\\s*([a-z]\\w*)\\s*,\\s*${TEXT}\\s*\\)\\s*`, "iy");
const JOINT = /(AND|OR)\b/iy;

/** Parses a query; `undefined` for unsupported syntax. `AND` binds tighter than `OR`. */
export function parseQuery(query: string): Matcher | undefined {
  if (query.length > MAX_QUERY) return undefined;
  const any: Matcher[][] = [[]];
  for (let at = 0;;) {
    const term = parseTerm(query, at);
    if (term === undefined) return undefined;
    any.at(-1)!.push(term.matcher);
    if (term.end === query.length) break;
    JOINT.lastIndex = term.end;
    const joint = JOINT.exec(query)?.[1];
    if (joint === undefined) return undefined;
    if (joint.toUpperCase() === "OR") any.push([]);
    at = JOINT.lastIndex;
  }
  return (contact) => any.some((all) => all.every((matches) => matches(contact)));
}

function parseTerm(query: string, at: number): { matcher: Matcher; end: number } | undefined {
  const compared = match(COMPARISON, query, at);
  if (compared !== undefined) {
    const [, name = "", operator = "", text = ""] = compared;
    return {
      matcher: toMatcher(name, operator.toUpperCase(), unquote(text)),
      end: COMPARISON.lastIndex,
    };
  }
  const contained = match(CONTAINS, query, at);
  if (contained !== undefined) {
    const [, name = "", text = ""] = contained;
    const matcher = (contact: JsonObject) => {
      const list = valueOf(contact, name);
      return Array.isArray(list) && list.includes(unquote(text));
    };
    return { matcher, end: CONTAINS.lastIndex };
  }
  const listed = match(MEMBERSHIP, query, at);
  if (listed === undefined) return undefined;
  const [, name = "", list = ""] = listed;
  const texts = [...list.matchAll(new RegExp(TEXT, "g"))].map(([, text = ""]) => unquote(text));
  return {
    matcher: (contact) => texts.includes(textOf(contact, name)),
    end: MEMBERSHIP.lastIndex,
  };
}

function match(pattern: RegExp, query: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(query) ?? undefined;
}

function toMatcher(name: string, operator: string, text: string): Matcher {
  switch (operator) {
    case "=":
      return (contact) => textOf(contact, name) === text;
    case "LIKE":
      return (contact) => isLike(textOf(contact, name), text);
    case "NOT LIKE":
      return (contact) => !isLike(textOf(contact, name), text);
    default:
      return (contact) => textOf(contact, name) !== text;
  }
}

/**
 * `%` matches any characters. Not a regular expression, which a hostile pattern could make slow.
 */
function isLike(text: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.toLowerCase().split("%");
  const last = rest.pop();
  const lower = text.toLowerCase();
  if (last === undefined) return lower === first;
  if (!lower.startsWith(first) || !lower.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = lower.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= lower.length - last.length;
}

function valueOf(contact: JsonObject, name: string): unknown {
  const key = [name, name.toLowerCase()].find((key) => Object.hasOwn(contact, key));
  return key === undefined ? undefined : contact[key];
}

/** An object, such as the custom fields, has no text to compare with. */
function textOf(contact: JsonObject, name: string): string {
  const value = valueOf(contact, name);
  return typeof value === "object" ? "" : String(value ?? "");
}

function unquote(text: string): string {
  return text.replaceAll("''", "'");
}
