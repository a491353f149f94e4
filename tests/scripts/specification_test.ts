import { assert, assertEquals } from "@std/assert";
import { missingTests, specificationRows } from "../../scripts/reference/specification.ts";

Deno.test("every row of the specification names a test, and every named test exists", async () => {
  assertEquals(await missingTests(), []);
});

Deno.test("no row of the specification occurs twice", async () => {
  const rows = (await specificationRows()).map(({ place, says }) => `${place}: ${says}`);
  assertEquals(rows.filter((row, index) => rows.indexOf(row) !== index), []);
  assert(rows.length >= 438, `${rows.length} rows`);
});
