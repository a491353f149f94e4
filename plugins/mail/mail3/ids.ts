/**
 * Ids in the vendor's form: UUIDs of version 4 (RFC 9562 section 5.4). They carry the event id, so no index is needed.
 *
 * ```
 * eeeeeeee-eeee-4eee-Veee-eeeeeeettttt…   30 free hex digits: 24 of the event id, then a tail of 6
 * ```
 *
 * A message has variant digit 8 and a fixed tail; an attachment has variant digit 9 and its index as the tail.
 */

const EVENT_ID = /^[0-9a-f]{24}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Tells our ids from any other UUID. */
const MESSAGE_TAIL = "6d3a17";
const MESSAGE_VARIANT = "8";
const ATTACHMENT_VARIANT = "9";
const MAX_INDEX = 0xffffff;

/** Whether `text` is written as a UUID, ours or not. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The message id of an event. Throws `RangeError` unless the event id has 24 lower-case hex digits. */
export function encodeMessageId(eventId: string): string {
  return encode(eventId, MESSAGE_VARIANT, MESSAGE_TAIL);
}

/** The event behind a message id; `undefined` for a foreign one. */
export function decodeMessageId(id: string): string | undefined {
  const parts = decode(id);
  if (parts?.variant !== MESSAGE_VARIANT || parts.tail !== MESSAGE_TAIL) return undefined;
  return parts.eventId;
}

/** The id of an event's attachment. Throws `RangeError` for an index outside 0 to 16777215. */
export function encodeAttachmentId(eventId: string, index: number): string {
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX) {
    throw new RangeError(`Cannot encode attachment index ${index}: expected 0 to ${MAX_INDEX}`);
  }
  return encode(eventId, ATTACHMENT_VARIANT, index.toString(16).padStart(6, "0"));
}

/** The event and index behind an attachment id; `undefined` for a foreign one. */
export function decodeAttachmentId(id: string): { eventId: string; index: number } | undefined {
  const parts = decode(id);
  if (parts?.variant !== ATTACHMENT_VARIANT) return undefined;
  return { eventId: parts.eventId, index: parseInt(parts.tail, 16) };
}

function encode(eventId: string, variant: string, tail: string): string {
  if (!EVENT_ID.test(eventId)) {
    throw new RangeError(`Cannot encode event id "${eventId}": expected 24 lower-case hex digits`);
  }
  const free = eventId + tail;
  return `${free.slice(0, 8)}-${free.slice(8, 12)}-4${free.slice(12, 15)}-` +
    `${variant}${free.slice(15, 18)}-${free.slice(18)}`;
}

function decode(id: string): { eventId: string; variant: string; tail: string } | undefined {
  if (!UUID.test(id)) return undefined;
  const digits = id.toLowerCase().replaceAll("-", "");
  if (digits[12] !== "4") return undefined;
  const free = digits.slice(0, 12) + digits.slice(13, 16) + digits.slice(17);
  return { eventId: free.slice(0, 24), variant: digits[16]!, tail: free.slice(24) };
}
