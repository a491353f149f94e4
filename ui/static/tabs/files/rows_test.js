import { assertEquals } from "@std/assert";
import { entriesOf } from "./rows.js";

/** @param {string} path @param {Partial<import("./types.d.ts").Entry>} [more] */
const entry = (path, more = {}) => ({
  name: path.slice(path.lastIndexOf("/") + 1),
  path,
  dir: false,
  size: 0,
  mod_time: "2026-04-17T00:00:00Z",
  links: { self: "" },
  ...more,
});
const TREE = {
  path: "/in",
  breadcrumb: [],
  entries: [
    entry("/in/a", { dir: true }),
    entry("/in/z", { dir: true }),
    entry("/in/big", { size: 300, provider: "sftp", mod_time: "2026-04-19T00:00:00Z" }),
    entry("/in/small", { size: 2, provider: "ftp", mod_time: "2026-04-18T00:00:00Z" }),
  ],
  stats: { files: 2, dirs: 2, bytes: 302 },
};

for (
  const [order, names] of /** @type {const} */ ([
    ["", "a z big small"],
    ["name", "a z big small"],
    ["-name", "z a small big"],
    ["size", "a z small big"],
    ["-size", "z a big small"],
    ["by", "a z small big"],
    ["-modified", "z a big small"],
  ])
) {
  Deno.test(`in the order "${order}" directories come first: ${names}`, () => {
    const found = entriesOf(TREE, { search: "", order });
    assertEquals(found.map(({ entry }) => entry.name).join(" "), names);
  });
}

Deno.test("a search looks at paths below the directory, in any case", () => {
  const tree = { ...TREE, entries: [...TREE.entries, entry("/in/a/Report.pdf")] };
  const found = (/** @type {string} */ search) =>
    entriesOf(tree, { search, order: "" }).map(({ id }) => id);
  assertEquals(found("REPORT"), ["/in/a/Report.pdf"]);
  assertEquals(found("a/r"), ["/in/a/Report.pdf"]);
  assertEquals(found("in/"), []);
});
