import { assertEquals } from "@std/assert";
import { staleFiles } from "../../scripts/docs.ts";

Deno.test("docs/reference and docs/plugins match the code", async () => {
  assertEquals(await staleFiles(), [], "Run `deno task docs`");
});
