import { assertEquals } from "@std/assert";
import { staleFiles } from "../../scripts/docs.ts";

Deno.test("docs/reference and docs/plugins say what the code says", async () => {
  assertEquals(await staleFiles(), [], "Run `deno task docs`");
});
