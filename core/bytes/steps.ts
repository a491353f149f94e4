/**
 * Work that pauses so that other work can run, and returns its result. The caller decides whether it runs at once or in
 * slices of time.
 */
export type Steps<T> = Generator<undefined, T>;

/** Bytes or characters processed between two pauses: some milliseconds of the slowest work. */
export const STEP = 256 * 1024;

/** Runs the work at once. */
export function doWhole<T>(work: Steps<T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Decodes bytes in steps. `decoder` must not be used elsewhere meanwhile. */
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
