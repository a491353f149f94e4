/** The certificate for partners, and the partner's certificate. */
import { html } from "../../lib/dom.js";
import { useFetched } from "../../lib/fetched.js";
import { CopyButton } from "../../components/controls.js";
import { Icon } from "../../components/icons.js";
import { Problem } from "../../components/page.js";
import { Captured } from "../../components/text.js";
import { CertificateCard } from "./layers.js";

/** @import { IdentityInfo } from "./types.d.ts" */

/** Source of the key. @type {Readonly<Record<string, string>>} */
const SOURCES = {
  configured: "The key and certificate of your configuration are in use.",
  generated: "Made by this service and kept: the certificate stays the same.",
  memory: "Made for this run only: partners need another certificate after every start.",
  none: "There is no key: messages are captured, but cannot be decrypted.",
};

export function OwnIdentity() {
  /** @type {{ value?: IdentityInfo, problem?: string }} */
  const { value: identity, problem } = useFetched("/as2/identity", "as2");
  if (identity === undefined) return html`<${Problem} text=${problem} />`;
  const { certificate, partner, pem, error, source } = identity;
  return html`
    <section class="as2-identity" aria-label="Certificates">
      <h2>Certificate for your partner</h2>
      <p>${SOURCES[source] ?? ""}</p>
      ${error !== undefined && html`
        <p class="problem" role="alert">
          <${Captured} text=${error} />
        </p>
      `}
      ${pem !== undefined && html`
        <p class="item-actions">
          <a class="button" href="/api/v1/as2/certificate" download="standin.pem"><${Icon}
              name="download" />Download the certificate</a>
          <${CopyButton} text=${pem} label="Copy as PEM" title="Copy the certificate" />
        </p>
      `}
      ${certificate !== undefined &&
        html`<${CertificateCard} title="Ours" certificate=${certificate} />`}
      ${partner !== undefined &&
        html`<${CertificateCard} title="Of the partner" certificate=${partner} />`}
    </section>
  `;
}
