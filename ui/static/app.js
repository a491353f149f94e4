/** Chooses the page for a URL. */
import { html, render, useEffect, useErrorBoundary, useRef } from "./lib/dom.js";
import { startClock } from "./lib/clock.js";
import { startKeys } from "./lib/keys.js";
import { connection, startLive } from "./lib/live.js";
import { place, startRouter } from "./lib/router.js";
import { loading, pluginNamed, startStore } from "./lib/store.js";
import { tabOf } from "./lib/tabs.js";
import { followOtherWindows } from "./lib/unread.js";
import { messageOf } from "./lib/api.js";
import { Empty } from "./components/empty.js";
import { Page, Problem } from "./components/page.js";
import { Shell } from "./components/shell.js";
import { EventPage } from "./pages/event.js";
import { EventsPage } from "./pages/events.js";
import { NotFoundPage } from "./pages/not_found.js";
import { OverviewPage } from "./pages/overview.js";
import { RejectedPage } from "./pages/rejected.js";

/** @import { PluginInfo } from "./lib/types.d.ts" */

/** @param {{ plugin: PluginInfo }} props */
function PluginPage({ plugin }) {
  if (plugin.tab === undefined) return html`<${EventsPage} key=${plugin.name} plugin=${plugin} />`;
  return html`<${LoadedPage} key=${plugin.name} module=${plugin.tab} plugin=${plugin} />`;
}

/**
 * A page whose module is fetched when it is first opened.
 * @param {{ module: string, plugin?: PluginInfo }} props
 */
function LoadedPage({ module, plugin }) {
  const { Tab, problem } = tabOf(module);
  if (problem !== undefined) {
    return html`<${NotLoaded} title=${plugin?.title ?? "Error"} problem=${problem} />`;
  }
  return Tab === undefined ? null : html`<${Tab} plugin=${plugin} />`;
}

/**
 * Shown if a module cannot be fetched. Browsers may remember that, so only a reload tries again: by itself once the
 * service is back.
 * @param {{ title: string, problem: string }} props
 */
function NotLoaded({ title, problem }) {
  const wasLost = useRef(false);
  const state = connection.value;
  useEffect(() => {
    if (state === "lost") wasLost.current = true;
    else if (state === "live" && wasLost.current) location.reload();
  }, [state]);
  return html`
    <${Page} title=${title}>
      <${Empty} icon="warning" title="This page cannot be shown">
        <p>${problem}</p>
        <p class="empty-actions">
          <button type="button" class="button" onClick=${() => location.reload()}>Try again</button>
        </p>
        <//>
        <//>
  `;
}

function CurrentPage() {
  const { path } = place.value;
  const [, , page = "", id = "", ...more] = path.split("/");
  if (more.length > 0) return html`<${NotFoundPage} />`;
  if (page === "" && id === "") return html`<${OverviewPage} />`;
  if (page === "events" && id !== "") return html`<${EventPage} key=${id} id=${id} />`;
  if (page === "events") return html`<${EventsPage} key="events" />`;
  if (page === "rejected" && id === "") return html`<${RejectedPage} />`;
  if (page === "stories" && id === "") return html`<${LoadedPage} module="pages/stories.js" />`;
  if (page === "faults" && id === "") return html`<${LoadedPage} module="pages/faults.js" />`;
  if (page === "callbacks" && id === "") {
    return html`<${LoadedPage} module="pages/callbacks.js" />`;
  }
  const plugin = pluginNamed(page);
  if (plugin !== undefined && id === "") return html`<${PluginPage} plugin=${plugin} />`;
  // The plugins are unknown before the first load.
  return loading.value.done ? html`<${NotFoundPage} />` : null;
}

/** Keeps a page that fails to render from breaking the others. */
function Guard() {
  const [error, retry] = useErrorBoundary();
  if (error === undefined || error === null) return html`<${CurrentPage} />`;
  return html`
    <${Page} title="Error">
      <${Empty} icon="warning" title="This page cannot be shown">
        <p>${messageOf(error)}</p>
        <p class="empty-actions">
          <button type="button" class="button" onClick=${retry}>Try again</button>
        </p>
        <//>
        <//>
  `;
}

function App() {
  const { problem } = loading.value;
  return html`
    <${Shell}>
      <${Problem} text=${problem} />
      <${Guard} key=${place.value.path} />
      <//>
  `;
}

startRouter();
startKeys();
startClock();
followOtherWindows();
startStore();
startLive();
// In a separate task: together with the modules it would block the page for too long.
setTimeout(() => {
  const room = /** @type {HTMLElement} */ (document.getElementById("app"));
  // Replaces the placeholder of the shell.
  room.replaceChildren();
  render(html`<${App} />`, room);
});
