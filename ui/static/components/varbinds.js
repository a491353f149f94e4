/** Variable bindings of an SNMP notification as a table: names of well-known objects beside their numbers. */
import { html } from "../lib/dom.js";
import { formatCount } from "../lib/format.js";
import { useArrival } from "./pointing.js";
import { Captured } from "./text.js";

/**
 * @typedef {object} Varbind
 * @property {string} oid
 * @property {string} [name]
 * @property {string} type
 * @property {string} value
 * @property {string} [value_name]
 * @property {boolean} binary
 * @property {{ type: string, value: string }} [wrapped]
 */

/** Limits of bindings and of the characters of one value: a datagram may hold thousands. */
const SOME_VARBINDS = 500;
const SOME_CHARACTERS = 2000;

/**
 * Returns the bindings of a payload, if it has any.
 * @param {unknown} payload
 * @returns {readonly Varbind[]}
 */
export function varbindsOf(payload) {
  const { varbinds } = /** @type {{ varbinds?: unknown }} */ (Object(payload));
  return Array.isArray(varbinds) ? varbinds : [];
}

/**
 * Facts of a notification other than its bindings.
 * @param {unknown} payload
 * @returns {readonly (readonly [string, string | undefined])[]}
 */
export function notificationFacts(payload) {
  const trap = /** @type {Partial<Notification>} */ (Object(payload));
  const { version = "", inform, community, v1, v2, v3, decode_error: error } = trap;
  return [
    ["Version", version && `${version}${inform ? ", inform" : ""}`],
    ["Community", community],
    ["User", v3 && `${v3.user} (${v3.level})`],
    ["Engine", v3?.engine_id],
    ["Trap", v2 && [v2.trap_name, v2.trap_oid].filter(Boolean).join(" · ")],
    ["Enterprise", v1 && [v1.enterprise_name, v1.enterprise_oid].filter(Boolean).join(" · ")],
    ["Generic trap", v1 && `${v1.generic_trap_name} (${v1.generic_trap})`],
    ["Specific trap", v1 && String(v1.specific_trap)],
    ["Agent", v1?.agent_address],
    ["Problem", error],
  ];
}

/**
 * The parts of a trap or inform that are shown.
 * @typedef {object} Notification
 * @property {string} version
 * @property {boolean} inform
 * @property {string} community
 * @property {string} [decode_error]
 * @property {{ user: string, level: string, engine_id: string }} [v3]
 * @property {{ trap_oid: string, trap_name?: string }} [v2]
 * @property {{ enterprise_oid: string, enterprise_name?: string, agent_address: string, generic_trap: number,
 *   generic_trap_name: string, specific_trap: number }} [v1]
 */

/** @param {{ varbinds: readonly Varbind[], line?: number | undefined }} props `line` is the place of a finding, from 1 */
export function VarbindTable({ varbinds, line }) {
  const arrival = useArrival(line);
  const more = varbinds.length - SOME_VARBINDS;
  return html`
    <table class="headers varbinds">
      <caption class="hidden">Variable bindings</caption>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col">Type</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        ${varbinds.slice(0, SOME_VARBINDS).map((varbind, at) =>
          html`<${Row} key=${at} varbind=${varbind} place=${
            at + 1 === line ? arrival : undefined
          } />`
        )}
      </tbody>
    </table>
    ${more > 0 && html`<p class="cut">${formatCount(more)} more: see the payload.</p>`}
  `;
}

/** @param {{ varbind: Varbind, place?: { current: HTMLElement | null } | undefined }} props `place` is that of a finding */
function Row({ varbind: { oid, name, type, value, value_name, binary, wrapped }, place }) {
  const cut = value.length > SOME_CHARACTERS;
  return html`
    <tr class=${place && "marked"} tabindex=${place && -1} ref=${place}>
      <th scope="row">
        ${name !== undefined && html`<${Captured} class="varbind-name" text=${name} />`}
        <${Captured} class="varbind-oid" text=${oid} />
      </th>
      <td class="varbind-type">${type}${binary && " (hex)"}</td>
      <td>
        <${Captured} text=${cut ? value.slice(0, SOME_CHARACTERS) : value} />
        ${cut && html`<span class="cut"> … ${formatCount(value.length)} characters</span>`}
        ${value_name !== undefined && html`
          <${Captured} class="varbind-wrapped" text=${value_name} />
        `}
        ${wrapped !== undefined && html`
          <span class="varbind-wrapped">${wrapped.type} <${Captured} text=${wrapped.value} /></span>
        `}
      </td>
    </tr>
  `;
}
