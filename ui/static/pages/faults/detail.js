/** One rule: its hits, its properties, and the same as code. */
import { html } from "../../lib/dom.js";
import { faultSnippets, ruleOf } from "../../lib/fault_code.js";
import { HOW, toDraft } from "../../lib/fault_rule.js";
import { plural } from "../../lib/format.js";
import { nameOfPlace } from "../../lib/providers.js";
import { Action, Delete } from "../../components/actions.js";
import { Chip, IconButton } from "../../components/controls.js";
import { Snippets } from "../../components/empty.js";
import { Facts } from "../../components/facts.js";
import { Captured } from "../../components/text.js";

/** @import { Children } from "../../lib/dom.js" */
/** @import { FaultRecord } from "../../lib/types.d.ts" */

/** @param {FaultRecord} fault */
export function outcomeOf({ outcome = "delay" }) {
  return [outcome].flat().join(", ");
}

/**
 * Returns what a row says below the name: the outcome or, if the rule is named after it, its limits.
 * @param {FaultRecord} fault
 */
export function aboutFault(fault) {
  const { name, phase, skip, times, chance, delay, ttl, namespace } = fault;
  const outcome = outcomeOf(fault);
  if (outcome !== name) return outcome;
  return [
    phase && `phase ${phase}`,
    skip && `after ${plural(skip, "match", "matches")}`,
    times && `at most ${plural(times, "hit")}`,
    chance !== undefined && `chance ${chance}`,
    delay && `delay ${delay}`,
    ttl && `ends after ${ttl}`,
    toDraft(fault).match.map(({ place, how, value }) => `${place} ${HOW[how]} ${value}`).join(", "),
    namespace && `namespace ${namespace}`,
  ].filter(Boolean).join(" · ") || "every match";
}

/**
 * Whether a rule comes from the file, and whether it has ended.
 * @param {{ fault: FaultRecord }} props
 */
export function FaultState({ fault: { from, spent } }) {
  return html`
    ${from === "file" &&
      html`<${Chip} title="From the configuration file: stays when faults are cleared">file<//>`}
    ${spent && html`<${Chip} title="The rule no longer applies">spent<//>`}
  `;
}

/** @param {{ fault: FaultRecord, onClose: () => void, onCopy: () => void, onDelete: () => void }} props */
export function FaultDetail({ fault, onClose, onCopy, onDelete }) {
  const isOfFile = fault.from === "file";
  return html`
    <div class="pane-scroll">
      <div class="pane-bar item-actions">
        <${IconButton} icon="back" label="Back to the list" class="back" onClick=${onClose} />
        <span class="pane-bar-space"></span>
        <${Action} icon="copy" text="Use as template" label="Use as template: fill the form with this rule"
          onClick=${onCopy} />
        ${isOfFile
          ? html`
            <${Action} icon="auto" text="Reset hits" label="Reset hits"
              onClick=${onDelete} />
          `
          : html`<${Delete} onClick=${onDelete} />`}
      </div>
      <article class="event">
        <header class="event-head">
          <h2>
            <${Captured} text=${fault.name} />
          </h2>
          <p class="event-facts">
            <${Chip} title=${fault.on}>${nameOfPlace(
              fault.on,
            )}<//><${FaultState} fault=${fault} /></p>
            <p class="fault-count" role="status">
              <strong>${plural(fault.hits, "hit")}</strong> of ${plural(
                fault.matches,
                "match",
                "matches",
              )}
            </p>
            <${Facts} rows=${factsOf(fault)} />
          </header>
          <section class="howto" aria-label="As code">
            <h3>As code</h3>
            <${Snippets} snippets=${faultSnippets(ruleOf(fault), location.origin)} />
          </section>
        </article>
    </div>
  `;
}

/**
 * @param {FaultRecord} fault
 * @returns {(readonly [string, Children])[]}
 */
function factsOf(fault) {
  const { with: params = {}, skip, times, chance, seed } = fault;
  const { match } = toDraft(fault);
  return [
    [typeof fault.outcome === "object" ? "Outcomes, in order" : "Outcome", outcomeOf(fault)],
    ...Object.entries(params).map(([name, value]) => /** @type {const} */ ([name, textOf(value)])),
    ["Phase", fault.phase],
    [
      "Where",
      match.length > 0 && html`<ul>${
        match.map(({ place, how, value }) =>
          html`
            <li key=${place}>
              <${Captured} text=${`${place} ${HOW[how]} ${value}`} />
            </li>
          `
        )
      }</ul>`,
    ],
    ["Namespace", fault.namespace],
    ["Skips", skip === undefined ? undefined : plural(skip, "match", "matches")],
    ["Maximum hits", times === undefined ? undefined : plural(times, "hit")],
    ["Chance", chance === undefined ? undefined : String(chance)],
    ["Seed", seed],
    ["Delay", fault.delay],
    ["Captured", fault.after ? "Yes, before the response failed" : undefined],
    ["Ends after", fault.ttl],
  ];
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}
