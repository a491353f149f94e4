/** The provider that captured an item. */
import { html } from "../lib/dom.js";
import { nameOfProvider, vendorOf } from "../lib/providers.js";
import { Chip } from "./controls.js";

/**
 * @param {{ plugin: string, id: string, short?: boolean }} props `short` leaves the id to the hover, for rows
 */
export function Provider({ plugin, id, short = false }) {
  const name = nameOfProvider(plugin, id);
  return html`<${Chip} title=${name}>${short ? vendorOf(plugin, id) : name}<//>`;
}
