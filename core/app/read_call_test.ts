import { assertEquals } from "@std/assert";
import { jsonWork } from "../codec/json_work.ts";
import type { HttpCall } from "../http/call.ts";
import type { MemoryLease } from "../memory/lease.ts";
import { readWhole } from "./read_call.ts";

const FACTOR = 4;

/** Reads a body, and returns what its lease covered in the end. */
async function covered(text: string, mostWork: number): Promise<number> {
  let most = 0;
  const lease: MemoryLease = {
    bytes: 0,
    cover(bytes) {
      most = Math.max(most, bytes);
      return undefined;
    },
    take() {},
    give() {},
    waste: () => undefined,
    [Symbol.dispose]() {},
  };
  const request = new Request("http://localhost/x", { method: "POST", body: text });
  const call = { headers: new Headers(), request } as unknown as HttpCall;
  const { body } = await readWhole(call, { maxBytes: 10_000_000, mostWork, lease });
  assertEquals(body.length, text.length);
  return most;
}

Deno.test("a body of many tiny values covers their memory, but no more than any body may", async () => {
  const tiny = `[${"{},".repeat(100_000)}1]`;
  const work = jsonWork(new TextEncoder().encode(tiny));
  assertEquals(await covered(tiny, 100_000_000), FACTOR * tiny.length + work);
  assertEquals(await covered(tiny, FACTOR * tiny.length + 5000), FACTOR * tiny.length + 5000);
  assertEquals(await covered(tiny, 0), FACTOR * tiny.length);
});

Deno.test("a body of text covers four times its size", async () => {
  const text = "a,[{:".repeat(50_000);
  assertEquals(await covered(text, 100_000_000), FACTOR * text.length);
});
