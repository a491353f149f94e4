/** Calls to the application: their log, and the form for inbound items. */
import { html, useState } from "../lib/dom.js";
import { useFetchedOnce, usePolled } from "../lib/fetched.js";
import { absoluteTime, exactSize, plural } from "../lib/format.js";
import { useKeys } from "../lib/keys.js";
import { nameOfPlace } from "../lib/providers.js";
import { place, setQuery } from "../lib/router.js";
import { CallHistory, CallStateChip, lineOf, outcomeOf } from "../components/callbacks.js";
import { Chip, IconButton, Time, ToolButton } from "../components/controls.js";
import { Empty } from "../components/empty.js";
import { Facts } from "../components/facts.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { InboundForm } from "./callbacks/form.js";

/** @import { CallProviders, CallRecord, SentCalls } from "../lib/types.d.ts" */

const ROW_HEIGHT = 62;
/** Polling interval, in milliseconds. */
const POLL_MS = 1500;
/** Page size: calls fetched first, and each time near the end of the list. */
const STEP = 50;

/** @param {Partial<Record<"id" | "new", string>>} shown in the pane beside the list */
const show = (shown) => setQuery({ id: null, new: null, ...shown });

/** The page `/ui/callbacks/`. */
export function Tab() {
  const [version, setVersion] = useState(0);
  const [limit, setLimit] = useState(STEP);
  const known = useFetchedOnce("/callbacks/providers");
  const list = usePolled(`/callbacks?limit=${limit}`, { everyMs: POLL_MS, version });
  const { query } = place.value;
  /** @type {readonly CallRecord[] | undefined} */
  const calls = list.value;
  /** @type {CallProviders | undefined} */
  const about = known.value;
  const id = query.get("id");
  const picked = calls?.find((call) => call.id === id);
  const begin = () => show({ new: "yes" });
  const isOn = about?.enabled === true;
  useKeys([
    { keys: "Escape", about: "Close the call", group: "Callbacks", run: () => show({}) },
    ...(isOn ? [{ keys: "n", about: "New inbound call", group: "Callbacks", run: begin }] : []),
  ]);
  if (about?.enabled === false) {
    return html`
      <${Page} title="Callbacks">
        <${Problem} text=${known.problem} />
        <${Off} />
        <//>
    `;
  }
  /** @param {SentCalls} sent */
  const called = ({ calls: [first] }) => {
    setVersion((last) => last + 1);
    if (first !== undefined) show({ id: first.id });
  };
  const count = calls?.length ?? 0;
  return html`
    <${Page} title="Callbacks" count=${`${plural(count, "call")}${
      count === limit ? " or more" : ""
    }`}
      class="callback-page" tools=${html`
        <${ToolButton} icon="plus" text="New inbound call" label="New inbound call"
          onClick=${begin} />
      `}>
      <${Problem} text=${list.problem ?? known.problem} />
      <${Split} showDetail=${id !== null || query.has("new")}
        list=${calls && (calls.length === 0 ? html`<${None} />` : html`
          <${List} items=${calls} selected=${picked?.id ?? null} rowHeight=${ROW_HEIGHT}
            label="Calls" group="Callbacks"
            onNearEnd=${() => count === limit && setLimit(limit + STEP)}
            onSelect=${(/** @type {string} */ id) => show({ id })}
            renderRow=${(/** @type {CallRecord} */ call) => html`<${Row} call=${call} />`} />
        `)}
        detail=${picked !== undefined
          ? html`<${Detail} key=${picked.id} call=${picked} />`
          : id !== null
          ? calls && html`<${Gone} onNew=${begin} />`
          : about && html`
            <div class="pane-scroll">
              <${Back} />
              <${InboundForm} providers=${about.providers} isAsked=${query.has("new")}
                onCalled=${called} />
            </div>
          `} />
      <//>
  `;
}

function Back() {
  return html`
    <div class="pane-bar only-narrow">
      <${IconButton} icon="back" label="Back to the list" class="back" onClick=${() => show({})} />
    </div>
  `;
}

/** @param {{ call: CallRecord }} props */
function Row({ call }) {
  const at = call.attempts.at(-1)?.at ?? call.next_at;
  return html`
    <span class="event-row">
      <span class="row-line"><${CallStateChip} state=${call.state} /><${Captured} class="row-title"
          text=${call.name} />${at && html`<${Time} iso=${at} />`}</span>
      <span class="row-line"><${Captured} class="row-snippet" text=${outcomeOf(call) ??
        call.url} /><${Chip} title=${call.on}>${nameOfPlace(call.on)}<//></span>
    </span>
  `;
}

/** @param {{ call: CallRecord }} props */
function Detail({ call }) {
  const { on, event, name, state, size, attempts, earlier_attempts: earlier, captured } = call;
  const tried = attempts.length + (earlier ?? 0);
  const [first] = attempts;
  return html`
    <div class="pane-scroll">
      <${Back} />
      <article class="event">
        <header class="event-head">
          <h2>
            <${Captured} text=${name} />
          </h2>
          <p class="event-facts">
            <${CallStateChip} state=${state} />
            <${Chip} title=${on}>${nameOfPlace(
              on,
            )}<//></p>
          <${Facts} rows=${[
            ["Call", html`<code class="callback-url"><${Captured} text=${lineOf(call)} /></code>`],
            ["Event", event && html`<${EventLink} id=${event} />`],
            [
              "Captured",
              captured &&
              html`<span>${captured.map((id) => html`<${EventLink} key=${id} id=${id} />`)}</span>`,
            ],
            ["Attempts", String(tried)],
            ["First", first && absoluteTime(first.at)],
            ["Size", exactSize(size)],
          ]} />
        </header>
        <${CallHistory} call=${call} />
      </article>
    </div>
  `;
}

/** @param {{ id: string }} props */
function EventLink({ id }) {
  return html`
    <a href=${`/ui/events/${encodeURIComponent(id)}`}><code>${id}</code></a>
  `;
}

function None() {
  return html`
    <${Empty} icon="callbacks" title="No calls yet">
      <p>Calls to the application are listed here with each attempt and its response. Some follow a captured item automatically, others are made from the page of an event, or with the form for inbound items.</p>
      <//>
  `;
}

/** @param {{ onNew: () => void }} props */
function Gone({ onNew }) {
  return html`
    <${Empty} icon="search" title="Unknown call">
      <p>It was dropped to make room, or its event was deleted.</p>
      <p
        class="empty-actions"><button type="button" class="button" onClick=${onNew}>New inbound call</button></p>
      <//>
  `;
}

function Off() {
  return html`
    <div class="page-scroll">
      <${Empty} icon="callbacks" title="Callbacks are off">
        <p>Vendors report deliveries and bounces, and pass on replies. Start with <code>--callbacks</code>, or set <code>enabled = true</code> under <code>[callbacks]</code>, to call your application as they do.</p>
        <//>
        </div>
  `;
}
