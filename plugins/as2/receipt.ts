/** The receipt for a message: RFC 4130 section 7. */
import { compact } from "../../core/compact.ts";
import type { Certificate } from "./certificate.ts";
import { digestOf, type PrivateKey, signRsa } from "./cms_crypto.ts";
import { type DigestName, micalgOf, OID_OF_DIGEST } from "./codec/algorithms.ts";
import { composeReport, composeSigned, type MdnEntity, toSignedText } from "./codec/mdn.ts";
import { composeAttributes, composeSignedData } from "./codec/signed_data.ts";
import type { Issue, Mic } from "./model.ts";

/** Facts that a receipt is built from. */
export interface ReceiptAbout {
  /** Without quotes. */
  readonly to: string;
  readonly from: string;
  readonly messageId: string | undefined;
  readonly mic: Mic | undefined;
  readonly issues: readonly Issue[];
  readonly now: Date;
  /** Generates boundaries. */
  readonly uuid: () => string;
  /** Present if the receipt is to be signed. */
  readonly signer?: {
    readonly key: PrivateKey;
    readonly certificate: Certificate;
    readonly digest: DigestName;
    /** The sender's spelling of the digest. */
    readonly micalg: string;
    /** Whether the signature must not verify. */
    readonly isBad?: true;
  };
}

/** How a fault falsifies a receipt. */
export interface ReceiptFault {
  /** Reports this error, although the message does not have it. */
  readonly claim?: Issue;
  /** Returns the digest of another message. */
  readonly wrongMic?: true;
  /** The signature does not verify. */
  readonly badSignature?: true;
  /** Withholds the receipt, although one was requested. */
  readonly none?: true;
}

/** A receipt, ready to send. */
export interface Receipt {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly disposition: string;
  readonly humanText: string;
  readonly receivedContentMic?: string;
  readonly micalg?: string;
}

const MODE = "automatic-action/MDN-sent-automatically";
/** Modifiers of RFC 4130 section 7.4.3 and RFC 5402 section 5, by issue. */
const MODIFIERS: Readonly<Record<string, string>> = {
  "unparsable-body": "unexpected-processing-error",
  "too-many-layers": "unexpected-processing-error",
  "decryption-failed": "decryption-failed",
  "identity-not-ready": "decryption-failed",
  "decompression-failed": "decompression-failed",
  "integrity-check-failed": "integrity-check-failed",
  "signature-invalid": "authentication-failed",
};

/** Issue of a receipt that could not be made as requested. */
export const NOT_SIGNED = "receipt-not-signed";

/** Returns the disposition: the outermost problem counts, unless the receipt itself could not be made. */
function dispositionOf(issues: readonly Issue[]): string {
  // A content problem is "processed"; "failed" is for an impossible receipt (RFC 4130 section 7.5).
  if (issues.some(({ code }) => code === NOT_SIGNED)) {
    return `${MODE}; failed/Failure: unexpected-processing-error`;
  }
  const first = issues.find(({ code, severity }) => severity === "error" && code in MODIFIERS);
  return first === undefined
    ? `${MODE}; processed`
    : `${MODE}; processed/Error: ${MODIFIERS[first.code]}`;
}

/** Composes a receipt, and signs it if requested. */
export function composeReceipt(about: ReceiptAbout): Receipt {
  const { mic, signer, issues } = about;
  const disposition = dispositionOf(issues);
  const humanText = toHumanText(about);
  const receivedContentMic = mic === undefined ? undefined : `${mic.digest}, ${mic.algorithm}`;
  const report = composeReport({
    reportingUa: "standin",
    recipient: about.to,
    originalMessageId: about.messageId,
    disposition,
    mic: receivedContentMic,
    humanText,
    boundary: newBoundary("report", about.uuid),
  });
  const sent = signer === undefined
    ? report
    : signReport(report, { ...signer, now: about.now, uuid: about.uuid });
  return {
    contentType: sent.contentType,
    body: new TextEncoder().encode(sent.body),
    disposition,
    humanText,
    ...compact({ receivedContentMic, micalg: signer?.micalg }),
  };
}

function toHumanText({ from, to, messageId, issues }: ReceiptAbout): string {
  const errors = issues.filter(({ severity }) => severity === "error");
  const named = messageId === undefined ? "A message" : `Message ${messageId}`;
  return [
    `${named} from "${from}" to "${to}" was captured by Standin, which delivers nothing.`,
    ...(errors.length === 0
      ? ["Every layer of it was opened."]
      : errors.map(({ code, detail }) => `${code}: ${detail}`)),
  ].map((line) => line.replace(/\p{Cc}+/gu, " ")).join("\r\n");
}

/** Signs an entity with a detached signature. */
export function signReport(
  report: MdnEntity,
  { key, certificate, digest, micalg, isBad, now, uuid }:
    & NonNullable<ReceiptAbout["signer"]>
    & Pick<ReceiptAbout, "now" | "uuid">,
): MdnEntity {
  const text = new TextEncoder().encode(toSignedText(report));
  const digestOid = OID_OF_DIGEST.get(digest);
  if (digestOid === undefined) throw new TypeError(`Cannot sign with ${digest}: it is unknown`);
  const about = { digestOid, digest: digestOf(digest, text), signedAt: now };
  const attributes = composeAttributes(about);
  const { der, issuer, serial } = certificate;
  const value = signRsa(key, attributes, digest);
  if (isBad) value[value.length - 1]! ^= 1;
  const signature = composeSignedData(about, {
    attributes,
    signature: value,
    certificate: der,
    issuer,
    serial,
  });
  return composeSigned(report, {
    boundary: newBoundary("signed", uuid),
    micalg: /^[\w-]+$/.test(micalg) ? micalg : micalgOf(digest),
    signature: signature.toBase64(),
  });
}

function newBoundary(kind: string, uuid: () => string): string {
  return `${kind}-${uuid()}`;
}
