/** Many small packets: what encrypts them is let go of. */
import { assertLess } from "@std/assert";
import { ends, noise } from "../support/chacha.ts";

const MIB = 1024 * 1024;

Deno.test("ciphers are ended: many packets leave nothing behind", () => {
  const { send, decipher, got } = ends();
  const block = noise(16);
  const exchange = (count: number): void => {
    for (let i = 0; i < count; i++) {
      const bytes = send(block);
      decipher.decrypt(bytes, 0, bytes.length);
      got.length = 0;
    }
  };
  exchange(2000);
  const { rss } = Deno.memoryUsage();
  exchange(60_000);
  // The platform keeps some 300 bytes of each cipher that is not ended, and a packet takes four: 75 MiB of 60 000.
  assertLess(Deno.memoryUsage().rss - rss, 40 * MIB);
});
