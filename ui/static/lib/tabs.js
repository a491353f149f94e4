/** Modules of the plugins' tabs, loaded on first use. */
import { signal } from "./dom.js";
import { messageOf } from "./api.js";

/** @import { FullEvent, PluginInfo } from "./types.d.ts" */

/**
 * Exports of a tab's module: the page of its plugin, and one item of that page.
 * @typedef {object} TabModule
 * @property {import("preact").ComponentType<{ plugin: PluginInfo }>} [Tab]
 * @property {import("preact").ComponentType<{ event: FullEvent }>} [Item]
 * @property {string} [problem] why it could not be fetched
 */

const tabs = signal(/** @type {ReadonlyMap<string, TabModule>} */ (new Map()));

/**
 * Returns a module by name; empty until it is loaded.
 * @param {string} module
 * @returns {TabModule}
 */
export function tabOf(module) {
  const known = tabs.value.get(module);
  if (known !== undefined) return known;
  /** @param {TabModule} state */
  const set = (state) => tabs.value = new Map([...tabs.peek(), [module, state]]);
  set({});
  import(`../${module}`).then(
    ({ Tab, Item }) => set({ Tab, Item }),
    (error) => set({ problem: `Cannot load this view: ${messageOf(error)}` }),
  );
  return {};
}
