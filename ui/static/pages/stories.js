/** Stories: events of one flow, over all protocols, on one line. */
import { html, useState } from "../lib/dom.js";
import { useFetched } from "../lib/fetched.js";
import { plural } from "../lib/format.js";
import { place, setQuery } from "../lib/router.js";
import { loading } from "../lib/store.js";
import { loadStyles } from "../lib/styles.js";
import { formatSpan } from "../lib/story_axis.js";
import { Time, ToolButton } from "../components/controls.js";
import { Empty } from "../components/empty.js";
import { QueryField } from "../components/filters.js";
import { Icon } from "../components/icons.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { StoryDetail, titleOfStory } from "./stories/timeline.js";

/** @import { Story } from "../lib/types.d.ts" */

await loadStyles("css/stories.css");

const ROW_HEIGHT = 62;
/** Page size: stories fetched first, and each time at the end of the list. */
const PAGE = 50;

/** The page `/ui/stories/`. */
export function Tab() {
  const { query } = place.value;
  const [most, setMost] = useState(PAGE);
  const id = query.get("id");
  const isWhole = query.get("single") === "yes";
  const params = new URLSearchParams({ limit: String(most) });
  if (!isWhole) params.set("min_events", "2");
  const search = query.get("search");
  if (search !== null && search !== "") params.set("search", search);
  /** @type {{ value?: { stories: readonly Story[], count: number }, problem?: string }} */
  const { value, problem } = useFetched(`/stories?${params}`, undefined);
  const stories = value?.stories ?? [];
  const count = value?.count ?? 0;
  const listed = stories.find((story) => story.id === id);
  const close = () => setQuery({ id: null });
  return html`
    <${Page} title="Stories" count=${value &&
      plural(count, "story", "stories")} class="stories-page"
      tools=${html`
        <${ToolButton} icon="rows" text="Single events" label="Also show single events"
          pressed=${isWhole} onClick=${() => setQuery({ single: isWhole ? null : "yes" })} />
      `}>
      <${Problem} text=${problem} />
      <${Split} showDetail=${id !== null}
        detail=${id === null
          ? stories.length > 0 && html`<${Choose} />`
          : listed === undefined
          ? value && html`<${Fetched} id=${id} onClose=${close} />`
          : html`<${StoryDetail} key=${id} story=${listed} onClose=${close} />`}
        list=${value && html`
          <div class="filters">
            <${QueryField} name="search" label="Search in events"
              placeholder="Search in events" search=${true} />
          </div>
          ${stories.length === 0
            ? html`<${None} isFiltered=${search !== null && search !== ""} isWhole=${isWhole} />`
            : html`
              <${List} items=${stories} selected=${listed?.id ?? null} rowHeight=${ROW_HEIGHT}
                label="Stories" group="Stories" onSelect=${(/** @type {string} */ id) =>
                  setQuery({ id })}
                onNearEnd=${() => stories.length < count && setMost(stories.length + PAGE)}
                renderRow=${(/** @type {Story} */ story) => html`<${Row} story=${story} />`} />
            `}
        `} />
      <//>
  `;
}

/** @param {{ story: Story }} props */
function Row({ story }) {
  const spanMs = Date.parse(story.ended_at) - Date.parse(story.started_at);
  return html`
    <span class="event-row">
      <span class="row-line"><${Captured} class="row-title" text=${titleOfStory(story)} /><${Time}
        iso=${story.ended_at} /></span>
      <span class="row-line">
        <span class="story-icons">${story.plugins.map((plugin) =>
          html`<${Icon} key=${plugin} name=${plugin} size=${14} />`
        )}</span>
        <span class="row-snippet">${plural(story.count, "event")}${spanMs > 0 &&
          ` · ${formatSpan(spanMs)}`}</span>
      </span>
    </span>
  `;
}

/**
 * A story outside the list, such as one linked from an event.
 * @param {{ id: string, onClose: () => void }} props
 */
function Fetched({ id, onClose }) {
  /** @type {{ value?: Story, problem?: string }} */
  const { value, problem } = useFetched(`/stories/${encodeURIComponent(id)}`, undefined);
  if (problem === undefined) {
    return value && html`<${StoryDetail} key=${value.id} story=${value} onClose=${onClose} />`;
  }
  return html`
    <${Empty} icon="search" title="This story cannot be shown">
      <p>
        <${Captured} text=${problem} />
      </p>
      <p
        class="empty-actions"><button type="button" class="button" onClick=${onClose}>All stories</button></p>
      <//>
  `;
}

function Choose() {
  return html`
    <${Empty} icon="stories" title="No story selected">
      <p>A story shows what one flow of your application sent, across all protocols. <kbd>j</kbd> and ${" "}
      <kbd>k</kbd> go through the list.</p>
      <//>
  `;
}

/** @param {{ isFiltered: boolean, isWhole: boolean }} props */
function None({ isFiltered, isWhole }) {
  if (isFiltered) {
    return html`
      <${Empty} icon="search" title="Nothing found">
        <p
          class="empty-actions"><button type="button" class="button" onClick=${() =>
            setQuery({ search: null })}>Clear the search</button></p>
        <//>
    `;
  }
  if (!loading.value.done) return null;
  return html`
    <div class="story-hint">
      <${Empty} icon="stories" title="No stories yet">
        <p>Two events make a story when they share a trace, an id or a recipient, or come within two seconds. ${isWhole
          ? ""
          : "Single events are hidden."}</p>
        <//>
        <p>To collect everything that one request causes in one story, propagate its trace: most OpenTelemetry SDKs do so, or send one header yourself.</p>
        <pre
          tabindex="0"><code>traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01</code></pre>
        <p>An <code>X-Correlation-ID</code> or <code>X-Request-ID</code> also works.</p>
        </div>
  `;
}
