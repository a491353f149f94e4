/** One story: its lanes along a time axis, and its events in a list. */
import { html, useMemo, useRef, useState } from "../../lib/dom.js";
import { absoluteTime, plural } from "../../lib/format.js";
import { useKeys } from "../../lib/keys.js";
import { nameOfProvider, vendorOf } from "../../lib/providers.js";
import { navigate } from "../../lib/router.js";
import { axisOf, formatSpan } from "../../lib/story_axis.js";
import { ownText } from "../../lib/summary.js";
import { Chip, IconButton, Time } from "../../components/controls.js";
import { FaultMark } from "../../components/fault_badge.js";
import { Icon } from "../../components/icons.js";
import { Captured } from "../../components/text.js";

/** @import { Story, StoryEvent, StoryLink } from "../../lib/types.d.ts" */

/** Maximum number of drawn events; the others are in the list of all events. */
const MOST_DRAWN = 100;

/** Fraction of the axis width below which the lanes scroll. */
const LEAST = 0.6;

/** @param {{ id: string }} event */
const pageOf = ({ id }) => `/ui/events/${id}`;

/** @param {{ story: Story, onClose: () => void }} props */
export function StoryDetail({ story, onClose }) {
  const events = story.events.slice(0, MOST_DRAWN);
  const [current, setCurrent] = useState(0);
  const body = useRef(/** @type {HTMLElement | null} */ (null));
  /** @param {number} by */
  const step = (by) => {
    const at = Math.min(Math.max(current + by, 0), events.length - 1);
    setCurrent(at);
    const row = body.current?.querySelector(`[data-step="${at}"]`);
    if (row instanceof HTMLElement) row.focus();
  };
  const group = "Story";
  useKeys([
    { keys: "ArrowRight", about: "Next event", group, run: () => step(1) },
    { keys: "ArrowLeft", about: "Previous event", group, run: () => step(-1) },
    {
      keys: "o",
      about: "Open the event",
      group,
      run: () => events[current] && navigate(pageOf(events[current])),
    },
    { keys: "Escape", about: "Close the story", group, run: onClose },
  ]);
  const spanMs = Date.parse(story.ended_at) - Date.parse(story.started_at);
  return html`
    <div class="pane-scroll story" ref=${body}>
      <div class="pane-bar only-narrow">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
      </div>
      <h2 class="story-title"><${Captured} text=${titleOfStory(story)} /></h2>
      <p class="story-about">
        ${plural(story.count, "event")}${spanMs > 0 && ` in ${formatSpan(spanMs)}`} · ${" "}
        <${Time} iso=${story.ended_at} />
        ${story.namespace !== undefined &&
          html`
            ${" "}<${Chip} title="Namespace">
              <${Captured} text=${story.namespace} />
              <//>
          `}
      </p>
      <${Links} links=${story.linked_by} />
      <${Lanes} events=${events} current=${current} onPick=${setCurrent} />
      <ol class="story-events" aria-label="Events of the story">
          ${events.map((event, at) =>
            html`
              <${Row} key=${event.id} event=${event} at=${at} isCurrent=${at === current}
                sinceMs=${Date.parse(event.received_at) - Date.parse(story.started_at)}
                onPick=${setCurrent} />
            `
          )}
        </ol>
      ${story.count > events.length && html`
        <p
          class="quiet">The first ${plural(events.length, "event")} of ${plural(
            story.count,
            "event",
          )}: the others are in <a href="/ui/events/">all events</a>.</p>
      `}
    </div>
  `;
}

const WORDS = { trace: "Trace", id: "", recipient: "", object: "", time: "Near in time" };

/** @param {{ links: readonly StoryLink[] }} props */
function Links({ links }) {
  if (links.length === 0) return null;
  // The value for a request is a hash, which means nothing to a reader.
  const isRequest = (/** @type {StoryLink} */ { by, name }) =>
    by === "object" && name === "request";
  const requests = links.filter(isRequest).length;
  return html`
    <ul class="story-links" aria-label="Linked by">
        ${links.filter((link) => !isRequest(link)).map(({ by, name, value }) =>
          html`
            <li class=${`story-link ${by}`} key=${`${by} ${name} ${value}`}>
              <span class="story-link-name"><${Captured} text=${WORDS[by] || name || by} /></span>
              ${value !== undefined && html`<${Captured} class="story-link-value" text=${value} />`}
            </li>
          `
        )}
        ${requests > 0 && html`
          <li class="story-link object">
            <span class="story-link-name">${requests === 1
              ? "Same request"
              : "Same requests"}</span>
          </li>
        `}
      </ul>
  `;
}

/**
 * A lane for each provider, in order of first appearance.
 * @param {readonly StoryEvent[]} events
 */
function lanesOf(events) {
  /** @type {Map<string, { plugin: string, provider: string, places: number[] }>} */
  const lanes = new Map();
  for (const [at, { plugin, provider }] of events.entries()) {
    const key = `${plugin}/${provider}`;
    const lane = lanes.get(key) ?? { plugin, provider, places: [] };
    lane.places.push(at);
    lanes.set(key, lane);
  }
  return [...lanes.values()];
}

/** @param {{ events: readonly StoryEvent[], current: number, onPick: (at: number) => void }} props */
function Lanes({ events, current, onPick }) {
  const axis = useMemo(() => axisOf(events.map(({ received_at }) => Date.parse(received_at))), [
    events.length,
    events.at(-1)?.id,
  ]);
  /** @param {number} place */
  const share = (place) => `${100 * place / axis.width}%`;
  return html`
    <div class="lanes" role="group" aria-label="Timeline">
      <div class="lanes-inner" style=${{ "--least": `${LEAST * axis.width}px` }}>
          <div class="lane-head" aria-hidden="true">
            <span class="lane-name"></span>
            <span class="lane-track">
              ${axis.pauses.map(({ from, to, ms }) =>
                html`<span class="lane-pause-label" key=${from} style=${{
                  left: share(from),
                  width: share(to - from),
                }}><span>${formatSpan(ms)}</span></span>`
              )}
            </span>
          </div>
          ${lanesOf(events).map(({ plugin, provider, places }) =>
            html`
              <div class="lane" key=${`${plugin}/${provider}`}>
                <span class="lane-name"
                  title=${nameOfProvider(
                    plugin,
                    provider,
                  )}><${Icon} name=${plugin} /><bdi>${vendorOf(plugin, provider)}</bdi></span>
                <span class="lane-track">
                  ${axis.pauses.map(({ from, to }) =>
                    html`<span class="lane-pause" key=${from} style=${{
                      left: share(from),
                      width: share(to - from),
                    }}></span>`
                  )}
                  ${places.map((at) =>
                    html`
                      <a key=${at} class=${`lane-mark ${at === current ? "current" : ""} ${
                        events[at]?.meta?.fault === undefined ? "" : "faulty"
                      }`} href=${pageOf(/** @type {StoryEvent} */ (events[at]))} tabindex="-1"
                        style=${{ left: share(axis.at[at] ?? 0) }}
                        title=${titleOf(/** @type {StoryEvent} */ (events[at]))}
                        aria-label=${titleOf(/** @type {StoryEvent} */ (events[at]))}
                        onMouseEnter=${() => onPick(at)}><span></span></a>
                    `
                  )}
                </span>
              </div>
            `
          )}
        </div>
    </div>
  `;
}

/** Returns the text of the first event. @param {Story} story */
export function titleOfStory({ events: [first], title }) {
  return first === undefined ? title : ownText(first);
}

/** @param {StoryEvent} event */
function titleOf(event) {
  return `${ownText(event)} — ${absoluteTime(event.received_at)}`;
}

/**
 * @param {{ event: StoryEvent, at: number, isCurrent: boolean, sinceMs: number, onPick: (at: number) => void }} props
 */
function Row({ event, at, isCurrent, sinceMs, onPick }) {
  return html`
    <li class=${isCurrent ? "current" : ""}>
      <a href=${pageOf(event)} data-step=${at} onFocus=${() => onPick(at)} onMouseEnter=${() =>
        onPick(at)}>
        <span class="story-since" title=${absoluteTime(event.received_at)}>+${formatSpan(
          Math.max(0, sinceMs),
        )}</span>
        <${Icon} name=${event.plugin} />
        <span class="story-what">
          <${Captured} class="story-own" text=${ownText(event)} />
          <${Captured} class="story-to" text=${(event.summary_parts.to ?? []).join(", ")} />
        </span>
        <${FaultMark} name=${event.meta?.fault} />
        <span class="chip">${nameOfProvider(event.plugin, event.provider)}</span>
      </a>
    </li>
  `;
}
