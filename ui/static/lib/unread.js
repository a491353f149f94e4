/** Which events were looked at in this browser, and which are pinned there. */
import { storedIds } from "./id_set.js";

const read = storedIds("read");
const pinned = storedIds("pinned");

/** Ids of the events that were looked at. */
export const readIds = read.ids;

/** Ids of the events that stay on top of their list. */
export const pinnedIds = pinned.ids;

/**
 * @param {ReadonlySet<string>} read
 * @param {string} id
 */
export function isRead(read, id) {
  return read.has(id);
}

/** @param {readonly string[]} ids */
export function markRead(ids) {
  read.add(ids);
}

/** @param {readonly string[]} ids */
export function markUnread(ids) {
  read.remove(ids);
}

/** @param {string} id */
export function togglePin(id) {
  if (pinnedIds.peek().has(id)) pinned.remove([id]);
  else pinned.add([id]);
}

/**
 * The pinned ones in front; otherwise in the order given.
 * @template {{ readonly id: string }} T
 * @param {readonly T[]} items
 * @returns {readonly T[]}
 */
export function pinnedFirst(items) {
  const pins = pinnedIds.value;
  const first = items.filter(({ id }) => pins.has(id));
  return first.length === 0 ? items : [...first, ...items.filter(({ id }) => !pins.has(id))];
}

/**
 * Forgets what the service no longer holds.
 * @param {ReadonlySet<string>} held
 */
export function keepMarks(held) {
  read.keep(held);
  pinned.keep(held);
}

/** Follows what other windows of this browser look at and pin. */
export function followOtherWindows() {
  read.follow();
  pinned.follow();
}
