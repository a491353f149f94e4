/** The helpers of dynamic templates: https://www.twilio.com/docs/sendgrid/for-developers/sending-email/using-handlebars */
import type { Helpers } from "../handlebars_call.ts";
import { isTrue } from "../template.ts";

/** Helpers by name, besides those of Handlebars. */
export const HELPERS: Helpers = {
  insert(value, fallback = "") {
    if (value !== undefined && value !== null && value !== "") return value;
    return String(fallback).replace(/^default=/, "");
  },
  formatDate: (date, format, offset) =>
    formatDate(date, typeof format === "string" ? format : "", offset),
  equals: (a, b) => isEqual(a, b),
  notEquals: (a, b) => !isEqual(a, b),
  greaterThan: (a, b) => compare(a, b) > 0,
  lessThan: (a, b) => compare(a, b) < 0,
  and: (...values) => values.every(isTrue),
  or: (...values) => values.some(isTrue),
  length: (value) => Array.isArray(value) || typeof value === "string" ? value.length : 0,
};

/** A number equals its text. */
function isEqual(a: unknown, b: unknown): boolean {
  const [left, right] = [a ?? undefined, b ?? undefined];
  if (typeof left === typeof right) return left === right;
  if (left === undefined || right === undefined) return false;
  if (typeof left === "object" || typeof right === "object") return false;
  return Number(left) === Number(right);
}

/** `NaN` for values that cannot be compared. */
function compare(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return toNumber(a) - toNumber(b);
}

/**
 * Lists and objects are not converted to numbers: their text may be long, and each comparison would
 * create it.
 */
function toNumber(value: unknown): number {
  return value === null || typeof value === "object" ? NaN : Number(value);
}

const MONTHS = ("January February March April May June July August September October November " +
  "December").split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
/** The tokens of moment.js that the vendor's page lists, and text in brackets, which stays. */
const TOKENS = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|Do|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|A|a|ZZ|Z/g;

/** Formats a date in UTC, or at an offset such as `-0800`; returns anything else unchanged. */
function formatDate(date: unknown, format: string, offset: unknown): unknown {
  if (typeof date === "object" && date !== null) return date;
  const time = typeof date === "number" ? date : Date.parse(String(date ?? ""));
  const minutes = toMinutes(offset);
  const at = new Date(time + minutes * 60_000);
  if (Number.isNaN(at.getTime())) return date;
  const sign = (minutes < 0 ? "-" : "+") + two(Math.floor(Math.abs(minutes) / 60));
  const [hours, day] = [at.getUTCHours(), at.getUTCDate()];
  const [month, weekday] = [MONTHS[at.getUTCMonth()]!, DAYS[at.getUTCDay()]!];
  const values: Readonly<Record<string, string | number>> = {
    YYYY: String(at.getUTCFullYear()).padStart(4, "0"),
    YY: two(at.getUTCFullYear() % 100),
    MMMM: month,
    MMM: month.slice(0, 3),
    MM: two(at.getUTCMonth() + 1),
    M: at.getUTCMonth() + 1,
    DD: two(day),
    Do: ordinal(day),
    D: day,
    dddd: weekday,
    ddd: weekday.slice(0, 3),
    HH: two(hours),
    H: hours,
    hh: two(hours % 12 || 12),
    h: hours % 12 || 12,
    mm: two(at.getUTCMinutes()),
    m: at.getUTCMinutes(),
    ss: two(at.getUTCSeconds()),
    s: at.getUTCSeconds(),
    A: hours < 12 ? "AM" : "PM",
    a: hours < 12 ? "am" : "pm",
    ZZ: sign + two(Math.abs(minutes) % 60),
    Z: `${sign}:${two(Math.abs(minutes) % 60)}`,
  };
  return format.replace(TOKENS, (token, kept) => kept ?? String(values[token]));
}

function toMinutes(offset: unknown): number {
  const match = typeof offset === "string" ? /^([+-])(\d{2}):?(\d{2})$/.exec(offset) : null;
  if (match === null) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function ordinal(day: number): string {
  const ending = day > 10 && day < 14 ? "th" : ["th", "st", "nd", "rd"][day % 10] ?? "th";
  return `${day}${ending}`;
}
