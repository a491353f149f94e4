import { assertEquals } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { ByteWriter } from "../../../bytes/writer.ts";
import { FrameGauge } from "./frames.ts";

const PREFACE = new TextEncoder().encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const [DATA, HEADERS, SETTINGS, CONTINUATION] = [0, 1, 4, 9];

function frame(type: number, length: number, flags = 0): Uint8Array {
  return new ByteWriter().u8(length >>> 16).u16(length & 0xffff).u8(type).u8(flags).u32(1)
    .bytes(new Uint8Array(length)).take();
}

const cases: readonly (readonly [what: string, bytes: readonly Uint8Array[], inside: boolean])[] = [
  ["no preface", [], true],
  ["half a preface", [PREFACE.subarray(0, 12)], true],
  ["a preface", [PREFACE], false],
  ["an empty frame", [PREFACE, frame(SETTINGS, 0)], false],
  ["half the head of a frame", [PREFACE, frame(SETTINGS, 6).subarray(0, 5)], true],
  ["half a payload", [PREFACE, frame(DATA, 70_000).subarray(0, 69_000)], true],
  ["a payload", [PREFACE, frame(DATA, 70_000)], false],
  ["a header block in one frame", [PREFACE, frame(HEADERS, 5, 4)], false],
  ["a header block that goes on", [PREFACE, frame(HEADERS, 5)], true],
  ["one that has gone on", [PREFACE, frame(HEADERS, 5), frame(CONTINUATION, 5)], true],
  ["one that has ended", [PREFACE, frame(HEADERS, 5), frame(CONTINUATION, 0, 4)], false],
  ["another frame inside one", [PREFACE, frame(HEADERS, 5), frame(DATA, 5)], true],
];

for (const [what, pieces, inside] of cases) {
  Deno.test(`frames: ${what}, however it is cut`, async () => {
    const bytes = pieces.reduce((out, piece) => out.bytes(piece), new ByteWriter()).take();
    await fc.assert(fc.property(fc.array(fc.nat(bytes.length), { maxLength: 5 }), (cuts) => {
      const gauge = new FrameGauge();
      let from = 0;
      for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
        gauge.push(bytes.subarray(from, to));
        from = to;
      }
      assertEquals(gauge.inside, inside);
    }));
  });
}

Deno.test("frames: a completed frame is reported", () => {
  const gauge = new FrameGauge();
  const push = (bytes: Uint8Array): readonly boolean[] => [gauge.push(bytes), gauge.inside];
  assertEquals(push(PREFACE.subarray(0, 3)), [false, true]);
  assertEquals(push(PREFACE.subarray(3)), [true, false]);
  assertEquals(push(frame(DATA, 10).subarray(0, 12)), [false, true]);
  const both = new ByteWriter().bytes(new Uint8Array(7)).u8(0).take();
  assertEquals(push(both), [true, true]);
});
