/** A fault that a rule asked for, with a link to the rule. */
import { html } from "../lib/dom.js";
import { toQuery } from "../lib/api.js";
import { Icon } from "./icons.js";
import { Captured } from "./text.js";

/** @param {{ name: unknown }} props of the rule; nothing is shown without one */
export function FaultBadge({ name }) {
  if (typeof name !== "string") return null;
  return html`
    <a class="chip warn fault-chip" href=${`/ui/faults/${toQuery({ name })}`}
      title="A rule asked for this: show the rule"><${Icon} name="faults" size=${12} />Fault: <${Captured}
      text=${name} /></a>
  `;
}

/**
 * Returns the name of the rule that a refusal is due to.
 * @param {string} reason
 */
export function faultIn(reason) {
  return /^fault "(.*)": [a-z_]+$/s.exec(reason)?.[1];
}
