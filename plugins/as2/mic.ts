/** Message integrity checks: RFC 4130 section 7.3.1, and RFC 5402 section 4 for compressed messages. */
import { digestOf } from "./cms_crypto.ts";
import { digestByName, type DigestName } from "./codec/algorithms.ts";
import type { MimeEntity } from "./mime.ts";
import type { Mic, MicCoverage } from "./model.ts";
import type { Unwrapped } from "./unwrap.ts";

/** The returned digest, and those by other readings of the standards. */
export interface Mics {
  readonly mic?: Mic;
  readonly alternates: readonly Mic[];
}

/** A digest with the sender's spelling. */
export interface NamedDigest {
  readonly digest: DigestName;
  readonly spelled: string;
}

const NOTES: Readonly<Record<MicCoverage, string>> = {
  "signed-content": "The signed content (RFC 4130 section 7.3.1, RFC 5402 section 4.1)",
  "decrypted-entity":
    "The decrypted and decompressed entity, its header included (RFC 4130 section 7.3.1, RFC 5402 section 4.2)",
  "decompressed-entity": "The decompressed entity, its header included (RFC 5402 section 4.3)",
  "content": "The content without its header (RFC 4130 section 7.3.1)",
  "headers-and-content": "Header and content (RFC 5402 section 4.3)",
};

/** Returns the digest of the signature; for an unsigned message the first known one that was requested. */
export function micDigest(unwrapped: Unwrapped, asked: readonly string[]): NamedDigest {
  const wanted = firstKnown(asked);
  const { digest, signature } = unwrapped;
  if (digest === undefined) return wanted ?? { digest: "sha256", spelled: "sha256" };
  const spellings = [signature?.declared_micalg ?? "", ...asked];
  return { digest, spelled: spellings.find((one) => digestByName(one) === digest) ?? digest };
}

/** Returns the first known digest of a list. */
export function firstKnown(asked: readonly string[]): NamedDigest | undefined {
  for (const spelled of asked) {
    const digest = digestByName(spelled);
    if (digest !== undefined) return { digest, spelled };
  }
  return undefined;
}

/** Computes the digests of a message; none if the bytes that they cover were not reached. */
export function computeMics(outer: MimeEntity, unwrapped: Unwrapped, named: NamedDigest): Mics {
  const { inner, layers, signed, recovered } = unwrapped;
  const toMic = (coverage: MicCoverage, digest: Uint8Array, bytes: number): Mic => ({
    algorithm: named.spelled,
    coverage,
    digest: digest.toBase64(),
    bytes,
    note: NOTES[coverage],
  });
  const of = (coverage: MicCoverage, ...chunks: readonly Uint8Array[]): Mic => {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    return toMic(coverage, digestOf(named.digest, ...chunks), bytes);
  };
  if (signed !== undefined) {
    const { content, digest } = signed;
    const mic = digest === undefined
      ? of("signed-content", content)
      : toMic("signed-content", digest, content.length);
    return { mic, alternates: [] };
  }
  if (recovered) return { alternates: [] };
  if (layers.some(({ kind }) => kind === "encrypted")) {
    return { mic: of("decrypted-entity", inner.head, inner.body), alternates: [] };
  }
  if (layers.length > 0) {
    return {
      mic: of("decompressed-entity", inner.head, inner.body),
      alternates: [of("content", inner.body)],
    };
  }
  return {
    mic: of("content", outer.body),
    alternates: [of("headers-and-content", outer.head, outer.body)],
  };
}
