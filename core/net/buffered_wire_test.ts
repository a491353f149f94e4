import { assertEquals, assertRejects } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { WireError } from "../bytes/decoder.ts";
import { BufferedWire } from "./buffered_wire.ts";
import { transportPair } from "./pair.ts";
import { DisconnectedError, IdleError } from "./transport.ts";

const idleMs = 5000;
const line = { maxBytes: 100, idleMs };

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(read: Uint8Array | undefined): string | undefined {
  return read && new TextDecoder().decode(read);
}

async function wireWith(...pieces: string[]): Promise<BufferedWire> {
  const [client, server] = transportPair();
  for (const piece of pieces) await client.write(bytes(piece));
  await client[Symbol.asyncDispose]();
  return new BufferedWire(server);
}

Deno.test("line() gives each line with its end as sent, then the end of the stream", async () => {
  const wire = await wireWith("EHLO x\r\nMA", "IL FROM\n", "\r\n");
  assertEquals(text(await wire.line(line)), "EHLO x\r\n");
  assertEquals(wire.buffered, 2);
  assertEquals(text(await wire.line(line)), "MAIL FROM\n");
  assertEquals(text(await wire.line(line)), "\r\n");
  assertEquals(await wire.line(line), undefined);
});

Deno.test("line() refuses an overlong line, and continues after it", async () => {
  const wire = await wireWith("x".repeat(200), "x".repeat(50), "x\r\nnext\r\n");
  await assertRejects(() => wire.line(line), WireError, "more than 100 bytes");
  assertEquals(text(await wire.line(line)), "next\r\n");
  const short = await wireWith(`${"y".repeat(99)}\r\nnext\r\n`);
  await assertRejects(() => short.line(line), WireError);
  assertEquals(text(await short.line(line)), "next\r\n");
});

Deno.test("line() takes a line of just the length allowed", async () => {
  const wire = await wireWith(`${"y".repeat(98)}\r\n`);
  assertEquals((await wire.line(line))?.length, 100);
});

Deno.test("a stream that ends inside a line or a block is a disconnection", async () => {
  const wire = await wireWith("half");
  await assertRejects(() => wire.line(line), DisconnectedError);
  const block = await wireWith("half");
  await assertRejects(() => block.exact(5, { idleMs }), DisconnectedError);
  assertEquals(await (await wireWith()).exact(5, { idleMs }), undefined);
  const skipped = await wireWith("z".repeat(101));
  await assertRejects(() => skipped.line(line), WireError);
  assertEquals(await skipped.line(line), undefined);
});

Deno.test("framing may change in mid-stream", async () => {
  const wire = await wireWith("DATA 5\r\nab", "cdeQUIT\r\nrest");
  assertEquals(text(await wire.line(line)), "DATA 5\r\n");
  assertEquals(text(await wire.exact(5, { idleMs })), "abcde");
  assertEquals(text(await wire.line(line)), "QUIT\r\n");
  assertEquals(text(await wire.chunk({ idleMs, maxBytes: 2 })), "re");
  assertEquals(text(await wire.chunk({ idleMs })), "st");
  assertEquals(await wire.chunk({ idleMs }), undefined);
});

Deno.test("unread() puts bytes back, and discard() drops bytes that came early", async () => {
  const wire = await wireWith("STARTTLS\r\nMAIL FROM:<injected>\r\n");
  const first = await wire.line(line);
  wire.unread(first!);
  assertEquals(text(await wire.line(line)), "STARTTLS\r\n");
  assertEquals(wire.discard(), 22);
  assertEquals(await wire.line(line), undefined);
});

Deno.test("a timeout loses no byte", async () => {
  const [client, server] = transportPair();
  const wire = new BufferedWire(server);
  await client.write(bytes("a"));
  await assertRejects(() => wire.exact(2, { idleMs: 5 }), IdleError);
  await client.write(bytes("b"));
  assertEquals(text(await wire.exact(2, { idleMs })), "ab");
  await client.write(bytes("MAIL "));
  await assertRejects(() => wire.line({ ...line, idleMs: 5 }), IdleError);
  await client.write(bytes("FROM\r\n"));
  assertEquals(text(await wire.line(line)), "MAIL FROM\r\n");
});

Deno.test("lines and blocks are the same wherever the stream is split", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[a-z]{0,20}$/), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(200), { maxLength: 8 }),
      async (words, cuts) => {
        const stream = words.map((word) => `${word.length}\r\n${word}`).join("");
        const edges = [0, ...cuts.filter((cut) => cut <= stream.length).sort((a, b) => a - b)];
        const wire = await wireWith(...edges.map((from, i) => stream.slice(from, edges[i + 1])));
        for (const word of words) {
          const length = Number(text(await wire.line(line)));
          assertEquals(text(await wire.exact(length, { idleMs })), word);
        }
        assertEquals(await wire.line(line), undefined);
      },
    ),
    fuzzed(100),
  );
});

Deno.test("a line that drips byte by byte times out like silence", async () => {
  const [client, server] = transportPair();
  let done = false;
  const reading = new BufferedWire(server).line({ maxBytes: 1000, idleMs: 40 })
    .finally(() => done = true);
  const refused = assertRejects(() => reading, IdleError, "over one line");
  while (!done) {
    await client.write(bytes("x"));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await refused;
  await client[Symbol.asyncDispose]();
});

Deno.test("the rest of an overlong line that drips times out, too", async () => {
  const [client, server] = transportPair();
  const wire = new BufferedWire(server);
  await client.write(bytes("x".repeat(20)));
  await assertRejects(() => wire.line({ maxBytes: 10, idleMs }), WireError);
  let done = false;
  const reading = wire.line({ maxBytes: 10, idleMs: 40 }).finally(() => done = true);
  const refused = assertRejects(() => reading, IdleError);
  while (!done) {
    await client.write(bytes("x"));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await refused;
  await client[Symbol.asyncDispose]();
});
