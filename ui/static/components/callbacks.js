/** Calls to the application about an event: buttons to make them, and their results. */
import { html, useEffect, useRef, useState } from "../lib/dom.js";
import { getJson, messageOf, postJson } from "../lib/api.js";
import { absoluteTime } from "../lib/format.js";
import { loadStyles } from "../lib/styles.js";
import { Badge, Chip, IconButton } from "./controls.js";
import { ParamField, toParams } from "./fields.js";
import { Captured } from "./text.js";
import { toast } from "./toast.js";
import { sentFor, startOf } from "../lib/form_values.js";
import { ValueField } from "./value_fields.js";

/** @import { CallAttempt, CallList, CallOffer, CallRecord, FormSchema, SentCalls } from "../lib/types.d.ts" */
/** @import { Edited } from "../lib/form_values.js" */

await Promise.all([loadStyles("css/forms.css"), loadStyles("css/callbacks.css")]);

/** Polling interval for unfinished calls, in milliseconds. */
const LOOK_MS = 500;

/**
 * The calls about an event; nothing while callbacks are off, or for an event without any.
 * @param {{ id: string }} props
 */
export function Callbacks({ id }) {
  const [list, setList] = useState(/** @type {CallList | undefined} */ (undefined));
  const [look, setLook] = useState(0);
  useEffect(() => {
    const ended = new AbortController();
    let timer = 0;
    getJson(`/events/${encodeURIComponent(id)}/callbacks`, { signal: ended.signal }).then(
      (/** @type {CallList} */ found) => {
        setList(found);
        reportOpen(id, found);
        if (found.calls.some(({ state }) => state === "waiting" || state === "sending")) {
          timer = setTimeout(() => setLook((before) => before + 1), LOOK_MS);
        }
      },
      () => {
        // The event was deleted; the page reports that.
      },
    );
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [id, look]);
  const reportsClicks = list?.opens === true &&
    list.offers.some(({ event }) => event === "clicked");
  useEffect(() => {
    if (!reportsClicks) return;
    /** @param {Event} event */
    const follow = (event) => {
      const url = linkIn(event.target);
      if (url === null || event instanceof MouseEvent && event.button > 1) return;
      report(id, { event: "clicked", url }).then(() => setLook((before) => before + 1));
    };
    document.addEventListener("click", follow);
    // The middle button.
    document.addEventListener("auxclick", follow);
    return () => {
      document.removeEventListener("click", follow);
      document.removeEventListener("auxclick", follow);
    };
  }, [id, reportsClicks]);
  const [asked, setAsked] = useState(/** @type {string | undefined} */ (undefined));
  const open = list?.offers.find(({ label }) => label === asked);
  if (list === undefined || !list.enabled || list.offers.length + list.count === 0) return null;
  /**
   * @param {CallOffer} offer
   * @param {Record<string, unknown>} [params]
   */
  const send = async ({ event, label, with: preset }, params) => {
    const body = { ...preset, ...params, event };
    try {
      /** @type {SentCalls} */
      const { count } = await postJson(`/events/${encodeURIComponent(id)}/callbacks`, body);
      setLook((before) => before + 1);
      setAsked(undefined);
      if (count === 0) toast(`Done: ${label}`);
    } catch (error) {
      toast(messageOf(error), { problem: true });
    }
  };
  return html`
    <section class="callbacks" aria-label="Callbacks">
      <h3>Callbacks${list.count > 0 &&
        html`<${Badge} count=${list.count} label="calls" />`}</h3>
      <p class="callback-offers">
        ${list.offers.map((offer) =>
          html`
            <${Offer} key=${offer.label} offer=${offer} isAsked=${asked === offer.label}
              onSend=${() => send(offer)}
              onAsk=${() => setAsked(asked === offer.label ? undefined : offer.label)} />
          `
        )}
      </p>
      ${open !== undefined && html`
        <${ParamForm} key=${open.label} offer=${open} onClose=${() => setAsked(undefined)}
          onSend=${(/** @type {Record<string, unknown>} */ params) => send(open, params)} />
      `}
      ${list.count > 0 &&
        html`<ol class="callback-log">${
          list.calls.map((call) => html`<${CallItem} key=${call.id} call=${call} />`)
        }</ol>`}
    </section>
  `;
}

/**
 * The button of a callback, and one that asks for its parameters.
 * @param {{ offer: CallOffer, isAsked: boolean, onSend: () => void, onAsk: () => void }} props
 */
function Offer({ offer: { label, about, params }, isAsked, onSend, onAsk }) {
  const schemas = Object.values(params).map(({ schema }) => schema);
  // A form must be filled in before it is submitted.
  const isForm = schemas.some(({ title, properties }) => title ?? properties);
  return html`
    <span class="callback-offer">
      <button type="button" class="button" title=${about} aria-expanded=${isForm
        ? String(isAsked)
        : undefined} onClick=${isForm ? onAsk : onSend}>
        <${Captured} text=${isForm ? `${label}…` : label} />
      </button>
      ${!isForm && schemas.length > 0 && html`
        <${IconButton} icon="edit" label=${`${label}: set parameters`} pressed=${isAsked}
          onClick=${onAsk} />
      `}
    </span>
  `;
}

/**
 * @param {{ offer: CallOffer, onSend: (params: Record<string, unknown>) => void, onClose: () => void }} props
 */
function ParamForm({ offer: { label, about, params }, onSend, onClose }) {
  const [texts, setTexts] = useState(/** @type {Readonly<Record<string, string>>} */ ({}));
  const fields = fieldsOf(params);
  const [values, setValues] = useState(
    () => /** @type {Readonly<Record<string, Edited>>} */ (Object.fromEntries(
      fields.map(({ id, schema }) => [id, startOf(schema)]),
    )),
  );
  const plain = Object.entries(params).filter(([, { schema }]) => !isField(schema));
  const room = useRef(/** @type {HTMLFormElement | null} */ (null));
  useEffect(() => {
    /** @type {HTMLElement | null | undefined} */
    const first = room.current?.querySelector("input, select, textarea");
    first?.focus();
  }, []);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    onSend({ ...toParams(Object.fromEntries(plain), texts), ...toSent(fields, values) });
  };
  /** @param {KeyboardEvent} event */
  const close = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onClose();
  };
  return html`
    <form ref=${room} aria-label=${`Parameters: ${label}`} onSubmit=${submit} onKeyDown=${close}>
      <fieldset class="form-part">
        <legend>${label}</legend>
        <p class="field-hint">${about}</p>
        <div class="form-grid">
          ${fields.map(({ id, name, schema }) =>
            html`
              <${ValueField} key=${id} name=${name} schema=${schema} value=${values[id] ?? ""}
                onChange=${(/** @type {Edited} */ value) =>
                  setValues({ ...values, [id]: value })} />
            `
          )}
          ${plain.map(([name, param]) =>
            html`
              <${ParamField} key=${name} param=${{ name, ...param }} value=${texts[name] ?? ""}
                onChange=${(/** @type {string} */ value) =>
                  setTexts({ ...texts, [name]: value })} />
            `
          )}
        </div>
        <p class="callback-offers">
          <button type="submit" class="button primary">Call the application</button>
          <button type="button" class="button" onClick=${onClose}>Cancel</button>
        </p>
      </fieldset>
    </form>
  `;
}

/** @param {FormSchema} schema */
function isField({ title, properties }) {
  return title !== undefined || properties !== undefined;
}

/** A field of a form: a parameter, or one of its properties. @typedef {ReturnType<typeof fieldsOf>[number]} Field */

/** @param {CallOffer["params"]} params */
function fieldsOf(params) {
  return Object.entries(params).flatMap(([param, { schema }]) => {
    if (schema.properties !== undefined) {
      return Object.entries(schema.properties).map(([name, one]) => ({
        id: `${param} ${name}`,
        ...{ param, name, schema: one, isInside: true },
      }));
    }
    return schema.title === undefined
      ? []
      : [{ id: param, ...{ param, name: param, schema, isInside: false } }];
  });
}

/**
 * Returns the parameters that a form makes.
 * @param {readonly Field[]} fields
 * @param {Readonly<Record<string, Edited>>} values
 */
function toSent(fields, values) {
  /** @type {Record<string, unknown>} */
  const sent = {};
  for (const [param, own] of Map.groupBy(fields, (field) => field.param)) {
    const entries = own.map(({ id, name, schema }) => [name, sentFor(values[id] ?? "", schema)]);
    sent[param] = own[0]?.isInside ? Object.fromEntries(entries) : entries[0]?.[1];
  }
  return sent;
}

/**
 * Reports an email as opened, once, if the settings enable it.
 * @param {string} id
 * @param {CallList} list
 */
function reportOpen(id, { opens, offers, calls }) {
  const isNew = !reported.has(id) && calls.every(({ name }) => name !== "opened");
  if (!opens || !isNew || offers.every(({ event }) => event !== "opened")) return;
  reported.add(id);
  report(id, { event: "opened" });
}

/**
 * @param {string} id
 * @param {Record<string, unknown>} body
 */
function report(id, body) {
  return postJson(`/events/${encodeURIComponent(id)}/callbacks`, body).catch((error) =>
    toast(messageOf(error), { problem: true })
  );
}

/**
 * Returns the URL of a captured link that was followed; the links of the page itself do not count.
 * @param {EventTarget | null} target
 */
function linkIn(target) {
  const link = target instanceof Element ? target.closest(".found-link a.out, .links a.out") : null;
  return link?.getAttribute("href") ?? null;
}

/** Emails that this page has already reported. */
const reported = new Set();

/** @type {Readonly<Record<CallRecord["state"], string>>} */
const TONES = {
  waiting: "",
  sending: "",
  done: "",
  failed: "warn",
  refused: "warn",
  cancelled: "",
};

/** @param {{ state: CallRecord["state"] }} props */
export function CallStateChip({ state }) {
  return html`<${Chip} tone=${TONES[state]}>${state}<//>`;
}

/** @param {{ call: CallRecord }} props */
function CallItem({ call }) {
  const { name, state } = call;
  return html`
    <li>
      <details>
        <summary>
          <${CallStateChip} state=${state} />
          <strong><${Captured} text=${name} /></strong>
          <span class="callback-url"><${Captured} text=${lineOf(call)} /></span>
          <span class="quiet"><${Captured} text=${outcomeOf(call) ?? ""} /></span>
        </summary>
        <${CallHistory} call=${call} />
      </details>
    </li>
  `;
}

/** @param {CallRecord} call */
export function lineOf({ method, url }) {
  return `${method ?? ""} ${url}`.trim();
}

/** @param {CallRecord} call */
export function outcomeOf({ attempts, reason, outcome }) {
  return [resultOf(attempts.at(-1)) ?? reason, outcome].filter((text) => text).join(". ") ||
    undefined;
}

/**
 * Why a call was not made, its body, and every attempt with the response.
 * @param {{ call: CallRecord }} props
 */
export function CallHistory({ call: { reason, next_at: next, body, attempts, outcome } }) {
  return html`
    ${outcome && html`
      <p>
        <${Captured} text=${outcome} />
      </p>
    `}
    ${reason && html`
      <p>
        <${Captured} text=${reason} />
      </p>
    `}
    ${next && html`<p class="quiet">Next attempt: ${absoluteTime(next)}</p>`}
    <pre class="callback-body" tabindex="0" aria-label="Body"><${Captured} text=${body} /></pre>
    ${attempts.map((attempt, at) =>
      html`<${Attempt} key=${at} number=${at + 1} attempt=${attempt} />`
    )}
  `;
}

/** @param {{ number: number, attempt: CallAttempt }} props */
function Attempt({ number, attempt }) {
  const { at, duration_ms: ms, request_headers: sent, body } = attempt;
  return html`
    <h4>Attempt ${number}: ${resultOf(attempt)}</h4>
    <p class="quiet">${absoluteTime(at)}, ${ms} ms</p>
    <pre class="callback-body"><${Captured} text=${sent.map((pair) => pair.join(": ")).join(
      "\n",
    )} /></pre>
    ${body && html`<pre class="callback-body"><${Captured} text=${body} /></pre>`}
  `;
}

/**
 * Returns the result of an attempt.
 * @param {CallAttempt | undefined} attempt
 */
function resultOf(attempt) {
  return attempt === undefined ? undefined : attempt.error ?? `Answered ${attempt.status}`;
}
