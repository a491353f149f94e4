import { assertEquals, assertThrows } from "@std/assert";
import { addItem, addRow, inChangelog, inPage, inReadme } from "../../scripts/scaffold/rows.ts";

const LISTED = { id: "sms99", plugin: "sms", vendor: "Acme", path: "/acme/send" };

/** Returns the lines that were added. */
function added(before: string, after: string): readonly string[] {
  const left = before.split("\n");
  const lines = after.split("\n").filter((line) => line !== left[0] || left.shift() === undefined);
  assertEquals(left, [], "nothing is removed, and the order stays");
  return lines;
}

const TABLE = "x\n\n| Name | Use |\n| - | - |\n| a1 | 1 |\n| a2 | 2 |\n| b1 | 3 |\n\ny";

Deno.test("a row goes after the last one that matches, before a last one, or to the end", () => {
  const add = (place: { after?: RegExp; before?: RegExp }): readonly string[] =>
    addRow(TABLE, ["Name", "Use"], { cells: ["n", "0"], ...place }).split("\n").slice(4, 8);
  assertEquals(add({ after: /^\| a/ }), ["| a1 | 1 |", "| a2 | 2 |", "| n | 0 |", "| b1 | 3 |"]);
  assertEquals(add({ before: /b1/ }), ["| a1 | 1 |", "| a2 | 2 |", "| n | 0 |", "| b1 | 3 |"]);
  for (const place of [{}, { after: /c/ }, { before: /a1/ }]) {
    assertEquals(add(place).at(-1), "| n | 0 |");
  }
  assertThrows(() => addRow(TABLE, ["Use"], { cells: [] }), Error, "no table with Use");
});

Deno.test("an item goes after the last one that matches, in its section", () => {
  const list = "# A\n\n- one (x1),\n  more\n- two\n\n# B\n\n- three (x2)\n";
  const add = (heading: string, after: RegExp): string =>
    addItem(list, { item: "new", after, heading });
  assertEquals(add("# A", /\(x\d\)/), list.replace("- two", "- new\n- two"));
  assertEquals(add("# B", /\(x\d\)/), list.replace("- three (x2)\n", "- three (x2)\n- new\n"));
  assertEquals(add("# A", /none/), list.replace("# A\n", "# A\n\n- new\n"));
  assertThrows(() => add("# C", /x/), Error, 'no heading "# C"');
});

Deno.test("a new provider is listed beside the others of its plugin", async () => {
  const read = (path: string) => Deno.readTextFile(new URL(`../../${path}`, import.meta.url));
  const readme = await read("README.md");
  assertEquals(added(readme, inReadme(readme, LISTED)), [
    "| sms99 | Acme API | `POST http://localhost:8822/acme/send` |",
    "| Acme | sending a message | everything else |",
  ]);
  const sms = await read("docs/sms.md");
  assertEquals(added(sms, inPage(sms, LISTED)), [
    "| sms99 (Acme) | sending a message | everything else |",
  ]);
  const mail = await read("docs/mail.md");
  assertEquals(added(mail, inPage(mail, { ...LISTED, id: "mail99", plugin: "mail" })), [
    "| mail99 | Acme | sending a message | everything else |",
  ]);
  const changes = await read("CHANGELOG.md");
  const changed = inChangelog(changes, LISTED);
  assertEquals(added(changes, changed), ["- Acme (sms99): sending a message."]);
  const [before = ""] = changed.split("- Acme");
  assertEquals(/\(sms\d+\)/.test(before.slice(before.lastIndexOf("\n- "))), true);
});
