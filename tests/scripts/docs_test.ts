import { assertEquals } from "@std/assert";
import { staleFiles } from "../../scripts/docs.ts";

Deno.test("docs/reference, docs/plugins and the architecture picture say what the code says", async () => {
  assertEquals(await staleFiles(), [], "Run `deno task docs`");
});
