/** Sets of event ids stored in this browser only. */
import { signal } from "./dom.js";
import { readPref, writePref } from "./prefs.js";

/** More than the service holds by default, over all plugins. */
const MAX_IDS = 10_000;

/**
 * @typedef {object} IdSet
 * @property {import("@preact/signals").Signal<ReadonlySet<string>>} ids
 * @property {(ids: readonly string[]) => void} add
 * @property {(ids: readonly string[]) => void} remove
 * @property {(held: ReadonlySet<string>) => void} keep forgets all others
 * @property {() => void} follow takes over what other windows of this browser change
 */

/**
 * @param {string} key where it is kept
 * @returns {IdSet}
 */
export function storedIds(key) {
  const restore = () => {
    try {
      const ids = JSON.parse(readPref(key) ?? "[]");
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : []);
    } catch {
      return new Set();
    }
  };
  const ids = signal(/** @type {ReadonlySet<string>} */ (restore()));
  /** @param {readonly string[]} list */
  const save = (list) => {
    const kept = list.slice(-MAX_IDS);
    ids.value = new Set(kept);
    writePref(key, JSON.stringify(kept));
  };
  return {
    ids,
    add(more) {
      const known = ids.peek();
      if (!more.every((id) => known.has(id))) save([...new Set([...known, ...more])]);
    },
    remove(gone) {
      const known = ids.peek();
      if (gone.some((id) => known.has(id))) save([...known].filter((id) => !gone.includes(id)));
    },
    keep(held) {
      const kept = [...ids.peek()].filter((id) => held.has(id));
      if (kept.length < ids.peek().size) save(kept);
    },
    follow: () =>
      addEventListener("storage", (event) => {
        if (event.key === `standin.${key}`) ids.value = restore();
      }),
  };
}
