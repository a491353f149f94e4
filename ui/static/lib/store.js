/**
 * State shared by all pages: an index of all held events, newest first, without payloads. The stream keeps it fresh; it
 * is fetched again whenever the stream may have missed something.
 */
import { batch, computed, signal } from "./dom.js";
import { getJson, getList, messageOf } from "./api.js";
import { gatherDuring, onLive } from "./live.js";
import { namespace, namespaces } from "./namespace.js";
import { isRead, keepMarks, readIds } from "./unread.js";

/** @import { Change } from "./live.js" */
/** @import { EventRecord, FullEvent, Health, PluginInfo } from "./types.d.ts" */

/** All held events, newest first. */
export const events = signal(/** @type {readonly EventRecord[]} */ ([]));

/** Enabled plugins in the order the service names them. */
export const plugins = signal(/** @type {readonly PluginInfo[]} */ ([]));

/** State of the service, with the time of the response. */
export const health = signal(/** @type {(Health & { at: number }) | undefined} */ (undefined));

/** Number of rejected requests. */
export const rejectedCount = signal(0);

/** Number of rejected requests when their page was last shown. */
export const rejectedSeen = signal(0);

/** Whether the first load is done, and the error of the last one. */
export const loading = signal(/** @type {{ done: boolean, problem?: string }} */ ({ done: false }));

/** Counts, unread counts and newest event by plugin. */
export const tallies = computed(() => {
  /** @type {Map<string, { count: number, unread: number, newest: EventRecord }>} */
  const found = new Map();
  const read = readIds.value;
  for (const event of events.value) {
    let tally = found.get(event.plugin);
    if (tally === undefined) {
      found.set(event.plugin, tally = { count: 0, unread: 0, newest: event });
    }
    tally.count++;
    if (!isRead(read, event.id)) tally.unread++;
  }
  return found;
});

/** Unread events of all plugins. */
export const unreadTotal = computed(() =>
  [...tallies.value.values()].reduce((sum, tally) => sum + tally.unread, 0)
);

/** Fetches the state of the service alone. */
export async function refreshHealth() {
  try {
    /** @type {Health} */
    const state = await getJson("/health");
    health.value = { ...state, at: Date.now() };
  } catch {
    // The stream reports that the service is gone.
  }
}

let loads = 0;

/** Fetches everything. */
export async function load() {
  const mine = ++loads;
  try {
    const { value, missed } = await gatherDuring(() =>
      Promise.all([
        getList("/events?include_payload=0", { keep: slim }),
        getJson("/plugins"),
        getJson("/health"),
        getJson("/namespaces"),
      ])
    );
    const [list, infos, state, names] = value;
    // A later load has started: this response is old.
    if (mine !== loads) return;
    batch(() => {
      events.value = apply(list, missed);
      plugins.value = infos;
      namespaces.value = names.map((/** @type {{ name: string }} */ { name }) => name);
      health.value = { ...state, at: Date.now() };
      loading.value = { done: true };
    });
    // With one namespace selected, events of the others look like deleted ones.
    if (namespace.peek() === "") keepMarks(new Set(events.peek().map(({ id }) => id)));
  } catch (error) {
    if (mine === loads) {
      loading.value = { done: loading.peek().done, problem: messageOf(error) };
    }
  }
}

/**
 * Drops the payload, which can be large, and everything in `meta` except the fault.
 * @param {FullEvent} event
 * @returns {EventRecord}
 */
function slim({ id, plugin, provider, type, received_at, summary, summary_parts, url, meta }) {
  return {
    id,
    plugin,
    provider,
    type,
    received_at,
    summary,
    summary_parts,
    ...(url === undefined ? {} : { url }),
    ...(meta?.fault === undefined ? {} : { meta: { fault: meta.fault } }),
  };
}

/** Starts following the stream. */
export function startStore() {
  onLive({
    changed: (changes) => events.value = apply(events.peek(), changes),
    resync: () => void load(),
    rejected: (count) => {
      rejectedCount.value = count;
      if (count < rejectedSeen.peek()) rejectedSeen.value = count;
    },
  });
}

/**
 * @param {readonly EventRecord[]} list newest first
 * @param {readonly Change[]} changes
 * @returns {readonly EventRecord[]}
 */
export function apply(list, changes) {
  let result = list;
  /** @type {EventRecord[]} New ones, oldest first: put in front of the list once, however many they are. */
  let added = [];
  /** @type {Set<string> | undefined} */
  let known;
  /** @type {Map<string, number>} */
  const held = new Map();
  /** @param {(event: EventRecord) => boolean} stays */
  const keep = (stays) => {
    result = result.filter(stays);
    added = added.filter(stays);
    known = undefined;
  };
  for (const change of changes) {
    if (change.kind === "captured") {
      const { event } = change;
      known ??= new Set([...result, ...added].map(({ id }) => id));
      if (!known.has(event.id)) added.push(slim(event));
      known.add(event.id);
      if (event.held !== undefined) held.set(event.plugin, event.held);
    } else if (change.kind === "deleted") {
      keep(({ id }) => id !== change.id);
    } else {
      const { plugin } = change;
      keep((event) => plugin !== undefined && event.plugin !== plugin);
    }
  }
  if (added.length > 0) result = [...added.reverse(), ...result];
  return held.size === 0 ? result : trim(result, held);
}

/**
 * Drops the oldest events of each plugin beyond the number that the service holds: eviction sends no frame.
 * @param {readonly EventRecord[]} list
 * @param {ReadonlyMap<string, number>} held
 */
function trim(list, held) {
  const left = new Map(held);
  return list.filter(({ plugin }) => {
    const count = left.get(plugin);
    if (count === undefined) return true;
    left.set(plugin, count - 1);
    return count > 0;
  });
}

/**
 * @param {string} name
 * @returns {PluginInfo | undefined}
 */
export function pluginNamed(name) {
  return plugins.value.find((plugin) => plugin.name === name);
}
