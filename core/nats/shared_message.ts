/**
 * Changes of a shared state as JSON: in a message all changes of it, in a snapshot one on each line.
 *
 * @module
 */

/** Increased when an older program could misread a change. */
const SHARED_FORMAT = 1;

/** Encodes the changes of a message; each is JSON already. */
export function encodeChanges(changes: readonly string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`{"format":${SHARED_FORMAT},"changes":[${changes.join(",")}]}`);
}

/** Decodes a message. Throws `RangeError` if it is damaged or from a newer program. */
export function decodeChanges(payload: Uint8Array): readonly unknown[] {
  const { changes } = parse(new TextDecoder().decode(payload));
  if (!Array.isArray(changes)) throw new RangeError("a message is damaged");
  return changes;
}

/** A copy of the whole state. */
export interface SnapshotNote {
  /** The last change in it. */
  readonly at: number;
  /** Name of its bytes, and their number. */
  readonly object: string;
  readonly size: number;
  /** Number of changes in it. */
  readonly count: number;
}

/** Encodes the message that names a snapshot. */
export function encodeNote(note: SnapshotNote): string {
  return JSON.stringify({ format: SHARED_FORMAT, ...note });
}

/** Decodes it. Throws as `decodeChanges` does. */
export function decodeNote(payload: Uint8Array): SnapshotNote {
  const { at, object, size, count } = parse(new TextDecoder().decode(payload));
  const sound = [at, size, count].every((value) => Number.isSafeInteger(value));
  if (!sound || typeof object !== "string") throw new RangeError("a message is damaged");
  return { at: Number(at), object, size: Number(size), count: Number(count) };
}

/** Reads the lines of a snapshot. Throws `RangeError` for one that is not JSON. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield parseLine(line);
  }
  if (rest !== "") throw new RangeError("a snapshot is cut short");
}

function parse(text: string): Readonly<Record<string, unknown>> {
  const value = parseLine(text);
  const format = value?.["format"];
  if (format === SHARED_FORMAT) return value;
  throw new RangeError(
    `a message has format ${format}, and only format ${SHARED_FORMAT} is understood: ` +
      "a newer program has written it",
  );
}

function parseLine(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line);
  } catch {
    throw new RangeError("a message is damaged");
  }
}
