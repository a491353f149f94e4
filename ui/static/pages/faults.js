/** Fault rules: the list, and the form for a new one. */
import { html, useState } from "../lib/dom.js";
import { messageOf, remove } from "../lib/api.js";
import { toDraft } from "../lib/fault_rule.js";
import { ruleOf } from "../lib/fault_code.js";
import { useFetchedOnce, usePolled } from "../lib/fetched.js";
import { formatCount, plural } from "../lib/format.js";
import { useKeys } from "../lib/keys.js";
import { namespace } from "../lib/namespace.js";
import { nameOfPlace } from "../lib/providers.js";
import { place, setQuery } from "../lib/router.js";
import { loadStyles } from "../lib/styles.js";
import { Chip, IconButton, ToolButton } from "../components/controls.js";
import { confirm } from "../components/dialog.js";
import { Empty } from "../components/empty.js";
import { List } from "../components/list.js";
import { Page, Problem } from "../components/page.js";
import { Split } from "../components/split.js";
import { Captured } from "../components/text.js";
import { toast } from "../components/toast.js";
import { aboutFault, FaultDetail, FaultState } from "./faults/detail.js";
import { examplesFor } from "./faults/examples.js";
import { FaultForm } from "./faults/form.js";

/** @import { Draft } from "../lib/fault_rule.js" */
/** @import { FaultOutcome, FaultRecord, FaultRule } from "../lib/types.d.ts" */

await Promise.all([loadStyles("css/forms.css"), loadStyles("css/faults.css")]);

const ROW_HEIGHT = 62;
/** Polling interval of the hits, in milliseconds. */
const POLL_MS = 1000;

/** @param {Partial<Record<"id" | "name" | "new", string>>} shown in the pane beside the list; nothing: the form */
const show = (shown) => setQuery({ id: null, name: null, new: null, ...shown });

/** The page `/ui/faults/`. */
export function Tab() {
  const [version, setVersion] = useState(0);
  const list = usePolled("/faults", { everyMs: POLL_MS, version });
  const known = useFetchedOnce("/faults/outcomes");
  const [draft, setDraft] = useState(/** @type {Draft | undefined} */ (undefined));
  const [focus, setFocus] = useState(0);
  /** @type {readonly FaultRecord[] | undefined} */
  const faults = list.value?.faults;
  /** @type {readonly FaultOutcome[]} */
  const outcomes = known.value?.outcomes ?? [];
  const { query } = place.value;
  const [id, name] = [query.get("id"), query.get("name")];
  const picked = faults?.find((fault) => id === null ? fault.name === name : fault.id === id);
  const refresh = () => setVersion((last) => last + 1);
  const begin = () => {
    show({ new: "yes" });
    setFocus((last) => last + 1);
  };
  /** @param {FaultRule} rule */
  const fill = (rule) => {
    setDraft(toDraft(rule));
    begin();
  };
  const drop = () => picked && askToDelete(picked, refresh);
  useKeys([
    { keys: "n", about: "New fault", group: "Faults", run: begin },
    { keys: "Escape", about: "Close the fault", group: "Faults", run: () => show({}) },
    ...(picked === undefined ? [] : [
      { keys: "#", about: "Delete, after confirmation", group: "Faults", run: drop },
    ]),
  ]);
  const detail = picked !== undefined
    ? html`
      <${FaultDetail} key=${picked.id} fault=${picked} onClose=${() => show({})}
        onCopy=${() => fill(ruleOf(picked))} onDelete=${drop} />
    `
    : id !== null || name !== null
    ? faults && html`<${Gone} onNew=${begin} />`
    : outcomes.length > 0 && html`
      <div class="pane-scroll">
        <div class="pane-bar only-narrow">
          <${IconButton} icon="back" label="Back to the list" class="back" onClick=${() =>
            show({})} />
        </div>
        <${FaultForm} draft=${draft ?? firstDraft(outcomes)} outcomes=${outcomes} focus=${focus}
          onDraft=${setDraft} onEmpty=${() => setDraft(undefined)}
          onAdded=${(/** @type {FaultRecord} */ fault) => {
            refresh();
            show({ id: fault.id });
            toast("Added");
          }} />
      </div>
    `;
  return html`
    <${Page} title="Faults" count=${plural(faults?.length ?? 0, "fault")} class="faults-page"
      tools=${html`<${Tools} faults=${faults ?? []} onNew=${begin} onCleared=${refresh} />`}>
      <${Problem} text=${list.problem ?? known.problem} />
      <${Split} showDetail=${id !== null || name !== null || query.has("new")} detail=${detail}
        list=${faults &&
          (faults.length === 0 ? html`<${Start} outcomes=${outcomes} onPick=${fill} />` : html`
            <${List} items=${faults} selected=${picked?.id ?? null} rowHeight=${ROW_HEIGHT}
              label="Faults" group="Faults" onSelect=${(/** @type {string} */ id) => show({ id })}
              renderRow=${(/** @type {FaultRecord} */ fault) => html`<${Row} fault=${fault} />`} />
          `)} />
      <//>
  `;
}

/**
 * Initial state of the form: the first outcome, in the current namespace.
 * @param {readonly FaultOutcome[]} outcomes
 */
function firstDraft(outcomes) {
  const [{ on, id } = { on: "", id: "" }] = outcomes;
  const chosen = namespace.value;
  return toDraft({ on, outcome: id, ...(chosen === "" ? {} : { namespace: chosen }) });
}

/** @param {{ faults: readonly FaultRecord[], onNew: () => void, onCleared: () => void }} props */
function Tools({ faults, onNew, onCleared }) {
  const count = faults.filter(({ from }) => from === "api").length;
  const clear = () =>
    confirm({
      title: `Clear ${plural(count, "fault")}?`,
      text:
        "They are removed for everyone who uses this service. Those from the configuration file stay, and their hits are reset to 0.",
      action: `Clear ${plural(count, "fault")}`,
      run: () => removeThen("/faults", { done: "Cleared", then: onCleared }),
    });
  return html`
    <${ToolButton} icon="plus" text="New fault" label="New fault" onClick=${onNew} />
    <${ToolButton} icon="trash" text="Clear" label="Clear" danger=${true} disabled=${count === 0}
      onClick=${clear} />
  `;
}

/**
 * @param {FaultRecord} fault
 * @param {() => void} then
 */
function askToDelete({ id, name, from }, then) {
  const path = `/faults/${encodeURIComponent(id)}`;
  if (from === "file") return void removeThen(path, { done: "Hits reset", then });
  confirm({
    title: "Delete this fault?",
    text: `“${name}” ends for everyone who uses this service.`,
    action: "Delete",
    run: () => removeThen(path, { done: "Deleted", then, close: true }),
  });
}

/**
 * @param {string} path
 * @param {{ done: string, then: () => void, close?: boolean }} options
 */
async function removeThen(path, { done, then, close = path === "/faults" }) {
  try {
    await remove(path);
    if (close) show({});
    then();
    toast(done);
  } catch (error) {
    toast(messageOf(error), { problem: true });
  }
}

/** @param {{ fault: FaultRecord }} props */
function Row({ fault }) {
  return html`
    <span class=${`event-row ${fault.spent ? "spent" : ""}`}>
      <span class="row-line"><${Captured} class="row-title" text=${fault
        .name} /><span class="fault-hits">${formatCount(fault.hits)} ${fault.hits === 1
        ? "hit"
        : "hits"}</span></span>
      <span class="row-line"><${Captured} class="row-snippet" text=${aboutFault(
        fault,
      )} /><${FaultState} fault=${fault} /><${Chip} title=${fault.on}>${nameOfPlace(
        fault.on,
      )}<//></span>
    </span>
  `;
}

/** @param {{ outcomes: readonly FaultOutcome[], onPick: (rule: FaultRule) => void }} props */
function Start({ outcomes, onPick }) {
  return html`
    <div class="fault-start">
      <${Empty} icon="faults" title="No faults">
        <p>Every provider answers as usual. Add a rule to make one fail as the real service does, or start with an example:</p>
        <//>
        <ul aria-label="Examples">
          ${examplesFor(outcomes).map(({ title, rule }) =>
            html`
              <li key=${title}>
                <button type="button" class="fault-example" onClick=${() => onPick(rule)}>
                  <span>${title}</span><code title=${rule.on}>${nameOfPlace(rule.on)} ${[
                    rule.outcome,
                  ].flat().join(
                    ", ",
                  )}</code>
                </button>
              </li>
            `
          )}
        </ul>
        </div>
  `;
}

/** @param {{ onNew: () => void }} props */
function Gone({ onNew }) {
  return html`
    <${Empty} icon="search" title="Unknown fault">
      <p>It was deleted or has expired.</p>
      <p
        class="empty-actions"><button type="button" class="button" onClick=${onNew}>New fault</button></p>
      <//>
  `;
}
