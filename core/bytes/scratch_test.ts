import { assertEquals } from "@std/assert";
import { returnScratch, takeScratch } from "./scratch.ts";

const LARGE = 100_000;

Deno.test("a returned buffer is reused, by one user at a time", () => {
  const first = takeScratch(LARGE);
  assertEquals(first.length, LARGE);
  const second = takeScratch(LARGE);
  assertEquals(second.buffer === first.buffer, false);
  returnScratch(first);
  // A buffer that is returned twice is still handed out once.
  returnScratch(first);
  const third = takeScratch(LARGE + 1);
  assertEquals(third.buffer === first.buffer, true);
  assertEquals(takeScratch(LARGE).buffer === first.buffer, false);
});

Deno.test("other buffers are not reused", () => {
  for (const other of [new Uint8Array(LARGE), takeScratch(10), takeScratch(10_000_000)]) {
    returnScratch(other);
    assertEquals(takeScratch(LARGE).buffer === other.buffer, false);
  }
});
