/** The form of a new fault, with the same rule as code. */
import { html, useEffect, useRef, useState } from "../../lib/dom.js";
import { messageOf, postJson } from "../../lib/api.js";
import { faultSnippets } from "../../lib/fault_code.js";
import { HOW, outcomesAt, paramsOf, phasesOf, toRule } from "../../lib/fault_rule.js";
import { nameOfProvider } from "../../lib/providers.js";
import { pluginNamed } from "../../lib/store.js";
import { IconButton } from "../../components/controls.js";
import { Snippets } from "../../components/empty.js";
import { Captured, OutLink } from "../../components/text.js";
import { pluginOf } from "./examples.js";
import { CheckField, ChoiceField, ParamField, TextField } from "../../components/fields.js";

/** @import { Draft, Row } from "../../lib/fault_rule.js" */
/** @import { FaultOutcome, FaultRecord, FaultRule } from "../../lib/types.d.ts" */

/** @typedef {{ draft: Draft, known: readonly FaultOutcome[], change: (changes: Partial<Draft>) => void }} PartProps */

/**
 * @param {{ draft: Draft, outcomes: readonly FaultOutcome[], onDraft: (draft: Draft) => void, onEmpty: () => void,
 *   onAdded: (fault: FaultRecord) => void, focus: number }} props another `focus` above 0 moves the focus here
 */
export function FaultForm({ draft, outcomes, onDraft, onEmpty, onAdded, focus }) {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const first = useRef(/** @type {HTMLSelectElement | null} */ (null));
  useEffect(() => {
    if (focus > 0) first.current?.focus();
  }, [focus]);
  const known = outcomesAt(outcomes, draft.on);
  const { rule, unread = "" } = read(draft, known);
  /** @param {Partial<Draft>} changes */
  const change = (changes) => onDraft({ ...draft, ...changes });
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    if (rule === undefined) return setProblem(unread);
    setBusy(true);
    try {
      const added = await postJson("/faults", rule);
      setProblem("");
      onAdded(added);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  const part = { draft, known, change };
  return html`
    <form class="fault-form" aria-label="New fault" onSubmit=${submit}>
      <${What} ...${part} outcomes=${outcomes} box=${first} />
      <${Which} ...${part} />
      <${When} ...${part} />
      <div class="form-end">
        ${problem !== "" && html`<p class="form-problem" role="alert">${problem}</p>`}
        <button type="submit" class="button primary" disabled=${busy}>Add fault</button>
        <button type="button" class="button" onClick=${onEmpty}>Start over</button>
      </div>
    </form>
    <section class="howto fault-code" aria-label="As code">
      <h3>As code</h3>
      ${rule === undefined
        ? html`
          <p class="quiet">
            <${Captured} text=${unread} />
          </p>
        `
        : html`<${Snippets} snippets=${faultSnippets(rule, location.origin)} />`}
    </section>
  `;
}

/**
 * @param {Draft} draft
 * @param {readonly FaultOutcome[]} known
 * @returns {{ rule?: FaultRule, unread?: string }}
 */
function read(draft, known) {
  try {
    return { rule: toRule(draft, known) };
  } catch (error) {
    return { unread: messageOf(error) };
  }
}

/**
 * Place, outcomes, their parameters, and the phase.
 * @param {PartProps & { outcomes: readonly FaultOutcome[], box: { current: HTMLSelectElement | null } }} props
 */
function What({ draft, known, change, outcomes, box }) {
  const { on, outcomes: ids, inTurn, params, fields } = draft;
  const phases = phasesOf(known, ids);
  /** @param {string} next */
  const move = (next) => {
    const there = outcomesAt(outcomes, next);
    const kept = ids.filter((id) => id === "" || there.some((one) => one.id === id));
    change({
      on: next,
      outcomes: kept.length > 0 ? kept : [there[0]?.id ?? ""],
      fields: { ...fields, phase: "" },
    });
  };
  /** @param {readonly string[]} next */
  const choose = (next) => {
    const phase = phasesOf(known, next).includes(fields.phase) ? fields.phase : "";
    change({ outcomes: next, fields: { ...fields, phase } });
  };
  return html`<fieldset class="form-part">
    <legend>What goes wrong</legend>
    <${ChoiceField} label="Provider" value=${on} onChange=${move} box=${box} options=${[]}
      groups=${placesIn(outcomes)} />
    <div class="fault-outcomes">
      ${
    ids.map((id, at) =>
      html`
        <${OutcomeField} key=${at} id=${id} at=${at} of=${ids.length} known=${known}
          onChange=${(/** @type {string} */ next) => choose(ids.with(at, next))}
          onRemove=${() => choose(ids.toSpliced(at, 1))} />
      `
    )
  }
      ${
    ids[0] !== "" && html`<p><button type="button" class="link-button" onClick=${() =>
      choose([...ids, ids.at(-1) ?? ""])}>Add an outcome for the next hit</button></p>`
  }
    </div>
    ${
    ids.length > 1
      ? html`<p class="field-hint">One outcome for each hit, in order; then the provider works as usual.</p>`
      : ids[0] !== "" && html`
        <${CheckField} label="For one hit only; then the provider works as usual"
          checked=${inTurn} onChange=${(/** @type {boolean} */ next) => change({ inTurn: next })} />
      `
  }
    <div class="form-grid">
      ${
    paramsOf(known, ids).map((param) =>
      html`
        <${ParamField} key=${param.name} param=${param} value=${params[param.name] ?? ""}
          onChange=${(/** @type {string} */ value) =>
            change({ params: { ...params, [param.name]: value } })} />
      `
    )
  }
      ${
    (phases.length > 1 || fields.phase !== "") && html`
      <${ChoiceField} label="Phase"
        value=${fields.phase}
        options=${[{ value: "", label: "Default" }, ...phases.map(asOption)]}
        hint="When the rule applies"
        onChange=${(/** @type {string} */ phase) => change({ fields: { ...fields, phase } })} />
    `
  }
    </div>
  </fieldset>`;
}

/** @param {string} value */
const asOption = (value) => ({ value, label: value });

/**
 * One group for each plugin: all of its providers, or one.
 * @param {readonly FaultOutcome[]} outcomes
 */
function placesIn(outcomes) {
  const places = [...new Set(outcomes.map(({ on }) => on))];
  return [...new Set(places.map(pluginOf))].map((plugin) => {
    const own = places.filter((on) => pluginOf(on) === plugin);
    const title = pluginNamed(plugin)?.title ?? plugin;
    const all = { value: plugin, label: `${title}: every provider` };
    return {
      label: title,
      options: [
        ...own.map((on) => ({
          value: on,
          label: nameOfProvider(plugin, on.slice(plugin.length + 1)),
        })),
        ...(own.length > 1 ? [all] : []),
      ],
    };
  });
}

/**
 * @param {{ id: string, at: number, of: number, known: readonly FaultOutcome[], onChange: (id: string) => void,
 *   onRemove: () => void }} props
 */
function OutcomeField({ id, at, of, known, onChange, onRemove }) {
  const outcome = known.find((one) => one.id === id);
  const none = of === 1 ? [{ value: "", label: "None, only a delay" }] : [];
  const options = [...known.map((one) => asOption(one.id)), ...none];
  return html`
    <div class="fault-outcome">
      <${ChoiceField} label=${of === 1 ? "Outcome" : `Outcome of hit ${at + 1}`} value=${id}
        options=${options} onChange=${onChange} hint=${outcome &&
          html`${outcome.about}. <${OutLink} href=${outcome.source}>Source<//>`} />
      ${of > 1 && html`
        <${IconButton} icon="close" label=${`Remove the outcome of hit ${at + 1}`}
          onClick=${onRemove} />
      `}
    </div>
  `;
}

/** Conditions, and number of hits. @param {PartProps} props */
function Which({ draft: { match, fields }, change }) {
  /** @param {number} at @param {Partial<Row>} changes */
  const set = (at, changes) =>
    change({ match: match.map((row, i) => i === at ? { ...row, ...changes } : row) });
  return html`<fieldset class="form-part">
    <legend>Which requests</legend>
    ${
    match.map((row, at) =>
      html`
        <${Condition} key=${at} row=${row} at=${at} onChange=${(
          /** @type {Partial<Row>} */ changes,
        ) => set(at, changes)}
          onRemove=${() => change({ match: match.toSpliced(at, 1) })} />
      `
    )
  }
    <p class="field-hint">${
    match.length === 0
      ? "Without a condition, every request matches. "
      : "A path starts in the payload, or with raw or meta. "
  }<button type="button" class="link-button" onClick=${() =>
    change({
      match: [...match, { place: "", how: "equals", value: "" }],
    })}>Add a condition</button></p>
    <div class="form-grid">
      ${
    texts(
      [
        ["namespace", "Namespace", "any", "Only requests of this namespace match"],
        ["skip", "Skip", "0", "Number of matches that pass before the first hit"],
        [
          "times",
          "Maximum hits",
          "no limit",
          "Number of hits after which the rule no longer applies",
        ],
        ["chance", "Chance", "1", "Probability that a match is a hit: above 0, up to 1"],
        ["seed", "Seed", "any text", "The same seed picks the same matches in every run"],
      ],
      fields,
      change,
    )
  }
    </div>
  </fieldset>`;
}

/** Delay, end and name. @param {PartProps} props */
function When({ draft: { after, fields }, change }) {
  return html`
    <fieldset class="form-part">
      <legend>Timing and name</legend>
      <div class="form-grid">
          ${texts(
            [
              ["delay", "Delay", "250ms", "Wait before the outcome, at most 10m"],
              ["ttl", "Ends after", "5m", "The rule is removed after this time"],
              ["name", "Name", "the outcome", "Shown with every hit"],
            ],
            fields,
            change,
          )}
        </div>
      <${CheckField} label="Capture the request first, then fail" checked=${after}
        onChange=${(/** @type {boolean} */ next) => change({ after: next })} />
    </fieldset>
  `;
}

/**
 * @param {readonly (readonly [key: keyof Draft["fields"], label: string, placeholder: string, hint: string])[]} rows
 * @param {Draft["fields"]} fields
 * @param {PartProps["change"]} change
 */
function texts(rows, fields, change) {
  return rows.map(([key, label, placeholder, hint]) =>
    html`
      <${TextField} key=${key} label=${label} value=${fields[key]} placeholder=${placeholder}
        hint=${hint} onChange=${(/** @type {string} */ value) =>
          change({ fields: { ...fields, [key]: value } })} />
    `
  );
}

/**
 * @param {{ row: Row, at: number, onChange: (changes: Partial<Row>) => void, onRemove: () => void }} props
 */
function Condition({ row: { place, how, value }, at, onChange, onRemove }) {
  const needsValue = how !== "exists" && how !== "missing";
  const options = Object.entries(HOW).map(([value, label]) => ({ value, label }));
  return html`
    <div class="condition" role="group" aria-label=${`Condition ${at + 1}`}>
      <${TextField} label="Path" bare=${true} placeholder="to[*].email" value=${place}
        onChange=${(/** @type {string} */ next) => onChange({ place: next })} />
      <${ChoiceField} label="How" bare=${true} value=${how} options=${options}
        onChange=${(/** @type {Row["how"]} */ next) => onChange({ how: next })} />
      ${needsValue && html`
        <${TextField} label="Value" bare=${true} value=${value}
          placeholder=${how === "json" ? "42" : "ada@example.org"}
          onChange=${(/** @type {string} */ next) => onChange({ value: next })} />
      `}
      <${IconButton} icon="close" label=${`Remove condition ${at + 1}`} onClick=${onRemove} />
    </div>
  `;
}
