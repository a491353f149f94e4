/** Verifies CMS signatures: RFC 5652 section 5.6. Integrity and the sender's identity are separate questions. */
import type { Steps } from "../../core/bytes/steps.ts";
import { compact } from "../../core/compact.ts";
import { reasonOf } from "../../core/errors.ts";
import { inSlices } from "../../core/time_slice.ts";
import { childAt, childrenOf, octetsOf, oidOf, readBer, sameBytes, tagOf } from "./codec/asn1.ts";
import {
  DIGEST_OIDS,
  type DigestName,
  PSS_OID,
  SIGNATURE_OIDS,
  type SignatureAlgorithm,
} from "./codec/algorithms.ts";
import type { AlgorithmIdentifier, SignedData, SignerInfo } from "./codec/cms.ts";
import { type Certificate, isNamed, readCertificate } from "./certificate.ts";
import type { Signature } from "./model.ts";
import {
  type Bytes,
  digestOf,
  verifyEcdsa,
  verifyEdDsa,
  verifyPss,
  verifyRsa,
} from "./cms_crypto.ts";

/** Fault of a signature: the content differs from the signed content, or the signature itself is wrong. */
export type SignatureFault = "integrity" | "authentication";

/** Result of a verification. */
export interface Verdict {
  readonly verified: boolean;
  readonly fault?: SignatureFault;
  /** Readable reason. */
  readonly error?: string;
  readonly digest?: DigestName;
  /** Display name, also if unknown. */
  readonly digestName?: string;
  readonly signatureName?: string;
  readonly signer?: Certificate;
  readonly chain: readonly Certificate[];
  /** The signed content with its digest, once verified. */
  readonly covered?: Covered;
  /** Why the partner's signature is ignored, if another one is valid. */
  readonly partnerError?: string;
  /** The signature matches only the content with CRLF line ends. */
  readonly canonicalized?: boolean;
}

/** Content with its digest. */
export interface Covered {
  readonly content: Bytes;
  /** Absent if the signature covers the content itself. */
  readonly digest?: Bytes;
}

/**
 * Verifies the signatures over `content`. They are a SET (RFC 5652 section 5.1), so their order
 * means nothing: the partner's is used if it is valid, then any other valid one.
 */
export async function verifySignatures(
  data: SignedData,
  content: Bytes,
  partner: Certificate | undefined,
): Promise<Verdict> {
  const chain = await inSlices(readAll(data.certificates));
  const against = { content: new Digested(content), chain, partner };
  const verdicts: Verdict[] = [];
  let partnerError: string | undefined;
  for (const signer of data.signers) {
    const verdict = await verifyOne(signer, against);
    if (verdict.verified && isBy(verdict, partner)) return verdict;
    if (isBy(verdict, partner)) partnerError ??= verdict.error;
    verdicts.push(verdict);
  }
  const right = verdicts.find(({ verified }) => verified);
  if (right !== undefined) return partnerError === undefined ? right : { ...right, partnerError };
  return verdicts.find((verdict) => isBy(verdict, partner)) ?? verdicts[0] ?? {
    verified: false,
    fault: "authentication",
    error: "It contains no signature",
    chain,
  };
}

/** Returns whether a signature names the partner's certificate. */
export function isBy({ signer }: Verdict, partner: Certificate | undefined): boolean {
  return signer !== undefined && signer.info.fingerprint === partner?.info.fingerprint;
}

function* readAll(certificates: SignedData["certificates"]): Steps<readonly Certificate[]> {
  const read: Certificate[] = [];
  for (const der of certificates) {
    for (const certificate of readIfPossible(der)) read.push(certificate);
    yield;
  }
  return read;
}

function readIfPossible(der: Bytes): readonly Certificate[] {
  try {
    return [readCertificate(der)];
  } catch {
    return [];
  }
}

interface Against {
  readonly content: Digested;
  readonly chain: readonly Certificate[];
  readonly partner: Certificate | undefined;
}

async function verifyOne(info: SignerInfo, against: Against): Promise<Verdict> {
  const { chain, partner } = against;
  // The trusted one first: another certificate in the message may have the same name.
  const known = partner === undefined ? chain : [partner, ...chain];
  const signer = known.find((one) => isNamed(one, info.signer));
  const about = describe(info, signer);
  const base = { ...about, chain, ...compact({ signer }) };
  const fail = (fault: SignatureFault, error: string): Verdict => ({
    ...base,
    verified: false,
    fault,
    error,
  });
  const { digest } = about;
  if (digest === undefined) {
    return fail(
      "authentication",
      `Cannot check the signature: digest ${info.digest.oid} is unknown`,
    );
  }
  const found = findContent(info, against.content, digest);
  if (found === undefined) {
    return fail("integrity", "The content differs from the signed one: its digest does not match");
  }
  const { canonicalized, ...covered } = found;
  if (signer === undefined) {
    return fail(
      "authentication",
      "Cannot check the signature: the signer's certificate is missing",
    );
  }
  try {
    const right = await checkKey(info, {
      signer,
      signed: info.signedAttributes ?? covered.content,
      digest,
    });
    if (!right) return fail("authentication", "The signature is not by the key in the certificate");
  } catch (error) {
    return fail("authentication", `Cannot check the signature: ${reasonOf(error)}`);
  }
  return { ...base, verified: true, covered, ...(canonicalized ? { canonicalized } : {}) };
}

function describe({ digest, algorithm }: SignerInfo, signer: Certificate | undefined) {
  const name = DIGEST_OIDS.get(digest.oid);
  const signature = algorithmOf(algorithm, signer);
  return {
    ...compact({ digest: name }),
    digestName: name ?? digest.oid,
    signatureName: signature === undefined
      ? algorithm.oid
      : signature.name === "RSA" && name !== undefined
      ? `RSA-${name.toUpperCase()}`
      : signature.name,
  };
}

/** Names the signature algorithm. OpenSSL writes `rsaEncryption` even for a key that only signs with PSS. */
function algorithmOf(
  { oid }: AlgorithmIdentifier,
  signer: Certificate | undefined,
): SignatureAlgorithm | undefined {
  const stated = SIGNATURE_OIDS.get(oid);
  return stated?.kind === "rsa" && signer?.isPss ? SIGNATURE_OIDS.get(PSS_OID) : stated;
}

/** Returns the content with the signed digest: as received, or with CRLF if its lines end in a bare LF. */
function findContent(
  { messageDigest, signedAttributes }: SignerInfo,
  content: Digested,
  digest: DigestName,
): Covered & { readonly canonicalized?: boolean } | undefined {
  if (signedAttributes === undefined) return { content: content.bytes };
  if (messageDigest === undefined) return undefined;
  const own = content.digest(digest);
  if (sameBytes(own, messageDigest)) return { content: content.bytes, digest: own };
  const other = content.canonical?.digest(digest);
  if (other === undefined || !sameBytes(other, messageDigest)) return undefined;
  return { content: content.canonical!.bytes, digest: other, canonicalized: true };
}

/** Content that is digested once for each algorithm, however many signatures it has. */
class Digested {
  readonly #digests = new Map<DigestName, Bytes>();
  #canonical: Digested | "same" | undefined;

  constructor(readonly bytes: Bytes) {}

  digest(name: DigestName): Bytes {
    const digest = this.#digests.get(name) ?? digestOf(name, this.bytes);
    this.#digests.set(name, digest);
    return digest;
  }

  /** The content with CRLF line ends; `undefined` if it has them already. */
  get canonical(): Digested | undefined {
    if (this.#canonical === undefined) {
      const bytes = withCrlf(this.bytes);
      this.#canonical = bytes === undefined ? "same" : new Digested(bytes);
    }
    return this.#canonical === "same" ? undefined : this.#canonical;
  }
}

const LF = 0x0a;
const CR = 0x0d;

/** Returns `undefined` if every line ends in CRLF already. */
function withCrlf(content: Bytes): Bytes | undefined {
  let bare = 0;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === LF && content[at - 1] !== CR) bare++;
  }
  if (bare === 0) return undefined;
  const out = new Uint8Array(content.length + bare);
  let to = 0;
  for (let at = 0; at < content.length; at++) {
    if (content[at] === LF && content[at - 1] !== CR) out[to++] = CR;
    out[to++] = content[at]!;
  }
  return out;
}

async function checkKey(
  { algorithm, signature }: SignerInfo,
  { signer, signed, digest }: { signer: Certificate; signed: Bytes; digest: DigestName },
): Promise<boolean> {
  const known = algorithmOf(algorithm, signer);
  const check = { spki: signer.spki, signed, signature, digest: known?.digest ?? digest };
  switch (known?.kind) {
    case "rsa":
      return verifyRsa(check);
    case "pss":
      return verifyPss({ ...check, digest: pssDigest(algorithm) ?? digest });
    case "eddsa":
      return verifyEdDsa(check);
    case "ecdsa": {
      const pair = readBer(signature);
      const curve = signer.curve ?? "";
      return await verifyEcdsa(check, {
        curve,
        pair: [octetsOf(childAt(pair, 0)), octetsOf(childAt(pair, 1))],
      });
    }
    case undefined:
      throw new TypeError(`signature algorithm ${algorithm.oid} is unknown`);
  }
}

/** RFC 4055 section 3.1: SEQ { [0] hash? ... }. In practice absent parameters mean the digest of the SignerInfo. */
function pssDigest({ parameters }: AlgorithmIdentifier): DigestName | undefined {
  const hash = childrenOf(parameters).find((one) => tagOf(one) === 0);
  return hash === undefined ? undefined : DIGEST_OIDS.get(oidOf(childAt(childAt(hash, 0), 0)));
}

/** Describes the signature of a message: as found, as declared, and whether the partner made it. */
export function toSignature(
  verdict: Verdict,
  about: {
    partner: Certificate | undefined;
    matched: boolean;
    micalg: string | undefined;
    protocol: string | undefined;
  },
): Signature {
  const { signer, chain, error, digestName, signatureName } = verdict;
  return {
    partner_configured: about.partner !== undefined,
    signer_matched: about.matched,
    verified: verdict.verified,
    ...compact({
      chain: chain.length === 0 ? undefined : chain.map(({ info }) => info),
      signer: signer?.info,
      declared_micalg: about.micalg,
      digest_algorithm: digestName,
      error,
      protocol: about.protocol,
      signature_algorithm: signatureName,
    }),
  };
}
