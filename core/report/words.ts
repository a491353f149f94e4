/** Texts shared by all report formats. */
import type { Finding } from "../checks/check.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { ExpectationRecord } from "../expect/history.ts";
import { isTable } from "../expect/pattern.ts";

/** Longest name made up for an expectation, in characters. */
const MAX_NAME = 160;

/** Returns the name of an expectation: its own, or its conditions in one line. */
export function nameOfExpectation({ name, expectation }: ExpectationRecord): string {
  if (name !== undefined && name.trim() !== "") return name;
  if (!isTable(expectation)) return "expectation";
  const { type, plugin, provider, match, count, none, order, timeout: _timeout, ...rest } =
    expectation;
  const words = [type, plugin, provider].filter((word) => typeof word === "string");
  const conditions = Object.entries({ ...rest, ...(isTable(match) ? match : {}) })
    .map(([path, wanted]) => `${path} = ${JSON.stringify(wanted)}`);
  const how = [
    ...(none === true ? ["none"] : []),
    ...(count === undefined ? [] : [`count ${JSON.stringify(count)}`]),
    ...(Array.isArray(order) ? [`${order.length} in order`] : []),
  ];
  const text = [words.join(" "), conditions.join(", "), how.join(", ")]
    .filter((part) => part !== "").join("; ");
  return text === "" ? "any event" : shortened(text, MAX_NAME);
}

/** Returns `html 3:14` or `headers subject`; `undefined` for a finding without a place. */
export function placeOf({ where }: Finding): string {
  if (where === undefined) return "";
  const { part, line, column, path } = where;
  if (path !== undefined) return `${part} ${path}`;
  return line === undefined ? part : `${part} ${line}:${column ?? 1}`;
}

/** Returns the title of an event, or its summary. */
export function titleOf({ summary_parts: { title }, summary }: Pick<
  CapturedEvent,
  "summary" | "summary_parts"
>): string {
  return title === undefined || title.trim() === "" ? summary : title;
}

/** Returns the title of an event and, where it has one, the beginning of its text: a row of a list. */
export function labelOf(
  { summary, summary_parts: { title = "", snippet = "", to = [] } }: Pick<
    CapturedEvent,
    "summary" | "summary_parts"
  >,
): { readonly title: string; readonly snippet: string } {
  // The title of a chat message is its channel, and that of a file its path, which have separate
  // columns.
  if (title.trim() === "" || to.includes(title)) return { title: snippet || summary, snippet: "" };
  return { title, snippet };
}

/** Shortens a text to a number of characters, and ends it with `…`. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Returns `1 event`, `2 events`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
