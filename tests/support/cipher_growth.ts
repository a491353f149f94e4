/** Prints the growth of this process in bytes while it deciphers many small packets. */
import { ends, noise } from "./chacha.ts";

const { send, decipher, got } = ends();
const block = noise(16);

function exchange(count: number): void {
  for (let i = 0; i < count; i++) {
    const bytes = send(block);
    decipher.decrypt(bytes, 0, bytes.length);
    got.length = 0;
  }
}

exchange(2000);
const { rss } = Deno.memoryUsage();
exchange(60_000);
console.log(Deno.memoryUsage().rss - rss);
