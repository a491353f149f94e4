import { assertEquals } from "@std/assert";
import { ByteWriter } from "../../../bytes/writer.ts";
import { FrameGauge } from "./frames.ts";
import { StreamLedger } from "./stream_ledger.ts";

const [DATA, HEADERS, RST_STREAM, WINDOW_UPDATE] = [0, 1, 3, 8];
const [END_STREAM, END_HEADERS] = [1, 4];
const [CALL, FRAME, WINDOW] = [49_152, 256, 1_048_576];

function frame(
  type: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(),
  flags = 0,
): Uint8Array {
  return new ByteWriter().u8(0).u16(payload.length).u8(type).u8(flags).u32(stream).bytes(payload)
    .take();
}

const begun = (stream: number) => frame(HEADERS, stream, new Uint8Array(3), END_HEADERS);
const data = (stream: number, bytes: number) => frame(DATA, stream, new Uint8Array(bytes));
const read = (stream: number, bytes: number) =>
  frame(WINDOW_UPDATE, stream, new ByteWriter().u32(bytes).take());
const ended = (stream: number) => frame(DATA, stream, new Uint8Array(2), END_STREAM);

/** Bytes sent to and by the inner server, in turn, and the resulting count. */
const cases: readonly (readonly [what: string, turns: Uint8Array[][], bytes: number])[] = [
  ["nothing", [[]], 0],
  ["a request", [[begun(1)]], CALL],
  ["its body", [[begun(1), data(1, 100), data(1, 200)]], CALL + 300 + 2 * FRAME],
  ["empty frames", [[begun(1), data(1, 0), data(1, 0)]], CALL + 2 * FRAME],
  [
    "half of a body, read",
    [[begun(1), ...Array.from({ length: 10 }, () => data(1, 100))], [read(1, 500)]],
    CALL + 500 + 5 * FRAME,
  ],
  ["what the connection may send", [[begun(1), data(1, 100)], [read(0, 100)]], CALL + 100 + FRAME],
  ["the end of an answer", [[begun(1), begun(3), data(1, 9)], [ended(1)]], CALL],
  ["a stream that the server resets", [[begun(1)], [frame(RST_STREAM, 1)]], 0],
  ["a stream that the client resets", [[begun(1), data(1, 9), frame(RST_STREAM, 1)]], 0],
  ["what comes for an answered stream", [[begun(1)], [ended(1)], [data(1, 9), begun(1)]], 0],
  [
    "more than the window",
    [[begun(1), ...Array.from({ length: 32 }, () => data(1, 60_000))]],
    CALL + WINDOW + 32 * FRAME,
  ],
];

for (const [what, turns, bytes] of cases) {
  Deno.test(`ledger of streams: ${what}`, () => {
    const ledger = new StreamLedger();
    const client = new FrameGauge({ preface: false, onFrame: (frame) => ledger.took(frame) });
    turns.forEach((frames, turn) => {
      for (const frame of frames) {
        // Split, so that no frame arrives in one chunk.
        for (let at = 0; at < frame.length; at += 5) {
          const piece = frame.subarray(at, at + 5);
          if (turn % 2 === 0) client.push(piece);
          else ledger.answered(piece);
        }
      }
    });
    assertEquals(ledger.bytes, bytes);
  });
}

Deno.test("ledger of streams: a call counts until it is over, whatever happens to its stream", () => {
  const ledger = new StreamLedger();
  const client = new FrameGauge({ preface: false, onFrame: (frame) => ledger.took(frame) });
  client.push(begun(1));
  ledger.begin();
  assertEquals([ledger.bytes, ledger.calls], [CALL, 1]);
  client.push(frame(RST_STREAM, 1));
  assertEquals(ledger.bytes, CALL);
  ledger.end();
  assertEquals([ledger.bytes, ledger.calls], [0, 0]);
});
