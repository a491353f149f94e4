/**
 * Writes a detached signature: SignedData of RFC 5652 section 5 with the signed attributes of section 11.
 *
 * `cms.ts` describes the structure.
 */
import { ObjectIdentifier, UTCTime } from "asn1js";
import { encodeDer } from "./asn1.ts";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const DATA = "1.2.840.113549.1.7.1";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_TIME = "1.2.840.113549.1.9.5";
const RSA = "1.2.840.113549.1.1.1";

const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const NULL = 0x05;
const SEQUENCE = 0x30;
const SET = 0x31;
const CONTEXT_0 = 0xa0;
const VERSION_1 = encodeDer(INTEGER, Uint8Array.of(1));

/** Subject of a signature. */
export interface SignatureAbout {
  readonly digestOid: string;
  /** Digest of the content. */
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly signedAt: Date;
}

/** Encodes the signed attributes as a SET in DER, which the key signs. */
export function composeAttributes({ digest, signedAt }: SignatureAbout): Uint8Array<ArrayBuffer> {
  const attribute = (type: string, value: Uint8Array) =>
    encodeDer(SEQUENCE, oid(type), encodeDer(SET, value));
  const attributes = [
    attribute(CONTENT_TYPE, oid(DATA)),
    attribute(SIGNING_TIME, new Uint8Array(new UTCTime({ valueDate: signedAt }).toBER())),
    attribute(MESSAGE_DIGEST, encodeDer(OCTET_STRING, digest)),
  ];
  // DER orders the members of a SET by their encoding (X.690 section 11.6).
  const sorted = attributes.toSorted((a, b) => a.toHex() < b.toHex() ? -1 : 1);
  return encodeDer(SET, ...sorted);
}

/** Encodes the ContentInfo of a detached RSA signature in DER. */
export function composeSignedData(
  about: SignatureAbout,
  parts: {
    readonly attributes: Uint8Array<ArrayBuffer>;
    readonly signature: Uint8Array<ArrayBuffer>;
    /** Certificate of the signer in DER, and its name. */
    readonly certificate: Uint8Array<ArrayBuffer>;
    readonly issuer: Uint8Array<ArrayBuffer>;
    readonly serial: string;
  },
): Uint8Array<ArrayBuffer> {
  const digest = algorithm(about.digestOid);
  const name = encodeDer(SEQUENCE, parts.issuer, integer(parts.serial));
  // The attributes are signed as a SET, but carry a tag of their own in the SignerInfo (RFC 5652 section 5.4).
  const attributes = parts.attributes.slice();
  attributes[0] = CONTEXT_0;
  const signer = encodeDer(
    SEQUENCE,
    VERSION_1,
    name,
    digest,
    attributes,
    algorithm(RSA),
    encodeDer(OCTET_STRING, parts.signature),
  );
  const signed = encodeDer(
    SEQUENCE,
    VERSION_1,
    encodeDer(SET, digest),
    encodeDer(SEQUENCE, oid(DATA)),
    encodeDer(CONTEXT_0, parts.certificate),
    encodeDer(SET, signer),
  );
  return encodeDer(SEQUENCE, oid(SIGNED_DATA), encodeDer(CONTEXT_0, signed));
}

/** Encodes an AlgorithmIdentifier with NULL parameters. */
function algorithm(type: string): Uint8Array {
  return encodeDer(SEQUENCE, oid(type), encodeDer(NULL));
}

function oid(value: string): Uint8Array {
  return new Uint8Array(new ObjectIdentifier({ value }).toBER());
}

/** Encodes a positive INTEGER from hexadecimal digits. */
function integer(hex: string): Uint8Array {
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const positive = parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even;
  return encodeDer(INTEGER, Uint8Array.fromHex(positive));
}
