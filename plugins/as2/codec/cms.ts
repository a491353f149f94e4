/**
 * Cryptographic Message Syntax: RFC 5652, with RFC 3274 (compressed) and RFC 5083 (authenticated and enveloped).
 *
 *     ContentInfo          SEQ { contentType OID, [0] content }
 * SignedData           SEQ { version, SET digestAlgorithms, EncapsulatedContentInfo, [0] certificates?, [1] crls?, SET
 * signerInfos } SignerInfo           SEQ { version, SEQ { issuer, serial } / [0] subjectKeyIdentifier, digestAlgorithm,
 * [0] signedAttrs?,
 *                                signatureAlgorithm, signature, [1] unsignedAttrs? }
 * EnvelopedData        SEQ { version, [0] originatorInfo?, SET recipientInfos, EncryptedContentInfo, [1]
 * unprotectedAttrs? }
 *     AuthEnvelopedData    SEQ { version, [0]?, SET recipientInfos, EncryptedContentInfo, [1] authAttrs?, mac, [2]? }
 *     EncryptedContentInfo SEQ { contentType, algorithm, [0] encryptedContent? }
 *     CompressedData       SEQ { version, algorithm, SEQ { contentType, [0] content } }
 */
import { concat } from "../../../core/bytes/concat.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import {
  bytesOf,
  childAt,
  childrenOf,
  integerHex,
  type Node,
  octetsOf,
  oidOf,
  readBer,
  tagOf,
} from "./asn1.ts";

/** An algorithm with its parameters, if it has any. */
export interface AlgorithmIdentifier {
  readonly oid: string;
  readonly parameters?: Node;
}

/** Identifies the certificate of a signer or recipient. */
export interface CertificateName {
  /** DER of the issuer's name, and the serial number in hexadecimal digits. */
  readonly issuer?: Uint8Array;
  readonly serial?: string;
  /** Instead of the two. */
  readonly keyId?: Uint8Array;
}

/** One signature. */
export interface SignerInfo {
  readonly signer: CertificateName;
  readonly digest: AlgorithmIdentifier;
  /** The signed attributes, if they were signed instead of the content: DER of the SET. */
  readonly signedAttributes?: Uint8Array<ArrayBuffer>;
  /** Digest of the content in the signed attributes. */
  readonly messageDigest?: Uint8Array;
  readonly algorithm: AlgorithmIdentifier;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Content with signatures. */
export interface SignedData {
  readonly kind: "signed";
  /** Absent if the content is elsewhere. */
  readonly content?: Uint8Array<ArrayBuffer>;
  /** DER. */
  readonly certificates: readonly Uint8Array<ArrayBuffer>[];
  readonly signers: readonly SignerInfo[];
}

/** A content key for one recipient. */
export interface KeyTransport {
  readonly recipient: CertificateName;
  readonly algorithm: AlgorithmIdentifier;
  readonly encryptedKey: Uint8Array<ArrayBuffer>;
}

/** Encrypted content. */
export interface EnvelopedData {
  readonly kind: "encrypted";
  readonly recipients: readonly KeyTransport[];
  /** Recipients that use something other than a public RSA key. */
  readonly otherRecipients: number;
  readonly algorithm: AlgorithmIdentifier;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  /** For authenticated encryption: the tag, and the further data it covers. */
  readonly mac?: Uint8Array<ArrayBuffer>;
  readonly authenticated?: Uint8Array<ArrayBuffer>;
}

/** Compressed content. */
export interface CompressedData {
  readonly kind: "compressed";
  readonly algorithm: AlgorithmIdentifier;
  readonly compressed: Uint8Array<ArrayBuffer>;
}

/** Content of a ContentInfo. */
export type CmsContent = SignedData | EnvelopedData | CompressedData;

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const ENVELOPED_DATA = "1.2.840.113549.1.7.3";
const COMPRESSED_DATA = "1.2.840.113549.1.9.16.1.9";
const AUTH_ENVELOPED_DATA = "1.2.840.113549.1.9.16.1.23";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";

const SEQUENCE = 0x10;
const SET_TAG = 0x31;
const MAX_SIGNERS = 20;
const MAX_CERTIFICATES = 50;
const MAX_RECIPIENTS = 1000;

/** Parses a ContentInfo. Throws `WireError` for malformed bytes. */
export function readCms(bytes: Uint8Array): CmsContent {
  // Every CMS begins with a SEQUENCE.
  if (bytes[0] !== 0x30) {
    throw new WireError("syntax", "Cannot read CMS: it does not start with a SEQUENCE");
  }
  const info = readBer(bytes);
  const type = oidOf(childAt(info, 0));
  const content = childAt(childAt(info, 1), 0);
  switch (type) {
    case SIGNED_DATA:
      return readSigned(content);
    case ENVELOPED_DATA:
      return readEnveloped(content, false);
    case AUTH_ENVELOPED_DATA:
      return readEnveloped(content, true);
    case COMPRESSED_DATA:
      return readCompressed(content);
    default:
      throw new WireError("syntax", `Cannot read CMS: content type ${type} is not used by AS2`);
  }
}

function readSigned(node: Node): SignedData {
  const [, , encapsulated, ...rest] = childrenOf(node);
  const certificates = rest.filter((one) => tagOf(one) === 0).flatMap(childrenOf)
    .filter((one) => tagOf(one) === undefined && one.idBlock.tagNumber === SEQUENCE);
  const signers = rest.filter((one) => tagOf(one) === undefined).flatMap(childrenOf);
  const content = childrenOf(encapsulated)[1];
  return {
    kind: "signed",
    ...(content === undefined ? {} : { content: octetsOf(content) }),
    certificates: certificates.slice(0, MAX_CERTIFICATES).map(bytesOf),
    signers: signers.slice(0, MAX_SIGNERS).map(readSigner),
  };
}

function readSigner(node: Node): SignerInfo {
  const fields = childrenOf(node);
  const attributes = tagOf(fields[3]) === 0 ? fields[3] : undefined;
  const at = attributes === undefined ? 3 : 4;
  const digest = attributes === undefined ? undefined : findAttribute(attributes, MESSAGE_DIGEST);
  return {
    signer: readName(childAt(node, 1)),
    digest: readAlgorithm(childAt(node, 2)),
    ...(attributes === undefined ? {} : { signedAttributes: asSet(attributes) }),
    ...(digest === undefined ? {} : { messageDigest: octetsOf(digest) }),
    algorithm: readAlgorithm(childAt(node, at)),
    signature: octetsOf(childAt(node, at + 1)),
  };
}

function findAttribute(attributes: Node, type: string): Node | undefined {
  const found = childrenOf(attributes).find((one) => oidOf(childAt(one, 0)) === type);
  return found === undefined ? undefined : childrenOf(childAt(found, 1))[0];
}

/** Attributes are signed and authenticated as a SET, whatever tag they carry (RFC 5652 section 5.4). */
function asSet(attributes: Node): Uint8Array<ArrayBuffer> {
  const set = bytesOf(attributes).slice();
  set[0] = SET_TAG;
  return set;
}

function readEnveloped(node: Node, authenticates: boolean): EnvelopedData {
  const fields = childrenOf(node).slice(1).filter((one, index) => index > 0 || tagOf(one) !== 0);
  const recipients = childrenOf(fields[0]).slice(0, MAX_RECIPIENTS);
  const transports = recipients.filter((one) => tagOf(one) === undefined);
  const info = fields[1];
  const encrypted = childrenOf(info)[2];
  const mac = authenticates ? fields.slice(2).find((one) => tagOf(one) === undefined) : undefined;
  const attributes = authenticates ? fields.slice(2).find((one) => tagOf(one) === 1) : undefined;
  return {
    kind: "encrypted",
    recipients: transports.map((one) => ({
      recipient: readName(childAt(one, 1)),
      algorithm: readAlgorithm(childAt(one, 2)),
      encryptedKey: octetsOf(childAt(one, 3)),
    })),
    otherRecipients: recipients.length - transports.length,
    algorithm: readAlgorithm(childAt(info, 1)),
    ciphertext: encrypted === undefined ? concat([]) : octetsOf(encrypted),
    ...(mac === undefined ? {} : { mac: octetsOf(mac) }),
    ...(attributes === undefined ? {} : { authenticated: asSet(attributes) }),
  };
}

function readCompressed(node: Node): CompressedData {
  return {
    kind: "compressed",
    algorithm: readAlgorithm(childAt(node, 1)),
    compressed: octetsOf(childAt(childAt(node, 2), 1)),
  };
}

function readName(node: Node): CertificateName {
  if (tagOf(node) === 0) return { keyId: octetsOf(node) };
  return { issuer: bytesOf(childAt(node, 0)), serial: integerHex(childAt(node, 1)) };
}

/** Parses an AlgorithmIdentifier: SEQ { algorithm OID, parameters? }. */
export function readAlgorithm(node: Node): AlgorithmIdentifier {
  const [oid, parameters] = childrenOf(node);
  return { oid: oidOf(oid), ...compact({ parameters }) };
}
