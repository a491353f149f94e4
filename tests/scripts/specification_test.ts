/** No row of the specification is without a test, and no test that is named is missing. */
import { assert, assertEquals } from "@std/assert";
import { missingProofs, specificationRows } from "../../scripts/reference/specification.ts";

/** Rows without a test, at most; to be lowered with them. */
const MOST_UNPROVED = 0;

Deno.test("every row of the specification names a test, and every test that is named is there", async () => {
  assertEquals(await missingProofs(), []);
});

Deno.test("no row of the specification stands twice, and few are without a test", () => {
  const rows = specificationRows();
  const names = rows.map(({ place, says }) => `${place}: ${says}`);
  assertEquals(names.filter((name, index) => names.indexOf(name) !== index), []);
  const unproved = rows.filter((row) => row.unproved !== undefined);
  assert(unproved.every((row) => row.unproved!.length > 20));
  assert(unproved.length <= MOST_UNPROVED, `${unproved.length} rows are without a test`);
});
