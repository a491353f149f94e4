/**
 * Work that pauses so that other work can run, and returns its result. The caller decides whether it runs at once or in
 * slices of time.
 */
export type Steps<T> = Generator<undefined, T>;

/** Work that may also wait: it yields a promise that must settle before it continues. */
export type WaitingSteps<T> = Generator<Promise<unknown> | undefined, T>;

/** Waits for a value in the middle of such work. */
export function* waitFor<T>(value: Promise<T>): WaitingSteps<T> {
  let settled!: T;
  yield value.then((it) => {
    settled = it;
  });
  return settled;
}

/** Bytes or characters processed between two pauses: some milliseconds of the slowest work. */
export const STEP = 256 * 1024;

/** Runs the work at once. Throws `TypeError` for work that waits. */
export function runToEnd<T>(work: WaitingSteps<T>): T {
  let step = work.next();
  while (!step.done) {
    if (step.value !== undefined) {
      throw new TypeError("Cannot finish asynchronous work synchronously");
    }
    step = work.next();
  }
  return step.value;
}

/** Decodes bytes in steps. `decoder` must not be used elsewhere meanwhile. */
export function* decodeSteps(decoder: TextDecoder, bytes: Uint8Array): Steps<string> {
  if (bytes.length <= STEP) return decoder.decode(bytes);
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP) {
    chunks.push(decoder.decode(bytes.subarray(at, at + STEP), { stream: true }));
    yield;
  }
  chunks.push(decoder.decode());
  return chunks.join("");
}
