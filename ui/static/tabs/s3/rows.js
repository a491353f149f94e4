/** Listings as values: pages are joined, and changes applied. */

/** @import { Listing, ListingQuery, ObjectsView, Row, S3Operation } from "./types.d.ts" */

/** The separator of folders. */
export const DELIMITER = "/";

/**
 * Adds a page to a listing, or begins one without `earlier`.
 * @param {ObjectsView} page
 * @param {Listing | undefined} earlier
 * @returns {Listing}
 */
export function withPage(page, earlier) {
  const token = page.next_continuation_token;
  return {
    bucket: page.bucket,
    folders: merge(earlier?.folders, page.common_prefixes.map(({ prefix }) => folderRow(prefix))),
    objects: merge(
      earlier?.objects,
      page.objects.map(({ key, size, last_modified, headers }) => ({
        id: key,
        folder: false,
        size,
        modified: last_modified,
        type: headers.content_type ?? "",
      })),
    ),
    ...(token === undefined ? {} : { token }),
  };
}

/**
 * @param {readonly Row[] | undefined} earlier
 * @param {readonly Row[]} rows
 */
function merge(earlier = [], rows) {
  const last = earlier.at(-1)?.id;
  // The page may repeat an entry that a change has added already.
  return last === undefined || rows[0] === undefined || rows[0].id > last
    ? [...earlier, ...rows]
    : [...new Map([...earlier, ...rows].map((row) => [row.id, row])).values()].sort(byId);
}

/** @param {Row} a @param {Row} b */
function byId(a, b) {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/**
 * @param {string} id
 * @returns {Row}
 */
function folderRow(id) {
  return { id, folder: true, size: 0, modified: "", type: "" };
}

/**
 * Returns the folder of a listing that contains a key.
 * @param {string} key
 * @param {string} prefix
 */
export function folderOf(key, prefix) {
  const at = key.indexOf(DELIMITER, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + 1);
}

/**
 * Returns the last part of a key or prefix, shown in its row.
 * @param {string} id
 * @param {string} prefix
 */
export function nameOf(id, prefix) {
  return id.slice(prefix.length) || "(the folder itself)";
}

/**
 * Applies a change of the bucket to a listing. `doubt` is a folder that may have lost its last key;
 * a stale listing must be fetched again.
 * @param {Listing} listing
 * @param {{ query: ListingQuery, operation: S3Operation, at: string }} about `at` is when it happened
 * @returns {{ listing: Listing, doubt?: string, isStale?: boolean }}
 */
export function withChange(listing, { query: { prefix, search }, operation, at }) {
  const { key = "", operation: word, size = 0, content_type: type = "" } = operation;
  const isShown = key.startsWith(prefix) && key.toLowerCase().includes(search.toLowerCase());
  if (key === "" || !isShown) return { listing };
  const folder = search === "" ? folderOf(key, prefix) : undefined;
  // The newest version may have changed: only the store knows.
  if (word === "object.delete" && operation.version_id !== undefined) {
    if (operation.delete_marker !== "created") return { listing, isStale: true };
  }
  if (word === "object.delete") {
    if (folder !== undefined) return { listing, doubt: folder };
    return { listing: { ...listing, objects: without(listing.objects, key) } };
  }
  if (isBeyond(listing, folder ?? key)) return { listing };
  if (folder !== undefined) {
    return { listing: { ...listing, folders: withRow(listing.folders, folderRow(folder)) } };
  }
  const row = { id: key, folder: false, size, modified: at, type };
  return { listing: { ...listing, objects: withRow(listing.objects, row) } };
}

/**
 * Removes a folder that turned out to be empty.
 * @param {Listing} listing
 * @param {string} folder
 * @returns {Listing}
 */
export function withoutFolder(listing, folder) {
  return { ...listing, folders: without(listing.folders, folder) };
}

/**
 * Returns whether a page that was not fetched yet will contain it.
 * @param {Listing} listing
 * @param {string} id
 */
function isBeyond({ token, folders, objects }, id) {
  if (token === undefined) return false;
  return id > (objects.at(-1)?.id ?? "") && id > (folders.at(-1)?.id ?? "");
}

/**
 * @param {readonly Row[]} rows
 * @param {Row} row
 */
function withRow(rows, row) {
  const at = placeOf(rows, row.id);
  const found = rows[at];
  if (found?.id === row.id && row.folder) return rows;
  return rows.toSpliced(at, found?.id === row.id ? 1 : 0, row);
}

/**
 * @param {readonly Row[]} rows
 * @param {string} id
 */
function without(rows, id) {
  const at = placeOf(rows, id);
  return rows[at]?.id === id ? rows.toSpliced(at, 1) : rows;
}

/**
 * @param {readonly Row[]} rows
 * @param {string} id
 */
function placeOf(rows, id) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.id ?? "") < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Puts folders first, sorted by name, then the objects in the requested order.
 * @param {Listing} listing
 * @param {string} order `name`, `size` or `modified`; a minus reverses it
 * @returns {readonly Row[]}
 */
export function inOrder({ folders, objects }, order) {
  const down = order.startsWith("-");
  const word = down ? order.slice(1) : order;
  const compare = word === "size"
    ? (/** @type {Row} */ a, /** @type {Row} */ b) => a.size - b.size
    : word === "modified"
    ? (/** @type {Row} */ a, /** @type {Row} */ b) =>
      a.modified < b.modified ? -1 : Number(a.modified > b.modified)
    : undefined;
  const sorted = compare === undefined ? [...objects] : objects.toSorted(compare);
  if (down) sorted.reverse();
  return word === "name" && down ? [...folders.toReversed(), ...sorted] : [...folders, ...sorted];
}
