import { assertEquals } from "@std/assert";
import { linesOf } from "./lines.ts";

async function read(chunks: readonly string[], maxBytes = 8): Promise<(string | undefined)[]> {
  const encoder = new TextEncoder();
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield await Promise.resolve(encoder.encode(chunk));
  }
  const lines = [];
  for await (const line of linesOf(input(), maxBytes)) {
    lines.push(line && new TextDecoder().decode(line));
  }
  return lines;
}

Deno.test("linesOf finds the same lines however the stream is cut", async () => {
  const text = "one\ntwo\r\n\n  \nthree";
  const expected = ["one", "two\r", "three"];
  assertEquals(await read([text]), expected);
  assertEquals(await read([...text]), expected);
  assertEquals(await read([]), []);
});

Deno.test("linesOf replaces an overlong line, and continues after it", async () => {
  assertEquals(await read(["12345678\n"]), ["12345678"]);
  for (const chunks of [["123456789\nok\n"], ["1234", "56789", "0".repeat(99), "\nok"]]) {
    assertEquals(await read(chunks), [undefined, "ok"]);
  }
  assertEquals(await read(["123456789"]), [undefined]);
});
