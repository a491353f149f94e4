/** Which page an address shows. */
import { html, render, useErrorBoundary } from "./lib/dom.js";
import { startClock } from "./lib/clock.js";
import { startKeys } from "./lib/keys.js";
import { startLive } from "./lib/live.js";
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
  const { Tab, problem } = tabOf(plugin.tab);
  if (problem !== undefined) return html`<${Problem} text=${problem} />`;
  return Tab === undefined ? null : html`<${Tab} key=${plugin.name} plugin=${plugin} />`;
}

function CurrentPage() {
  const { path } = place.value;
  const [, , page = "", id = "", ...more] = path.split("/");
  if (more.length > 0) return html`<${NotFoundPage} />`;
  if (page === "" && id === "") return html`<${OverviewPage} />`;
  if (page === "events" && id !== "") return html`<${EventPage} key=${id} id=${id} />`;
  if (page === "events") return html`<${EventsPage} key="events" />`;
  if (page === "rejected" && id === "") return html`<${RejectedPage} />`;
  const plugin = pluginNamed(page);
  if (plugin !== undefined && id === "") return html`<${PluginPage} plugin=${plugin} />`;
  // Which plugins there are is not known before the first load.
  return loading.value.done ? html`<${NotFoundPage} />` : null;
}

/** A page that cannot be drawn must not take the others with it. */
function Guard() {
  const [error, retry] = useErrorBoundary();
  if (error === undefined || error === null) return html`<${CurrentPage} />`;
  return html`
    <${Page} title="Fault">
      <${Empty} icon="warning" title="This page cannot be drawn">
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
// In a task of its own: together with the modules it would keep the page from answering for too long.
setTimeout(() => {
  const room = /** @type {HTMLElement} */ (document.getElementById("app"));
  // What the shell had there was for the time until now.
  room.replaceChildren();
  render(html`<${App} />`, room);
});
