/**
 * UUIDs of version 4 (RFC 9562 section 5.4) that carry an event id, so that no index is needed.
 *
 * ```
 * eeeeeeee-eeee-4eee-Veee-eeeeeeettttt…   30 free hex digits: 24 of the event id, then a tail of 6
 * ```
 *
 * The variant digit V and the tail identify the provider.
 *
 * @module
 */

const EVENT_ID = /^[0-9a-f]{24}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Content of a UUID. */
export interface EventUuid {
  readonly eventId: string;
  /** One hex digit: 8, 9, a or b. */
  readonly variant: string;
  /** Six hex digits. */
  readonly tail: string;
}

/** Returns whether `text` is written as a UUID, ours or not. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Returns the UUID of an event. Throws `RangeError` unless the event id has 24 lower-case hex digits. */
export function encodeEventUuid({ eventId, variant, tail }: EventUuid): string {
  if (!EVENT_ID.test(eventId)) {
    throw new RangeError(`Cannot encode event id "${eventId}": expected 24 lower-case hex digits`);
  }
  const free = eventId + tail;
  return `${free.slice(0, 8)}-${free.slice(8, 12)}-4${free.slice(12, 15)}-` +
    `${variant}${free.slice(15, 18)}-${free.slice(18)}`;
}

/** Returns the parts of a UUID; `undefined` for one of another version, and for other texts. */
export function decodeEventUuid(id: string): EventUuid | undefined {
  if (!UUID.test(id)) return undefined;
  const digits = id.toLowerCase().replaceAll("-", "");
  if (digits[12] !== "4") return undefined;
  const free = digits.slice(0, 12) + digits.slice(13, 16) + digits.slice(17);
  return { eventId: free.slice(0, 24), variant: digits[16]!, tail: free.slice(24) };
}
