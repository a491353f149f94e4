/**
 * Work that pauses where others may have their turn, and returns what it came to. Whoever has it done says whether it
 * is done at a stretch or in slices of time.
 */
export type Steps<T> = Generator<undefined, T>;

/** Bytes or characters that are worked through between two pauses: some milliseconds of the slowest work. */
export const STEP = 256 * 1024;

/** Does the work at a stretch. */
export function doWhole<T>(work: Steps<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Decodes bytes piece by piece. `decoder` has to be one that nobody else uses meanwhile. */
export function* decodeSteps(decoder: TextDecoder, bytes: Uint8Array): Steps<string> {
  if (bytes.length <= STEP) return decoder.decode(bytes);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) {
    pieces.push(decoder.decode(bytes.subarray(at, at + STEP), { stream: true }));
    yield;
  }
  pieces.push(decoder.decode());
  return pieces.join("");
}
