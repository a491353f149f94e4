import { parseDurationMs } from "../options/duration.ts";
import { ApiError } from "../errors.ts";
import { Type } from "../shape_type.ts";
import type { Param } from "./route.ts";

/** Text as given. */
export function text(about: string): Param<string | undefined> {
  return { about, schema: Type.String(), read: (value) => value ?? undefined };
}

/** `1 t true` or `0 f false`, any case. */
export function boolean(about: string): Param<boolean | undefined> {
  return {
    about,
    schema: Type.Boolean(),
    read(value, name) {
      if (value === null) return undefined;
      const word = value.toLowerCase();
      if (word === "1" || word === "t" || word === "true") return true;
      if (word === "0" || word === "f" || word === "false") return false;
      throw new ApiError(
        400,
        `Cannot read ${name} "${value}": expected one of 1, t, true, 0, f, false`,
      );
    },
  };
}

/** A whole number of at least zero. */
export function count(about: string): Param<number | undefined> {
  return {
    about,
    schema: Type.Integer({ minimum: 0 }),
    read(value, name) {
      if (value === null) return undefined;
      const number = /^\+?\d+$/.test(value) ? Number(value) : NaN;
      if (!Number.isSafeInteger(number)) {
        throw new ApiError(
          400,
          `Cannot read ${name} "${value}": expected an integer of at least 0`,
        );
      }
      return number;
    },
  };
}

/** One of a few words. */
export function word<const W extends readonly string[]>(
  about: string,
  words: W,
): Param<W[number] | undefined> {
  return {
    about,
    schema: Type.Union(words.map((value) => Type.Literal(value))),
    read(value, name) {
      if (value === null || words.includes(value)) return value ?? undefined;
      throw new ApiError(
        400,
        `Cannot read ${name} "${value}": expected one of ${words.join(", ")}`,
      );
    },
  };
}

/**
 * A duration in milliseconds: text such as `5s` or `300ms`, or a number of milliseconds; at most
 * `maxMs`.
 */
export function duration(about: string, maxMs: number): Param<number | undefined> {
  return {
    about,
    schema: Type.String({
      description: "A duration such as 5s or 300ms, or milliseconds",
      examples: ["5s", "300"],
    }),
    read: (value, name) => value === null ? undefined : readDurationMs(value, { name, maxMs }),
  };
}

/** Parses a value of `duration`. Throws `ApiError` 400 for anything else. */
export function readDurationMs(value: string, about: { name: string; maxMs: number }): number {
  const { name, maxMs } = about;
  const ms = /^\d+$/.test(value) ? Number(value) : parseDurationMs(value);
  if (ms !== undefined && ms <= maxMs) return ms;
  throw new ApiError(
    400,
    `Cannot read ${name} "${value}": expected a duration such as 5s or 300ms, or milliseconds, of at most ${maxMs} ms`,
  );
}

/** A time, which may be relative to the time of the request. */
export type Instant = (now: Date) => Date;

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** RFC 3339 timestamp, a duration back from now such as `5m` or `1h30m`, or unix milliseconds. */
export function instant(about: string): Param<Instant | undefined> {
  return {
    about,
    schema: Type.String({
      description: "RFC 3339 timestamp, a duration such as 5m, or unix milliseconds",
      examples: ["2026-01-31T12:00:00Z", "5m", "1769860800000"],
    }),
    read(value, name) {
      if (value === null) return undefined;
      const read = readInstant(value);
      if (read === undefined) {
        throw new ApiError(
          400,
          `Cannot read ${name} "${value}": expected an RFC 3339 timestamp, a duration such as 5m, or unix milliseconds`,
        );
      }
      return read;
    },
  };
}

function readInstant(value: string): Instant | undefined {
  if (/^\d+$/.test(value)) return fixed(Number(value));
  // In a query string `+` reads as a space, so an unescaped `+01:00` arrives as ` 01:00`.
  const stamp = value.replace(/ (?=\d{2}:\d{2}$)/, "+");
  if (RFC_3339.test(stamp)) return fixed(Date.parse(stamp));
  const agoMs = parseDurationMs(value);
  if (agoMs === undefined) return undefined;
  return (now) => new Date(now.getTime() - agoMs);
}

function fixed(ms: number): Instant | undefined {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? undefined : () => date;
}
