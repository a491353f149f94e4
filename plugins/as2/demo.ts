/** Business documents of a trading partner: plain, signed, and signed and encrypted. */
import { Certificate as X509, ContentInfo, CryptoEngine, EnvelopedData } from "pkijs";
import type { DemoSample, DemoTarget } from "../../core/plugin.ts";
import { settingOr } from "../../core/demo.ts";
import { decodePem } from "../../core/tls/pem.ts";
import { createIdentity, readCertificatePem } from "./certificate.ts";
import { readPrivateKey } from "./cms_crypto.ts";
import { type MdnEntity, toSignedText } from "./codec/mdn.ts";
import { signReport } from "./receipt.ts";

const PARTNER = "Lovelace Books";
const ENVELOPED_DATA = "1.2.840.113549.1.7.3";
const engine = new CryptoEngine({ name: "webcrypto", crypto, subtle: crypto.subtle });
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const ORDERS: MdnEntity = {
  contentType: "application/edifact",
  body:
    "UNB+UNOA:2+LOVELACE:ZZ+PRESS:ZZ+260417:0930+4711'UNH+1+ORDERS:D:96A:UN'BGM+220+881+9'DTM+137:20260417:102'" +
    "NAD+BY+LOVELACE::9'LIN+1++9780000000002:EN'QTY+21:250'UNS+S'UNT+8+1'UNZ+1+4711'",
};
const PURCHASE_ORDER: MdnEntity = {
  contentType: "application/edi-x12",
  body:
    "ISA*00*          *00*          *ZZ*LOVELACE       *ZZ*PRESS          *260417*0930*U*00401*000000881*0*T*>~" +
    "GS*PO*LOVELACE*PRESS*20260417*0930*881*X*004010~ST*850*0001~BEG*00*SA*881**20260417~" +
    "PO1*1*250*EA*9.96**EN*9780000000002~CTT*1~SE*5*0001~GE*1*881~IEA*1*000000881~",
};

/** Documents with every kind of protection, with receipts requested. */
export const SAMPLES: readonly DemoSample[] = [
  {
    provider: "http",
    what: "An unencrypted EDIFACT order, with a receipt",
    send: (to) => post(to, ORDERS, { number: 1, filename: "orders.edi" }),
  },
  {
    provider: "http",
    what: "A signed X12 purchase order, with a signed receipt",
    async send(to) {
      await post(to, await signed(PURCHASE_ORDER, to.now), {
        number: 2,
        filename: "po.x12",
        signed: true,
      });
    },
  },
  {
    provider: "http",
    what: "The same order signed and encrypted, with a signed receipt",
    async send(to) {
      const inner = encoder.encode(toSignedText(await signed(PURCHASE_ORDER, to.now)));
      const body = await encrypted(inner, await certificateOf(to));
      const contentType = 'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"';
      await post(to, { contentType, body }, { number: 3, filename: "smime.p7m", signed: true });
    },
  },
];

async function post(
  to: DemoTarget,
  { contentType, body }: { contentType: string; body: Uint8Array | string },
  about: { number: number; filename: string; signed?: boolean },
): Promise<void> {
  const receipt =
    "signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, sha256";
  await to.request("/as2", {
    headers: {
      "as2-version": "1.2",
      "as2-from": `"${PARTNER}"`,
      "as2-to": settingOr(to, "as2_to", "standin"),
      "message-id": `<demo-${to.now.getTime()}-${about.number}@lovelace-books.example>`,
      subject: "Order 881",
      date: to.now.toUTCString(),
      "content-type": contentType,
      "content-disposition": `attachment; filename="${about.filename}"`,
      "disposition-notification-to": "edi@lovelace-books.example",
      ...(about.signed === true ? { "disposition-notification-options": receipt } : {}),
    },
    body,
  });
}

/** Signs with a temporary key, so the instance reports an unknown partner. */
async function signed(document: MdnEntity, now: Date): Promise<MdnEntity> {
  const { cert, key } = await createIdentity({ name: PARTNER, now });
  return signReport(document, {
    key: readPrivateKey(key),
    certificate: readCertificatePem(cert),
    digest: "sha256",
    micalg: "sha-256",
    now,
    uuid: () => crypto.randomUUID(),
  });
}

async function certificateOf(to: DemoTarget): Promise<X509> {
  const { body } = await to.request("/as2/certificate", { method: "GET" });
  const der = decodePem("CERTIFICATE", decoder.decode(body));
  if (der === undefined) throw new Error("its certificate cannot be read");
  return X509.fromBER(der.slice());
}

/** Builds an EnvelopedData (RFC 5652 section 6) for one recipient. */
async function encrypted(content: Uint8Array<ArrayBuffer>, recipient: X509): Promise<Uint8Array> {
  const envelope = new EnvelopedData();
  envelope.addRecipientByCertificate(recipient, { oaepHashAlgorithm: "SHA-256" }, 1, engine);
  await envelope.encrypt(
    { name: "AES-CBC", length: 256 } as AesKeyAlgorithm,
    content.buffer,
    engine,
  );
  const info = new ContentInfo({ contentType: ENVELOPED_DATA, content: envelope.toSchema() });
  return new Uint8Array(info.toSchema().toBER());
}
