/**
 * Reduces screenshots to at most 256 colours, and about a third of their size.
 *
 * @module
 */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOURS = 256;
/**
 * Number of the most frequent colours that stay exact, so that areas of similar colours remain
 * distinct.
 */
const EXACT = 64;
/** Image data with a palette has one octet per pixel. */
const INDEXED = 3;

/** An image with 8 bits for each of three or four channels. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/** A box of the median cut: a range of the colours in `occurring`. */
interface Box {
  readonly start: number;
  readonly end: number;
}

/**
 * Reencodes a non-interlaced PNG with 8 bits per channel with a palette of 256 colours: the most
 * frequent ones, and others chosen by median cut. Drops transparency. Throws for any other PNG.
 */
export function toPalette(png: Uint8Array): Uint8Array {
  const pixels = decode(png);
  const { palette, indexOf } = choosePalette(pixels);
  const rows = new Uint8Array((pixels.width + 1) * pixels.height);
  for (let y = 0, at = 0; y < pixels.height; y++) {
    at++; // Filter "none", which suits palettes best.
    for (let x = 0; x < pixels.width; x++) {
      rows[at++] = indexOf.get(colourAt(pixels, y * pixels.width + x))!;
    }
  }
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, pixels.width);
  header.setUint32(4, pixels.height);
  header.setUint8(8, 8);
  header.setUint8(9, INDEXED);
  const parts = [
    new Uint8Array(SIGNATURE),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("PLTE", palette),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const whole = new Uint8Array(data.length + 12);
  const view = new DataView(whole.buffer);
  view.setUint32(0, data.length);
  whole.set(new TextEncoder().encode(type), 4);
  whole.set(data, 8);
  view.setUint32(data.length + 8, crc32(whole.subarray(4, data.length + 8)));
  return whole;
}

function decode(png: Uint8Array): Pixels {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const channels = { 2: 3, 6: 4 }[view.getUint8(25)];
  if (channels === undefined || view.getUint8(24) !== 8 || view.getUint8(28) !== 0) {
    throw new Error("Cannot encode the PNG again: expected 8 bits of RGB, not interlaced");
  }
  const parts: Uint8Array[] = [];
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const type = new TextDecoder().decode(png.subarray(at + 4, at + 8));
    if (type === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const filtered = inflateSync(new Uint8Array(parts.flatMap((part) => [...part])));
  return { width, height, channels, data: unfilter(filtered, width * channels, channels) };
}

/** Undoes the filters of RFC 2083, section 6. */
function unfilter(filtered: Uint8Array, stride: number, channels: number): Uint8Array {
  const data = new Uint8Array(filtered.length / (stride + 1) * stride);
  for (let row = 0; row * stride < data.length; row++) {
    const filter = filtered[row * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const at = row * stride + i;
      const left = i < channels ? 0 : data[at - channels]!;
      const up = row === 0 ? 0 : data[at - stride]!;
      const corner = row === 0 || i < channels ? 0 : data[at - stride - channels]!;
      const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!;
      data[at] = filtered[row * (stride + 1) + 1 + i]! + predicted;
    }
  }
  return data;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  if (a! <= b! && a! <= c!) return left;
  return b! <= c! ? up : corner;
}

function colourAt({ data, channels }: Pixels, pixel: number): number {
  const at = pixel * channels;
  return data[at]! << 16 | data[at + 1]! << 8 | data[at + 2]!;
}

const channelOf = (colour: number, channel: number): number => colour >> (16 - 8 * channel) & 255;

/**
 * Gives each of the most frequent colours its own box, halves the box with the widest channel until
 * there are enough, and takes the most frequent colour of each.
 */
function choosePalette(
  pixels: Pixels,
): { readonly palette: Uint8Array; readonly indexOf: ReadonlyMap<number, number> } {
  const counts = new Map<number, number>();
  for (let pixel = 0; pixel < pixels.width * pixels.height; pixel++) {
    const colour = colourAt(pixels, pixel);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const occurring = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
  const exact = Math.min(EXACT, occurring.length);
  const boxes: Box[] = Array.from({ length: exact }, (_, start) => ({ start, end: start + 1 }));
  if (exact < occurring.length) boxes.push({ start: exact, end: occurring.length });
  while (boxes.length < COLOURS) {
    const widest = boxes.map((box) => ({ box, ...widthOf(occurring, box) }))
      .reduce((most, one) => one.width > most.width ? one : most);
    if (widest.width === 0) break;
    const { box: { start, end }, channel } = widest;
    const sorted = occurring.slice(start, end)
      .sort((a, b) => channelOf(a, channel) - channelOf(b, channel));
    occurring.splice(start, end - start, ...sorted);
    const middle = (start + end) >> 1;
    boxes.splice(boxes.indexOf(widest.box), 1, { start, end: middle }, { start: middle, end });
  }
  const palette = new Uint8Array(boxes.length * 3);
  const indexOf = new Map<number, number>();
  for (const [index, { start, end }] of boxes.entries()) {
    const colours = occurring.slice(start, end);
    const first = colours.reduce((most, one) => counts.get(one)! > counts.get(most)! ? one : most);
    for (let channel = 0; channel < 3; channel++) {
      palette[index * 3 + channel] = channelOf(first, channel);
    }
    for (const colour of colours) indexOf.set(colour, index);
  }
  return { palette, indexOf };
}

function widthOf(
  occurring: readonly number[],
  { start, end }: Box,
): { readonly width: number; readonly channel: number } {
  let [width, channel] = [0, 0];
  for (let one = 0; one < 3; one++) {
    let [low, high] = [255, 0];
    for (let i = start; i < end; i++) {
      const value = channelOf(occurring[i]!, one);
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high - low > width) [width, channel] = [high - low, one];
  }
  return { width, channel };
}
