/** Rows of a directory. */

/** @import { Entry, TreeView } from "./types.d.ts" */

/** Sort key of each order; names are sorted already. @type {Readonly<Record<string, (entry: Entry) => string | number>>} */
const KEYS = {
  by: ({ provider = "" }) => provider,
  size: ({ size }) => size,
  modified: ({ mod_time }) => mod_time,
};

/**
 * Puts directories first, then sorts as requested; a search selects by the words of the path below the directory.
 * @param {TreeView} tree
 * @param {{ search: string, order: string }} about `order` is `name`, `by`, `size` or `modified`; a minus reverses it
 * @returns {readonly { readonly id: string, readonly entry: Entry }[]}
 */
export function entriesOf({ path, entries }, { search, order }) {
  const from = path === "/" ? 1 : path.length + 1;
  const wanted = search.toLowerCase();
  const found = entries.filter((entry) => entry.path.slice(from).toLowerCase().includes(wanted));
  const down = order.startsWith("-");
  const key = KEYS[down ? order.slice(1) : order];
  const sorted = key === undefined ? found : found.toSorted((a, b) => compare(key(a), key(b)));
  if (down) sorted.reverse();
  return [...sorted.filter(({ dir }) => dir), ...sorted.filter(({ dir }) => !dir)]
    .map((entry) => ({ id: entry.path, entry }));
}

/**
 * @param {string | number} a
 * @param {string | number} b
 */
function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
