/** One file or directory: facts, preview and actions. */
import { html } from "../../lib/dom.js";
import { absoluteTime, exactSize } from "../../lib/format.js";
import { providerNamed } from "../../lib/providers.js";
import { setQuery } from "../../lib/router.js";
import { Action, Delete, Download } from "../../components/actions.js";
import { Copied, Head, iconOf } from "../../components/browse.js";
import { ContentPreview } from "../../components/content_preview.js";
import { Time } from "../../components/controls.js";
import { Facts } from "../../components/facts.js";
import { Provider } from "../../components/provider.js";
import { askToDelete } from "./removal.js";

/** @import { PluginInfo } from "../../lib/types.d.ts" */
/** @import { Entry } from "./types.d.ts" */

/** @param {{ plugin: PluginInfo, entry: Entry }} props */
export function Preview({ plugin, entry }) {
  const { name, path, dir, size, content_type: type = "" } = entry;
  const content = entry.links.content;
  return html`
    <${Head} icon=${iconOf({ folder: dir, type })} name=${name}
      onClose=${() => setQuery({ file: null })}>
      ${content && html`<${Download} href=${content} />`}
      ${dir && html`
        <${Action} icon="files" text="Open" onClick=${() =>
          setQuery({ path, file: null, search: null })} />
      `}
      <${Delete} onClick=${() => askToDelete(entry)} />
      <//>
      <${About} plugin=${plugin} entry=${entry} />
      ${content !== undefined && html`
        <section class="panel-preview" aria-label="Preview">
          <${ContentPreview} url=${content} pictureUrl=${`${content}?inline=1`} type=${type}
            size=${size} name=${name} />
        </section>
      `}
  `;
}

/** @param {{ plugin: PluginInfo, entry: Entry }} props */
function About({ plugin, entry }) {
  const { path, dir, size, content_type: type, mod_time: modified, provider = "" } = entry;
  const url = addressOf(plugin, entry);
  return html`
    <${Facts} class="panel-facts" rows=${[
      ["Path", html`<${Copied} text=${path} what="the path" />`],
      ["Address", url && html`<${Copied} text=${url} what="the address" />`],
      ["Size", !dir && exactSize(size)],
      ["Type", dir ? "Directory" : type],
      [
        "Modified",
        html`<${Time} iso=${modified} /> <span class="quiet">${absoluteTime(modified)}</span>`,
      ],
      ["Protocol", provider && html`<${Provider} plugin="files" id=${provider} />`],
    ]} />
  `;
}

/**
 * Returns the address of the file for clients: by the protocol that uploaded it, or the first one that runs.
 * @param {PluginInfo} plugin
 * @param {Entry} entry
 */
function addressOf(plugin, { path, provider = "" }) {
  const url = providerNamed("files", provider)?.url ??
    plugin.providers.find(({ url }) => url !== undefined)?.url;
  return url && url + path.split("/").map(encodeURIComponent).join("/");
}
