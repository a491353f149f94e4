/** The latest operations on the tree. */
import { html } from "../../lib/dom.js";
import { FaultMark } from "../../components/fault_badge.js";
import { Provider } from "../../components/provider.js";
import { Time } from "../../components/controls.js";
import { Captured } from "../../components/text.js";

/** @import { FullEvent } from "../../lib/types.d.ts" */

/** Number of operations shown. */
const RECENT = 30;

/** @param {{ events: readonly FullEvent[] }} props newest first */
export function Activity({ events }) {
  return html`
    <section class="files-activity" aria-label="Recent activity">
      <h3>Recent activity</h3>
      ${events.length === 0 && html`<p class="quiet">No activity yet.</p>`}
      <ol>
        ${events.slice(0, RECENT).map(({ id, summary, plugin, provider, received_at, meta }) =>
          html`
            <li key=${id}>
              <a href=${`/ui/events/${id}`}><${Captured} text=${summary} /></a>
              <${FaultMark} name=${meta?.fault} />
              <${Provider} plugin=${plugin} id=${provider} short=${true} />
              <${Time} iso=${received_at} />
            </li>
          `
        )}
      </ol>
    </section>
  `;
}
