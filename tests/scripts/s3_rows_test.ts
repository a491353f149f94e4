/** The list of unmet rows may only become shorter. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);
/** Most rows without a test; lower it with the list. */
const MOST_NOT_MET = 3;
/** Rows about omissions, until tags and forms got their own rows (T and F). */
const RETIRED = ["Q12", "Q16"];

async function metRows(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { name } of Deno.readDir(new URL("tests/wire/", ROOT))) {
    if (!/^s3_rows_\w+_test\.ts$/.test(name)) continue;
    const text = await Deno.readTextFile(new URL(`tests/wire/${name}`, ROOT));
    ids.push(...[...text.matchAll(/\brow\(\s*"([A-Z]\d+) /g)].map((match) => match[1]!));
  }
  return ids;
}

async function rowsNotMet(): Promise<(readonly [id: string, what: string, why: string])[]> {
  const text = await Deno.readTextFile(new URL("docs/s3.md", ROOT));
  const rows = [...text.matchAll(/^\| ([A-Z]\d+) *\| (.+?) *\| (.+?) *\|$/gm)];
  return rows.map(([, id, what, why]) => [id!, what!, why!]);
}

Deno.test("every S3 row has a test or a listed reason, and none is missing", async () => {
  const missing = await rowsNotMet();
  const ids = [...await metRows(), ...missing.map(([id]) => id), ...RETIRED];
  assertEquals(ids.filter((id, index) => ids.indexOf(id) !== index), [], "These appear twice");
  for (const letter of "QESBLOMCDRFTGHVKW") {
    const numbers = ids.filter((id) => id.startsWith(letter)).map((id) => Number(id.slice(1)));
    const all = Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1);
    assertEquals(numbers.sort((a, b) => a - b), all, `Rows ${letter}`);
  }
  assertEquals(missing.filter(([, what, why]) => what.length < 20 || why.length < 20), []);
  assert(missing.length <= MOST_NOT_MET, `${missing.length} rows are not met`);
});
