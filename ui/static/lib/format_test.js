import { assert, assertEquals } from "@std/assert";
import {
  badgeCount,
  bucketOf,
  formatSize,
  formatUptime,
  initials,
  plural,
  relativeTime,
} from "./format.js";

const NOW = Date.parse("2026-03-10T12:00:00Z");

/** @type {readonly (readonly [string, string])[]} */
const TIMES = [
  ["2026-03-10T12:00:05Z", "now"],
  ["2026-03-10T11:59:51Z", "now"],
  ["2026-03-10T11:59:30Z", "30 s ago"],
  ["2026-03-10T11:56:01Z", "3 min ago"],
  ["2026-03-10T09:00:00Z", "3 h ago"],
  ["not a time", "not a time"],
];
for (const [iso, text] of TIMES) {
  Deno.test(`${iso} reads "${text}" at noon`, () => assertEquals(relativeTime(iso, NOW), text));
}

Deno.test("a day of another year has its year, and one to come is not now", () => {
  for (const iso of ["1970-02-04T00:00:00Z", "2030-06-15T00:00:00Z"]) {
    const text = relativeTime(iso, NOW);
    assert(text.includes(iso.slice(0, 4)), text);
  }
  for (const iso of ["2026-01-15T00:00:00Z", "2026-06-15T00:00:00Z"]) {
    const text = relativeTime(iso, NOW);
    assert(text.includes("15") && !text.includes("2026"), text);
  }
});

/** @type {readonly (readonly [number, string])[]} */
const SIZES = [
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [99_900, "99.9 KB"],
  [100_000, "100 KB"],
  [999_600, "1.0 MB"],
  [5_250_000_000_000, "5250 GB"],
];
for (const [bytes, text] of SIZES) {
  Deno.test(`${bytes} bytes read "${text}"`, () => assertEquals(formatSize(bytes), text));
}

Deno.test("uptime has at most two units", () => {
  assertEquals([40, 720, 7500, 270_000].map(formatUptime), [
    "40 s",
    "12 min",
    "2 h 5 min",
    "3 d 3 h",
  ]);
});

Deno.test("an avatar has the first letters of a name, in any script", () => {
  const names = ["Ada Lovelace", "ada@example.com", "日本語 太郎", "(:", "🎉 party", "a b c"];
  assertEquals(names.map(initials), ["AL", "A", "日太", "?", "P", "AB"]);
});

Deno.test("counts are words that fit", () => {
  assertEquals([badgeCount(999), badgeCount(1000)], ["999", "999+"]);
  assertEquals([plural(1, "mail"), plural(2000, "mail")], ["1 mail", "2,000 mails"]);
});

Deno.test("the same text always falls into the same bucket", () => {
  assertEquals(bucketOf("ada@example.com", 6), bucketOf("ada@example.com", 6));
  for (const text of ["", "a", "b".repeat(10_000)]) {
    const bucket = bucketOf(text, 6);
    assertEquals(bucket >= 0 && bucket < 6 && Number.isInteger(bucket), true);
  }
});
