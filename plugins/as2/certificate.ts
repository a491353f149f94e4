/** X.509 certificates: parsing, display, and the generated certificate of this installation. */
import {
  BitString,
  Integer,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Utf8String,
} from "asn1js";
import {
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate as X509,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  RelativeDistinguishedNames,
} from "pkijs";
import { compact } from "../../core/compact.ts";
import { decodePem, encodePem } from "../../core/tls/pem.ts";
import { type Bytes, digestOf } from "./cms_crypto.ts";
import {
  bytesOf,
  childAt,
  childrenOf,
  hexNumber,
  oidOf,
  readBer,
  sameBytes,
} from "./codec/asn1.ts";
import type { CertificateName } from "./codec/cms.ts";
import type { CertInfo } from "./model.ts";

/** A parsed certificate. */
export interface Certificate {
  readonly der: Bytes;
  readonly issuer: Bytes;
  readonly serial: string;
  readonly keyId?: Uint8Array;
  /** SubjectPublicKeyInfo; a key of type id-RSASSA-PSS is returned as rsaEncryption, which is usable. */
  readonly spki: Bytes;
  /** Whether the key is of type id-RSASSA-PSS, and signs only that way (RFC 4055 section 1.2). */
  readonly isPss: boolean;
  /** Object identifier of the curve of an EC key. */
  readonly curve?: string;
  readonly info: CertInfo;
}

/** A certificate and its key, PEM. */
export interface KeyedPem {
  readonly cert: string;
  readonly key: string;
}

const RSA = "1.2.840.113549.1.1.1";
const RSA_PSS = "1.2.840.113549.1.1.10";
const EC = "1.2.840.10045.2.1";
const KEY_TYPES: Readonly<Record<string, string>> = {
  [RSA]: "RSA",
  [RSA_PSS]: "RSA-PSS",
  [EC]: "EC",
  "1.3.101.112": "Ed25519",
};
const CURVE_NAMES: Readonly<Record<string, string>> = {
  "1.2.840.10045.3.1.7": "P-256",
  "1.3.132.0.34": "P-384",
  "1.3.132.0.35": "P-521",
};
const NAME_TYPES: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "1.2.840.113549.1.9.1": "emailAddress",
  "0.9.2342.19200300.100.1.25": "DC",
};
const SUBJECT_KEY_ID = "2.5.29.14";
const KEY_USAGE = "2.5.29.15";
const BASIC_CONSTRAINTS = "2.5.29.19";
const EXT_KEY_USAGE = "2.5.29.37";
const EMAIL_PROTECTION = "1.3.6.1.5.5.7.3.4";
/** digitalSignature, keyEncipherment and dataEncipherment (RFC 5280 section 4.2.1.3). */
const USAGE = { bits: 0b1011_0000, unused: 4 };
const YEARS = 10;
/** Allows for partners whose clocks are behind. */
const BACKDATE_MS = 24 * 60 * 60 * 1000;

const engine = new CryptoEngine({ name: "webcrypto", crypto, subtle: crypto.subtle });

/** Number and size limit, in bytes, of cached certificates: every message of a partner brings the same ones. */
const MAX_REMEMBERED = 100;
const MAX_REMEMBERED_BYTES = 16 * 1024;
/** Maximum number of ASN.1 values of a certificate; a usual one has about a hundred. */
const MAX_NODES = 5000;
const remembered = new Map<string, Certificate>();

/** Parses a certificate in DER, or returns it from the cache. Throws for malformed bytes. */
export function readCertificate(der: Uint8Array): Certificate {
  const key = digestOf("sha256", der).toHex();
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const certificate = parseCertificate(der, key);
  if (der.length > MAX_REMEMBERED_BYTES) return certificate;
  const oldest = remembered.keys().next().value;
  if (remembered.size >= MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(key, certificate);
  return certificate;
}

function parseCertificate(der: Uint8Array, fingerprint: string): Certificate {
  const bytes = der.slice();
  const node = readBer(bytes, { maxNodes: MAX_NODES });
  const cert = X509.fromBER(bytes);
  const tbs = childrenOf(childAt(node, 0));
  // The version precedes the serial number, tagged, and may be absent.
  const fields = tbs[0]?.idBlock.tagClass === 3 ? tbs.slice(1) : tbs;
  const issuer = bytesOf(fields[2]!);
  const subject = bytesOf(fields[4]!);
  const spki = fields[5]!;
  const algorithm = childAt(spki, 0);
  const keyType = oidOf(childAt(algorithm, 0));
  const curve = keyType === EC ? oidOf(childAt(algorithm, 1)) : undefined;
  const keyId = cert.extensions?.find(({ extnID }) => extnID === SUBJECT_KEY_ID);
  const serial = hexNumber(cert.serialNumber.valueBlock.valueHexView);
  return {
    der: bytes,
    issuer,
    serial,
    ...(keyId === undefined ? {} : { keyId: readKeyId(keyId) }),
    spki: keyType === RSA_PSS ? asPlainRsa(cert) : bytesOf(spki),
    isPss: keyType === RSA_PSS,
    ...compact({ curve }),
    info: {
      subject: nameText(cert.subject),
      issuer: nameText(cert.issuer),
      serial,
      fingerprint: (fingerprint.toUpperCase().match(/../g) ?? []).join(":"),
      not_before: cert.notBefore.value.toISOString(),
      not_after: cert.notAfter.value.toISOString(),
      self_signed: sameBytes(issuer, subject),
      key_algorithm: keyText(keyType, curve, cert),
    },
  };
}

/** Parses the first certificate of a PEM text. Throws `TypeError` if there is none. */
export function readCertificatePem(pem: string): Certificate {
  const der = decodePem("CERTIFICATE", pem);
  if (der === undefined) throw new TypeError("expected a PEM certificate");
  try {
    return readCertificate(der);
  } catch {
    throw new TypeError("expected a PEM certificate, found one that cannot be read");
  }
}

/** Returns whether a signer or recipient names this certificate. */
export function isNamed(certificate: Certificate, name: CertificateName): boolean {
  if (name.keyId !== undefined) {
    return certificate.keyId !== undefined && sameBytes(certificate.keyId, name.keyId);
  }
  return name.serial === certificate.serial && name.issuer !== undefined &&
    sameBytes(name.issuer, certificate.issuer);
}

function readKeyId(extension: Extension): Uint8Array {
  const value = readBer(extension.extnValue.valueBlock.valueHexView);
  return value instanceof OctetString ? value.valueBlock.valueHexView : new Uint8Array();
}

function asPlainRsa(cert: X509): Bytes {
  const bits = cert.subjectPublicKeyInfo.subjectPublicKey;
  const algorithm = new Sequence({ value: [new ObjectIdentifier({ value: RSA }), new Null()] });
  return new Uint8Array(new Sequence({ value: [algorithm, bits] }).toBER());
}

/** Formats a name of a certificate, most significant part first, as openssl prints it. */
function nameText(name: RelativeDistinguishedNames): string {
  return name.typesAndValues.map(({ type, value }) => {
    const text: unknown = value.valueBlock.value;
    return `${NAME_TYPES[type] ?? type}=${String(text ?? "").replace(/\p{Cc}/gu, " ")}`;
  }).join(", ");
}

/** Formats a name in DER; empty if it is unreadable. */
export function nameOfDer(der: Uint8Array): string {
  try {
    const name = RelativeDistinguishedNames.fromBER(der.slice());
    return nameText(name);
  } catch {
    return "";
  }
}

function keyText(type: string, curve: string | undefined, cert: X509): string {
  const name = KEY_TYPES[type] ?? type;
  if (curve !== undefined) return `${name} ${CURVE_NAMES[curve] ?? curve}`;
  if (type !== RSA && type !== RSA_PSS) return name;
  const modulus = childAt(
    readBer(cert.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView),
    0,
  );
  return modulus instanceof Integer
    ? `${name} ${4 * hexNumber(modulus.valueBlock.valueHexView).length}`
    : name;
}

/** Creates an RSA key of 2048 bits and a self-signed certificate for signing and encryption. */
export async function createIdentity(
  { name, now }: { name: string; now: Date },
): Promise<KeyedPem> {
  const keys = await crypto.subtle.generateKey(
    {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: "SHA-256",
    },
    true,
    ["sign", "verify"],
  );
  const cert = new X509();
  cert.version = 2;
  const serial = crypto.getRandomValues(new Uint8Array(16));
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  cert.serialNumber = new Integer({ valueHex: serial.buffer });
  cert.notBefore.value = new Date(now.getTime() - BACKDATE_MS);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS);
  cert.notAfter.value = end;
  for (const [type, value] of [["2.5.4.10", "standin"], ["2.5.4.3", name]] as const) {
    cert.subject.typesAndValues.push(
      new AttributeTypeAndValue({ type, value: new Utf8String({ value }) }),
    );
  }
  cert.issuer = cert.subject;
  await cert.subjectPublicKeyInfo.importKey(keys.publicKey, engine);
  const bits = cert.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView;
  cert.extensions = [
    extension(BASIC_CONSTRAINTS, new BasicConstraints({ cA: false }).toSchema().toBER(), true),
    extension(
      KEY_USAGE,
      new BitString({ valueHex: Uint8Array.of(USAGE.bits).buffer, unusedBits: USAGE.unused })
        .toBER(),
      true,
    ),
    extension(
      EXT_KEY_USAGE,
      new ExtKeyUsage({ keyPurposes: [EMAIL_PROTECTION] }).toSchema().toBER(),
      false,
    ),
    // Senders may identify the recipient by it.
    extension(
      SUBJECT_KEY_ID,
      new OctetString({ valueHex: digestOf("sha1", bits).buffer }).toBER(),
      false,
    ),
  ];
  await cert.sign(keys.privateKey, "SHA-256", engine);
  return {
    cert: encodePem("CERTIFICATE", cert.toSchema(true).toBER()),
    key: encodePem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", keys.privateKey)),
  };
}

function extension(extnID: string, extnValue: ArrayBuffer, critical: boolean): Extension {
  return new Extension({ extnID, critical, extnValue });
}
