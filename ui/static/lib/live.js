/** Changes in the service, delivered in batches, so that a flood costs only a few renderings a second. */
import { signal } from "./dom.js";
import { keepNamespace, namespace, noteNamespace } from "./namespace.js";
import { followFrames } from "./stream.js";

/** @import { Frame } from "./stream.js" */
/** @import { FullEvent } from "./types.d.ts" */

/** @typedef {"connecting" | "live" | "lost"} Connection */

/** Whether the page is in sync with the service. */
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
 * @property {(count: number) => void} [rejected] how many rejected requests are held
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
/** With more changes at once it is cheaper to fetch the list again. */
const MAX_BATCH = 2000;

/** @type {Change[]} */
let waiting = [];
let timer = 0;

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

/**
 * Runs a fetch, and also returns the changes during it, which may be newer than the response.
 * @template T
 * @param {() => Promise<T>} fetch
 * @returns {Promise<{ value: T, missed: readonly Change[] }>}
 */
export async function gatherDuring(fetch) {
  /** @type {Change[]} */
  const missed = [];
  const stop = onLive({
    changed(changes) {
      for (const change of changes) missed.push(change);
    },
  });
  try {
    return { value: await fetch(), missed };
  } finally {
    stop();
  }
}

/** Starts following the service. */
export function startLive() {
  followFrames(receive);
}

/** @param {Frame} frame */
function receive({ name, data }) {
  switch (name) {
    case "hello":
      connection.value = "live";
      resync();
      return tellRejected(data.rejected);
    case "lost":
      connection.value = "lost";
      return;
    case "captured":
      noteNamespace(data.namespace);
      if (isElsewhere(data.namespace)) return;
      return push({ kind: "captured", event: data });
    case "deleted":
      return push({ kind: "deleted", id: data.id, plugin: data.plugin });
    case "cleared":
      if (data.namespace === undefined) return push({ kind: "cleared", ...data });
      if (isElsewhere(data.namespace)) return;
      // Only the service knows which of the shown events have this namespace.
      return namespace.peek() === "" ? resync() : push({ kind: "cleared", plugin: data.plugin });
    case "gap":
      return resync();
    case "rejected":
      return tellRejected(data.count);
  }
}

/** @param {string | undefined} name of the subject of a frame */
function isElsewhere(name) {
  const chosen = namespace.peek();
  return chosen !== "" && name !== chosen;
}

/**
 * Limits the page to one namespace, or to none.
 * @param {string} name empty for all
 */
export function chooseNamespace(name) {
  keepNamespace(name);
  resync();
}

/** @param {number} count */
function tellRejected(count) {
  for (const listener of listeners) listener.rejected?.(count);
}
