/** Support of an HTML body by email clients. */
import { html, useState } from "../../lib/dom.js";
import { useFetchedOnce } from "../../lib/fetched.js";
import { plural } from "../../lib/format.js";
import { Problem } from "../../components/page.js";
import { OutLink } from "../../components/text.js";

/** @import { MailClients } from "../../lib/types.d.ts" */

/** @typedef {MailClients["clients"][number]} Client */

/** Distinguished platforms, by their name in the data. */
const COLUMNS = /** @type {const} */ ([
  ["Web", ["Desktop Webmail", "Mobile Webmail", "Webmail", "Outlook.com"]],
  ["Windows", ["Windows", "Windows Mail", "Desktop"]],
  ["macOS", ["macOS"]],
  ["iOS", ["iOS"]],
  ["Android", ["Android"]],
]);

/** @param {{ id: string }} props */
export function Clients({ id }) {
  /** @type {{ value?: MailClients, problem?: string }} */
  const { value, problem } = useFetchedOnce(`/mail/messages/${encodeURIComponent(id)}/clients`);
  const [picked, setPicked] = useState("");
  if (value === undefined) return html`<${Problem} text=${problem} />`;
  const { clients, features, score, date, source } = value;
  const families = [...new Set(clients.map(({ family }) => family))];
  const client = clients.find((one) => one.id === picked);
  return html`
    <section class="clients" aria-label="Email clients">
      <h3>Email clients <span class=${`client-score ${toneOf(score)}`}>${score} %</span></h3>
      <p
        class="quiet">Share of the HTML and CSS used here that each client supports, by ${" "}<${OutLink}
          href=${source}>caniemail.com<//>${" "} of ${date}. Pick a client to see what it lacks.</p>
      <div class="clients-scroll">
        <table class="clients-table">
          <thead>
            <tr>
              <th scope="col">Program</th>
              ${COLUMNS.map(([title]) => html`<th key=${title} scope="col">${title}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${families.map((family) =>
              html`
                <tr key=${family}>
                  <th scope="row">${family}</th>
                  ${COLUMNS.map(([title, platforms]) =>
                    html`
                      <td key=${title}>
                        ${clients.filter((one) =>
                          one.family === family && platforms.some((name) => name === one.platform)
                        ).map((one) =>
                          html`
                            <${Score} key=${one.id} client=${one} picked=${picked === one.id}
                              onPick=${() => setPicked(picked === one.id ? "" : one.id)} />
                          `
                        )}
                      </td>
                    `
                  )}
                </tr>
              `
            )}
          </tbody>
        </table>
      </div>
      ${client && html`
        <${Lacks} client=${client} features=${features} column=${clients.indexOf(
          client,
        )} source=${source} />
      `}
    </section>
  `;
}

/** @param {number} score */
function toneOf(score) {
  return score >= 90 ? "good" : score >= 70 ? "fair" : "bad";
}

/** @param {{ client: Client, picked: boolean, onPick: () => void }} props */
function Score({ client: { family, platform, score, unsupported, partial }, picked, onPick }) {
  const title = `${family}, ${platform}: ${unsupported} not supported, ${partial} in part`;
  return html`
    <button type="button" class=${`client-score ${toneOf(score)}`} title=${title}
      aria-label=${`${score} %, ${title}`} aria-pressed=${picked} onClick=${onPick}>${score}</button>
  `;
}

/**
 * @param {{ client: Client, features: MailClients["features"], column: number, source: string }} props
 */
function Lacks({ client, features, column, source }) {
  const lists = /** @type {const} */ ([["n", "Not supported"], ["a", "Supported in part"]]);
  return html`
    <section class="client-lacks" aria-label=${`${client.family}, ${client.platform}`}>
      <h4>${client.family}, ${client.platform}</h4>
      ${client.partial + client.unsupported === 0 &&
        html`<p class="quiet">It supports everything that is used here and was tested.</p>`}
      ${lists.map(([letter, title]) => {
        const found = features.filter(({ support }) => support[column] === letter);
        return found.length > 0 && html`
          <h5 key=${letter}>${title}</h5>
          <ul>
            ${found.map(({ id, title, count, line }) =>
              html`
                <li key=${id}>
                  <${OutLink} href=${`${source}/features/${id}/`}>${title}<//>
                  <span class="quiet"> ${plural(count, "use")}, line ${line}</span>
                </li>
              `
            )}
          </ul>
        `;
      })}
    </section>
  `;
}
