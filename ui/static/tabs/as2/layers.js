/** The layers of a message from the outside in, and its certificates. */
import { html } from "../../lib/dom.js";
import { absoluteTime, formatCount } from "../../lib/format.js";
import { Chip, CopyButton } from "../../components/controls.js";
import { Facts } from "../../components/facts.js";

/** @import { As2Message, As2View, CertInfo, Layer, Signature } from "./types.d.ts" */

/** @typedef {readonly (readonly [name: string, value: string | undefined])[]} Rows */

/** @type {Readonly<Record<Layer["kind"], string>>} */
const TITLES = { signed: "Signed", encrypted: "Encrypted", compressed: "Compressed" };
/** Recipients shown of one message. */
const SOME_RECIPIENTS = 20;

/** @param {{ view: As2View }} props */
export function Layers({ view }) {
  const { message } = view;
  const { layers = [], payload, security } = message;
  const firsts = new Set(Object.keys(TITLES));
  return html`
    <ol class="as2-layers">
      <li class="as2-layer">
        <h3>HTTP request</h3>
        <${Facts} class="as2-facts" rows=${[["Content type", message.content_type], [
          "AS2 version",
          message.as2_version,
        ]]} />
      </li>
      ${layers.map((layer, at) => {
        // Details exist only for the outermost layer of each kind.
        const first = firsts.delete(layer.kind);
        return html`<${LayerNode} key=${at} layer=${layer} security=${
          first ? security : undefined
        } />`;
      })}
      <li class="as2-layer innermost">
        <h3>Document ${payload.recovered &&
          html`<${Chip} tone="warn">as received: not opened<//>`}</h3>
        <${Facts} class="as2-facts" rows=${[
          ["Size", bytes(payload.size)],
          ["Content type", payload.content_type],
          ["File name", payload.filename],
          ["Format", payload.format],
          ["Decoded", payload.transfer_encoding],
        ]} />
      </li>
    </ol>
  `;
}

/** @param {{ layer: Layer, security: As2Message["security"] | undefined }} props */
function LayerNode({ layer, security }) {
  const { kind, opened, algorithm, content_type, smime_type } = layer;
  return html`
    <li class=${`as2-layer ${opened ? "" : "closed"}`}>
      <h3>${TITLES[kind]} ${!opened && html`<${Chip} tone="warn">did not open<//>`}</h3>
      <${Facts} class="as2-facts" rows=${[
        ["Size", bytes(layer.bytes)],
        ["Algorithm", algorithm],
        ["Content type", content_type],
        ["S/MIME type", smime_type],
        ...(security === undefined ? [] : detailsOf(kind, security)),
      ]} />
    </li>
  `;
}

/**
 * @param {Layer["kind"]} kind
 * @param {As2Message["security"]} security
 * @returns {Rows}
 */
function detailsOf(kind, { signature, encryption, compression }) {
  if (kind === "signed" && signature !== undefined) {
    return [
      ["Digest", signature.digest_algorithm],
      ["Declared", signature.declared_micalg],
      ["Verified", signature.verified ? "yes: the content matches the signature" : "no"],
      ["Signer", signature.signer?.subject],
      ["Problem", signature.error],
    ];
  }
  if (kind === "encrypted" && encryption !== undefined) {
    const recipients = encryption.recipients ?? [];
    const named = recipients.slice(0, SOME_RECIPIENTS).map(({ issuer, serial }) =>
      `${issuer || "by key"} (${serial})`
    );
    const more = recipients.length - named.length;
    return [
      ["Content", both(encryption.content_algorithm, encryption.content_algorithm_oid)],
      ["Key", both(encryption.key_algorithm, encryption.key_algorithm_oid)],
      ["Recipients", [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ")],
      ["Problem", encryption.error],
    ];
  }
  if (kind === "compressed" && compression !== undefined) {
    const { compressed_size, decompressed_size, placement } = compression;
    return [
      ["Compressed", bytes(compressed_size)],
      ["Decompressed", decompressed_size === undefined ? undefined : bytes(decompressed_size)],
      ["Placement", placement.replaceAll("-", " ")],
      ["Problem", compression.error],
    ];
  }
  return [];
}

/** @param {string | undefined} name @param {string | undefined} oid */
function both(name, oid) {
  return name === undefined ? oid : oid === undefined ? name : `${name} (${oid})`;
}

/** @param {number} size */
function bytes(size) {
  return `${formatCount(size)} bytes`;
}

/** @param {{ signature: Signature }} props */
export function Certificates({ signature }) {
  const { signer, chain = [], partner_configured, signer_matched, verified, error } = signature;
  const issuers = signer === undefined ? [] : issuersOf(signer, chain);
  const others = chain.filter((one) =>
    one.fingerprint !== signer?.fingerprint && !issuers.includes(one)
  );
  return html`
    <${Facts} class="as2-facts" rows=${[
      ["Integrity", verified ? "The content matches the signature" : error ?? "Not verified"],
      [
        "Identity",
        partner_configured
          ? signer_matched
            ? "Signed by the configured partner"
            : "Not signed by the configured partner"
          : "Not checked: no partner certificate is configured",
      ],
    ]} />
    <div class="as2-certificates">
      ${signer === undefined
        ? html`<p class="quiet">The certificate of the signer is not in the message.</p>`
        : html`<${CertificateCard} title="Signer" certificate=${signer} />`}
      ${issuers.map((certificate) =>
        html`
          <${CertificateCard} key=${certificate.fingerprint} title="Issuer"
            certificate=${certificate} />
        `
      )}
      ${others.map((certificate) =>
        html`
          <${CertificateCard} key=${certificate.fingerprint} title="In the message"
            certificate=${certificate} />
        `
      )}
    </div>
  `;
}

/**
 * Orders certificates by issuer names, starting with the signer's; names are not verified.
 * @param {CertInfo} signer
 * @param {readonly CertInfo[]} chain
 */
function issuersOf(signer, chain) {
  /** @type {CertInfo[]} */
  const found = [];
  for (let current = signer; !current.self_signed;) {
    const { issuer } = current;
    const next = chain.find((one) =>
      one.subject === issuer && one.fingerprint !== signer.fingerprint && !found.includes(one)
    );
    if (next === undefined) break;
    found.push(next);
    current = next;
  }
  return found;
}

/** @param {{ title: string, certificate: CertInfo }} props */
export function CertificateCard({ title, certificate }) {
  const { subject, issuer, serial, fingerprint, key_algorithm, self_signed } = certificate;
  const now = Date.now();
  const late = Date.parse(certificate.not_after) < now;
  const early = Date.parse(certificate.not_before) > now;
  return html`
    <section class="as2-certificate">
      <h3>${title}
        ${self_signed && html`<${Chip}>self-signed<//>`}
        ${late && html`<${Chip} tone="warn">expired<//>`}
        ${early && html`<${Chip} tone="warn">not yet valid<//>`}
        <${CopyButton} text=${fingerprint} title="Copy the fingerprint" /></h3>
      <${Facts} class="as2-facts" rows=${[
        ["Subject", subject],
        ["Issuer", issuer],
        ["Serial", serial],
        ["Key", key_algorithm],
        ["Valid from", absoluteTime(certificate.not_before)],
        ["Valid to", absoluteTime(certificate.not_after)],
        ["SHA-256", fingerprint],
      ]} />
    </section>
  `;
}
