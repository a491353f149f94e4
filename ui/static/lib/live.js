/** One event stream a page. Frames are handed on in batches, so that a flood costs a few renderings a second. */
import { signal } from "./dom.js";

/** @import { FullEvent } from "./types.d.ts" */

/** @typedef {"connecting" | "live" | "lost"} Connection */

/** Whether what is shown keeps up with the service. */
export const connection = signal(/** @type {Connection} */ ("connecting"));

/**
 * @typedef {{ kind: "captured", event: FullEvent & { held?: number } }
 *   | { kind: "deleted", id: string, plugin: string }
 *   | { kind: "cleared", plugin?: string }} Change
 */

/**
 * @typedef {object} Listener
 * @property {(changes: readonly Change[]) => void} [changed] in the order they happened
 * @property {() => void} [resync] some changes were missed: fetch again
 * @property {(count: number) => void} [rejected] how many refused requests are held
 */

/** @type {Set<Listener>} */
const listeners = new Set();

/**
 * @param {Listener} listener
 * @returns {() => void} stops it
 */
export function onLive(listener) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const BATCH_MS = 60;
/** More than this at once and fetching the list again is cheaper. */
const MAX_BATCH = 2000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 10_000;

/** @type {Change[]} */
let waiting = [];
let timer = 0;
let retryMs = RETRY_MIN_MS;

/** @param {Change} change */
function push(change) {
  waiting.push(change);
  if (waiting.length > MAX_BATCH) return resync();
  if (timer === 0) timer = setTimeout(flush, BATCH_MS);
}

function flush() {
  clearTimeout(timer);
  timer = 0;
  const changes = waiting;
  waiting = [];
  if (changes.length === 0) return;
  for (const listener of listeners) listener.changed?.(changes);
}

function resync() {
  clearTimeout(timer);
  timer = 0;
  waiting = [];
  for (const listener of listeners) listener.resync?.();
}

/** Opens the stream and keeps it open. Every (re)connection asks the listeners to fetch again. */
export function startLive() {
  const source = new EventSource("/ui/stream");
  /** @param {string} name @param {(data: any) => void} take */
  const on = (name, take) =>
    source.addEventListener(
      name,
      (event) => take(JSON.parse(/** @type {MessageEvent} */ (event).data)),
    );
  on("hello", ({ rejected }) => {
    connection.value = "live";
    retryMs = RETRY_MIN_MS;
    resync();
    for (const listener of listeners) listener.rejected?.(rejected);
  });
  on("captured", (event) => push({ kind: "captured", event }));
  on("deleted", ({ id, plugin }) => push({ kind: "deleted", id, plugin }));
  on("cleared", ({ plugin }) => push({ kind: "cleared", plugin }));
  on("gap", resync);
  on("rejected", ({ count }) => {
    for (const listener of listeners) listener.rejected?.(count);
  });
  source.onerror = () => {
    if (connection.peek() === "live") connection.value = "lost";
    // The browser's own retry gives up on an answer that is no stream; this one does not.
    source.close();
    setTimeout(startLive, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };
}
