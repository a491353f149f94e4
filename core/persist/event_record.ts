/** A captured event as a row of the log: its bytes are beside it, all else is JSON. */
import { compact } from "../compact.ts";
import type { CapturedEvent } from "../events/event.ts";

/** An event that is not among those held yet. */
export type Placeless = Omit<CapturedEvent, "seq">;

/** The JSON of an event. Throws for what has none, such as a value that holds itself. */
export function encodeEvent(event: Placeless): string {
  return JSON.stringify({
    ...event,
    id: undefined,
    seq: undefined,
    received_at: event.received_at.getTime(),
    raw: { ...event.raw, body: undefined },
  });
}

/** The event of a row. */
export function decodeEvent(
  { id, about, body }: { readonly id: string; readonly about: string; readonly body: Uint8Array },
): Placeless {
  const { received_at, raw, namespace, payload, ...rest } = JSON.parse(about);
  return {
    ...rest,
    ...compact({ namespace }),
    id,
    received_at: new Date(received_at),
    payload,
    raw: { ...raw, body },
  };
}
