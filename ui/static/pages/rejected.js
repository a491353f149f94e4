/** Rejected requests and conversations, which made no event. */
import { html, useEffect, useState } from "../lib/dom.js";
import { getJson, messageOf, remove } from "../lib/api.js";
import { absoluteTime, plural } from "../lib/format.js";
import { onLive } from "../lib/live.js";
import { nameOfId } from "../lib/providers.js";
import { place, setQuery } from "../lib/router.js";
import { rejectedCount, rejectedSeen } from "../lib/store.js";
import { BytesView } from "../components/bytes_view.js";
import { Chip, IconButton, Time, ToolButton } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty } from "../components/empty.js";
import { FaultBadge, faultIn } from "../components/fault_badge.js";
import { HeadersTable } from "../components/headers_table.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { toast } from "../components/toast.js";

/** @import { RejectedRecord } from "../lib/types.d.ts" */

const ROW_HEIGHT = 62;

/** The page `/ui/rejected/`. */
export function RejectedPage() {
  const { records, problem } = useRecords();
  const selected = place.value.query.get("id");
  const record = records?.find(({ id }) => id === selected);
  const count = records?.length ?? 0;
  useEffect(() => {
    rejectedSeen.value = rejectedCount.value;
  }, [rejectedCount.value]);
  return html`<${Page} title="Rejected" count=${plural(count, "request")} tools=${html`
    <${ToolButton} icon="trash" text="Clear" label="Clear" danger=${true} disabled=${count === 0}
      onClick=${() => askToClear(count)} />
  `}>
    <${Problem} text=${problem} />
    ${
    records !== undefined && (count === 0
      ? html`
        <div class="page-scroll">
          <${Empty} icon="check" title="No rejected requests">
            <p>Requests that match no provider, break a vendor's rules, or end in a protocol error are listed here with the reason, so that none goes unnoticed.</p>
            <//>
            </div>
      `
      : html`
        <${Split} showDetail=${record !== undefined}
          list=${html`
            <${List} items=${records} selected=${selected} rowHeight=${ROW_HEIGHT} label="Rejected requests"
              group="Rejected"
              onSelect=${(/** @type {string} */ id, /** @type {string} */ how) =>
                setQuery({ id }, { replace: how === "step" || selected !== null })}
              renderRow=${(/** @type {RejectedRecord} */ item) =>
                html`<${Row} record=${item} />`} />
          `}
          detail=${record === undefined
            ? html`
              <${Empty} icon="rejected" title="No request selected">
                <p>Select one to see why it was rejected and what was received.</p>
                <//>
            `
            : html`<${Detail} key=${record.id} record=${record} />`} />
      `)
  }
  <//>`;
}

/** @returns {{ records?: readonly RejectedRecord[], problem?: string }} */
function useRecords() {
  const [state, setState] = useState(
    /** @type {{ records?: readonly RejectedRecord[], problem?: string }} */ ({}),
  );
  useEffect(() => {
    const ended = new AbortController();
    let busy = false;
    let again = false;
    // One fetch at a time: a flood of refusals must not become a flood of fetches.
    const load = async () => {
      if (busy) {
        again = true;
        return;
      }
      busy = true;
      try {
        setState({ records: await getJson("/rejected", { signal: ended.signal }) });
      } catch (error) {
        if (!ended.signal.aborted) setState((last) => ({ ...last, problem: messageOf(error) }));
      }
      busy = false;
      if (again && !ended.signal.aborted) {
        again = false;
        void load();
      }
    };
    void load();
    const stop = onLive({ rejected: () => void load(), resync: () => void load() });
    return () => {
      ended.abort();
      stop();
    };
  }, []);
  return state;
}

/** @param {number} count */
function askToClear(count) {
  confirm({
    title: `Clear ${plural(count, "rejected request")}?`,
    text: "They are deleted for everyone who uses this service. This cannot be undone.",
    action: `Clear ${plural(count, "request")}`,
    run: async () => {
      try {
        await remove("/rejected");
        setQuery({ id: null }, { replace: true });
        toast("Cleared");
      } catch (error) {
        toast(messageOf(error), { problem: true });
      }
    },
  });
}

/** @param {RejectedRecord} record */
function requestLine({ method, path, provider }) {
  return method === undefined
    ? (provider && nameOfId(provider)) ?? "Connection"
    : `${method} ${path ?? ""}`;
}

/** @param {{ record: RejectedRecord }} props */
function Row({ record }) {
  return html`
    <span class="event-row">
      <span class="row-line">${record.status !== undefined &&
        html`<${Chip} tone="warn">${record.status}<//>`}
          <${Captured} class="row-title mono" text=${requestLine(record)} /><${Time} iso=${record
            .time} /></span>
      <span
        class="row-line"><${Captured} class="row-snippet" text=${record
          .reason} />${faultIn(record.reason) !== undefined &&
          html`<${Chip} tone="warn">fault<//>`}${record.provider &&
          html`<${Chip}>${nameOfId(record.provider)}<//>`}</span>
    </span>
  `;
}

/** @param {{ record: RejectedRecord }} props */
function Detail({ record }) {
  return html`
    <div class="pane-scroll">
      <div class="pane-bar only-narrow">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${() =>
          setQuery({ id: null })} />
      </div>
      <article class="event">
          <header class="event-head">
            <h2 class="mono"><${Captured} text=${requestLine(record)} /></h2>
            <p class="reason"><${Captured} text=${record.reason} /></p>
            <p class="event-facts"><${FaultBadge} name=${faultIn(record.reason)} /></p>
            <dl class="facts">
              ${record.status !== undefined && html`
                <div>
                  <dt>Answered</dt>
                  <dd>${record.status}</dd>
                </div>
              `}
              ${record.provider && html`
                <div>
                  <dt>Provider</dt>
                  <dd>${nameOfId(record.provider)}</dd>
                </div>
              `}
              <div><dt>Peer</dt><dd><${Captured} text=${record.peer} /></dd></div>
              <div><dt>When</dt><dd>${absoluteTime(record.time)}</dd></div>
            </dl>
          </header>
          ${record.headers !== undefined && Object.keys(record.headers).length > 0 &&
            html`
              <h3>Headers</h3>
              <${HeadersTable} headers=${record.headers} caption="Header fields of the request" />
            `}
          <h3>What was received</h3>
          <${BytesView} base64=${record.raw} text=${record
            .raw_text} filename=${`${record.id}.bin`} label="what was received" />
        </article>
    </div>
  `;
}
