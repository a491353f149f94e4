import type { CheckTopic, Found } from "../../../core/plugin.ts";
import type { CertInfo } from "../model.ts";
import type { As2Subject } from "./subject.ts";

const HISTORIC = "https://www.rfc-editor.org/rfc/rfc8551#appendix-B";
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days before the end of a certificate that are short notice for a partner. */
const SOON_DAYS = 30;
/** Bits of an RSA key for signatures: NIST SP 800-131A, section 3. */
const MIN_RSA = 2048;
const WEAK_DIGEST = /^(?:rsa-)?(?:md5|sha-?1)$/i;

/** How a message was protected. */
export const securityTopic: CheckTopic<As2Subject> = {
  checks: [
    {
      id: "as2.weak_encryption",
      level: "warning",
      about:
        "The content is encrypted with an algorithm that S/MIME calls historic: DES, 3DES, RC2 or RC4",
      source: HISTORIC,
    },
    {
      id: "as2.weak_digest",
      level: "warning",
      about: "The signature uses MD5 or SHA-1",
      source: HISTORIC,
    },
    {
      id: "as2.weak_key",
      level: "warning",
      about: `The RSA key of the signer has fewer than ${MIN_RSA} bits`,
      source: "https://csrc.nist.gov/pubs/sp/800/131/a/r2/final",
    },
    {
      id: "as2.weak_receipt",
      level: "info",
      about: "The requested receipt has no digest other than MD5 or SHA-1",
      source: HISTORIC,
    },
    {
      id: "as2.certificate_expired",
      level: "error",
      about: "The certificate of the signer had expired, or was not valid yet",
      source: "https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5",
    },
    {
      id: "as2.certificate_expires",
      level: "warning",
      about: `The certificate of the signer expires within ${SOON_DAYS} days`,
      source: "https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.5",
    },
    {
      id: "as2.unprotected",
      level: "warning",
      about: "The message is neither signed nor encrypted",
      source: "https://www.rfc-editor.org/rfc/rfc4130#section-2.4.2",
    },
    {
      id: "as2.no_receipt",
      level: "info",
      about: "No signed receipt was requested: the sender cannot prove the delivery",
      source: "https://www.rfc-editor.org/rfc/rfc4130#section-7.1",
    },
  ],
  *find({ event: { payload, received_at: receivedAt } }) {
    const { security: { signed, encrypted, encryption, signature }, receipt } = payload;
    const cipher = encryption?.content_algorithm ?? "";
    if (/^(des\b|des-cbc|3des|des-ede3|tripledes|rc2|rc4)/i.test(cipher)) {
      yield {
        id: "as2.weak_encryption",
        message: `The content is encrypted with ${cipher}; use AES`,
      };
    }
    const digests = [signature?.digest_algorithm, signature?.signature_algorithm].filter(Boolean)
      .join(", ");
    if (/\bmd5\b|\bsha-?1\b/i.test(digests)) {
      yield { id: "as2.weak_digest", message: `The signature uses ${digests}; use SHA-256` };
    }
    if (signature?.signer !== undefined) {
      yield* validity(signature.signer, receivedAt);
      yield* strength(signature.signer);
    }
    if (!signed && !encrypted) {
      yield { id: "as2.unprotected", message: "The message is neither signed nor encrypted" };
    }
    if (!receipt.requested || !receipt.signed_requested) {
      yield {
        id: "as2.no_receipt",
        message: receipt.requested ? "The receipt need not be signed" : "No receipt was requested",
      };
    }
    const wanted = receipt.mic_algs ?? [];
    if (wanted.length > 0 && wanted.every((name) => WEAK_DIGEST.test(name))) {
      yield {
        id: "as2.weak_receipt",
        message: `The receipt may only use ${wanted.join(", ").slice(0, 100)}; also offer sha-256`,
      };
    }
  },
};

function* strength({ key_algorithm: key = "", subject }: CertInfo): Generator<Found> {
  const bits = Number(/^RSA (\d+)$/.exec(key)?.[1]);
  if (!(bits < MIN_RSA)) return;
  yield {
    id: "as2.weak_key",
    message: `The RSA key of ${subject.slice(0, 200)} has ${bits} bits; use ${MIN_RSA} or more`,
  };
}

function* validity(signer: CertInfo, at: Date): Generator<Found> {
  const [from, to] = [Date.parse(signer.not_before), Date.parse(signer.not_after)];
  const who = signer.subject.slice(0, 200);
  if (at.getTime() > to) {
    yield {
      id: "as2.certificate_expired",
      message: `The certificate of ${who} expired ${signer.not_after}`,
    };
  } else if (at.getTime() < from) {
    yield {
      id: "as2.certificate_expired",
      message: `The certificate of ${who} is valid from ${signer.not_before}`,
    };
  } else if (to - at.getTime() < SOON_DAYS * DAY_MS) {
    yield {
      id: "as2.certificate_expires",
      message: `The certificate of ${who} expires ${signer.not_after}`,
    };
  }
}
