/** Display names of providers: the vendor or protocol. Data and filters use the id. */
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
 * Returns `SendGrid`, or the id of a provider that is not enabled.
 * @param {string} plugin
 * @param {string} id
 */
export function vendorOf(plugin, id) {
  return providerNamed(plugin, id)?.short_title ?? id;
}

/**
 * Returns `SendGrid (mail2)`, or the name alone if the id says the same.
 * @param {string} plugin
 * @param {string} id
 */
export function nameOfProvider(plugin, id) {
  const vendor = vendorOf(plugin, id);
  return vendor.toLowerCase() === id ? vendor : `${vendor} (${id})`;
}

/**
 * Returns the same for `mail/mail2`, the form in faults, and `Mail` for all providers of the plugin.
 * @param {string} on
 */
export function nameOfPlace(on) {
  const [plugin = "", id] = on.split("/", 2);
  if (id !== undefined) return nameOfProvider(plugin, id);
  return plugins.value.find(({ name }) => name === plugin)?.title ?? plugin;
}

/**
 * Returns the same for the id alone, which is all that a rejected request has; the id if several plugins use it.
 * @param {string} id
 */
export function nameOfId(id) {
  const owners = plugins.value.filter(({ providers }) => providers.some(({ name }) => name === id));
  return owners.length === 1 && owners[0] !== undefined ? nameOfProvider(owners[0].name, id) : id;
}

/**
 * Returns filter options: ids as values, names as labels.
 * @param {{ readonly name: string, readonly providers: readonly { readonly name: string }[] }} plugin
 */
export function providerChoices(plugin) {
  return plugin.providers.map(({ name }) => ({
    value: name,
    label: nameOfProvider(plugin.name, name),
  }));
}
