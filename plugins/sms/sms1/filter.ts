/** Filters of the vendor's message list. */
import type { SmsEvent } from "../views.ts";
import { badParameter, type Read } from "./fault.ts";

/** Which messages a list call asks for. */
export interface ListFilter {
  matches(event: SmsEvent): boolean;
  /** The parameters as given, for the links between pages. */
  readonly kept: readonly (readonly [name: string, value: string])[];
}

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads `To`, `From`, `DateSent`, `DateSent<` and `DateSent>`; clients send the last two as `DateSent>=<date>`, whose
 * name is literally `DateSent>`. No message is ever sent, so the dates are compared with its creation.
 */
export function readFilter(query: URLSearchParams): Read<ListFilter> {
  const kept: (readonly [string, string])[] = [];
  const tests: ((event: SmsEvent) => boolean)[] = [];
  for (const name of ["To", "From", "DateSent", "DateSent<", "DateSent>"] as const) {
    const value = query.get(name) ?? "";
    if (value === "") continue;
    kept.push([name, value]);
    if (name === "To" || name === "From") {
      // A "+" that was not escaped arrives as a space.
      const number = value.replace(/^ /, "+");
      const property = name === "To" ? "to" : "from";
      tests.push(({ payload }) => payload[property] === number);
      continue;
    }
    const instantMs = Date.parse(value);
    if (Number.isNaN(instantMs)) {
      return { ok: false, fault: badParameter(name, "expected a date as YYYY-MM-DD") };
    }
    tests.push(dateTest(name, DATE.test(value) ? instantMs : Math.floor(instantMs / 1000) * 1000));
  }
  return {
    ok: true,
    value: { kept, matches: (event) => tests.every((test) => test(event)) },
  };
}

/** Times are compared in whole seconds, which is all that a client gets to see of them. */
function dateTest(
  name: "DateSent" | "DateSent<" | "DateSent>",
  instantMs: number,
): (event: SmsEvent) => boolean {
  const secondOf = (event: SmsEvent) => Math.floor(event.received_at.getTime() / 1000) * 1000;
  if (name === "DateSent<") return (event) => secondOf(event) <= instantMs;
  if (name === "DateSent>") return (event) => secondOf(event) >= instantMs;
  const dayMs = Math.floor(instantMs / DAY_MS) * DAY_MS;
  return (event) => secondOf(event) >= dayMs && secondOf(event) < dayMs + DAY_MS;
}
