/**
 * Ids in the vendor's form: two letters and 32 hex digits. They carry the event id, so no index is needed.
 *
 * ```
 * SM eeeeeeeeeeeeeeeeeeeeeeee tttttttt    a text message: event id, fixed tail
 * MM eeeeeeeeeeeeeeeeeeeeeeee tttttttt    a message with media
 * ME eeeeeeeeeeeeeeeeeeeeeeee iiiiiiii    one of its media: event id, index
 * ```
 */

/** Distinguishes our ids from any other. */
const TAIL = "57a4d1e5";
const MESSAGE_SID = new RegExp(`^(?:SM|MM)([0-9a-f]{24})${TAIL}$`);
const MEDIA_SID = /^ME([0-9a-f]{24})([0-9a-f]{8})$/;

/** Returns the sid of a message; the prefix says whether it has media. */
export function encodeMessageSid(eventId: string, hasMedia: boolean): string {
  return `${hasMedia ? "MM" : "SM"}${eventId}${TAIL}`;
}

/** Returns the event behind a message sid; `undefined` for a foreign one. */
export function decodeMessageSid(sid: string): string | undefined {
  return MESSAGE_SID.exec(sid)?.[1];
}

/** Returns the sid of one of a message's media, by its zero-based index. */
export function encodeMediaSid(eventId: string, index: number): string {
  return `ME${eventId}${index.toString(16).padStart(8, "0")}`;
}

/** Returns the event and index behind a media sid; `undefined` for a foreign one. */
export function decodeMediaSid(sid: string): { eventId: string; index: number } | undefined {
  const match = MEDIA_SID.exec(sid);
  return match === null ? undefined : { eventId: match[1]!, index: parseInt(match[2]!, 16) };
}
