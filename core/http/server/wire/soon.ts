/** Promises that lie between a read and what the platform has at hand; it needs five. */
const STEPS = 16;

/** What comes without waiting for anything but the platform's own steps; nothing when it has yet to come. */
export async function soon<T>(reading: Promise<T>): Promise<T | undefined> {
  let read: T | undefined;
  reading.then((value) => read = value, () => {});
  for (let step = 0; step < STEPS && read === undefined; step++) await undefined;
  return read;
}
