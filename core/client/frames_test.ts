import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { FrameReader } from "./frames.ts";

const read = (...chunks: readonly string[]) => {
  const reader = new FrameReader();
  return chunks.flatMap((chunk) => reader.push(chunk));
};

Deno.test("frames have a name, lines of data and the last id", () => {
  const text = ": connected\n\nid: 7\ndata: a\ndata:b\n\nevent: gap\ndata\n\nevent: lost\n\n";
  assertEquals(read(text), [
    { event: "message", data: "a\nb", id: "7" },
    { event: "gap", data: "", id: "7" },
  ]);
});

Deno.test("lines end in CR LF, LF or CR", () => {
  const frame = { event: "message", data: "a", id: "" };
  for (const end of ["\r\n", "\n", "\r"]) {
    assertEquals(read(`data: a${end}${end}`, ": next\n"), [frame], JSON.stringify(end));
  }
});

Deno.test("frames are the same wherever the text is cut", () => {
  const text = "id: 1\r\ndata: é 1\r\n\r\nevent: x\rdata: 2\r\rdata: 3\n\n: end\n";
  const whole = read(text);
  assertEquals(whole.length, 3);
  const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 8 });
  fc.assert(fc.property(cuts, (at) => {
    const places = [0, ...at.toSorted((a, b) => a - b), text.length];
    const chunks = places.slice(1).map((place, i) => text.slice(places[i], place));
    assertEquals(read(...chunks), whole);
  }));
});
