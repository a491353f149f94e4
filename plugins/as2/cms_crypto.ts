/**
 * The only file that touches keys: decryption, signatures and digests of CMS.
 *
 * WebCrypto does most of it, and `node:crypto` the rest: RSA PKCS #1 v1.5 key transport, 3DES, MD5
 * and SHA-224 signatures, PSS of any salt length. RC2 is in `codec/rc2.ts`, because neither has it.
 */
import { concat } from "../../core/bytes/concat.ts";
import { Buffer } from "node:buffer";
import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  sign,
  verify,
} from "node:crypto";
import { Integer, OctetString, Sequence } from "asn1js";
import { WireError } from "../../core/bytes/decoder.ts";
import { compact } from "../../core/compact.ts";
import { TimeSlice } from "../../core/time_slice.ts";
import {
  CIPHER_OIDS,
  DIGEST_OIDS,
  type DigestName,
  KEY_TRANSPORT_OIDS,
} from "./codec/algorithms.ts";
import {
  childAt,
  childrenOf,
  octetsOf,
  oidOf,
  sameBytes,
  smallInteger,
  tagOf,
} from "./codec/asn1.ts";
import type { AlgorithmIdentifier, EnvelopedData, KeyTransport } from "./codec/cms.ts";
import { createRc2Decipher, effectiveBitsOf, removePadding } from "./codec/rc2.ts";

/** A private key, opaque to the rest of the plugin. */
export type PrivateKey = KeyObject;

/** Bytes over a plain `ArrayBuffer`, as WebCrypto requires. */
export type Bytes = Uint8Array<ArrayBuffer>;

const OAEP_PSPECIFIED = "1.2.840.113549.1.1.9";

/** Parses an unencrypted private key, PKCS #1 or PKCS #8 in PEM. Throws `TypeError` with the reason. */
export function readPrivateKey(pem: string): PrivateKey {
  if (/ENCRYPTED/.test(pem)) {
    throw new TypeError(
      "the key has a password; decrypt it first, as with openssl pkey -in key -out plain",
    );
  }
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== "rsa") {
    throw new TypeError(`expected an RSA key, found ${key.asymmetricKeyType ?? "another"}`);
  }
  return key;
}

/** Returns whether the certificate with this public key belongs to the private key. */
export function isKeyOf(key: PrivateKey, spki: Bytes): boolean {
  const own = createPublicKey(key).export({ type: "spki", format: "der" });
  return sameBytes(new Uint8Array(own), spki);
}

/** Computes the digest of one or several byte arrays in sequence. */
export function digestOf(digest: DigestName, ...chunks: readonly Uint8Array[]): Bytes {
  const hash = createHash(digest);
  for (const chunk of chunks) hash.update(chunk);
  return new Uint8Array(hash.digest());
}

/** Signs with RSA PKCS #1 v1.5. */
export function signRsa(key: PrivateKey, bytes: Uint8Array, digest: DigestName): Bytes {
  return new Uint8Array(sign(digest, bytes, key));
}

/** A public key, the signature and the signed content. */
export interface SignatureCheck {
  /** SubjectPublicKeyInfo in DER, of type rsaEncryption for RSA. */
  readonly spki: Bytes;
  readonly signed: Bytes;
  readonly signature: Bytes;
  readonly digest: DigestName;
}

/** Verifies an RSA PKCS #1 v1.5 signature. */
export function verifyRsa({ spki, signed, signature, digest }: SignatureCheck): boolean {
  return verify(digest, signed, publicKey(spki), signature);
}

/** Verifies an RSASSA-PSS signature with a salt of any length. */
export function verifyPss({ spki, signed, signature, digest }: SignatureCheck): boolean {
  const key = publicKey(spki);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const saltLength = constants.RSA_PSS_SALTLEN_AUTO;
  return verify(digest, signed, { key, padding, saltLength }, signature);
}

/** Verifies an Ed25519 signature. */
export function verifyEdDsa({ spki, signed, signature }: SignatureCheck): boolean {
  return verify(null, signed, publicKey(spki), signature);
}

function publicKey(spki: Bytes): KeyObject {
  return createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
}

const CURVES: ReadonlyMap<string, { readonly name: string; readonly bytes: number }> = new Map([
  ["1.2.840.10045.3.1.7", { name: "P-256", bytes: 32 }],
  ["1.3.132.0.34", { name: "P-384", bytes: 48 }],
  ["1.3.132.0.35", { name: "P-521", bytes: 66 }],
]);
const WEB_DIGESTS: Partial<Record<DigestName, string>> = {
  sha1: "SHA-1",
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
};

/**
 * Verifies an ECDSA signature. Throws `WireError` for an unsupported curve and digest, among them P-384 with SHA-1,
 * where the platform rejects good signatures.
 */
export async function verifyEcdsa(
  { spki, signed, signature, digest }: SignatureCheck,
  { curve, pair }: { curve: string; pair: readonly [r: Uint8Array, s: Uint8Array] },
): Promise<boolean> {
  const about = CURVES.get(curve);
  const hash = WEB_DIGESTS[digest];
  if (digest === "sha224" && (about?.name === "P-256" || about?.name === "P-384")) {
    return verify(digest, signed, publicKey(spki), signature);
  }
  if (about === undefined || hash === undefined || (about.name === "P-384" && digest === "sha1")) {
    throw new WireError(
      "syntax",
      `ECDSA on curve ${about?.name ?? curve} with ${digest} cannot be checked here`,
    );
  }
  const algorithm = { name: "ECDSA", namedCurve: about.name };
  const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
  // WebCrypto wants r and s of fixed length instead of a DER SEQUENCE.
  const flat = concat(pair.map((number) => fixedLength(number, about.bytes)));
  return await crypto.subtle.verify({ name: "ECDSA", hash }, key, flat, signed);
}

function fixedLength(number: Uint8Array, length: number): Uint8Array {
  const start = number.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? number.subarray(0, 0) : number.subarray(start);
  if (digits.length > length) {
    throw new WireError("syntax", "Cannot read an ECDSA signature: too long");
  }
  const fixed = new Uint8Array(length);
  fixed.set(digits, length - digits.length);
  return fixed;
}

/** Recovers the content key from one recipient's part. Throws if the key belongs to someone else. */
export function unwrapKey(key: PrivateKey, transport: KeyTransport): Bytes {
  const { algorithm, encryptedKey } = transport;
  switch (KEY_TRANSPORT_OIDS.get(algorithm.oid)) {
    case "RSA": {
      const padding = constants.RSA_PKCS1_PADDING;
      return new Uint8Array(privateDecrypt({ key, padding }, encryptedKey));
    }
    case "RSAES-OAEP":
      return unwrapOaep(key, encryptedKey, algorithm);
    default:
      throw new WireError(
        "syntax",
        `Cannot decrypt the content key: key transport ${algorithm.oid} is unknown`,
      );
  }
}

/**
 * RSAES-OAEP (RFC 8017 section 7.1.2) by hand: the platforms take one digest for label and mask, and no label, while
 * Java's default is SHA-256 with a mask of SHA-1.
 */
function unwrapOaep(key: PrivateKey, encrypted: Bytes, { parameters }: AlgorithmIdentifier): Bytes {
  const about = readOaep(parameters);
  const padding = constants.RSA_NO_PADDING;
  const em = new Uint8Array(privateDecrypt({ key, padding }, encrypted));
  const labelHash = digestOf(about.digest, about.label);
  const size = labelHash.length;
  const masked = em.subarray(1 + size);
  const seed = xor(em.subarray(1, 1 + size), maskOf(masked, size, about.mask));
  const data = xor(masked, maskOf(seed, masked.length, about.mask));
  let at = size;
  while (at < data.length && data[at] === 0) at++;
  if (em[0] !== 0 || data[at] !== 1 || !sameBytes(data.subarray(0, size), labelHash)) {
    throw new WireError("syntax", "Cannot decrypt the content key: the OAEP padding is wrong");
  }
  return data.slice(at + 1);
}

interface Oaep {
  readonly digest: DigestName;
  readonly mask: DigestName;
  readonly label: Uint8Array;
}

/** RFC 4055 section 4.1: SEQ { [0] hash?, [1] mask generation?, [2] label source? }, each SHA-1 by default. */
function readOaep(parameters: AlgorithmIdentifier["parameters"]): Oaep {
  const part = (tag: number) => {
    const found = childrenOf(parameters).find((one) => tagOf(one) === tag);
    return found === undefined ? undefined : childAt(found, 0);
  };
  const digest = part(0);
  const mask = part(1);
  const source = part(2);
  const labelled = source !== undefined && oidOf(childAt(source, 0)) === OAEP_PSPECIFIED;
  return {
    digest: digest === undefined ? "sha1" : digestByOid(oidOf(childAt(digest, 0))),
    mask: mask === undefined ? "sha1" : digestByOid(oidOf(childAt(childAt(mask, 1), 0))),
    label: labelled ? octetsOf(childAt(source, 1)) : concat([]),
  };
}

function digestByOid(oid: string): DigestName {
  const name = DIGEST_OIDS.get(oid);
  if (name === undefined) throw new WireError("syntax", `Cannot use digest ${oid}: it is unknown`);
  return name;
}

/** MGF1 (RFC 8017 appendix B.2.1). */
function maskOf(seed: Uint8Array, length: number, digest: DigestName): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let made = 0, count = 0; made < length; count++) {
    const counter = new Uint8Array(4);
    new DataView(counter.buffer).setUint32(0, count);
    const chunk = digestOf(digest, seed, counter);
    chunks.push(chunk);
    made += chunk.length;
  }
  return concat(chunks).subarray(0, length);
}

function xor(a: Uint8Array, b: Uint8Array): Bytes {
  return Uint8Array.from(a, (byte, index) => byte ^ b[index]!);
}

/** Decrypts content. Throws if the key, the padding or the tag is wrong, or the cipher unknown. */
export async function decryptContent(content: EnvelopedData, key: Bytes): Promise<Bytes> {
  const { algorithm, ciphertext } = content;
  const cipher = CIPHER_OIDS.get(algorithm.oid);
  if (cipher === undefined) {
    throw new WireError("syntax", `Cannot decrypt: content cipher ${algorithm.oid} is unknown`);
  }
  if (cipher.keyBytes !== undefined && key.length !== cipher.keyBytes) {
    throw new WireError(
      "syntax",
      `Cannot decrypt: the content key has ${key.length} octets, ${cipher.name} takes ${cipher.keyBytes}`,
    );
  }
  if (ciphertext.length === 0 && content.mac === undefined) {
    throw new WireError("syntax", "Cannot decrypt: there is no content");
  }
  switch (cipher.kind) {
    case "aes-cbc": {
      const webKey = await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["decrypt"]);
      const iv = ivOf(algorithm);
      return new Uint8Array(
        await crypto.subtle.decrypt({ name: "AES-CBC", iv }, webKey, ciphertext),
      );
    }
    case "aes-gcm":
      return await decryptGcm(content, key);
    case "des3":
      return await decryptDes(key, content);
    case "des":
      return await decryptDes(concat([key, key, key]), content);
    case "rc2":
      return removePadding(
        await inChunks(ciphertext, createRc2Decipher({ key, ...readRc2(algorithm) })),
      );
  }
}

function ivOf({ parameters }: AlgorithmIdentifier): Bytes {
  if (parameters instanceof OctetString) return octetsOf(parameters);
  throw new WireError("syntax", "Cannot decrypt: the initialization vector is missing");
}

/**
 * RFC 5084 section 3.2: SEQ { nonce, tag length }. Some senders append the tag to the ciphertext of a plain envelope.
 */
async function decryptGcm(
  { algorithm, ciphertext, mac, authenticated }: EnvelopedData,
  key: Bytes,
): Promise<Bytes> {
  const sequence = algorithm.parameters instanceof Sequence ? algorithm.parameters : undefined;
  const iv = sequence === undefined ? ivOf(algorithm) : octetsOf(childAt(sequence, 0));
  const webKey = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const plain = await crypto.subtle.decrypt(
    {
      name: "AES-GCM",
      iv,
      // RFC 5084 has no plain envelope with a tag; senders that write one use 16 octets.
      tagLength: 8 * (mac?.length ?? 16),
      ...compact({ additionalData: authenticated }),
    },
    webKey,
    mac === undefined ? ciphertext : concat([ciphertext, mac]),
  );
  return new Uint8Array(plain);
}

async function decryptDes(key: Bytes, { algorithm, ciphertext }: EnvelopedData): Promise<Bytes> {
  const decipher = createDecipheriv("des-ede3-cbc", key, ivOf(algorithm));
  const plain = await inChunks(ciphertext, (chunk) => decipher.update(chunk));
  const last = decipher.final();
  // Its memory is reserved: plain text is never longer than its cipher text.
  const whole = new Uint8Array(plain.buffer, 0, plain.length + last.length);
  whole.set(last, plain.length);
  return whole;
}

/** Octets decrypted at a time, a multiple of every block length. */
const CHUNK_BYTES = 64 * 1024;

/** For ciphers that block the event loop: 3DES takes a second for 10 MB. */
async function inChunks(
  ciphertext: Bytes,
  decrypt: (chunk: Bytes) => Uint8Array,
): Promise<Bytes> {
  const plain = new Uint8Array(ciphertext.length);
  const slice = new TimeSlice();
  let size = 0;
  for (let at = 0; at < ciphertext.length; at += CHUNK_BYTES) {
    if (slice.over) await slice.yieldToEventLoop();
    const part = decrypt(ciphertext.subarray(at, at + CHUNK_BYTES));
    plain.set(part, size);
    size += part.length;
  }
  return plain.subarray(0, size);
}

/** RFC 3370 section 5.2: SEQ { version, iv }, or only the iv. */
function readRc2({ parameters }: AlgorithmIdentifier): { iv: Bytes; effectiveBits: number } {
  if (!(parameters instanceof Sequence)) {
    if (parameters instanceof OctetString) {
      return { iv: octetsOf(parameters), effectiveBits: effectiveBitsOf(undefined) };
    }
    throw new WireError("syntax", "Cannot decrypt: the initialization vector is missing");
  }
  const version = childAt(parameters, 0);
  const [, iv] = childrenOf(parameters);
  if (!(version instanceof Integer)) {
    return { iv: octetsOf(version), effectiveBits: effectiveBitsOf(undefined) };
  }
  if (iv === undefined) {
    throw new WireError("syntax", "Cannot decrypt: the initialization vector is missing");
  }
  return { iv: octetsOf(iv), effectiveBits: effectiveBitsOf(smallInteger(version)) };
}
