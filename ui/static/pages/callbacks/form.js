/** The form for inbound items: a provider, and the payload as JSON. */
import { html, useEffect, useRef, useState } from "../../lib/dom.js";
import { messageOf, postJson } from "../../lib/api.js";
import { nameOfPlace } from "../../lib/providers.js";
import { AreaField, ChoiceField } from "../../components/fields.js";
import { Captured, OutLink } from "../../components/text.js";

/** @import { CallProvider, SentCalls } from "../../lib/types.d.ts" */

/**
 * @param {{ providers: readonly CallProvider[], isAsked: boolean, onCalled: (sent: SentCalls) => void }} props `isAsked`
 *   moves the focus here
 */
export function InboundForm({ providers, isAsked, onCalled }) {
  const able = providers.filter(({ inbound }) => inbound !== undefined);
  // Providers with an address come first, because they work at once.
  const usual = able.find(({ inbound }) => inbound?.url !== undefined) ?? able[0];
  const [on, setOn] = useState(usual?.on ?? "");
  const [template, setTemplate] = useState("0");
  const inbound = able.find((provider) => provider.on === on)?.inbound;
  const [text, setText] = useState(textOf(usual?.inbound?.templates[0]?.payload));
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const first = useRef(/** @type {HTMLSelectElement | null} */ (null));
  useEffect(() => {
    if (isAsked) first.current?.focus();
  }, [isAsked]);
  if (inbound === undefined) {
    return html`<p class="quiet">No running provider has inbound calls.</p>`;
  }
  /** @param {string} next */
  const move = (next) => {
    setOn(next);
    setTemplate("0");
    setText(textOf(able.find((one) => one.on === next)?.inbound?.templates[0]?.payload));
  };
  /** @param {string} next */
  const choose = (next) => {
    setTemplate(next);
    setText(textOf(inbound.templates[Number(next)]?.payload));
  };
  /** @param {Event} event */
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const sent = await postJson("/inbound", { provider: on, payload: readPayload(text) });
      setProblem("");
      onCalled(sent);
    } catch (error) {
      setProblem(messageOf(error));
    }
    setBusy(false);
  };
  return html`
    <form class="callback-form" aria-label="New inbound call" onSubmit=${submit}>
      <fieldset class="form-part">
        <legend>Inbound item</legend>
        <${ChoiceField} label="Provider" value=${on} box=${first} onChange=${move}
          options=${able.map(({ on }) => ({ value: on, label: nameOfPlace(on) }))}
          hint=${html`
            <${Captured} text=${`${inbound.about}.`} />${" "}<${OutLink} href=${inbound
              .source}>Source<//>
          `} />
        ${inbound.templates.length > 1 && html`
          <${ChoiceField} label="Template" value=${template} onChange=${choose}
            options=${inbound.templates.map(({ label }, at) => ({ value: String(at), label }))} />
        `}
        <${AreaField} label="Payload" value=${text} onChange=${setText} hint="JSON" />
        <p class="field-hint">${inbound.url === undefined
          ? html`No address is set: add <code>${
            on.split("/")[1]
          } = "ADDRESS"</code> under <code>[callbacks.inbound]</code>.`
          : html`Calls <code class="callback-url"><${Captured} text=${inbound.url} /></code>`}</p>
      </fieldset>
      <div class="form-end">
        ${problem !== "" && html`<p class="form-problem" role="alert">${problem}</p>`}
        <button type="submit" class="button primary" disabled=${busy}>Call the application</button>
      </div>
    </form>
  `;
}

/** @param {unknown} payload */
function textOf(payload) {
  return JSON.stringify(payload ?? {}, null, 2);
}

/**
 * @param {string} text
 * @throws {RangeError} if it is not JSON
 */
function readPayload(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError("Cannot read the payload: expected JSON");
  }
}
