/** Empty states, and the code that fills them. */
import { html, useState } from "../lib/dom.js";
import { nameOfProvider } from "../lib/providers.js";
import { CopyButton, Tabs } from "./controls.js";
import { Icon } from "./icons.js";

/** @import { PluginInfo, ProviderInfo, SnippetInfo } from "../lib/types.d.ts" */

/**
 * @param {{ icon: string, title: string, children?: import("../lib/dom.js").Children }} props
 */
export function Empty({ icon, title, children }) {
  return html`<div class="empty">
    <span class="empty-icon"><${Icon} name=${icon} size=${28} /></span>
    <h2>${title}</h2>
    ${children}
  </div>`;
}

/**
 * The empty state of a tab, or its instructions for sending; content of the plugin follows.
 * @param {{ plugin: PluginInfo, isEmpty: boolean, title: string, text: string,
 *   children?: import("../lib/dom.js").Children }} props
 */
export function Start({ plugin, isEmpty, title, text, children }) {
  return html`<div class="page-scroll">
    ${
    isEmpty && html`
      <${Empty} icon=${plugin.name} title=${title}>
        <p>${text}</p>
        <//>
    `
  }
    <div class="howto-page"><h2>How to send</h2><${HowTo} plugin=${plugin} />${children}</div>
  </div>`;
}

/**
 * How to send to a plugin: an address and code for each provider.
 * @param {{ plugin: PluginInfo }} props
 */
export function HowTo({ plugin }) {
  const providers = plugin.providers.filter(({ enabled }) => enabled);
  const [picked, setPicked] = useState("");
  const provider = providers.find(({ name }) => name === picked) ?? providers[0];
  if (provider === undefined) {
    return html`<p class="quiet">No provider of this plugin is enabled.</p>`;
  }
  return html`
    <section class="howto" aria-label="How to send">
      <${Tabs} label="Provider" current=${provider.name} onPick=${setPicked} items=${providers.map((
        { name },
      ) => ({ id: name, label: nameOfProvider(plugin.name, name) }))} />
      <${ProviderHowTo} key=${provider.name} provider=${provider} />
    </section>
  `;
}

/** @param {{ provider: ProviderInfo }} props */
function ProviderHowTo({ provider }) {
  return html`<div class="howto-body">
    <p>${provider.description}</p>
    ${provider.url && html`<${Address} url=${provider.url} />`}
    ${
    provider.endpoints.length > 0 && html`<ul class="endpoints">
        ${
      provider.endpoints.map(({ method, path, description }) =>
        html`<li title=${description}><span class="method">${method}</span><code>${path}</code></li>`
      )
    }
      </ul>`
  }
    <${Snippets} snippets=${provider.snippets} />
  </div>`;
}

/**
 * Code to copy, one client at a time.
 * @param {{ snippets: readonly SnippetInfo[] }} props
 */
export function Snippets({ snippets }) {
  const [picked, setPicked] = useState("");
  const snippet = snippets.find(({ title }) => title === picked) ?? snippets[0];
  if (snippet === undefined) return null;
  return html`
    ${snippets.length > 1 &&
      html`
        <${Tabs} label="Client" class="small" current=${snippet.title} onPick=${setPicked}
          items=${snippets.map(({ title }) => ({ id: title, label: title }))} />
      `}
    <div class="snippet">
      <div class="snippet-bar">
        <span class="snippet-title">${snippets.length === 1 && snippet.title}</span>
        <${CopyButton} text=${snippet.code} label="Copy" title="Copy the code" />
      </div>
      <pre tabindex="0"><code>${snippet.code}</code></pre>
    </div>
  `;
}

/**
 * The address of a listener, ready to copy.
 * @param {{ url: string }} props
 */
export function Address({ url }) {
  return html`
    <span class="address"><code>${url}</code><${CopyButton} text=${url}
      title="Copy the address" /></span>
  `;
}
