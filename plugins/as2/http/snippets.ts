/** Snippets of the provider. */
import type { Snippet } from "../../../core/plugin.ts";

/** Code to paste: `url` is where messages go, `to` the AS2 name of the recipient. */
export function snippets(url: string, to: string): readonly Snippet[] {
  return [
    {
      title: "Send a plain message with curl",
      lang: "sh",
      code: `curl -sS ${url} \\
  -H 'AS2-Version: 1.1' -H 'AS2-From: partner' -H 'AS2-To: ${to}' \\
  -H 'Message-ID: <1@partner.example.com>' -H 'Content-Type: application/edi-x12' \\
  -H 'Disposition-Notification-To: partner@example.com' \\
  -d 'ISA*00*          *00*          *ZZ*PARTNER        *ZZ*STANDIN        *240101*1200*U*00401*000000001*0*T*>~'`,
    },
    {
      title: "Encrypt for the service with OpenSSL",
      lang: "sh",
      code: `curl -sS ${url}/certificate > standin.pem
printf 'Content-Type: application/edi-x12\\r\\n\\r\\nISA*00*~' |
  openssl cms -encrypt -binary -aes128 -outform DER standin.pem |
  curl -sS ${url} --data-binary @- \\
    -H 'AS2-Version: 1.1' -H 'AS2-From: partner' -H 'AS2-To: ${to}' \\
    -H 'Message-ID: <2@partner.example.com>' \\
    -H 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m' \\
    -H 'Disposition-Notification-To: partner@example.com'`,
    },
    {
      title: "Configure OpenAS2 as a partner (partnerships.xml)",
      lang: "xml",
      code: `<partnerships>
  <partner name="MyCompany" as2_id="MyCompany" x509_alias="mycompany" email="edi@example.com"/>
  <partner name="Standin" as2_id="${
        escapeXml(to)
      }" x509_alias="standin" email="standin@example.com"/>
  <partnership name="MyCompany-to-Standin">
    <sender name="MyCompany"/>
    <receiver name="Standin"/>
    <attribute name="protocol" value="as2"/>
    <attribute name="content_transfer_encoding" value="binary"/>
    <attribute name="subject" value="From MyCompany"/>
    <attribute name="as2_url" value="${url}"/>
    <attribute name="as2_mdn_to" value="edi@example.com"/>
    <attribute name="as2_mdn_options"
      value="signed-receipt-protocol=optional, pkcs7-signature; signed-receipt-micalg=optional, SHA256"/>
    <attribute name="sign" value="SHA256"/>
    <attribute name="encrypt" value="AES256"/>
  </partnership>
</partnerships>`,
    },
  ];
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
