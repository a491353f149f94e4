import { assertEquals } from "@std/assert";
import { staleFiles } from "../../scripts/docs.ts";

Deno.test("docs/reference says what the declarations say", async () => {
  assertEquals(await staleFiles(), [], "Run `deno task docs`");
});
