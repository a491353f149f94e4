import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { encodeFrame, type Frame, FrameDecoder } from "./frame.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Frames of a stream read in these chunks, each as `kind:text` or `kind:text<stray`. */
function decode(chunks: readonly Uint8Array[], maxBytes = 1000): string[] {
  const decoder = new FrameDecoder({ maxBytes });
  const frames: Frame[] = chunks.flatMap((chunk) => [...decoder.push(chunk)]);
  const last = decoder.end();
  if (last !== undefined) frames.push(last);
  const stray = decoder.takeStray();
  return [
    ...frames.map(({ kind, bytes, stray }) =>
      `${kind}:${textOf(bytes)}${stray === undefined ? "" : `<${textOf(stray)}`}`
    ),
    ...(stray === undefined ? [] : [`stray:${textOf(stray)}`]),
  ];
}

Deno.test.each([
  { title: "one message", stream: "\v" + "A\r\x1c\r", frames: ["message:A\r"] },
  { title: "two in one chunk", stream: "\vA\x1c\r\vB\x1c\r", frames: ["message:A", "message:B"] },
  { title: "no CR after the end", stream: "\vA\x1c\vB\x1c", frames: ["message:A", "message:B"] },
  { title: "keep-alives between", stream: "\r\n\0 \vA\x1c\r\n\n", frames: ["message:A"] },
  { title: "text before", stream: "hello\r\n\vA\x1c\r", frames: ["message:A<hello\r\n"] },
  { title: "an empty frame", stream: "\v\x1c\r\vA\x1c\r", frames: ["message:A"] },
  { title: "a start inside", stream: "\vA\vB\x1c\r", frames: ["unterminated:A", "message:B"] },
  { title: "two starts", stream: "\v\vB\x1c\r", frames: ["message:B"] },
  { title: "no end", stream: "\vA\x1c\r\vBC", frames: ["message:A", "unterminated:BC"] },
  { title: "only a start", stream: "\v", frames: [] },
  { title: "no frame at all", stream: "MSH|^~\\&|\r", frames: ["stray:MSH|^~\\&|\r"] },
  { title: "an end without a start", stream: "\x1c\r\vA\x1c\r", frames: ["message:A"] },
])("$title is read, wherever the stream is cut", ({ stream, frames }) => {
  const bytes = bytesOf(stream);
  assertEquals(decode([bytes]), [...frames]);
  assertEquals(decode(Array.from(bytes, (byte) => Uint8Array.of(byte))), [...frames]);
  for (let cut = 1; cut < bytes.length; cut++) {
    assertEquals(decode([bytes.subarray(0, cut), bytes.subarray(cut)]), [...frames]);
  }
});

Deno.test("messages are decoded as encoded, wherever the stream is cut", () => {
  const message = fc.uint8Array({ minLength: 1, maxLength: 40 })
    .map((bytes) => bytes.map((byte) => byte === 0x0b || byte === 0x1c ? 0x20 : byte));
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 5 }),
      fc.array(fc.nat(400), { maxLength: 8 }),
      (messages, cuts) => {
        const stream = Uint8Array.from(messages.flatMap((bytes) => [...encodeFrame(bytes)]));
        const places = [0, ...cuts.map((cut) => Math.min(cut, stream.length)), stream.length]
          .toSorted((a, b) => a - b);
        const decoder = new FrameDecoder({ maxBytes: 40 });
        const frames = places.slice(1)
          .flatMap((end, at) => [...decoder.push(stream.slice(places[at], end))]);
        assertEquals(frames.map(({ bytes }) => bytes), messages);
        assert(frames.every(({ kind, stray }) => kind === "message" && stray === undefined));
      },
    ),
    fuzzed(300),
  );
});

Deno.test("any bytes become frames within the limit, and never an error", () => {
  const noisy = fc.array(fc.oneof(fc.constantFrom(0x0b, 0x1c, 0x0d), fc.nat(255)), {
    maxLength: 200,
  });
  fc.assert(
    fc.property(noisy, (bytes) => {
      const decoder = new FrameDecoder({ maxBytes: 20 });
      for (const frame of decoder.push(Uint8Array.from(bytes))) {
        assert(frame.bytes.length > 0);
        if (frame.kind !== "too-long") assertLessOrEqual(frame.bytes.length, 20);
      }
      decoder.end();
    }),
    fuzzed(1000),
  );
});

Deno.test("a message over the limit is abandoned, and its beginning is stored", () => {
  assertEquals(decode([bytesOf("\v1234\x1c\r")], 4), ["message:1234"]);
  assertEquals(decode([bytesOf("\v12345\x1c\r\vA\x1c\r")], 4), ["too-long:12345"]);
  const decoder = new FrameDecoder({ maxBytes: 100_000 });
  assertEquals([...decoder.push(Uint8Array.of(0x0b))], []);
  const [frame] = [
    ...decoder.push(new Uint8Array(70_000)),
    ...decoder.push(new Uint8Array(70_000)),
  ];
  assertEquals([frame?.kind, frame?.bytes.length, decoder.over], ["too-long", 65_536, true]);
  assertEquals([...decoder.push(bytesOf("\x1c\r\vA\x1c\r"))], []);
});

Deno.test("at most 4 KiB of data outside frames is stored", () => {
  const decoder = new FrameDecoder({ maxBytes: 10 });
  for (let i = 0; i < 100; i++) assertEquals([...decoder.push(new Uint8Array(1000).fill(65))], []);
  assertEquals(decoder.takeStray()?.length, 4096);
  assertEquals(decoder.takeStray(), undefined);
});

Deno.test("a chunk of nothing but frame characters is scanned once", () => {
  for (const [bytes, kinds] of [["\x0b", []], ["\x1c", []], ["\x0ba", ["unterminated"]]] as const) {
    const decoder = new FrameDecoder({ maxBytes: 1000 });
    const frames = [...decoder.push(new TextEncoder().encode(bytes.repeat(20_000)))];
    assertEquals([...new Set(frames.map(({ kind }) => kind))], [...kinds]);
    assertEquals(frames.length, kinds.length === 0 ? 0 : 19_999);
  }
});

Deno.test("the beginning of a dropped message is stored, and the next one is whole again", () => {
  const decoder = new FrameDecoder({ maxBytes: 1_000_000 });
  const first = new Uint8Array(80_001).fill(0x61);
  first[0] = 0x0b;
  assertEquals([...decoder.push(first)], []);
  decoder.drop();
  assertEquals(decoder.bytesWith(500_000), 65_536);
  const rest = new Uint8Array(300_000).fill(0x61);
  assertEquals([...decoder.push(rest)], []);
  const ends = [...decoder.push(Uint8Array.of(0x61, 0x1c, 0x0d, 0x0b, 0x62, 0x1c, 0x0d))];
  assertEquals(ends.map(({ kind, bytes }) => [kind, bytes.length]), [["dropped", 65_536], [
    "message",
    1,
  ]]);
});
