import { assertEquals, assertMatch } from "@std/assert";
import { createLogger } from "../../../core/log.ts";
import { isPrivateKey } from "./codec/private_key.ts";
import { openHostKey } from "./host_key.ts";
import { utils } from "./key_tools.ts";
import { withRsaKey } from "./rsa_key.ts";

Deno.test("a generated key can be read back", async () => {
  const log = createLogger({ level: "error", write: () => {}, now: () => new Date(0) });
  for (let i = 0; i < 100; i++) {
    const text = await openHostKey({ path: undefined, folder: undefined, log });
    assertMatch(text, /^-----BEGIN OPENSSH PRIVATE KEY-----\n/);
    const key = utils.parseKey(text);
    assertEquals("isPrivateKey" in key && key.isPrivateKey(), true);
    assertEquals(isPrivateKey(text), true);
    assertEquals(isPrivateKey(text.replaceAll("\n", "\r\n")), true);
  }
});

Deno.test("anything but an intact key is refused", async () => {
  const log = createLogger({ level: "error", write: () => {}, now: () => new Date(0) });
  const text = await openHostKey({ path: undefined, folder: undefined, log });
  const lines = text.trim().split("\n");
  for (
    const damaged of [
      "",
      "garbage",
      lines.slice(1).join("\n"),
      lines.slice(0, -1).join("\n"),
      [lines[0], ...lines.slice(2)].join("\n"),
      [...lines.slice(0, 3), "!!!", ...lines.slice(3)].join("\n"),
      // The public point must match the seed.
      text.replace(lines[2]!, `${lines[2]!.slice(0, 30)}AAAAAAAA${lines[2]!.slice(38)}`),
    ]
  ) {
    assertEquals(isPrivateKey(damaged), false);
  }
});

Deno.test("an Ed25519 key is accompanied by one RSA key, any other stands alone", async () => {
  const log = createLogger({ level: "error", write: () => {}, now: () => new Date(0) });
  const own = await openHostKey({ path: undefined, folder: undefined, log });
  const [first, second] = await Promise.all([withRsaKey(own), withRsaKey(own)]);
  const types = first.map((text) => {
    const key = utils.parseKey(text);
    return "type" in key ? key.type : key;
  });
  assertEquals(types, ["ssh-ed25519", "ssh-rsa"]);
  assertEquals(second, first);
  const [, rsa = ""] = first;
  assertEquals(await withRsaKey(rsa), [rsa]);
});
