/** What providers are called: by the vendor or protocol they stand in for. Data and filters go by the id. */
import { plugins } from "./store.js";

/** @import { ProviderInfo } from "./types.d.ts" */

/**
 * @param {string} plugin
 * @param {string} id
 * @returns {ProviderInfo | undefined}
 */
export function providerNamed(plugin, id) {
  return plugins.value.find(({ name }) => name === plugin)?.providers
    .find(({ name }) => name === id);
}

/**
 * `SendGrid`, or the id of a provider that is not enabled here.
 * @param {string} plugin
 * @param {string} id
 */
export function vendorOf(plugin, id) {
  return providerNamed(plugin, id)?.short_title ?? id;
}

/**
 * `SendGrid (mail2)`; the name alone where the id says the same.
 * @param {string} plugin
 * @param {string} id
 */
export function nameOfProvider(plugin, id) {
  const vendor = vendorOf(plugin, id);
  return vendor.toLowerCase() === id ? vendor : `${vendor} (${id})`;
}

/**
 * For a filter: the ids as values, the names to choose from.
 * @param {{ readonly name: string, readonly providers: readonly { readonly name: string }[] }} plugin
 */
export function providerChoices(plugin) {
  return plugin.providers.map(({ name }) => ({
    value: name,
    label: nameOfProvider(plugin.name, name),
  }));
}
