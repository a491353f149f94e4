/**
 * Message ids in the vendor's form, `<20211229082318.a988bed7abe472bd@domain>`: time, an id, and the sending domain. Here
 * the id is that of the event.
 */

/** Returns the message id of an event. */
export function encodeMessageId(
  { eventId, at, domain }: { eventId: string; at: Date; domain: string },
): string {
  const digits = at.toISOString().replace(/\D/g, "").slice(0, 14);
  return `<${digits}.${eventId}@${domain.replace(/[^\w.-]/g, "")}>`;
}

/** Returns the key under which a message can be fetched. */
export function encodeStorageKey(eventId: string): string {
  return btoa(`standin:${eventId}`);
}

/** Returns the event behind a storage key; `undefined` for a foreign one. */
export function decodeStorageKey(key: string): string | undefined {
  try {
    return /^standin:([0-9a-f]{24})$/.exec(atob(key))?.[1];
  } catch {
    return undefined;
  }
}
