import { ByteGatherer } from "../../bytes/gatherer.ts";

const LINE_FEED = 0x0a;

/** Splits a stream into lines without their ends; `undefined` for a line of more than `maxBytes`. Skips empty lines. */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array | undefined> {
  const gathered = new ByteGatherer(maxBytes);
  let tooLong = false;
  const append = (chunk: Uint8Array): void => {
    tooLong ||= gathered.length + chunk.length > maxBytes;
    if (!tooLong) gathered.append(chunk);
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      append(chunk.subarray(from, end));
      from = end + 1;
      const line = gathered.take();
      if (tooLong) yield undefined;
      else if (!isBlank(line)) yield line;
      tooLong = false;
    }
    append(chunk.subarray(from));
  }
  if (tooLong) yield undefined;
  else if (gathered.length > 0) yield gathered.take();
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
