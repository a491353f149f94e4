/** A list that is read in pages while it changes. */

/**
 * The entries of all pages, newest first. Meanwhile there may come more in front, and any may be removed: what is there
 * all the time is in the list, and nothing is in it twice.
 * @template {{ readonly id: string }} T
 * @template [U=T]
 * @param {(offset: number) => Promise<readonly T[]>} fetchPage gives at most `size` entries
 * @param {{ size: number, most?: number | undefined, keep?: ((entry: T) => U) | undefined }} options `most` is how many
 *   entries are wanted, all unless given; `keep` is what is kept of an entry
 * @returns {Promise<U[]>}
 */
export async function readPages(fetchPage, { size, most = Infinity, keep }) {
  /** @type {Map<string, U>} */
  const found = new Map();
  for (let offset = 0;; offset += size - 1) {
    const page = await fetchPage(offset);
    // A page begins with what the last one ended with. Where it does not, an entry before it was removed, and others
    // have moved to where the last page was.
    const isNext = offset === 0 || found.has(page[0]?.id ?? "");
    const before = isNext ? [] : await fetchPage(Math.max(0, offset - size));
    for (const entry of [...before, ...page]) {
      found.set(entry.id, keep?.(entry) ?? /** @type {U} */ (/** @type {unknown} */ (entry)));
    }
    if (page.length < size || found.size >= most) return [...found.values()].slice(0, most);
  }
}
