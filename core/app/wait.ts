import type { CapturedEvent, EventStore } from "../events/event.ts";
import { matches } from "../events/query.ts";
import { DEFAULT_WAIT_MS, lookUntil, whatWasCaptured } from "../events/wait.ts";
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
  const { match, after, timeoutMs = DEFAULT_WAIT_MS, signal } = options;
  const filter = {
    type,
    ...(options.plugin === undefined ? {} : { plugin: options.plugin }),
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.search === undefined ? {} : { search: options.search }),
    ...(after === undefined ? {} : { after: after.id }),
  };
  const fits = (event: CapturedEvent) => match?.(event as CapturedEvent<P>) ?? true;
  try {
    const found = await lookUntil(events, (item) => {
      if (item === undefined) return events.list(filter, { match: fits }).at(-1);
      if (item.kind !== "captured" || !matches(item.event, filter)) return undefined;
      return fits(item.event) ? item.event : undefined;
    }, { timeoutMs, signal });
    if (found !== undefined) return found as CapturedEvent<P>;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new TimeoutError(`Cannot wait for ${type}: the service stopped`);
  }
  throw new TimeoutError(
    `Cannot find a fitting ${type} event: none arrived within ${timeoutMs} ms; ` +
      whatWasCaptured(events),
  );
}
