/** Ids in the vendor's forms, which carry the id of the event. */
import { decodeEventUuid, encodeEventUuid } from "../event_uuid.ts";

/** Distinguishes our UUIDs from any other. */
const [VARIANT, TAIL] = ["9", "b7e700"];

/** Returns the message id of an event: `<201906041124.44340027797@smtp-relay.mailin.fr>`. */
export function encodeMessageId(eventId: string, at: Date): string {
  const digits = at.toISOString().replace(/\D/g, "").slice(0, 12);
  return `<${digits}.${eventId}@smtp-relay.mailin.fr>`;
}

/** Returns the UUID of an event. */
export function encodeUuid(eventId: string): string {
  return encodeEventUuid({ eventId, variant: VARIANT, tail: TAIL });
}

/** Returns the event behind a UUID; `undefined` for a foreign one. */
export function decodeUuid(uuid: string): string | undefined {
  const parts = decodeEventUuid(uuid);
  return parts?.variant === VARIANT && parts.tail === TAIL ? parts.eventId : undefined;
}
