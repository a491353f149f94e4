import { encodeHex } from "@std/encoding/hex";
import { BitString, Integer, OctetString, PrintableString } from "asn1js";
import {
  AltName,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate as X509,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
} from "pkijs";
import { parseIp } from "./names.ts";
import { decodePem, encodePem } from "./pem.ts";

/** A certificate and its key, PEM. */
export interface KeyedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Names and validity to certify. */
export interface CertificateAbout {
  readonly name: string;
  readonly now: Date;
  readonly days: number;
}

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Allows for machines whose clocks are behind. */
const BACKDATE_MS = DAY_MS;

const COMMON_NAME = "2.5.4.3";
const SUBJECT_KEY_ID = "2.5.29.14";
const KEY_USAGE = "2.5.29.15";
const SUBJECT_ALT_NAME = "2.5.29.17";
const BASIC_CONSTRAINTS = "2.5.29.19";
const AUTHORITY_KEY_ID = "2.5.29.35";
const EXT_KEY_USAGE = "2.5.29.37";
const SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
const CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";
/** GeneralName choices (RFC 5280 section 4.2.1.6). */
const DNS_NAME = 2;
const IP_ADDRESS = 7;
/** Key usage bits (RFC 5280 section 4.2.1.3): keyCertSign and cRLSign; digitalSignature. */
const SIGNS_CERTIFICATES = { bits: 0b0000_0110, unused: 1 };
const SIGNS_DATA = { bits: 0b1000_0000, unused: 7 };

const engine = new CryptoEngine({ name: "webcrypto", crypto, subtle: crypto.subtle });

/** Creates a certificate authority for one installation. */
export async function createAuthority(about: CertificateAbout): Promise<KeyedCertificate> {
  const keys = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  const cert = await draft(about, keys.publicKey);
  cert.issuer = cert.subject;
  cert.extensions = [
    extension(BASIC_CONSTRAINTS, true, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
    keyUsage(SIGNS_CERTIFICATES),
    new Extension({
      extnID: SUBJECT_KEY_ID,
      extnValue: new OctetString({ valueHex: await keyId(cert) }).toBER(),
    }),
  ];
  return await signed(cert, { signer: keys.privateKey, own: keys.privateKey });
}

/** Creates an RSA key of 2048 bits with a self-signed certificate, for signatures that clients check with it. */
export async function createSigningIdentity(about: CertificateAbout): Promise<KeyedCertificate> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: "SHA-256",
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const cert = await draft(about, keys.publicKey);
  cert.issuer = cert.subject;
  cert.extensions = [
    extension(BASIC_CONSTRAINTS, true, new BasicConstraints({ cA: false })),
    keyUsage(SIGNS_DATA),
  ];
  return await signed(cert, { signer: keys.privateKey, own: keys.privateKey });
}

/** Creates a server certificate for host names and IP addresses. */
export async function issueCertificate(
  authority: KeyedCertificate,
  about: CertificateAbout & { readonly hosts: readonly string[] },
): Promise<KeyedCertificate> {
  const issuer = parseCertificate(authority.cert);
  const keys = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  const cert = await draft(about, keys.publicKey);
  cert.issuer = issuer.subject;
  cert.extensions = [
    extension(BASIC_CONSTRAINTS, true, new BasicConstraints({ cA: false })),
    keyUsage(SIGNS_DATA),
    extension(EXT_KEY_USAGE, false, new ExtKeyUsage({ keyPurposes: [SERVER_AUTH, CLIENT_AUTH] })),
    extension(SUBJECT_ALT_NAME, false, new AltName({ altNames: about.hosts.map(toGeneralName) })),
    extension(
      AUTHORITY_KEY_ID,
      false,
      new AuthorityKeyIdentifier({
        keyIdentifier: new OctetString({ valueHex: await keyId(issuer) }),
      }),
    ),
  ];
  return await signed(cert, { signer: await importKey(authority.key), own: keys.privateKey });
}

/** Properties of a stored certificate that decide whether it is still usable. */
export interface Inspection {
  readonly notAfter: Date;
  /** In the form of `toCertifiedHost`. */
  readonly hosts: ReadonlySet<string>;
  /** Whether the authority signed it. */
  readonly issued: boolean;
}

/** Returns `undefined` for an unreadable certificate. */
export async function inspectCertificate(
  pem: string,
  authorityPem: string,
): Promise<Inspection | undefined> {
  try {
    return await inspect(parseCertificate(pem), parseCertificate(authorityPem));
  } catch {
    return undefined;
  }
}

async function inspect(cert: X509, authority: X509): Promise<Inspection> {
  const names = cert.extensions?.find(({ extnID }) => extnID === SUBJECT_ALT_NAME)?.parsedValue;
  const hosts = names instanceof AltName ? names.altNames.map(fromGeneralName) : [];
  const issued = await cert.verify(authority, engine);
  return { notAfter: cert.notAfter.value, hosts: new Set(hosts), issued };
}

/** Returns a host in the form of `inspectCertificate`: lower case, an IP address as hexadecimal digits. */
export function toCertifiedHost(host: string): string {
  return fromGeneralName(toGeneralName(host));
}

function parseCertificate(pem: string): X509 {
  const der = decodePem("CERTIFICATE", pem);
  if (der === undefined) throw new SyntaxError("Cannot read certificate: expected PEM");
  return X509.fromBER(der);
}

async function importKey(pem: string): Promise<CryptoKey> {
  const der = decodePem("PRIVATE KEY", pem);
  if (der === undefined) throw new SyntaxError("Cannot read private key: expected PKCS #8 as PEM");
  return await crypto.subtle.importKey("pkcs8", der, CURVE, false, ["sign"]);
}

async function draft(about: CertificateAbout, publicKey: CryptoKey): Promise<X509> {
  const cert = new X509();
  cert.version = 2;
  // RFC 5280 section 4.1.2.2: positive, and unique for this issuer.
  const serial = crypto.getRandomValues(new Uint8Array(16));
  serial[0] = (serial[0]! & 0x7f) | 0x40;
  cert.serialNumber = new Integer({ valueHex: serial.buffer });
  cert.notBefore.value = new Date(about.now.getTime() - BACKDATE_MS);
  cert.notAfter.value = new Date(about.now.getTime() + about.days * DAY_MS);
  cert.subject.typesAndValues.push(
    new AttributeTypeAndValue({
      type: COMMON_NAME,
      value: new PrintableString({ value: about.name }),
    }),
  );
  await cert.subjectPublicKeyInfo.importKey(publicKey, engine);
  return cert;
}

async function signed(
  cert: X509,
  keys: { signer: CryptoKey; own: CryptoKey },
): Promise<KeyedCertificate> {
  await cert.sign(keys.signer, "SHA-256", engine);
  const key = await crypto.subtle.exportKey("pkcs8", keys.own);
  return {
    cert: encodePem("CERTIFICATE", cert.toSchema(true).toBER()),
    key: encodePem("PRIVATE KEY", key),
  };
}

/** RFC 5280 section 4.2.1.2, method 1. */
async function keyId(cert: X509): Promise<ArrayBuffer> {
  const bits = cert.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView;
  return await crypto.subtle.digest("SHA-1", bits as Uint8Array<ArrayBuffer>);
}

function extension(
  extnID: string,
  critical: boolean,
  value: { toSchema(): { toBER(): ArrayBuffer } },
): Extension {
  return new Extension({ extnID, critical, extnValue: value.toSchema().toBER() });
}

function keyUsage({ bits, unused }: { bits: number; unused: number }): Extension {
  const value = new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: unused });
  return new Extension({ extnID: KEY_USAGE, critical: true, extnValue: value.toBER() });
}

function toGeneralName(host: string): GeneralName {
  const ip = parseIp(host);
  if (ip === undefined) return new GeneralName({ type: DNS_NAME, value: host.toLowerCase() });
  return new GeneralName({ type: IP_ADDRESS, value: new OctetString({ valueHex: ip.buffer }) });
}

function fromGeneralName({ type, value }: GeneralName): string {
  if (type !== IP_ADDRESS) return String(value).toLowerCase();
  const bytes: Uint8Array = value.valueBlock.valueHexView;
  return encodeHex(bytes);
}
