import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Memory, MemoryBudget } from "../../../core/memory/budget.ts";
import { transportPair } from "../../../core/net/pair.ts";
import type { Transport } from "../../../core/net/transport.ts";
import { encodeFrame } from "./codec/frame.ts";
import { type MllpLimits, serveMllp } from "./session.ts";

const LIMITS: MllpLimits = { maxBytes: 100, readIdleMs: 5000, idleMs: 5000, writeIdleMs: 5000 };
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

interface Conversation {
  readonly client: Transport;
  /** `kind:text`, with `!` at the end if the peer was gone. */
  readonly frames: readonly string[];
  readonly refused: readonly string[];
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** A session that answers each message with `re <message>`, except those that begin with `quiet`. */
function converse(limits: Partial<MllpLimits> = {}, memory?: Memory): Conversation {
  const [client, server] = transportPair();
  const frames: string[] = [];
  const refused: string[] = [];
  const stop = new AbortController();
  const ended = serveMllp(server, {
    frame({ kind, bytes }, { silent }) {
      frames.push(`${kind}:${textOf(bytes)}${silent ? "!" : ""}`);
      const wanted = !silent && !textOf(bytes).startsWith("quiet");
      return Promise.resolve(wanted ? bytesOf(`re ${textOf(bytes)}`) : undefined);
    },
    turnAway({ bytes }, error, { silent }) {
      frames.push(`turned away:${textOf(bytes.subarray(0, 3))}${silent ? "!" : ""}`);
      return bytesOf(error.name);
    },
    refuse: (bytes) => void refused.push(textOf(bytes)),
  }, {
    limits: { ...LIMITS, ...limits },
    signal: stop.signal,
    ...(memory === undefined ? {} : { memory }),
  })
    .finally(() => server[Symbol.asyncDispose]());
  return { client, frames, refused, stop, ended };
}

async function readAll(client: Transport): Promise<string[]> {
  const chunks: string[] = [];
  for (let chunk; (chunk = await client.read({ idleMs: 5000 })) !== undefined;) {
    chunks.push(textOf(chunk));
  }
  return chunks;
}

Deno.test("each answer is one write, in the order of the messages", async () => {
  const { client, frames, ended } = converse();
  await client.write(bytesOf("\vA\x1c\r\vquiet\x1c\r\vB\x1c\r"));
  assertEquals(await client.read(LIMITS), encodeFrame(bytesOf("re A")));
  assertEquals(await client.read(LIMITS), encodeFrame(bytesOf("re B")));
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals(frames, ["message:A", "message:quiet", "message:B"]);
});

Deno.test("a message is answered at 0x1C, before the 0x0D after it arrives", async () => {
  const { client, ended } = converse();
  await client.write(bytesOf("\vA\x1c"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre A\x1c\r");
  await client.write(bytesOf("\r\vB\x1c\r"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre B\x1c\r");
  await client[Symbol.asyncDispose]();
  await ended;
});

Deno.test("a message cut off by another is stored and not answered", async () => {
  const { client, frames, ended } = converse();
  await client.write(bytesOf("\vA\vB\x1c\r"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre B\x1c\r");
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals(frames, ["unterminated:A!", "message:B"]);
});

Deno.test("a message cut off by the end of the stream is stored", async () => {
  const { client, frames, ended } = converse();
  await client.write(bytesOf("\vA\x1c\r\vB"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre A\x1c\r");
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals(frames, ["message:A", "unterminated:B!"]);
});

Deno.test("a peer that stops inside a message is disconnected, and its bytes are stored", async () => {
  const { client, frames, ended } = converse({ readIdleMs: 10 });
  await client.write(bytesOf("\vA"));
  await ended;
  assertEquals(frames, ["unterminated:A!"]);
  assertEquals(await readAll(client), []);
});

Deno.test("a peer that sends byte by byte is disconnected soon after the time for a message, in any state", async () => {
  for (
    const [beginning, limits] of [["\vA", { readIdleMs: 30 }], ["MSH", { idleMs: 30 }]] as const
  ) {
    const { client, frames, refused, ended } = converse(limits);
    let gone = false;
    const dripping = (async () => {
      await client.write(bytesOf(beginning));
      while (!gone) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        await client.write(bytesOf("a")).catch(() => gone = true);
      }
    })();
    await ended;
    gone = true;
    await dripping;
    assertMatch([...frames, ...refused].join(), /^(unterminated:Aa+!|MSHa+)$/);
  }
});

Deno.test("an empty message does not start the time for the next one", async () => {
  const { client, frames, ended } = converse({ readIdleMs: 300 });
  await client.write(bytesOf("\v"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.write(bytesOf("\x1c\r"));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await client.write(bytesOf("\vA"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.write(bytesOf("\x1c\r"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre A\x1c\r");
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals(frames, ["message:A"]);
});

Deno.test("keep-alive bytes between messages keep the connection alive", async () => {
  const { client, frames, ended } = converse({ idleMs: 1000 });
  for (let i = 0; i < 7; i++) {
    await client.write(bytesOf("\r\n"));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await client.write(bytesOf("\vA\x1c\r"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre A\x1c\r");
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals(frames, ["message:A"]);
});

Deno.test("a silent peer is disconnected without a trace", async () => {
  const { frames, refused, ended } = converse({ idleMs: 10 });
  await ended;
  assertEquals([frames, refused], [[], []]);
});

Deno.test("data without a frame is refused", async () => {
  const { client, frames, refused, ended } = converse();
  await client.write(bytesOf("MSH|^~\\&|no frame\r"));
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals([frames, refused], [[], ["MSH|^~\\&|no frame\r"]]);
});

Deno.test("a message over the limit is answered, and ends the conversation once the rest has arrived", async () => {
  const { client, frames, ended } = converse({ maxBytes: 4 });
  await client.write(bytesOf("\v12345"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre 12345\x1c\r");
  await client.write(bytesOf("6789\x1c\r\vB\x1c\r"));
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals(frames, ["too-long:12345"]);
});

Deno.test("a stop ends the wait for another message at once", async () => {
  const { client, stop, ended } = converse();
  await client.write(bytesOf("\vA\x1c\r"));
  await client.read(LIMITS);
  stop.abort();
  await ended;
  assertEquals(await readAll(client), []);
});

Deno.test("a stop lets a message that has begun finish", async () => {
  const { client, stop, frames, ended } = converse();
  await client.write(bytesOf("\vA\x1c\r\vB"));
  await client.read(LIMITS);
  stop.abort();
  await client.write(bytesOf("C\x1c\r"));
  assertEquals(textOf((await client.read(LIMITS))!), "\vre BC\x1c\r");
  await ended;
  assertEquals(frames, ["message:A", "message:BC"]);
});

Deno.test("a peer that leaves before its answer still leaves its message", async () => {
  const { client, frames, ended } = converse();
  await client.write(bytesOf("\vA\x1c\r"));
  await client[Symbol.asyncDispose]();
  await ended;
  assert(frames.includes("message:A"));
});

Deno.test("a message that does not fit in memory is refused, and the next one is accepted", async () => {
  const memory = new MemoryBudget({ limitBytes: 1_000_000, waitMs: 1 });
  const holder = memory.lease();
  holder.take(700_000);
  const large = `\vMSH${"a".repeat(90_000)}\x1c\r`;
  const { client, frames, ended } = converse({ maxBytes: 100_000 }, memory);
  await client.write(bytesOf(large));
  assertEquals(textOf((await client.read(LIMITS))!), "\vMemoryFullError\x1c\r");
  holder[Symbol.dispose]();
  await client.write(bytesOf("\vquiet\x1c\r" + large));
  assertMatch(textOf((await client.read(LIMITS))!), /^\vre MSHa/);
  await client[Symbol.asyncDispose]();
  await ended;
  assertEquals([frames[0], frames[1], frames.length], ["turned away:MSH", "message:quiet", 3]);
  assertEquals(memory.lentBytes, 0);
});
