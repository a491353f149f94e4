/** A tab with a list of captured items beside the selected one. */
import { html } from "../lib/dom.js";
import { CapturedPage, MESSAGES, PickedSplit } from "./captured_tab.js";
import { FetchedItem } from "./fetched_item.js";

/** @import { ComponentType } from "preact" */
/** @import { FullEvent, PluginInfo } from "../lib/types.d.ts" */
/** @import { Naming } from "./captured_tab.js" */
/** @import { ItemControls } from "./pick_list.js" */
/** @import { StartText } from "./plugin_page.js" */

/** As `.item-row` in lists.css. */
const ROW_HEIGHT = 82;

/**
 * Returns the exports of the tab's module.
 * @template {{ readonly id: string }} T
 * @param {{ naming?: Naming, filters: Readonly<Record<string, string>>, more?: string, start: StartText,
 *   Filters: ComponentType<{ plugin: PluginInfo }>, Row: ComponentType<{ view: T, unread: boolean }>,
 *   Detail: ComponentType<{ view: T, controls?: ItemControls }>, removal: (view: T) => string }} about the properties of
 *   `CapturedPage` and `PickedSplit`
 */
export function pickedTab(
  { naming = MESSAGES, filters, more, start, Filters, Row, Detail, removal },
) {
  return {
    /** @param {{ plugin: PluginInfo }} props */
    Tab({ plugin }) {
      const render = (/** @type {readonly T[] | undefined} */ views) =>
        html`
          <${PickedSplit} plugin=${plugin} naming=${naming} views=${views} rowHeight=${ROW_HEIGHT}
            filterBar=${html`<${Filters} plugin=${plugin} />`} removal=${removal}
            renderRow=${(/** @type {T} */ view, /** @type {boolean} */ unread) =>
              html`<${Row} view=${view} unread=${unread} />`}
            renderDetail=${(/** @type {T} */ view, /** @type {ItemControls} */ controls) =>
              html`<${Detail} view=${view} controls=${controls} />`} />
        `;
      return html`
        <${CapturedPage} plugin=${plugin} naming=${naming} filters=${filters} more=${more}
          start=${start} render=${render} />
      `;
    },
    /** @param {{ event: FullEvent }} props */
    Item({ event }) {
      return html`
        <${FetchedItem} event=${event}
          render=${(/** @type {T} */ view) => html`<${Detail} view=${view} />`} />
      `;
    },
  };
}
