/** The fault applied to an event, with a link to its rule. */
import { html } from "../lib/dom.js";
import { toQuery } from "../lib/api.js";
import { Icon } from "./icons.js";
import { Captured } from "./text.js";

/** @param {{ name: unknown }} props of the rule; nothing is shown without one */
export function FaultBadge({ name }) {
  if (typeof name !== "string") return null;
  return html`
    <a class="chip warn fault-chip" href=${`/ui/faults/${toQuery({ name })}`}
      title="Caused by a fault rule: show the rule"><${Icon} name="faults" size=${12} />Fault: <${Captured}
      text=${name} /></a>
  `;
}

/** The same in a row, which is a button. @param {{ name: unknown }} props */
export function FaultMark({ name }) {
  if (typeof name !== "string") return null;
  return html`
    <span class="chip warn fault-mark" title=${`Fault: ${name}`}><${Icon} name="faults"
        size=${12} /><span class="hidden">Fault: <${Captured} text=${name} /></span></span>
  `;
}

/**
 * Returns the name of the rule that caused a refusal.
 * @param {string} reason
 */
export function faultIn(reason) {
  return /^fault "(.*)": [a-z_]+$/s.exec(reason)?.[1];
}
