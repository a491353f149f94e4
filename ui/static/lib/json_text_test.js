import { assertEquals } from "@std/assert";
import { printJson } from "./json_text.js";

const VALUE = { aps: { alert: { title: "Hi" }, badges: [1, { a: [] }] } };

/** @param {string} root @param {string} path @param {unknown} [value] */
function lineAt(root, path, value = VALUE) {
  const { text, spanOf } = printJson(value, root);
  const span = spanOf(path);
  return span && text.slice(span.start, span.end);
}

Deno.test("JSON is printed with a member to a line, as JSON.stringify does", () => {
  for (const value of [VALUE, [], {}, null, "a\n", [[1, 2], [{}]], { "a.b": { c: true } }]) {
    assertEquals(printJson(value, "x").text, JSON.stringify(value, null, 2));
  }
});

Deno.test("a path leads to its member, with or without a root", () => {
  assertEquals(lineAt("", "aps.alert.title"), '"title": "Hi"');
  assertEquals(lineAt("blocks", "blocks.aps.badges[1].a"), '"a": []');
  assertEquals(lineAt("blocks", "blocks[1].x", [0, { x: 5 }]), '"x": 5');
  assertEquals(lineAt("", "aps.badges[0]"), "1");
});

Deno.test("a member that is missing is shown at what it is missing from", () => {
  assertEquals(lineAt("", "aps.alert.body"), '"alert": {');
  assertEquals(lineAt("blocks", "blocks[1].image.alt", [0, { x: 5 }]), "{");
  assertEquals(lineAt("blocks", "blocks", []), "[]");
  assertEquals(lineAt("", "nowhere.at.all"), undefined);
});
