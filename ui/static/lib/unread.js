/** Events that were viewed or pinned in this browser. */
import { storedIds } from "./id_set.js";

const read = storedIds("read");
const pinned = storedIds("pinned");

/** Ids of viewed events. */
export const readIds = read.ids;

/** Ids of pinned events, which stay on top of their list. */
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
 * Moves the pinned items to the front and keeps the order otherwise.
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
 * Forgets the ids that the service no longer holds.
 * @param {ReadonlySet<string>} held
 */
export function keepMarks(held) {
  read.keep(held);
  pinned.keep(held);
}

/** Follows the changes of other windows of this browser. */
export function followOtherWindows() {
  read.follow();
  pinned.follow();
}
