/** Message integrity checks: RFC 4130 section 7.3.1, and RFC 5402 section 4 for compressed messages. */
import { digestOf } from "./cms_crypto.ts";
import { digestByName, type DigestName } from "./codec/algorithms.ts";
import type { MimeEntity } from "./mime.ts";
import type { Mic, MicCoverage } from "./model.ts";
import type { Unwrapped } from "./unwrap.ts";

/** The digest that is returned, and those by other readings. */
export interface Mics {
  readonly mic?: Mic;
  readonly alternates: readonly Mic[];
}

/** A digest, and how the sender spells it. */
export interface NamedDigest {
  readonly digest: DigestName;
  readonly spelled: string;
}

const NOTES: Readonly<Record<MicCoverage, string>> = {
  "signed-content": "What was signed (RFC 4130 section 7.3.1, RFC 5402 section 4.1)",
  "decrypted-entity":
    "The decrypted and decompressed entity, its header included (RFC 4130 section 7.3.1, RFC 5402 section 4.2)",
  "decompressed-entity": "The decompressed entity, its header included (RFC 5402 section 4.3)",
  "content": "The content without its header (RFC 4130 section 7.3.1)",
  "headers-and-content": "Header and content (RFC 5402 section 4.3)",
};

/** The digest of a signed message is that of its signature; else the first known one that was asked for. */
export function micDigest(unwrapped: Unwrapped, asked: readonly string[]): NamedDigest {
  const wanted = firstKnown(asked);
  const { digest, signature } = unwrapped;
  if (digest === undefined) return wanted ?? { digest: "sha256", spelled: "sha256" };
  const spellings = [signature?.declared_micalg ?? "", ...asked];
  return { digest, spelled: spellings.find((one) => digestByName(one) === digest) ?? digest };
}

/** The first digest of a list that is known. */
export function firstKnown(asked: readonly string[]): NamedDigest | undefined {
  for (const spelled of asked) {
    const digest = digestByName(spelled);
    if (digest !== undefined) return { digest, spelled };
  }
  return undefined;
}

/** Digests of a message; none where the bytes that it covers were never reached. */
export function computeMics(outer: MimeEntity, unwrapped: Unwrapped, named: NamedDigest): Mics {
  const { inner, layers, signed, recovered } = unwrapped;
  const toMic = (coverage: MicCoverage, digest: Uint8Array, bytes: number): Mic => ({
    algorithm: named.spelled,
    coverage,
    digest: digest.toBase64(),
    bytes,
    note: NOTES[coverage],
  });
  const of = (coverage: MicCoverage, ...pieces: readonly Uint8Array[]): Mic => {
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    return toMic(coverage, digestOf(named.digest, ...pieces), bytes);
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
