/**
 * Writing a detached signature: SignedData of RFC 5652 section 5 with the signed attributes of section 11.
 *
 * What it is made of, and in which order, is in `cms.ts`.
 */
import {
  Constructed,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as AsnSet,
  UTCTime,
} from "asn1js";
import { readBer } from "./asn1.ts";

const SIGNED_DATA = "1.2.840.113549.1.7.2";
const DATA = "1.2.840.113549.1.7.1";
const CONTENT_TYPE = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST = "1.2.840.113549.1.9.4";
const SIGNING_TIME = "1.2.840.113549.1.9.5";
const RSA = "1.2.840.113549.1.1.1";

/** What a signature is about. */
export interface SignatureAbout {
  readonly digestOid: string;
  /** Digest of the content. */
  readonly digest: Uint8Array<ArrayBuffer>;
  readonly signedAt: Date;
}

/** The signed attributes as a SET in DER: what the key signs. */
export function composeAttributes({ digest, signedAt }: SignatureAbout): Uint8Array<ArrayBuffer> {
  const attribute = (type: string, value: Sequence["valueBlock"]["value"][number]) =>
    new Sequence({
      value: [new ObjectIdentifier({ value: type }), new AsnSet({ value: [value] })],
    });
  const attributes = [
    attribute(CONTENT_TYPE, new ObjectIdentifier({ value: DATA })),
    attribute(SIGNING_TIME, new UTCTime({ valueDate: signedAt })),
    attribute(MESSAGE_DIGEST, new OctetString({ valueHex: digest.buffer })),
  ];
  // DER orders the members of a SET by their encoding (X.690 section 11.6).
  const sorted = attributes.map((one) => ({ one, hex: new Uint8Array(one.toBER()).toHex() }))
    .sort((a, b) => a.hex < b.hex ? -1 : 1).map(({ one }) => one);
  return new Uint8Array(new AsnSet({ value: sorted }).toBER());
}

/** The ContentInfo of a detached RSA signature in DER. */
export function composeSignedData(
  about: SignatureAbout,
  parts: {
    readonly attributes: Uint8Array<ArrayBuffer>;
    readonly signature: Uint8Array<ArrayBuffer>;
    /** Certificate of the signer in DER, and how it is named. */
    readonly certificate: Uint8Array<ArrayBuffer>;
    readonly issuer: Uint8Array<ArrayBuffer>;
    readonly serial: string;
  },
): Uint8Array<ArrayBuffer> {
  const digest = () =>
    new Sequence({ value: [new ObjectIdentifier({ value: about.digestOid }), new Null()] });
  const tagged = parts.attributes.slice();
  tagged[0] = 0xa0;
  const signer = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new Sequence({ value: [readBer(parts.issuer), integer(parts.serial)] }),
      digest(),
      readBer(tagged),
      new Sequence({ value: [new ObjectIdentifier({ value: RSA }), new Null()] }),
      new OctetString({ valueHex: parts.signature.buffer }),
    ],
  });
  const signed = new Sequence({
    value: [
      new Integer({ value: 1 }),
      new AsnSet({ value: [digest()] }),
      new Sequence({ value: [new ObjectIdentifier({ value: DATA })] }),
      tag(0, readBer(parts.certificate)),
      new AsnSet({ value: [signer] }),
    ],
  });
  const info = new Sequence({
    value: [new ObjectIdentifier({ value: SIGNED_DATA }), tag(0, signed)],
  });
  return new Uint8Array(info.toBER());
}

function tag(number: number, value: Sequence["valueBlock"]["value"][number]): Constructed {
  return new Constructed({ idBlock: { tagClass: 3, tagNumber: number }, value: [value] });
}

/** A positive INTEGER from hexadecimal digits. */
function integer(hex: string): Integer {
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  const positive = parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even;
  return new Integer({ valueHex: Uint8Array.fromHex(positive).buffer });
}
