import { assertEquals } from "@std/assert";
import { spanOf, splitMarks } from "./marks.js";

/** @import { Finding } from "./types.d.ts" */

const TEXT = "<p>\n  Dear {{name}},\n</p>";

/** @param {number} line @param {number} column @param {string} marked */
const place = (line, column, marked) => ({ part: "html", line, column, marked });

Deno.test("a place is found by its line and column", () => {
  assertEquals(spanOf(TEXT, place(2, 8, "{{name}}")), { start: 11, end: 19 });
  assertEquals(spanOf(TEXT, place(1, 1, "<p>")), { start: 0, end: 3 });
});

Deno.test("a shortened place ends where it was cut", () => {
  assertEquals(spanOf(TEXT, place(2, 8, "{{na…")), { start: 11, end: 15 });
});

Deno.test("what is missing has an empty place, between others", () => {
  assertEquals(spanOf(TEXT, place(2, 3, "")), { start: 6, end: 6 });
  assertEquals(spanOf(TEXT, place(3, 5, "")), { start: 25, end: 25 });
  /** @type {Finding} */
  const missing = { id: "a", level: "info", message: "a" };
  /** @type {Finding} */
  const other = { id: "b", level: "info", message: "b" };
  const marks = [{ start: 2, end: 4, finding: other }, { start: 2, end: 2, finding: missing }];
  assertEquals(
    splitMarks("0123456", marks, missing).map(({ text, mark }) => [text, mark?.finding.id]),
    [["01", undefined], ["", "a"], ["23", "b"], ["456", undefined]],
  );
});

Deno.test("where the text is another one, the line is the place", () => {
  assertEquals(spanOf(TEXT, place(2, 3, "Grüße")), { start: 4, end: 20 });
  assertEquals(spanOf(TEXT, place(4, 1, "x")), undefined);
  assertEquals(spanOf(TEXT, { part: "blocks", path: "blocks[0]" }), undefined);
});

Deno.test("of overlapping places the current one stays", () => {
  /** @param {string} id @returns {Finding} */
  const finding = (id) => ({ id, level: "info", message: id });
  const [a, b, c] = [finding("a"), finding("b"), finding("c")];
  const marks = [
    { start: 0, end: 4, finding: a },
    { start: 2, end: 6, finding: b },
    { start: 7, end: 9, finding: c },
  ];
  /** @param {Finding | undefined} current */
  const pieces = (current) =>
    splitMarks("0123456789", marks, current).map(({ text, mark }) => [text, mark?.finding.id]);
  assertEquals(pieces(undefined), [
    ["0123", "a"],
    ["456", undefined],
    ["78", "c"],
    ["9", undefined],
  ]);
  assertEquals(pieces(b), [
    ["01", undefined],
    ["2345", "b"],
    ["6", undefined],
    ["78", "c"],
    ["9", undefined],
  ]);
});
