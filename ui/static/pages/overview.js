/** The overview: a card for each plugin, and the latest events. */
import { computed, html } from "../lib/dom.js";
import { now } from "../lib/clock.js";
import { formatCount, plural } from "../lib/format.js";
import { events, loading, plugins, tallies } from "../lib/store.js";
import { aboutText, ownText } from "../lib/summary.js";
import { isRead, readIds } from "../lib/unread.js";
import { BundleTools } from "../components/bundle.js";
import { Time } from "../components/controls.js";
import { Address, Empty } from "../components/empty.js";
import { Icon } from "../components/icons.js";
import { Page } from "../components/page.js";
import { Provider } from "../components/provider.js";
import { Captured } from "../components/text.js";

/** @import { EventRecord, PluginInfo, ProviderInfo } from "../lib/types.d.ts" */

const RECENT = 30;
const BARS = 24;
/** A bar is full at this count or above, so that a single event is not a peak. */
const MIN_FULL = 4;
/** Time span of one bar, in milliseconds. */
const BAR_MS = 150_000;

/** The page `/ui/`. */
export function OverviewPage() {
  const total = events.value.length;
  return html`
    <${Page} title="Overview" count=${plural(total, "event")} class="overview"
      tools=${html`<${BundleTools} count=${total} />`}>
      <div class="page-scroll">
        <div class="overview-grid">
          <section class="feed" aria-labelledby="recent">
              <h2 id="recent">Recent activity</h2>
              ${total === 0 && loading.value.done && html`
                <${Empty} icon="inbox" title="Nothing captured yet">
                  <p>Point your application at one of the addresses on this page. What it sends appears here at once and goes nowhere else. <code>standin demo</code> sends examples.</p>
                  <//>
              `}
              <ol>${events.value.slice(0, RECENT).map((event) =>
                html`<${FeedItem} key=${event.id} event=${event} />`
              )}</ol>
              ${total > 0 &&
                html`<p class="feed-more"><a class="button" href="/ui/events/">All events</a></p>`}
            </section>
          <section class="cards" aria-label="Plugins">
              ${plugins.value.map((plugin) =>
                html`<${Card} key=${plugin.name} plugin=${plugin} />`
              )}
            </section>
        </div>
      </div>
      <//>
  `;
}

/** @param {{ plugin: PluginInfo }} props */
function Card({ plugin }) {
  const tally = tallies.value.get(plugin.name);
  return html`
    <article class="card">
      <header>
        <span class="card-icon"><${Icon} name=${plugin.name} size=${18} /></span>
        <h2><a href=${`/ui/${plugin.name}/`}>${plugin.title}</a></h2>
        <${Count} count=${tally?.count ?? 0} unread=${tally?.unread ?? 0} />
      </header>
      <p class="card-about">${plugin.description}</p>
      <${Activity} plugin=${plugin.name} />
      <p class="card-last">${tally === undefined
        ? html`<span class="quiet">Nothing yet</span>`
        : html`<a href=${`/ui/events/${tally.newest.id}`}><${Captured} text=${
          ownText(tally.newest)
        } /></a><${Time} iso=${tally.newest.received_at} />`}</p>
      <ul class="card-providers">
          ${listenersOf(plugin).map(({ url, providers }) =>
            html`
              <li key=${url ?? ""}>
                <span class="card-chips">${providers.map(({ name }) =>
                  html`<${Provider} key=${name} plugin=${plugin.name} id=${name} />`
                )}</span>
                ${url === undefined
                  ? html`<span class="quiet">not listening</span>`
                  : html`<${Address} url=${url} />`}
              </li>
            `
          )}
        </ul>
    </article>
  `;
}

/** The total and the number of unread events. @param {{ count: number, unread: number }} props */
function Count({ count, unread }) {
  const news = unread === 0
    ? ""
    : unread === count
    ? "all unread"
    : `${formatCount(unread)} unread`;
  return html`
    <span
      class="card-count"><span class="card-news">${news}</span><strong>${formatCount(
        count,
      )}</strong></span>
  `;
}

/**
 * Groups the enabled providers of a plugin by address, which several may share.
 * @param {PluginInfo} plugin
 */
function listenersOf({ providers }) {
  /** @type {Map<string | undefined, ProviderInfo[]>} */
  const found = new Map();
  for (const provider of providers.filter(({ enabled }) => enabled)) {
    const known = found.get(provider.url);
    if (known === undefined) found.set(provider.url, [provider]);
    else known.push(provider);
  }
  return [...found].map(([url, providers]) => ({ url, providers }));
}

/** @type {readonly number[]} */
const QUIET = new Array(BARS).fill(0);

/** Events of the last hour by plugin, one count per bar, in one pass for all plugins. */
const activity = computed(() => {
  /** @type {Map<string, number[]>} */
  const found = new Map();
  const end = now.value;
  for (const { plugin, received_at } of events.value) {
    const bar = BARS - 1 - Math.floor(Math.max(0, end - Date.parse(received_at)) / BAR_MS);
    if (bar < 0) break;
    let counts = found.get(plugin);
    if (counts === undefined) found.set(plugin, counts = [...QUIET]);
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return found;
});

/**
 * A chart of the last hour, newest on the right.
 * @param {{ plugin: string }} props
 */
function Activity({ plugin }) {
  const counts = activity.value.get(plugin) ?? QUIET;
  const most = counts.reduce((most, count) => Math.max(most, count), MIN_FULL);
  const sum = counts.reduce((all, count) => all + count, 0);
  return html`
    <div class="activity-plot">
      <svg class="activity" viewBox=${`0 0 ${BARS * 8} 28`} preserveAspectRatio="none" role="img"
        aria-label=${`${plural(sum, "event")} in the last hour`}>
        ${counts.map((count, i) => {
          const height = count === 0 ? 1.5 : 3 + 25 * (count / most);
          return html`<rect class=${count === 0 ? "bar none" : "bar"} x=${i * 8} y=${
            28 - height
          } width="6" height=${height} rx="1.5" />`;
        })}
      </svg>
      <p class="activity-axis" aria-hidden="true">
      <span>1 h ago</span><span>30 min</span><span>now</span>
      </p>
    </div>
  `;
}

/** @param {{ event: EventRecord }} props */
function FeedItem({ event }) {
  return html`
    <li class=${isRead(readIds.value, event.id) ? "" : "unread"}>
      <a href=${`/ui/events/${event.id}`}>
        <span class="feed-icon"><${Icon} name=${event.plugin} /></span>
        <span class="feed-main">
          <span
            class="feed-line"><${Captured} class="feed-title" text=${ownText(
              event,
            )} /><${Time} iso=${event.received_at} /></span>
          <span
            class="feed-line"><${Captured} class="feed-sub" text=${aboutText(
              event,
            )} /><${Provider} plugin=${event.plugin} id=${event.provider} short=${true} /></span>
        </span>
      </a>
    </li>
  `;
}
