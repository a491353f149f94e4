import { assertEquals, assertMatch } from "@std/assert";
import { createLogger } from "../../../core/log.ts";
import { openHostKey } from "./host_key.ts";
import { utils } from "./key_tools.ts";

Deno.test("a key that is made can be read again", async () => {
  const log = createLogger({ level: "error", write: () => {}, now: () => new Date(0) });
  for (let i = 0; i < 100; i++) {
    const hostKey = await openHostKey({ path: undefined, folder: undefined, log });
    const text = await hostKey.get();
    assertMatch(text, /^-----BEGIN OPENSSH PRIVATE KEY-----/);
    assertEquals(utils.parseKey(text) instanceof Error, false);
    assertEquals(await hostKey.get(), text);
  }
});
