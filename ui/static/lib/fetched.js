/** Responses of the read-back API, kept up to date. */
import { useEffect, useState } from "./dom.js";
import { getJson, getList, messageOf } from "./api.js";
import { onLive } from "./live.js";

/** Pause after a fetch, as a multiple of its duration. */
const BUSY_FACTOR = 3;
/** Time that changes are collected before the next fetch, in milliseconds. */
const GATHER_MS = 200;

/**
 * Like {@link useFetched} for a list, which is fetched in pages.
 * @template {{ readonly id: string }} T
 * @param {string} path below `/api/v1`
 * @param {string} plugin
 * @param {{ most?: number | undefined }} [options] how many entries are wanted; all unless given
 * @returns {{ value?: readonly T[], problem?: string }}
 */
export function useFetchedList(path, plugin, { most } = {}) {
  return useKeptFresh(path, plugin, {
    fetch: (path, options) => getList(path, { ...options, most }),
  });
}

/**
 * Fetches a path, and again whenever events of the plugin are added or removed. The old value stays
 * until the new one has arrived, also when the path changes; `undefined` before the first.
 * @template T
 * @param {string} path below `/api/v1`
 * @param {string | undefined} plugin all plugins unless given
 * @param {{ version?: number }} [options] another `version` asks for the same path again
 * @returns {{ value?: T, problem?: string }}
 */
export function useFetched(path, plugin, { version } = {}) {
  return useKeptFresh(path, plugin, { fetch: getJson, version });
}

/**
 * @template T
 * @param {string} path
 * @param {string | undefined} plugin
 * @param {{ fetch: (path: string, options: { signal: AbortSignal }) => Promise<T>, version?: number | undefined }} how
 * @returns {{ value?: T, problem?: string }}
 */
function useKeptFresh(path, plugin, { fetch, version }) {
  const [state, setState] = useState(/** @type {{ value?: T, problem?: string }} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    let timer = 0;
    let loading = false;
    let pauseMs = GATHER_MS;
    const load = async () => {
      loading = true;
      const beganMs = performance.now();
      try {
        const value = await fetch(path, { signal: ended.signal });
        if (!ended.signal.aborted) setState({ value });
      } catch (error) {
        if (!ended.signal.aborted) setState((last) => ({ ...last, problem: messageOf(error) }));
      }
      loading = false;
      // Slow requests are repeated less often.
      pauseMs = Math.max(GATHER_MS, BUSY_FACTOR * (performance.now() - beganMs));
    };
    // One fetch at a time; the next one includes changes in the meantime.
    const again = () => {
      if (timer !== 0) return;
      timer = setTimeout(() => {
        timer = 0;
        if (loading) again();
        else void load();
      }, pauseMs);
    };
    void load();
    const stop = onLive({
      changed: (changes) => {
        if (
          plugin === undefined ||
          changes.some((change) => pluginOf(change) === undefined || pluginOf(change) === plugin)
        ) {
          again();
        }
      },
      resync: again,
    });
    return () => {
      ended.abort();
      clearTimeout(timer);
      stop();
    };
  }, [path, plugin, version]);
  return state;
}

/**
 * Calls `load` now, and when the page is connected again after a failure.
 * @param {(signal: AbortSignal) => Promise<boolean>} load resolves with whether it failed
 * @returns {() => void} stops it
 */
export function loadOnce(load) {
  const ended = new AbortController();
  let failed = false;
  const start = async () => {
    failed = false;
    failed = await load(ended.signal);
  };
  void start();
  const stop = onLive({ resync: () => failed && void start() });
  return () => {
    ended.abort();
    stop();
  };
}

/**
 * Fetches a path once, for values that never change.
 * @template T
 * @param {string} path below `/api/v1`
 * @returns {{ value?: T, problem?: string }}
 */
export function useFetchedOnce(path) {
  const [state, setState] = useState(/** @type {{ value?: T, problem?: string }} */ ({}));
  useEffect(() =>
    loadOnce(async (signal) => {
      try {
        const value = await getJson(path, { signal });
        if (!signal.aborted) setState({ value });
        return false;
      } catch (error) {
        if (!signal.aborted) setState({ problem: messageOf(error) });
        return true;
      }
    }), [path]);
  return state;
}

/**
 * Polls a path while the page is visible, for values that are not in the stream.
 * @template T
 * @param {string} path below `/api/v1`
 * @param {{ everyMs: number, version: number }} options another `version` fetches at once
 * @returns {{ value?: T, problem?: string }}
 */
export function usePolled(path, { everyMs, version }) {
  const [state, setState] = useState(/** @type {{ value?: T, problem?: string }} */ ({}));
  useEffect(() => {
    const ended = new AbortController();
    let timer = 0;
    const load = async () => {
      try {
        const value = document.hidden ? undefined : await getJson(path, { signal: ended.signal });
        if (value !== undefined && !ended.signal.aborted) setState({ value });
      } catch (error) {
        if (!ended.signal.aborted) setState((last) => ({ ...last, problem: messageOf(error) }));
      }
      if (!ended.signal.aborted) timer = setTimeout(load, everyMs);
    };
    void load();
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [path, everyMs, version]);
  return state;
}

/** @param {import("./live.js").Change} change */
function pluginOf(change) {
  return change.kind === "captured" ? change.event.plugin : change.plugin;
}
