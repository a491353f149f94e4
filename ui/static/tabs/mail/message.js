/** One message: sender, time, and its body in every form. */
import { html, useEffect, useState } from "../../lib/dom.js";
import { ApiProblem, getJson, messageOf } from "../../lib/api.js";
import { absoluteTime, bucketOf, formatSize, initials } from "../../lib/format.js";
import { loadOnce } from "../../lib/fetched.js";
import { readPref, writePref } from "../../lib/prefs.js";
import { place, setQuery } from "../../lib/router.js";
import { linksOf } from "../../lib/text.js";
import { markRead } from "../../lib/unread.js";
import { checksPart, useChecks } from "../../components/checks.js";
import { Tabs, Time } from "../../components/controls.js";
import { Download } from "../../components/actions.js";
import { CodesAndLinks } from "../../components/codes.js";
import { Empty } from "../../components/empty.js";
import { FaultBadge } from "../../components/fault_badge.js";
import { HeadersTable } from "../../components/headers_table.js";
import { Icon } from "../../components/icons.js";
import { ItemBar } from "../../components/item_detail.js";
import { JsonView } from "../../components/json_view.js";
import { FindingBar } from "../../components/pointing.js";
import { Problem } from "../../components/page.js";
import { Provider } from "../../components/provider.js";
import { Captured } from "../../components/text.js";
import { Attachments, isInline } from "./attachments.js";
import { HtmlSource, Links, TextBody } from "./bodies.js";
import { HtmlBody } from "./html_body.js";
import { Clients } from "./clients.js";
import { RawMessage } from "./raw_message.js";

/** @import { Address, Extracted, Finding, MailView } from "../../lib/types.d.ts" */
/** @import { ItemControls } from "../../components/pick_list.js" */
/** @import { Pointing } from "../../components/pointing.js" */

/** Number of avatar tints, as in items.css. */
const TINTS = 6;

/**
 * @param {string} id
 * @returns {{ mail?: MailView, problem?: string, gone?: boolean }}
 */
function useMessage(id) {
  const [state, setState] = useState(
    /** @type {{ id?: string, mail?: MailView, problem?: string, gone?: boolean }} */ ({}),
  );
  useEffect(() =>
    loadOnce(async (signal) => {
      try {
        const mail = await getJson(`/mail/messages/${encodeURIComponent(id)}`, { signal });
        setState({ id, mail });
        markRead([id]);
        return false;
      } catch (error) {
        const gone = error instanceof ApiProblem && error.status === 404;
        if (!signal.aborted) setState(gone ? { id, gone } : { id, problem: messageOf(error) });
        return !gone;
      }
    }), [id]);
  return state.id === id ? state : {};
}

/**
 * @param {{ id: string, controls?: ItemControls, extracted?: Extracted | undefined }} props without
 * `controls` the message has its own page
 */
export function Message({ id, controls, extracted }) {
  const { mail, problem, gone } = useMessage(id);
  // Before the message is there, too: the other actions must not move.
  const eml = !gone && html`
    <${Download} href=${`/api/v1/mail/messages/${id}/raw?format=eml&download=1`} what=".eml" />
  `;
  return html`<div class="mail-detail">
    ${
    controls && html`<${ItemBar} id=${id} url=${mail?.url} controls=${controls} actions=${eml} />`
  }
    <${Problem} text=${problem} />
    ${
    gone && html`
      <${Empty} icon="search" title="No longer held">
        <p>This message was deleted, or replaced by newer ones.</p>
        <//>
    `
  }
    ${
    mail && html`
      <header class="mail-head">
        <div class="mail-title">
          <h2>${mail.message.subject?.trim()
            ? html`<${Captured} text=${mail.message.subject} />`
            : html`<span class="none">(no subject)</span>`}</h2>
          ${controls === undefined && html`<p class="item-actions item-own">${eml}</p>`}
        </div>
        <${Sender} mail=${mail} />
        <${People} mail=${mail} />
        <${CodesAndLinks} extracted=${extracted} />
        <${Warnings} meta=${mail.meta} />
        ${controls && html`
          <p>
            <${FaultBadge} name=${mail.meta?.fault} />
          </p>
        `}
      </header>
      <${Body} key=${mail.id} mail=${mail} />
    `
  }
  </div>`;
}

/** @param {{ mail: MailView }} props */
function Sender({ mail }) {
  const { from } = mail.message;
  const name = from.name || from.email;
  return html`
    <div class="mail-from">
      <span class=${`avatar tint-${bucketOf(from.email, TINTS)}`} aria-hidden="true">${initials(
        name,
      )}</span>
      <span class="mail-from-who">
          ${name === ""
            ? html`<bdi class="mail-from-name none">(no sender)</bdi>`
            : html`<${Captured} class="mail-from-name" text=${name} />`}
          ${from.name && html`<${Captured} class="mail-from-email" text=${from.email} />`}
        </span>
      <span
        class="mail-when"><${Provider} plugin="mail" id=${mail
          .provider} /><span title=${absoluteTime(mail.received_at)}><${Time} iso=${mail
          .received_at} /></span></span>
    </div>
  `;
}

/** @param {{ mail: MailView }} props */
function People({ mail: { message, received_at, size } }) {
  /** @type {(readonly [string, readonly Address[] | undefined])[]} */
  const rows = [["To", message.to], ["Cc", message.cc], ["Bcc", message.bcc], [
    "Reply-To",
    message.reply_to,
  ]];
  return html`
    <table class="mail-people">
      <tbody>
          ${rows.map(([name, list]) =>
            list !== undefined && list.length > 0 &&
            html`
              <tr key=${name}>
                <th scope="row">${name}</th>
                <td>
                  <${Mailboxes} list=${list} />
                </td>
              </tr>
            `
          )}
          <tr>
            <th scope="row">Date</th>
            <td>${absoluteTime(received_at)} · ${formatSize(size)}</td>
          </tr>
        </tbody>
    </table>
  `;
}

/** Recipients shown before "more". */
const FIRST = 8;

/** @param {{ list: readonly Address[] }} props */
function Mailboxes({ list }) {
  const [all, setAll] = useState(false);
  const shown = all ? list : list.slice(0, FIRST);
  return html`<ul class="mailboxes">
    ${
    shown.map((address, i) =>
      html`
        <li key=${i}>
          <${Mailbox} address=${address} />
        </li>
      `
    )
  }
    ${
    shown.length < list.length &&
    html`<li><button type="button" class="link-button" onClick=${() => setAll(true)}>${
      list.length - shown.length
    } more</button></li>`
  }
  </ul>`;
}

/** @param {{ address: Address }} props */
function Mailbox({ address: { name, email } }) {
  return html`<span class="mailbox">${
    name && html`
      <${Captured} class="mailbox-name" text=${name} />
    `
  }<${Captured} class="mailbox-email" text=${email} /></span>`;
}

/** @param {{ meta: Readonly<Record<string, unknown>> | undefined }} props */
function Warnings({ meta }) {
  const warnings = meta?.parse_warnings;
  if (!Array.isArray(warnings) || warnings.length === 0) return null;
  return html`<ul class="warnings" aria-label="Warnings">
    ${
    warnings.slice(0, 20).map((text, i) =>
      html`
        <li key=${i}>
          <${Icon} name="warning" size=${14} />
          <${Captured} text=${String(text)} />
        </li>
      `
    )
  }
  </ul>`;
}

const VIEW_PREF = "mail.view";

/** The view that shows a part of a message, by the name of the part in findings. @type {Readonly<Record<string, string>>} */
const VIEW_OF_PART = { html: "source", text: "text", headers: "raw", raw: "raw" };

/** @param {{ mail: MailView }} props */
function Body({ mail }) {
  const checked = useChecks(mail.id);
  const { findings = [] } = checked;
  /** The URL names the finding, so that going back leads to the list. @param {Finding} finding */
  const show = (finding) =>
    setQuery({
      view: VIEW_OF_PART[finding.where?.part ?? ""] ?? null,
      finding: `${mail.id}.${findings.indexOf(finding)}`,
    });
  const wanted = place.value.query.get("view") ?? readPref(VIEW_PREF);
  const [of, at] = place.value.query.get("finding")?.split(".") ?? [];
  const current = of === mail.id ? findings[Number(at)] : undefined;
  const inView = findings.filter(({ where }) =>
    where?.line !== undefined && VIEW_OF_PART[where.part] === wanted
  );
  /** @type {Pointing | undefined} */
  const pointing = current !== undefined && inView.includes(current)
    ? { findings: inView, current, onPick: show }
    : undefined;
  const views = [
    ...viewsOf(mail, pointing),
    checksPart(checked, {
      more: mail.links.html !== undefined && html`<${Clients} id=${mail.id} />`,
      showPlace: (finding) =>
        finding.where?.line !== undefined && VIEW_OF_PART[finding.where.part] !== undefined
          ? () => show(finding)
          : undefined,
    }),
  ];
  const view = views.find(({ id }) => id === wanted) ?? views[0];
  /** @param {string} id */
  const pick = (id) => {
    // The next message opens in the same view.
    if (id === "html" || id === "text") writePref(VIEW_PREF, id);
    setQuery({ view: id, finding: null }, { replace: true });
  };
  return html`
    <${Tabs} label="Views of the message" class="mail-tabs" items=${views} current=${view?.id ?? ""}
      onPick=${pick} />
    <div class=${`mail-view view-${view?.id}`} role="tabpanel" aria-label=${view?.label}>
      ${pointing && html`<${FindingBar} pointing=${pointing} />`}
      ${view?.draw()}
    </div>
  `;
}

/**
 * @param {MailView} mail
 * @param {Pointing | undefined} pointing
 */
function viewsOf(mail, pointing) {
  const { message, links } = mail;
  const urls = message.html === undefined ? [] : linksOf(message.html);
  const headers = message.headers ?? {};
  const headerCount = Object.values(headers).reduce((sum, values) => sum + values.length, 0);
  const { attachments = [], html: source, text } = message;
  const pictures = attachments.filter(isInline).length;
  const files = attachments.length - pictures;
  return [
    ...(links.html === undefined
      ? []
      : [{ id: "html", label: "HTML", draw: () => html`<${HtmlBody} mail=${mail} />` }]),
    ...(text === undefined ? [] : [{
      id: "text",
      label: "Text",
      draw: () => html`<${TextBody} text=${text} pointing=${pointing} />`,
    }]),
    ...(files === 0 ? [] : [{
      id: "attachments",
      label: "Attachments",
      count: files,
      draw: () => html`<${Attachments} mail=${mail} inline=${false} />`,
    }]),
    ...(pictures === 0 ? [] : [{
      id: "inline",
      label: "Inline images",
      count: pictures,
      draw: () => html`<${Attachments} mail=${mail} inline=${true} />`,
    }]),
    ...(urls.length === 0 ? [] : [{
      id: "links",
      label: "Links",
      count: urls.length,
      draw: () => html`<${Links} urls=${urls} />`,
    }]),
    ...(source === undefined ? [] : [{
      id: "source",
      label: "HTML source",
      draw: () => html`<${HtmlSource} source=${source} pointing=${pointing} />`,
    }]),
    {
      id: "headers",
      label: "Headers",
      ...(headerCount === 0 ? {} : { count: headerCount }),
      draw: () =>
        headerCount === 0
          ? html`
            <p
              class="quiet">This message has no header fields. The Raw tab shows its request.</p>
          `
          : html`<${HeadersTable} headers=${headers} caption="Header fields" />`,
    },
    {
      id: "raw",
      label: "Raw",
      draw: () => html`<${RawMessage} mail=${mail} pointing=${pointing} />`,
    },
    { id: "json", label: "JSON", draw: () => html`<${JsonView} value=${mail} label="Message" />` },
  ];
}
