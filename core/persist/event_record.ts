/** A captured event as a row of the log: JSON, except for its bytes. */
import { compact } from "../compact.ts";
import type { RawRecord } from "../events/event.ts";
import type { Placeless } from "../events/log.ts";

/** Result of `encodeEvent`. */
export type EncodedEvent =
  & Omit<Placeless, "id" | "received_at" | "raw">
  & { readonly received_at: number; readonly raw: Omit<RawRecord, "body"> };

/** The JSON of an event. Throws for values without JSON, such as circular ones. */
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
  return toEvent({ id, about: JSON.parse(about), body });
}

/** The event of decoded JSON, which it reuses. */
export function toEvent(
  { id, about, body }: {
    readonly id: string;
    readonly about: EncodedEvent;
    readonly body: Uint8Array;
  },
): Placeless {
  const { received_at, raw, namespace, payload, ...rest } = about;
  return {
    ...rest,
    ...compact({ namespace }),
    id,
    received_at: new Date(received_at),
    payload,
    raw: { ...raw, body },
  };
}
