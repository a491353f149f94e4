/** No row of the specification is without a test, and no test that is named is missing. */
import { assert, assertEquals } from "@std/assert";
import { specificationRows } from "../../scripts/reference/specification.ts";

const ROOT = new URL("../../", import.meta.url);
/** Rows without a test, at most; to be lowered with them. */
const MOST_UNPROVED = 0;

/** Finds a title where it stands in quotes; its `…` is whatever is filled in there. */
function titleIn(source: string, title: string): boolean {
  const pattern = title.split("…").map((part) => RegExp.escape(part)).join(
    "(?:\\$\\{[^`]*?\\}|\\$\\w+|%s|…)",
  );
  return new RegExp(`(["'\`])${pattern}\\1`).test(source.replaceAll('\\"', '"'));
}

Deno.test("every row of the specification names a test, and every test that is named is there", async () => {
  const sources = new Map<string, string | undefined>();
  const missing: string[] = [];
  for (const { place, says, proofs, unproved } of specificationRows()) {
    if (proofs.length === 0 && unproved === undefined) missing.push(`${place}: ${says}`);
    for (const { file, title } of proofs) {
      if (!sources.has(file)) {
        const text = await Deno.readTextFile(new URL(file, ROOT)).catch(() => undefined);
        sources.set(file, text);
      }
      const source = sources.get(file);
      // What several test files have in common declares its tests in a file without the suffix.
      const isTest = /_test\.[jt]s$/.test(file) || source?.includes("Deno.test(");
      if (!isTest || source === undefined || !titleIn(source, title)) {
        missing.push(`${file}: ${title}`);
      }
    }
  }
  assertEquals([...new Set(missing)], []);
});

Deno.test("no row of the specification stands twice, and few are without a test", () => {
  const rows = specificationRows();
  const names = rows.map(({ place, says }) => `${place}: ${says}`);
  assertEquals(names.filter((name, index) => names.indexOf(name) !== index), []);
  const unproved = rows.filter((row) => row.unproved !== undefined);
  assert(unproved.every((row) => row.unproved!.length > 20));
  assert(unproved.length <= MOST_UNPROVED, `${unproved.length} rows are without a test`);
});
