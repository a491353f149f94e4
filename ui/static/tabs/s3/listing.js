/** One level of a bucket, or the results of a search: fetched page by page and kept fresh by events. */
import { useEffect, useRef, useState } from "../../lib/dom.js";
import { ApiProblem, getJson, messageOf, toQuery } from "../../lib/api.js";
import { gatherDuring, onLive } from "../../lib/live.js";
import { DELIMITER, withChange, withoutFolder, withPage } from "./rows.js";

/** @import { Change } from "../../lib/live.js" */
/** @import { Listing, ListingQuery, ObjectsView, S3Operation } from "./types.d.ts" */

/** Entries per page: the most that the API returns. */
const PAGE = 1000;
/** Time that possibly empty folders are collected before they are checked, in milliseconds. */
const DOUBT_MS = 250;

/**
 * @typedef {object} Fetched
 * @property {Listing} [listing]
 * @property {string} [problem]
 * @property {boolean} busy whether a page is on its way
 */

/**
 * Returns the path of one page of a bucket.
 * @param {string} bucket
 * @param {Readonly<Record<string, string | number | undefined>>} query as the API names it
 */
export function objectsPath(bucket, query) {
  return `/s3/buckets/${encodeURIComponent(bucket)}/objects${toQuery(query)}`;
}

/**
 * @param {ListingQuery} query
 * @param {{ token?: string, most?: number }} [page]
 */
function pagePath({ bucket, prefix, search }, { token, most = PAGE } = {}) {
  const delimiter = search === "" ? DELIMITER : "";
  return objectsPath(bucket, { prefix, search, delimiter, continuation: token, max_keys: most });
}

/** Fetches one listing and applies events to it. Unusable once stopped. */
class Follower {
  /** @type {Listing | undefined} */
  #listing;
  /** @type {string | undefined} */
  #problem;
  #busy = false;
  #again = false;
  #ended = new AbortController();
  /** @type {Set<string>} */
  #doubts = new Set();
  #isStale = false;
  #doubtTimer = 0;
  #stopLive = () => {};

  /**
   * @param {ListingQuery} query
   * @param {(state: Fetched) => void} show
   */
  constructor(query, show) {
    this.query = query;
    this.show = show;
  }

  start() {
    this.#stopLive = onLive({
      changed: (changes) => this.#apply(changes),
      resync: () => void this.reload(),
    });
    void this.reload();
  }

  stop() {
    this.#ended.abort();
    this.#stopLive();
    clearTimeout(this.#doubtTimer);
  }

  /** Fetches the loaded pages again. */
  async reload() {
    this.#again = true;
    await this.#exclusively(async () => {
      this.#again = false;
      const held = this.#listing === undefined
        ? 0
        : this.#listing.folders.length + this.#listing.objects.length;
      /** @type {Listing | undefined} */
      let fresh;
      do {
        fresh = await this.#fetch(fresh);
      } while (fresh.token !== undefined && fresh.folders.length + fresh.objects.length < held);
      this.#listing = fresh;
    });
  }

  /** Fetches the next page, or all of them. */
  async more({ all = false } = {}) {
    await this.#exclusively(async () => {
      do {
        if (this.#listing?.token === undefined) return;
        this.#listing = await this.#fetch(this.#listing);
        if (all) this.#tell();
      } while (all);
    });
  }

  /** @param {() => Promise<void>} run */
  async #exclusively(run) {
    if (this.#busy) return;
    this.#busy = true;
    this.#tell();
    try {
      await run();
      this.#problem = undefined;
    } catch (error) {
      this.#problem = messageOf(error);
      if (error instanceof ApiProblem && error.status === 404) this.#listing = undefined;
    }
    this.#busy = false;
    this.#tell();
    if (this.#again && !this.#ended.signal.aborted) await this.reload();
  }

  /**
   * @param {Listing | undefined} earlier
   * @returns {Promise<Listing>}
   */
  async #fetch(earlier) {
    const path = pagePath(
      this.query,
      earlier?.token === undefined ? {} : { token: earlier.token },
    );
    const { value, missed } = await gatherDuring(
      () => /** @type {Promise<ObjectsView>} */ (getJson(path, { signal: this.#ended.signal })),
    );
    return this.#changed(withPage(value, earlier), missed);
  }

  /** @param {readonly Change[]} changes */
  #apply(changes) {
    // A reset also empties the store.
    if (changes.some((change) => change.kind === "cleared")) return void this.reload();
    if (this.#listing === undefined) {
      // The bucket did not exist; an event in it means that it does now.
      if (changes.some((change) => this.#operationOf(change) !== undefined)) void this.reload();
      return;
    }
    const before = this.#listing;
    this.#listing = this.#changed(before, changes);
    if (this.#listing !== before) this.#tell();
  }

  /**
   * @param {Listing} listing
   * @param {readonly Change[]} changes
   */
  #changed(listing, changes) {
    let result = listing;
    for (const change of changes) {
      const operation = this.#operationOf(change);
      if (change.kind !== "captured" || operation === undefined) continue;
      if (operation.key === undefined) this.#again = true;
      const done = withChange(result, {
        query: this.query,
        operation,
        at: change.event.received_at,
      });
      result = done.listing;
      if (done.doubt !== undefined) this.#doubts.add(done.doubt);
      if (done.isStale) this.#isStale = true;
      if (done.doubt !== undefined || done.isStale) this.#settleSoon();
    }
    if (this.#again) void this.reload();
    return result;
  }

  /**
   * Returns the operation of a change, if it concerns this bucket.
   * @param {Change} change
   */
  #operationOf(change) {
    if (change.kind !== "captured" || change.event.plugin !== "s3") return undefined;
    const operation = /** @type {S3Operation} */ (change.event.payload);
    return operation.bucket === this.query.bucket ? operation : undefined;
  }

  #settleSoon() {
    if (this.#doubtTimer === 0) this.#doubtTimer = setTimeout(() => void this.#settle(), DOUBT_MS);
  }

  async #settle() {
    this.#doubtTimer = 0;
    const folders = [...this.#doubts];
    this.#doubts.clear();
    if (this.#isStale) {
      this.#isStale = false;
      return await this.reload();
    }
    for (const folder of folders) {
      try {
        const path = pagePath({ ...this.query, prefix: folder }, { most: 1 });
        /** @type {ObjectsView} */
        const { objects, common_prefixes } = await getJson(path, { signal: this.#ended.signal });
        if (objects.length + common_prefixes.length > 0 || this.#listing === undefined) continue;
        this.#listing = withoutFolder(this.#listing, folder);
        this.#tell();
      } catch {
        // The bucket was deleted, and its own event handles that.
        return;
      }
    }
  }

  #tell() {
    if (this.#ended.signal.aborted) return;
    this.show({
      busy: this.#busy,
      ...(this.#listing === undefined ? {} : { listing: this.#listing }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    });
  }
}

/**
 * @param {ListingQuery} query
 * @returns {Fetched & { more: (options?: { all?: boolean }) => void }}
 */
export function useListing({ bucket, prefix, search }) {
  const [state, setState] = useState(/** @type {Fetched} */ ({ busy: true }));
  const follower = useRef(/** @type {Follower | undefined} */ (undefined));
  useEffect(() => {
    setState({ busy: true });
    const started = new Follower({ bucket, prefix, search }, setState);
    follower.current = started;
    started.start();
    return () => started.stop();
  }, [bucket, prefix, search]);
  return { ...state, more: (options) => void follower.current?.more(options) };
}
