/** The page of a plugin: its content, or how to send to it while it is empty. */
import { html, useState } from "../lib/dom.js";
import { ToolButton } from "./controls.js";
import { Start } from "./empty.js";
import { Page, Problem } from "./page.js";

/** @import { Children } from "../lib/dom.js" */
/** @import { PluginInfo } from "../lib/types.d.ts" */

/**
 * Shown in place of an empty list.
 * @typedef {{ readonly title: string, readonly text: string, readonly children?: Children }} StartText
 */

/**
 * @param {{ plugin: PluginInfo, start: StartText, count: string, unread?: number, problem: string | undefined,
 *   isEmpty: boolean, tools: Children, children: Children }} props `tools` follow the button that shows how to send
 */
export function PluginPage({ plugin, start, count, unread, problem, isEmpty, tools, children }) {
  const [howTo, setHowTo] = useState(false);
  const all = html`
    <${ToolButton} icon="terminal" text="How to send" label="How to send" pressed=${howTo}
      onClick=${() => setHowTo(!howTo)} />
    ${tools}
  `;
  return html`
    <${Page} title=${plugin.title} count=${count} unread=${unread} tools=${all}
      class=${`${plugin.name}-page`}>
        <${Problem} text=${problem} />
        ${isEmpty || howTo
          ? html`
            <${Start} plugin=${plugin} isEmpty=${isEmpty} title=${start.title} text=${start.text}>
              ${start.children}
              <//>
          `
          : children}
      <//>
  `;
}
