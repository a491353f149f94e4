import { assertEquals, assertThrows } from "@std/assert";
import { ApiError } from "../errors.ts";
import { parseDurationMs } from "../options/duration.ts";
import { boolean, count, instant } from "./params.ts";

const now = new Date("2026-01-31T12:00:00.000Z");

for (
  const [text, expected] of [
    ["2026-01-31T11:00:00Z", "2026-01-31T11:00:00.000Z"],
    ["2026-01-31T11:00:00.123456789Z", "2026-01-31T11:00:00.123Z"],
    ["2026-01-31t11:00:00z", "2026-01-31T11:00:00.000Z"],
    ["2026-01-31T12:00:00+01:00", "2026-01-31T11:00:00.000Z"],
    ["2026-01-31T12:00:00 01:00", "2026-01-31T11:00:00.000Z"],
    ["5m", "2026-01-31T11:55:00.000Z"],
    ["1h30m", "2026-01-31T10:30:00.000Z"],
    ["300ms", "2026-01-31T11:59:59.700Z"],
    ["1.5h", "2026-01-31T10:30:00.000Z"],
    ["0", "1970-01-01T00:00:00.000Z"],
    ["1769860800000", "2026-01-31T12:00:00.000Z"],
  ] as const
) {
  Deno.test(`since reads ${text}`, () => {
    assertEquals(instant("").read(text, "since")?.(now).toISOString(), expected);
  });
}

for (
  const text of [
    "yesterday",
    "2026-01-31",
    "2026-02-30T25:00:00Z",
    "5 minutes",
    "-5m",
    "m",
    "5mm",
    "99999999999999999",
    "1e3",
  ]
) {
  Deno.test(`since refuses ${text}`, () => {
    const error = assertThrows(() => instant("").read(text, "since"), ApiError);
    assertEquals(error.status, 400);
  });
}

Deno.test("a duration adds up its parts, and anything else is invalid", () => {
  assertEquals(parseDurationMs("1h2m3s4ms"), 3_723_004);
  assertEquals(parseDurationMs(""), undefined);
  assertEquals(parseDurationMs("1h "), undefined);
});

Deno.test("booleans take the short and the long words in any case", () => {
  for (const word of ["1", "t", "TRUE", "True"]) {
    assertEquals(boolean("").read(word, "b"), true);
  }
  for (const word of ["0", "F", "false"]) assertEquals(boolean("").read(word, "b"), false);
  assertEquals(boolean("").read(null, "b"), undefined);
  for (const word of ["yes", "2", "on", " true"]) {
    assertThrows(() => boolean("").read(word, "b"), ApiError);
  }
});

Deno.test("counts are integers of at least zero", () => {
  assertEquals(count("").read("0", "limit"), 0);
  assertEquals(count("").read("25", "limit"), 25);
  for (const word of ["-1", "1.5", "x", "99999999999999999999"]) {
    assertThrows(() => count("").read(word, "limit"), ApiError);
  }
});
