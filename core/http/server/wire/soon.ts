/** Promises that lie between a read and what the platform has at hand; it needs five. */
const STEPS = 16;

/** Returns a value that arrives within the platform's own steps; nothing if it takes longer. */
export async function soon<T>(reading: Promise<T>): Promise<T | undefined> {
  let read: T | undefined;
  reading.then((value) => read = value, () => {});
  for (let step = 0; step < STEPS && read === undefined; step++) await undefined;
  return read;
}
