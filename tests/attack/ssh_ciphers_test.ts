/** Many small packets: their ciphers are released. */
import { assertEquals, assertLess } from "@std/assert";

Deno.test("ciphers are released: many packets leave nothing behind", async () => {
  const script = new URL("../support/cipher_growth.ts", import.meta.url).pathname;
  // Other tests run in this process.
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-lock", "--allow-all", script],
  }).output();
  const text = new TextDecoder();
  assertEquals(code, 0, text.decode(stderr));
  // The platform keeps some 300 bytes for each cipher that is not released, four per packet: 75 MiB for 60 000.
  assertLess(Number(text.decode(stdout)), 40 * 1024 ** 2);
});
