import type { CapturedEvent, EventStore } from "../events/event.ts";
import type { WaitOptions } from "./service.ts";

/** Nothing fitting arrived in time. */
export class TimeoutError extends Error {
  /** Tells the class by name, also across module copies. */
  override name = "TimeoutError";
}

/** Resolves with the oldest held event that fits, or the next to arrive. */
export async function waitForEvent<P>(
  events: EventStore,
  type: string,
  options: WaitOptions<P> & { signal: AbortSignal },
): Promise<CapturedEvent<P>> {
  const { match, after, timeoutMs = 5000 } = options;
  const filter = {
    type,
    ...(options.plugin === undefined ? {} : { plugin: options.plugin }),
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.search === undefined ? {} : { search: options.search }),
  };
  const fits = (event: CapturedEvent): event is CapturedEvent<P> =>
    event.type === type && (after === undefined || event.seq > after.seq) &&
    (match === undefined || match(event as CapturedEvent<P>));
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const signal = AbortSignal.any([timeout.signal, options.signal]);
  try {
    // Subscribed before the look at the past, so that nothing can slip between the two.
    const arriving = events.subscribe(filter, { signal });
    const held = events.list(filter, { match: fits }).at(-1);
    if (held !== undefined && fits(held)) return held;
    for await (const item of arriving) {
      if (item.kind === "captured" && fits(item.event)) return item.event;
    }
  } finally {
    clearTimeout(timer);
    timeout.abort();
  }
  if (options.signal.aborted) {
    throw new TimeoutError(`Cannot wait for ${type}: the service stopped`);
  }
  throw new TimeoutError(
    `Cannot find a fitting ${type} event: none arrived within ${timeoutMs} ms; ${whatDid(events)}`,
  );
}

function whatDid(events: EventStore): string {
  const latest = events.list({}, { limit: 10 });
  if (latest.length === 0) return "nothing at all was captured";
  const lines = latest.map((event) => `  ${event.type} by ${event.provider}: ${event.summary}`);
  return `captured so far, newest first:\n${lines.join("\n")}`;
}
