/** JSON shapes of captured messages. `deno task docs` generates `model.ts` from them. */
import { BlobRefShape } from "../../core/blobs/schema.ts";
import { Type } from "../../core/shape_type.ts";
import { described, flag, text, whole, words } from "../../core/shapes.ts";

export const LayerKindShape = words(["signed", "encrypted", "compressed"], "Kind of a layer");

export const SeverityShape = words(["error", "warning", "info"], "Severity of an issue");

export const MicCoverageShape = words([
  "signed-content",
  "decrypted-entity",
  "decompressed-entity",
  "content",
  "headers-and-content",
], "Bytes that a digest covers");

export const IdentitySourceShape = words(
  ["configured", "generated", "memory", "none"],
  "Source of the identity",
);

export const CertInfoShape = Type.Object({
  subject: text("Subject"),
  issuer: text("Issuer"),
  serial: text("Hexadecimal digits, lower case"),
  fingerprint: text("SHA-256, upper-case hexadecimal with colons"),
  not_before: Type.String({ description: "RFC 3339", format: "date-time" }),
  not_after: Type.String({ description: "RFC 3339", format: "date-time" }),
  self_signed: flag("Whether it is self-signed"),
  key_algorithm: Type.Optional(text("Such as RSA 2048")),
}, { $id: "as2.CertInfo", description: "A certificate" });

export const RecipientInfoShape = Type.Object({
  issuer: text("Empty when the certificate is named by its key"),
  serial: text("Hexadecimal digits, or the key identifier"),
}, { $id: "as2.RecipientInfo", description: "Names the certificate a message was encrypted for" });

export const PayloadShape = Type.Object({
  size: whole("In bytes, with its transfer encoding decoded"),
  blob: Type.Optional(
    described(BlobRefShape, "Where its bytes are; absent when the store was full"),
  ),
  content_type: Type.Optional(text("As the sender states it, parameters included")),
  filename: Type.Optional(text("As the sender states it; hostile text")),
  format: Type.Optional(text("edifact, x12, xml, json, hl7 or text, by its content")),
  preview: Type.Optional(text("Its first 1024 characters, if it is text")),
  transfer_encoding: Type.Optional(text("Content-Transfer-Encoding that was decoded")),
  recovered: flag("Whether these are the bytes of a layer that could not be opened"),
}, {
  $id: "as2.Payload",
  description: "The business document, after every layer that could be opened",
});

export const ReceiptRequestShape = Type.Object({
  requested: flag("Whether one is requested"),
  signed_requested: flag("Whether it must be signed"),
  async_url: Type.Optional(text("Delivery address; contacted only where callbacks are on")),
  notify_to: Type.Optional(text("Disposition-Notification-To")),
  options: Type.Optional(text("Disposition-Notification-Options as sent")),
  protocol: Type.Optional(text("Requested signature format")),
  signed_importance: Type.Optional(text("required or optional")),
  mic_algs: Type.Optional(
    Type.Array(Type.String(), { description: "Requested digests, as spelled" }),
  ),
}, { $id: "as2.ReceiptRequest", description: "The receipt request" });

export const CompressionInfoShape = Type.Object({
  algorithm_oid: text("Object identifier"),
  placement: text("before-signing, after-signing or unsigned"),
  compressed_size: whole("In bytes"),
  decompressed: flag("Whether it could be decompressed"),
  algorithm: Type.Optional(text("zlib, if it is")),
  error: Type.Optional(text("Why that failed")),
  decompressed_size: Type.Optional(whole("In bytes")),
}, { $id: "as2.CompressionInfo", description: "The compression of the message" });

export const EncryptionShape = Type.Object({
  decrypted: flag("Whether it could be decrypted"),
  content_algorithm: Type.Optional(text("Such as AES-128-CBC")),
  content_algorithm_oid: Type.Optional(text("Object identifier")),
  error: Type.Optional(text("Why that failed")),
  key_algorithm: Type.Optional(text("RSA or RSAES-OAEP")),
  key_algorithm_oid: Type.Optional(text("Object identifier")),
  recipients: Type.Optional(
    Type.Array(RecipientInfoShape, { description: "Certificates it is encrypted for" }),
  ),
}, { $id: "as2.Encryption", description: "The encryption of the message" });

export const SignatureShape = Type.Object({
  partner_configured: flag("Whether a partner certificate is configured"),
  signer_matched: flag("Whether it was made by the configured partner"),
  verified: flag("Whether it verifies with the certificate in the message"),
  chain: Type.Optional(Type.Array(CertInfoShape, { description: "Certificates in the message" })),
  signer: Type.Optional(described(CertInfoShape, "Certificate of the signer")),
  declared_micalg: Type.Optional(text("Digest as the MIME header names it")),
  digest_algorithm: Type.Optional(text("Digest in use")),
  error: Type.Optional(text("Why it is not verified")),
  protocol: Type.Optional(text("Signature format as the MIME header names it")),
  signature_algorithm: Type.Optional(text("Such as RSA-SHA256")),
}, {
  $id: "as2.Signature",
  description: "The signature of the message: whether it is intact, and, separately, who signed it",
});

export const SecurityShape = Type.Object({
  compressed: flag("Whether a layer is compression"),
  encrypted: flag("Whether a layer is encryption"),
  signed: flag("Whether a layer is a signature"),
  compression: Type.Optional(described(CompressionInfoShape, "Outermost compression")),
  encryption: Type.Optional(described(EncryptionShape, "Outermost encryption")),
  signature: Type.Optional(described(SignatureShape, "Outermost signature")),
}, { $id: "as2.Security", description: "How the message was protected" });

export const LayerShape = Type.Object({
  bytes: whole("Size of its body, with its transfer encoding decoded"),
  kind: described(LayerKindShape, "Its kind"),
  opened: flag("Whether it could be opened"),
  algorithm: Type.Optional(text("RSA-SHA256, zlib, or cipher and key transport: AES-128-CBC, RSA")),
  content_type: Type.Optional(text("As stated")),
  smime_type: Type.Optional(text("As stated")),
}, { $id: "as2.Layer", description: "One wrapping of the document, the outermost first" });

export const IssueShape = Type.Object({
  code: text("Such as decryption-failed"),
  detail: text("One sentence, for display"),
  severity: described(SeverityShape, "error changes the disposition"),
}, { $id: "as2.Issue", description: "A problem or peculiarity of a message" });

export const MicShape = Type.Object({
  algorithm: text("Digest, as the receipt spells it"),
  coverage: described(MicCoverageShape, "Bytes that it covers"),
  digest: text("Base64"),
  bytes: whole("How many bytes it covers"),
  note: Type.Optional(text("The rule it follows")),
}, { $id: "as2.MIC", description: "A message integrity check" });

export const MdnRecordShape = Type.Object({
  disposition: text("Such as automatic-action/MDN-sent-automatically; processed"),
  message_id: text("Of the receipt"),
  signed: flag("Whether it is signed"),
  size: whole("In bytes"),
  status: whole("HTTP status"),
  blob: Type.Optional(described(BlobRefShape, "Where its bytes are")),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "Header fields of the receipt",
    }),
  ),
  human_text: Type.Optional(text("Readable text")),
  micalg: Type.Optional(text("Digest of its signature")),
  received_content_mic: Type.Optional(text("Digest and algorithm it returns")),
  text: Type.Optional(text("The body itself, when the store was full")),
}, { $id: "as2.MDNRecord", description: "The receipt as sent" });

export const As2MessageShape = Type.Object({
  from: text("AS2-From, without quotes"),
  to: text("AS2-To, without quotes"),
  payload: described(PayloadShape, "The document inside"),
  receipt: described(ReceiptRequestShape, "The receipt request"),
  security: described(SecurityShape, "How it was protected"),
  alternate_mics: Type.Optional(
    Type.Array(MicShape, { description: "Digests by other readings of the standards" }),
  ),
  as2_version: Type.Optional(text("AS2-Version")),
  content_type: Type.Optional(text("Outermost Content-Type")),
  date: Type.Optional(text("Date as sent")),
  message_id: Type.Optional(text("Message-ID as sent")),
  subject: Type.Optional(text("Subject as sent")),
  user_agent: Type.Optional(text("User-Agent")),
  issues: Type.Optional(Type.Array(IssueShape, { description: "Problems and peculiarities" })),
  layers: Type.Optional(Type.Array(LayerShape, { description: "Every wrapping, outermost first" })),
  mdn: Type.Optional(described(MdnRecordShape, "The receipt as sent")),
  mic: Type.Optional(described(MicShape, "The returned digest")),
}, { $id: "as2.Message", description: "A captured AS2 message" });

export const IdentityInfoShape = Type.Object({
  configured: flag("Whether the user's own files are configured"),
  ready: flag("Whether messages can be decrypted and receipts signed"),
  source: described(IdentitySourceShape, "Their source"),
  cert_path: Type.Optional(text("File of the certificate")),
  error: Type.Optional(text("Why it is not ready")),
  key_path: Type.Optional(text("File of the key")),
  pem: Type.Optional(text("The certificate, for partners")),
  certificate: Type.Optional(described(CertInfoShape, "Contents of the certificate")),
  partner: Type.Optional(
    described(CertInfoShape, "Contents of the configured partner's certificate"),
  ),
}, { $id: "as2.IdentityInfo", description: "The service's own certificate and key" });
