/** Which events were looked at in this browser. */
import { signal } from "./dom.js";
import { readPref, writePref } from "./prefs.js";

const KEY = "read";
/** More than the service holds by default, over all plugins. */
const MAX_IDS = 10_000;

/** Ids of the events that were looked at. */
export const readIds = signal(/** @type {ReadonlySet<string>} */ (restore()));

/** @returns {ReadonlySet<string>} */
function restore() {
  try {
    const ids = JSON.parse(readPref(KEY) ?? "[]");
    return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

/**
 * @param {ReadonlySet<string>} read
 * @param {string} id
 */
export function isRead(read, id) {
  return read.has(id);
}

/** @param {readonly string[]} ids */
export function markRead(ids) {
  const known = readIds.peek();
  if (ids.every((id) => known.has(id))) return;
  save(new Set([...known, ...ids]));
}

/** @param {string} id */
export function markUnread(id) {
  if (readIds.peek().has(id)) save(new Set([...readIds.peek()].filter((known) => known !== id)));
}

/**
 * Forgets what the service no longer holds.
 * @param {ReadonlySet<string>} held
 */
export function keepReadIds(held) {
  const kept = [...readIds.peek()].filter((id) => held.has(id));
  if (kept.length < readIds.peek().size) save(new Set(kept));
}

/** @param {Set<string>} ids */
function save(ids) {
  const kept = ids.size > MAX_IDS ? new Set([...ids].slice(-MAX_IDS)) : ids;
  readIds.value = kept;
  writePref(KEY, JSON.stringify([...kept]));
}

/** Follows what other windows of this browser look at. */
export function followOtherWindows() {
  addEventListener("storage", (event) => {
    if (event.key === `standin.${KEY}`) readIds.value = restore();
  });
}
