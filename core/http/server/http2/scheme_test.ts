import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { WireError } from "../../../bytes/decoder.ts";
import { ByteWriter } from "../../../bytes/writer.ts";
import { encodeFields, type Field, HpackDecoder } from "../../../codec/hpack/hpack.ts";
import { SchemeFixer } from "./scheme.ts";

const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

function frame(type: number, flags: number, payload: Uint8Array, stream = 1): Uint8Array {
  return new ByteWriter().u8(payload.length >>> 16).u16(payload.length).u8(type).u8(flags)
    .u32(stream).bytes(payload).take();
}

function bytesOf(...parts: readonly Uint8Array[]): Uint8Array {
  return parts.reduce((writer, part) => writer.bytes(part), new ByteWriter()).take();
}

const request = (scheme: string, ...more: readonly Field[]): readonly Field[] => [
  [":method", "POST"],
  [":scheme", scheme],
  [":path", "/v1/projects/demo/messages:send"],
  ...more,
];

const SETTINGS = frame(4, 0, new Uint8Array(6), 0);
const DATA = frame(0, 1, new TextEncoder().encode('{"message":{}}'));
/** Kept in the table, so that the second block is an index: `:scheme` with the extra colon. */
const KEPT = bytesOf(Uint8Array.of(0x46, 6), new TextEncoder().encode("https:"));

/** The concatenated output for `chunks`. */
function fixed(...chunks: readonly Uint8Array[]): Uint8Array {
  const fixer = new SchemeFixer();
  return bytesOf(...chunks.map((chunk) => fixer.push(chunk)));
}

interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

function framesOf(bytes: Uint8Array): Frame[] {
  assertEquals(bytes.subarray(0, PREFACE.length), PREFACE);
  const frames: Frame[] = [];
  for (let at = PREFACE.length; at < bytes.length;) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, 9);
    const length = view.getUint32(0) >>> 8;
    frames.push({
      type: view.getUint8(3),
      flags: view.getUint8(4),
      stream: view.getUint32(5),
      payload: bytes.subarray(at + 9, at + 9 + length),
    });
    at += 9 + length;
  }
  return frames;
}

/** The fields of every header block, as a server reads them. */
function blocksOf(bytes: Uint8Array): (readonly Field[])[] {
  const decoder = new HpackDecoder({ maxBytes: 1_000_000 });
  const blocks: (readonly Field[])[] = [];
  let fragment = new ByteWriter();
  for (const { type, flags, payload } of framesOf(bytes)) {
    if (type !== 1 && type !== 9) continue;
    fragment = fragment.bytes(payload.subarray((flags & 0x20) === 0 ? 0 : 5));
    if ((flags & 4) !== 0) blocks.push(decoder.decode(fragment.take()));
  }
  return blocks;
}

Deno.test("bytes from a client that sends a correct scheme are not changed", () => {
  const all = bytesOf(
    ...[PREFACE, SETTINGS, frame(1, 4, encodeFields(request("https"))), DATA],
    ...[frame(1, 5, encodeFields(request("https:")), 3), Uint8Array.of(1, 2, 3)],
  );
  assertEquals(fixed(all), all);
});

Deno.test("the colon is removed in every block of the connection", () => {
  const first = bytesOf(KEPT, encodeFields([[":method", "POST"], ["x-one", "1"]]));
  const second = Uint8Array.of(0xbe);
  const all = bytesOf(
    ...[PREFACE, SETTINGS, frame(1, 4, first), DATA, frame(1, 5, second, 3)],
  );
  const out = fixed(all);
  assertEquals(blocksOf(out), [
    [[":scheme", "https"], [":method", "POST"], ["x-one", "1"]],
    [[":scheme", "https"]],
  ]);
  assertEquals(framesOf(out).map(({ type, flags, stream }) => [type, flags, stream]), [
    [4, 0, 0],
    [1, 4, 1],
    [0, 1, 1],
    [1, 5, 3],
  ]);
});

Deno.test("padding is removed, priority is kept, and a block in parts is read whole", () => {
  const block = encodeFields(request("https:", ["x-long", "v".repeat(300)]));
  const priority = Uint8Array.of(0, 0, 0, 0, 7);
  const head = bytesOf(Uint8Array.of(3), priority, block.subarray(0, 50), new Uint8Array(3));
  const all = bytesOf(
    ...[PREFACE, frame(1, 0x29, head), frame(9, 0, block.subarray(50, 60))],
    frame(9, 4, block.subarray(60)),
  );
  const out = fixed(all);
  assertEquals(blocksOf(out), [request("https", ["x-long", "v".repeat(300)])]);
  const [only] = framesOf(out);
  assertEquals([only?.flags, only?.payload.subarray(0, 5)], [0x25, priority]);
});

Deno.test("a block that no longer fits in one frame continues in others", () => {
  const large = Array.from({ length: 40 }, (_, i): Field => [`x-${i}`, "v".repeat(500)]);
  const fields = request("https:", ...large);
  const block = encodeFields(fields);
  const all = bytesOf(
    ...[PREFACE, frame(1, 1, block.subarray(0, 16_000)), frame(9, 4, block.subarray(16_000))],
  );
  const out = fixed(all);
  assertEquals(blocksOf(out), [request("https", ...large)]);
  assertEquals(framesOf(out).map(({ type, flags }) => [type, flags]), [[1, 1], [9, 4]]);
});

Deno.test("the bytes are the same wherever they are cut", () => {
  const schemes = fc.constantFrom("https", "https:", "http");
  fc.assert(
    fc.property(fc.array(schemes, { maxLength: 4 }), fc.array(fc.nat(600)), (all, cuts) => {
      const blocks = all.map((scheme, i) => frame(1, 4, encodeFields(request(scheme)), 2 * i + 1));
      const whole = bytesOf(PREFACE, SETTINGS, ...blocks.flatMap((block) => [block, DATA]));
      const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b)];
      const parts = at.map((from, i) => whole.subarray(from, at[i + 1] ?? whole.length));
      assertEquals(fixed(...parts), fixed(whole));
    }),
    fuzzed(),
  );
});

Deno.test("garbage passes unchanged until blocks are rewritten, and is refused from then on", () => {
  const fix = bytesOf(PREFACE, frame(1, 4, encodeFields(request("https:"))));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (garbage, fixing) => {
      const fixer = new SchemeFixer();
      const before = fixer.push(fixing ? fix : PREFACE).length;
      try {
        const out = fixer.push(garbage);
        if (!fixing && before === 24) assertEquals(out, garbage.subarray(0, out.length));
      } catch (error) {
        if (!(error instanceof WireError && fixing)) throw error;
      }
    }),
    fuzzed(500),
  );
  const fixer = new SchemeFixer();
  fixer.push(fix);
  assertThrows(() => fixer.push(frame(9, 4, new Uint8Array(3))), WireError, "out of order");
  const other = new SchemeFixer();
  other.push(fix);
  assertThrows(() => other.push(frame(1, 4, Uint8Array.of(0x80), 3)), WireError, "no index 0");
});
