/**
 * Ids in the vendor's form, each a UUID with the id of the event. A message has variant digit 8 and a fixed tail; an
 * attachment has variant digit 9 and its index as the tail.
 */
import { decodeEventUuid, encodeEventUuid } from "../event_uuid.ts";

export { isUuid } from "../event_uuid.ts";

/** Distinguishes our ids from any other UUID. */
const MESSAGE_TAIL = "6d3a17";
const MESSAGE_VARIANT = "8";
const ATTACHMENT_VARIANT = "9";
const MAX_INDEX = 0xffffff;

/** Returns the message id of an event. Throws `RangeError` unless the event id has 24 lower-case hex digits. */
export function encodeMessageId(eventId: string): string {
  return encodeEventUuid({ eventId, variant: MESSAGE_VARIANT, tail: MESSAGE_TAIL });
}

/** Returns the event behind a message id; `undefined` for a foreign one. */
export function decodeMessageId(id: string): string | undefined {
  const parts = decodeEventUuid(id);
  if (parts?.variant !== MESSAGE_VARIANT || parts.tail !== MESSAGE_TAIL) return undefined;
  return parts.eventId;
}

/** Returns the id of an event's attachment. Throws `RangeError` for an index outside 0 to 16777215. */
export function encodeAttachmentId(eventId: string, index: number): string {
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
    throw new RangeError(`Cannot encode attachment index ${index}: expected 0 to ${MAX_INDEX}`);
  }
  const tail = index.toString(16).padStart(6, "0");
  return encodeEventUuid({ eventId, variant: ATTACHMENT_VARIANT, tail });
}

/** Returns the event and index behind an attachment id; `undefined` for a foreign one. */
export function decodeAttachmentId(id: string): { eventId: string; index: number } | undefined {
  const parts = decodeEventUuid(id);
  if (parts?.variant !== ATTACHMENT_VARIANT) return undefined;
  return { eventId: parts.eventId, index: parseInt(parts.tail, 16) };
}
