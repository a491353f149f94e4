import { assertEquals } from "@std/assert";
import { aboutText } from "./summary.js";

/** @type {readonly (readonly [title: string, snippet: string, about: string])[]} */
const ROWS = [
  ["box/a key.txt", "stored s3://box/a key.txt (2048 bytes)", "ada · stored, 2.0 KB"],
  ["box/a (1).txt", "deleted s3://box/a (1).txt", "ada · deleted"],
  ["box", "created bucket s3://box", "ada · created bucket"],
  ["/in/a.csv", "uploaded /in/a.csv (5 B)", "ada · uploaded, 5 B"],
  ["/in/b.csv", "renamed /in/a.csv to /in/b.csv", "ada · renamed /in/a.csv to /in/b.csv"],
  [
    "box/b",
    "copied s3://box/a to s3://box/b (5 bytes)",
    "ada · copied s3://box/a to s3://box/b (5 bytes)",
  ],
  ["Welcome", "Dear Welcome", "ada · Dear Welcome"],
];
for (const [title, snippet, about] of ROWS) {
  Deno.test(`below "${title}", a row has "${about}"`, () => {
    const event = /** @type {import("./types.d.ts").EventRecord} */ (/** @type {unknown} */ ({
      plugin: "s3",
      type: "s3.object.put",
      summary_parts: { from: "ada", title, snippet },
    }));
    assertEquals(aboutText(event), about);
  });
}
