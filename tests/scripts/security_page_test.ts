/** Every claim of `docs/security.md` has a test. */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

Deno.test("every line of the security page names a test, and every named test exists", async () => {
  const text = await Deno.readTextFile(new URL("docs/security.md", ROOT));
  const table = text.slice(
    text.indexOf("## Defences and their tests"),
    text.indexOf("## The token"),
  );
  const rows = table.split("\n").filter((line) => line.startsWith("| ")).slice(2);
  assert(rows.length > 10);
  assertEquals(rows.filter((row) => !/`\w+\/[\w/.]+_test\.ts`/.test(row)), []);
  const missing: string[] = [];
  for (const [, path = ""] of table.matchAll(/`([\w/.]+_test\.ts)`/g)) {
    await Deno.stat(new URL(path, ROOT)).catch(() => missing.push(path));
  }
  assertEquals(missing, []);
});
