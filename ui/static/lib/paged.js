/** Reads a changing list in pages. */

/**
 * Returns the entries of all pages, newest first. Entries may arrive in front or disappear meanwhile: every entry that
 * is present throughout is in the list exactly once.
 * @template {{ readonly id: string }} T
 * @template [U=T]
 * @param {(offset: number) => Promise<readonly T[]>} fetchPage gives at most `size` entries
 * @param {{ size: number, most?: number | undefined, keep?: ((entry: T) => U) | undefined }} options `most` is how many
 *   entries to fetch, all by default; `keep` maps an entry to what is kept
 * @returns {Promise<U[]>}
 */
export async function readPages(fetchPage, { size, most = Infinity, keep }) {
  /** @type {Map<string, U>} */
  const found = new Map();
  for (let offset = 0;; offset += size - 1) {
    const page = await fetchPage(offset);
    // Pages overlap by one entry. If they do not, an earlier entry was deleted, and others have moved to the range of the
    // last page.
    const isNext = offset === 0 || found.has(page[0]?.id ?? "");
    const before = isNext ? [] : await fetchPage(Math.max(0, offset - size));
    for (const entry of [...before, ...page]) {
      found.set(entry.id, keep?.(entry) ?? /** @type {U} */ (/** @type {unknown} */ (entry)));
    }
    if (page.length < size || found.size >= most) return [...found.values()].slice(0, most);
  }
}
