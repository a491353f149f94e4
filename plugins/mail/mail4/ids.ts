/** Message ids in the vendor's form: UUIDs that carry the id of the event. */
import { decodeEventUuid, encodeEventUuid } from "../event_uuid.ts";

/** Distinguishes our ids from any other UUID. */
const [VARIANT, TAIL] = ["a", "70057a"];

/** Returns the message id of an event. Throws `RangeError` unless the event id has 24 lower-case hex digits. */
export function encodeMessageId(eventId: string): string {
  return encodeEventUuid({ eventId, variant: VARIANT, tail: TAIL });
}

/** Returns the event behind a message id; `undefined` for a foreign one. */
export function decodeMessageId(id: string): string | undefined {
  const parts = decodeEventUuid(id);
  return parts?.variant === VARIANT && parts.tail === TAIL ? parts.eventId : undefined;
}
