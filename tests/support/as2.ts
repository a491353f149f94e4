/** AS2 messages built without external programs, for tests that are not about algorithms. */
import { deflateSync } from "node:zlib";
import { Constructed, Integer, ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { Certificate, ContentInfo, CryptoEngine, EnvelopedData } from "pkijs";
import { decodePem, encodePem } from "../../core/tls/pem.ts";
import {
  createIdentity,
  type KeyedPem,
  readCertificatePem,
} from "../../plugins/as2/certificate.ts";
import { digestOf, readPrivateKey, signRsa } from "../../plugins/as2/cms_crypto.ts";
import { concat } from "../../core/bytes/concat.ts";
import { composeAttributes, composeSignedData } from "../../plugins/as2/codec/signed_data.ts";
import type { TestService } from "./service.ts";

/** A body with its content type. */
export interface As2Entity {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const SHA256 = "2.16.840.1.101.3.4.2.1";

/** Wraps an entity for use inside another: its header and its body. */
export function wrap({ type, body }: As2Entity): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(
    `Content-Type: ${type}\r\nContent-Transfer-Encoding: binary\r\n\r\n`,
  );
  return Uint8Array.from([...head, ...body]);
}

/** CompressedData (RFC 3274) over an entity, with zlib unless another object identifier is given. */
export function compress(
  content: Uint8Array,
  algorithm = "1.2.840.113549.1.9.16.3.8",
): As2Entity {
  const oid = (value: string) => new ObjectIdentifier({ value });
  const tag = (value: Sequence | OctetString) =>
    new Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [value] });
  const zipped = new Uint8Array(deflateSync(content));
  const data = new Sequence({
    value: [
      new Integer({ value: 0 }),
      new Sequence({ value: [oid(algorithm)] }),
      new Sequence({
        value: [oid("1.2.840.113549.1.7.1"), tag(new OctetString({ valueHex: zipped.buffer }))],
      }),
    ],
  });
  const info = new Sequence({ value: [oid("1.2.840.113549.1.9.16.1.9"), tag(data)] });
  return {
    type: "application/pkcs7-mime; smime-type=compressed-data; name=smime.p7z",
    body: new Uint8Array(info.toBER()),
  };
}

/** EnvelopedData over an entity for a certificate, by OAEP and AES-256-CBC. */
export async function encrypt(content: Uint8Array, pem: string): Promise<As2Entity> {
  const envelope = new EnvelopedData();
  const certificate = Certificate.fromBER(decodePem("CERTIFICATE", pem)!);
  envelope.addRecipientByCertificate(certificate, { oaepHashAlgorithm: "SHA-256" });
  const cipher: AesKeyAlgorithm = { name: "AES-CBC", length: 256 };
  await envelope.encrypt(cipher, content.slice().buffer);
  const info = new ContentInfo({
    contentType: ContentInfo.ENVELOPED_DATA,
    content: envelope.toSchema(),
  });
  return {
    type: "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
    body: new Uint8Array(info.toSchema().toBER()),
  };
}

/** A certificate with the same key, issued by another. */
async function issue(cert: string, authority: KeyedPem): Promise<string> {
  const issued = Certificate.fromBER(decodePem("CERTIFICATE", cert)!);
  issued.issuer = Certificate.fromBER(decodePem("CERTIFICATE", authority.cert)!).subject;
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const pkcs8 = decodePem("PRIVATE KEY", authority.key)!;
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  const engine = new CryptoEngine({ name: "webcrypto", crypto, subtle: crypto.subtle });
  await issued.sign(key, "SHA-256", engine);
  return encodePem("CERTIFICATE", issued.toSchema().toBER());
}

/**
 * A multipart/signed over an entity, with a new key of this name; its certificate may be issued by
 * others, named in order.
 */
export async function sign(
  content: Uint8Array<ArrayBuffer>,
  { name = "Partner", now = new Date(), authorities = [] }: {
    name?: string;
    now?: Date;
    authorities?: readonly string[];
  } = {},
): Promise<As2Entity & { readonly pem: string }> {
  const pair = await createIdentity({ name, now });
  const above = await Promise.all(authorities.map((name) => createIdentity({ name, now })));
  const certificates = await Promise.all(
    [pair, ...above].map(({ cert }, index) =>
      above[index] === undefined ? cert : issue(cert, above[index])
    ),
  );
  const { issuer, serial } = readCertificatePem(certificates[0]!);
  const der = concat(certificates.map((cert) => readCertificatePem(cert).der).toReversed());
  const about = { digestOid: SHA256, digest: digestOf("sha256", content), signedAt: now };
  const attributes = composeAttributes(about);
  const signature = signRsa(readPrivateKey(pair.key), attributes, "sha256");
  const parts = { attributes, signature, certificate: der, issuer, serial };
  const base64 = composeSignedData(about, parts).toBase64().replace(/.{76}/g, "$&\r\n");
  const text = new TextEncoder();
  const body = Uint8Array.from([
    ...text.encode("--sig\r\n"),
    ...content,
    ...text.encode(
      "\r\n--sig\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n" +
        `Content-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--sig--\r\n`,
    ),
  ]);
  const type =
    'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary=sig';
  return { type, body, pem: certificates[0]! };
}

/** Posts a message and returns the id of its event and the response. */
export async function postAs2(
  service: TestService,
  { type, body }: As2Entity,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly id: string; readonly response: Response; readonly mdn: string }> {
  const response = await fetch(`${service.ingress.url}/as2`, {
    method: "POST",
    body,
    headers: {
      "as2-version": "1.1",
      "as2-from": "partner",
      "as2-to": "standin",
      "message-id": `<${crypto.randomUUID()}@partner.example.com>`,
      "content-type": type,
      "disposition-notification-to": "partner@example.com",
      ...headers,
    },
  });
  const mdn = await response.text();
  const id = response.headers.get("x-service-event-url")?.split("/").at(-1) ?? "";
  return { id, response, mdn };
}
