import type { CapturedEvent } from "./event.ts";

/** Comment that opens a stream, so that a reader receives the first bytes at once. */
export const CONNECTED = ": connected\n\n";

/** Comment that keeps an idle stream open. */
export const PING = ": ping\n\n";

/** Time between two pings. */
export const PING_MS = 25_000;

/** One frame with an event name. */
export function namedFrame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** The same for data in chunks. */
export function* namedChunks(event: string, data: Iterable<string>): Generator<string> {
  yield `event: ${event}\ndata: `;
  yield* data;
  yield "\n\n";
}

/** The two frames of a captured event: the record for `onmessage`, its id for listeners of the type. */
export function* eventFrames(event: CapturedEvent, record: Iterable<string>): Generator<string> {
  yield `id: ${event.id}\ndata: `;
  yield* record;
  yield `\n\n${namedFrame(oneLine(event.type), event.id)}`;
}

/** An event name must not end its line. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, " ");
}
