/** Every block of a page is run by a test, or listed with the reason why it cannot be. */
import { assertEquals } from "@std/assert";
import { isAbout, nameOf, NOT_RUN, readBlocks, runnerOf } from "../support/pages.ts";

const BLOCKS = await readBlocks();

Deno.test("every block of every page is run by a test, or listed with a reason", () => {
  const left = BLOCKS.filter((block) =>
    runnerOf(block) === undefined && !NOT_RUN.some((line) => isAbout(line, block))
  );
  assertEquals(left.map(nameOf), [], "Run them, or add them to NOT_RUN of tests/support/pages.ts");
});

Deno.test("every line of the list names an existing block", () => {
  const gone = NOT_RUN.filter((line) => !BLOCKS.some((block) => isAbout(line, block)));
  assertEquals(gone, []);
});

Deno.test("the snippets of the reference match those of the plugin pages, which are run", () => {
  const codes = (page: string) =>
    BLOCKS.filter((block) => block.page.startsWith(page)).map(({ code }) => code).sort();
  assertEquals(codes("docs/reference/providers.md"), codes("docs/plugins/"));
});
