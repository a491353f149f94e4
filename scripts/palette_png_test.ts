import { assertEquals, assertThrows } from "@std/assert";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { toPalette } from "./palette_png.ts";

/** Octets of a chunk, from its length to its checksum. */
function chunk(type: string, data: readonly number[]): number[] {
  const body = [...new TextEncoder().encode(type), ...data];
  return [...word(data.length), ...body, ...word(crc32(new Uint8Array(body)))];
}

const word = (value: number): number[] => [24, 16, 8, 0].map((shift) => value >>> shift & 255);

/** A PNG of RGB with the given rows, each after the number of its filter. */
function png(width: number, rows: readonly (readonly number[])[], interlaced = 0): Uint8Array {
  return new Uint8Array([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", [...word(width), ...word(rows.length), 8, 2, 0, 0, interlaced]),
    ...chunk("IDAT", [...deflateSync(new Uint8Array(rows.flat()))]),
    ...chunk("IEND", []),
  ]);
}

/** Colours of a PNG with a palette, pixel by pixel. */
function coloursOf(image: Uint8Array, width: number): readonly string[] {
  const view = new DataView(image.buffer);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < image.length; at += view.getUint32(at) + 12) {
    const type = new TextDecoder().decode(image.subarray(at + 4, at + 8));
    chunks.set(type, image.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const palette = chunks.get("PLTE")!;
  return [...inflateSync(chunks.get("IDAT")!)]
    .filter((_, index) => index % (width + 1) !== 0)
    .map((index) => palette.subarray(index * 3, index * 3 + 3).toHex());
}

Deno.test("a picture with few colours keeps each of them, whatever its row filters", () => {
  const same = [0, 0, 0, 0, 0, 0];
  const image = png(2, [
    [0, 10, 20, 30, 40, 50, 60],
    [1, 10, 20, 30, 30, 30, 30],
    [2, ...same],
    [3, 5, 10, 15, 15, 15, 15],
    [4, 0, 0, 0, 0, 0, 0],
  ]);
  const row = ["0a141e", "28323c"];
  assertEquals(coloursOf(toPalette(image), 2), [
    ...row,
    ...row,
    ...row,
    ...row,
    // Paeth predicts the first pixel from above, and the second from above too.
    ...row,
  ]);
});

Deno.test("a picture with more colours keeps 256, and replaces the others by similar ones", () => {
  const row = Array.from({ length: 512 }, (_, x) => [x >> 1, x & 1, 0]).flat();
  const colours = coloursOf(toPalette(png(512, [[0, ...row]])), 512);
  assertEquals(new Set(colours).size, 256);
  const far = colours.filter((colour, x) =>
    Math.abs(parseInt(colour.slice(0, 2), 16) - (x >> 1)) > 1
  );
  assertEquals(far, []);
});

Deno.test("an interlaced picture is refused", () => {
  assertThrows(() => toPalette(png(1, [[0, 1, 2, 3]], 1)), Error, "not interlaced");
});
