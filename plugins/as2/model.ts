import { Type } from "@sinclair/typebox";
import type { BlobRef } from "../../core/blobs/blob.ts";
import { BlobRefShape } from "../../core/blobs/schema.ts";
import type { ReceiptRequest } from "./codec/as2_header.ts";

export type { ReceiptRequest } from "./codec/as2_header.ts";

/** What a layer does. */
export type LayerKind = "signed" | "encrypted" | "compressed";

/** How much an issue matters. */
export type Severity = "error" | "warning" | "info";

/** Which bytes a digest covers. */
export type MicCoverage =
  | "signed-content"
  | "decrypted-entity"
  | "decompressed-entity"
  | "content"
  | "headers-and-content";

/** Where the identity comes from. */
export type IdentitySource = "configured" | "generated" | "memory" | "none";

const LAYER_KINDS: readonly LayerKind[] = ["signed", "encrypted", "compressed"];
const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];
const COVERAGES: readonly MicCoverage[] = [
  "signed-content",
  "decrypted-entity",
  "decompressed-entity",
  "content",
  "headers-and-content",
];
const SOURCES: readonly IdentitySource[] = ["configured", "generated", "memory", "none"];

/** JSON shape of `CertInfo`. */
export const CertInfoShape = Type.Object({
  subject: Type.String({ description: "Whom it names" }),
  issuer: Type.String({ description: "Who issued it" }),
  serial: Type.String({ description: "Hexadecimal digits, lower case" }),
  fingerprint: Type.String({ description: "SHA-256, upper-case hexadecimal with colons" }),
  not_before: Type.String({ format: "date-time", description: "RFC 3339" }),
  not_after: Type.String({ format: "date-time", description: "RFC 3339" }),
  self_signed: Type.Boolean({ description: "Whether it names its own subject as issuer" }),
  key_algorithm: Type.Optional(Type.String({ description: "Such as RSA 2048" })),
}, { $id: "as2.CertInfo" });

/** JSON shape of `RecipientInfo`. */
export const RecipientInfoShape = Type.Object({
  issuer: Type.String({ description: "Empty when the certificate is named by its key" }),
  serial: Type.String({ description: "Hexadecimal digits, or the key identifier" }),
}, { $id: "as2.RecipientInfo" });

/** JSON shape of `Payload`. */
export const PayloadShape = Type.Object({
  size: Type.Integer({ description: "In bytes, its transfer encoding undone" }),
  blob: Type.Optional(BlobRefShape),
  content_type: Type.Optional(
    Type.String({ description: "As the sender states it, parameters included" }),
  ),
  filename: Type.Optional(Type.String({ description: "As the sender states it; hostile text" })),
  format: Type.Optional(
    Type.String({ description: "edifact, x12, xml, json, hl7 or text, by its content" }),
  ),
  preview: Type.Optional(
    Type.String({ description: "Its first 1024 characters, when it is text" }),
  ),
  transfer_encoding: Type.Optional(
    Type.String({ description: "Content-Transfer-Encoding that was undone" }),
  ),
  recovered: Type.Boolean({
    description: "Whether a layer did not open: these are the bytes of that layer then",
  }),
}, { $id: "as2.Payload" });

/** JSON shape of `ReceiptRequest`. */
export const ReceiptRequestShape = Type.Object({
  requested: Type.Boolean({ description: "Whether one is asked for" }),
  signed_requested: Type.Boolean({ description: "Whether it is to be signed" }),
  async_url: Type.Optional(
    Type.String({ description: "Where it was to be delivered; never contacted" }),
  ),
  notify_to: Type.Optional(Type.String({ description: "Disposition-Notification-To" })),
  options: Type.Optional(Type.String({ description: "Disposition-Notification-Options as sent" })),
  protocol: Type.Optional(Type.String({ description: "Signature format asked for" })),
  signed_importance: Type.Optional(Type.String({ description: "required or optional" })),
  mic_algs: Type.Optional(
    Type.Array(Type.String(), { description: "Digests asked for, as spelled" }),
  ),
}, { $id: "as2.ReceiptRequest" });

/** JSON shape of `CompressionInfo`. */
export const CompressionInfoShape = Type.Object({
  algorithm_oid: Type.String({ description: "Object identifier" }),
  placement: Type.String({ description: "before-signing, after-signing or unsigned" }),
  compressed_size: Type.Integer({ description: "In bytes" }),
  decompressed: Type.Boolean({ description: "Whether it could be undone" }),
  algorithm: Type.Optional(Type.String({ description: "zlib, where it is that" })),
  error: Type.Optional(Type.String({ description: "Why it could not be undone" })),
  decompressed_size: Type.Optional(Type.Integer({ description: "In bytes" })),
}, { $id: "as2.CompressionInfo" });

/** JSON shape of `Encryption`. */
export const EncryptionShape = Type.Object({
  decrypted: Type.Boolean({ description: "Whether it could be undone" }),
  content_algorithm: Type.Optional(Type.String({ description: "Such as AES-128-CBC" })),
  content_algorithm_oid: Type.Optional(Type.String({ description: "Object identifier" })),
  error: Type.Optional(Type.String({ description: "Why it could not be undone" })),
  key_algorithm: Type.Optional(Type.String({ description: "RSA or RSAES-OAEP" })),
  key_algorithm_oid: Type.Optional(Type.String({ description: "Object identifier" })),
  recipients: Type.Optional(
    Type.Array(RecipientInfoShape, { description: "For whom it is encrypted" }),
  ),
}, { $id: "as2.Encryption" });

/** JSON shape of `Signature`. */
export const SignatureShape = Type.Object({
  partner_configured: Type.Boolean({ description: "Whether a partner certificate is configured" }),
  signer_matched: Type.Boolean({ description: "Whether it is by the configured partner" }),
  verified: Type.Boolean({
    description: "Whether nothing was altered since the certificate in the message signed it",
  }),
  chain: Type.Optional(Type.Array(CertInfoShape, { description: "Certificates in the message" })),
  signer: Type.Optional(CertInfoShape),
  declared_micalg: Type.Optional(
    Type.String({ description: "Digest as the MIME header names it" }),
  ),
  digest_algorithm: Type.Optional(Type.String({ description: "Digest in use" })),
  error: Type.Optional(Type.String({ description: "Why it is not verified" })),
  protocol: Type.Optional(
    Type.String({ description: "Signature format as the MIME header names it" }),
  ),
  signature_algorithm: Type.Optional(Type.String({ description: "Such as RSA-SHA256" })),
}, { $id: "as2.Signature" });

/** JSON shape of `Security`. */
export const SecurityShape = Type.Object({
  compressed: Type.Boolean({ description: "Whether a layer is compression" }),
  encrypted: Type.Boolean({ description: "Whether a layer is encryption" }),
  signed: Type.Boolean({ description: "Whether a layer is a signature" }),
  compression: Type.Optional(CompressionInfoShape),
  encryption: Type.Optional(EncryptionShape),
  signature: Type.Optional(SignatureShape),
}, { $id: "as2.Security" });

/** JSON shape of `Layer`. */
export const LayerShape = Type.Object({
  bytes: Type.Integer({ description: "Size of its body, its transfer encoding undone" }),
  kind: Type.Union(LAYER_KINDS.map((word) => Type.Literal(word)), { description: "What it does" }),
  opened: Type.Boolean({ description: "Whether its inside was reached" }),
  algorithm: Type.Optional(
    Type.String({ description: "RSA-SHA256, zlib, or cipher and key transport: AES-128-CBC, RSA" }),
  ),
  content_type: Type.Optional(Type.String({ description: "As stated" })),
  smime_type: Type.Optional(Type.String({ description: "As stated" })),
}, { $id: "as2.Layer" });

/** JSON shape of `Issue`. */
export const IssueShape = Type.Object({
  code: Type.String({ description: "Such as decryption-failed" }),
  detail: Type.String({ description: "One sentence for people" }),
  severity: Type.Union(SEVERITIES.map((word) => Type.Literal(word)), {
    description: "error changes the disposition",
  }),
}, { $id: "as2.Issue" });

/** JSON shape of `Mic`. */
export const MicShape = Type.Object({
  algorithm: Type.String({ description: "Digest, as the receipt spells it" }),
  coverage: Type.Union(COVERAGES.map((word) => Type.Literal(word)), {
    description: "Which bytes it covers",
  }),
  digest: Type.String({ description: "Base64" }),
  bytes: Type.Integer({ description: "How many bytes it covers" }),
  note: Type.Optional(Type.String({ description: "The rule it follows" })),
}, { $id: "as2.MIC" });

/** JSON shape of `MdnRecord`. */
export const MdnRecordShape = Type.Object({
  disposition: Type.String({
    description: "Such as automatic-action/MDN-sent-automatically; processed",
  }),
  message_id: Type.String({ description: "Of the receipt" }),
  signed: Type.Boolean({ description: "Whether it is signed" }),
  size: Type.Integer({ description: "In bytes" }),
  status: Type.Integer({ description: "HTTP status" }),
  blob: Type.Optional(BlobRefShape),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "Header fields it was sent with",
    }),
  ),
  human_text: Type.Optional(Type.String({ description: "What it says to people" })),
  micalg: Type.Optional(Type.String({ description: "Digest of its signature" })),
  received_content_mic: Type.Optional(
    Type.String({ description: "Digest and algorithm it returns" }),
  ),
  text: Type.Optional(Type.String({ description: "The body itself, when the store was full" })),
}, { $id: "as2.MDNRecord" });

/** JSON shape of `As2Message`. */
export const As2MessageShape = Type.Object({
  from: Type.String({ description: "AS2-From, without quotes" }),
  to: Type.String({ description: "AS2-To, without quotes" }),
  payload: PayloadShape,
  receipt: ReceiptRequestShape,
  security: SecurityShape,
  alternate_mics: Type.Optional(
    Type.Array(MicShape, { description: "Digests by the other readings of the standards" }),
  ),
  as2_version: Type.Optional(Type.String({ description: "AS2-Version" })),
  content_type: Type.Optional(Type.String({ description: "Outermost Content-Type" })),
  date: Type.Optional(Type.String({ description: "Date as sent" })),
  message_id: Type.Optional(Type.String({ description: "Message-ID as sent" })),
  subject: Type.Optional(Type.String({ description: "Subject as sent" })),
  user_agent: Type.Optional(Type.String({ description: "User-Agent" })),
  issues: Type.Optional(Type.Array(IssueShape, { description: "What was wrong or remarkable" })),
  layers: Type.Optional(Type.Array(LayerShape, { description: "Every wrapping, outermost first" })),
  mdn: Type.Optional(MdnRecordShape),
  mic: Type.Optional(MicShape),
}, { $id: "as2.Message" });

/** JSON shape of `IdentityInfo`. */
export const IdentityInfoShape = Type.Object({
  configured: Type.Boolean({ description: "Whether files of the user's own are configured" }),
  ready: Type.Boolean({ description: "Whether messages can be decrypted and receipts signed" }),
  source: Type.Union(SOURCES.map((word) => Type.Literal(word)), {
    description: "Where they come from",
  }),
  cert_path: Type.Optional(Type.String({ description: "File of the certificate" })),
  error: Type.Optional(Type.String({ description: "Why it is not ready" })),
  key_path: Type.Optional(Type.String({ description: "File of the key" })),
  pem: Type.Optional(Type.String({ description: "The certificate, for partners" })),
  certificate: Type.Optional(CertInfoShape),
  partner: Type.Optional(CertInfoShape),
}, { $id: "as2.IdentityInfo" });

/** A certificate, as far as people look at it. */
export interface CertInfo {
  /** Whom it names. */
  readonly subject: string;
  /** Who issued it. */
  readonly issuer: string;
  /** Hexadecimal digits, lower case. */
  readonly serial: string;
  /** SHA-256, upper-case hexadecimal with colons. */
  readonly fingerprint: string;
  /** RFC 3339. */
  readonly not_before: string;
  /** RFC 3339. */
  readonly not_after: string;
  /** Whether it names its own subject as issuer. */
  readonly self_signed: boolean;
  /** Such as RSA 2048. */
  readonly key_algorithm?: string;
}

/** Names the certificate a message was encrypted for. */
export interface RecipientInfo {
  /** Empty when the certificate is named by its key. */
  readonly issuer: string;
  /** Hexadecimal digits, or the key identifier. */
  readonly serial: string;
}

/** The business document, after every layer that opened. */
export interface Payload {
  /** In bytes, its transfer encoding undone. */
  readonly size: number;
  /** Where its bytes are; absent when the store was full. */
  readonly blob?: BlobRef;
  /** As the sender states it, parameters included. */
  readonly content_type?: string;
  /** As the sender states it; hostile text. */
  readonly filename?: string;
  /** edifact, x12, xml, json, hl7 or text, by its content. */
  readonly format?: string;
  /** Its first 1024 characters, when it is text. */
  readonly preview?: string;
  /** Content-Transfer-Encoding that was undone. */
  readonly transfer_encoding?: string;
  /** Whether a layer did not open: these are the bytes of that layer then. */
  readonly recovered: boolean;
}

/** The compression of the message. */
export interface CompressionInfo {
  /** Object identifier. */
  readonly algorithm_oid: string;
  /** before-signing, after-signing or unsigned. */
  readonly placement: string;
  /** In bytes. */
  readonly compressed_size: number;
  /** Whether it could be undone. */
  readonly decompressed: boolean;
  /** zlib, where it is that. */
  readonly algorithm?: string;
  /** Why it could not be undone. */
  readonly error?: string;
  /** In bytes. */
  readonly decompressed_size?: number;
}

/** The encryption of the message. */
export interface Encryption {
  /** Whether it could be undone. */
  readonly decrypted: boolean;
  /** Such as AES-128-CBC. */
  readonly content_algorithm?: string;
  /** Object identifier. */
  readonly content_algorithm_oid?: string;
  /** Why it could not be undone. */
  readonly error?: string;
  /** RSA or RSAES-OAEP. */
  readonly key_algorithm?: string;
  /** Object identifier. */
  readonly key_algorithm_oid?: string;
  /** For whom it is encrypted. */
  readonly recipients?: RecipientInfo[];
}

/** The signature of the message: whether it is intact, and, apart from that, whose it is. */
export interface Signature {
  /** Whether a partner certificate is configured. */
  readonly partner_configured: boolean;
  /** Whether it is by the configured partner. */
  readonly signer_matched: boolean;
  /** Whether nothing was altered since the certificate in the message signed it. */
  readonly verified: boolean;
  /** Certificates in the message. */
  readonly chain?: CertInfo[];
  /** Certificate of the signer. */
  readonly signer?: CertInfo;
  /** Digest as the MIME header names it. */
  readonly declared_micalg?: string;
  /** Digest in use. */
  readonly digest_algorithm?: string;
  /** Why it is not verified. */
  readonly error?: string;
  /** Signature format as the MIME header names it. */
  readonly protocol?: string;
  /** Such as RSA-SHA256. */
  readonly signature_algorithm?: string;
}

/** How the message was protected. */
export interface Security {
  /** Whether a layer is compression. */
  readonly compressed: boolean;
  /** Whether a layer is encryption. */
  readonly encrypted: boolean;
  /** Whether a layer is a signature. */
  readonly signed: boolean;
  /** Outermost compression. */
  readonly compression?: CompressionInfo;
  /** Outermost encryption. */
  readonly encryption?: Encryption;
  /** Outermost signature. */
  readonly signature?: Signature;
}

/** One wrapping of the document, the outermost first. */
export interface Layer {
  /** Size of its body, its transfer encoding undone. */
  readonly bytes: number;
  /** What it does. */
  readonly kind: LayerKind;
  /** Whether its inside was reached. */
  readonly opened: boolean;
  /** RSA-SHA256, zlib, or cipher and key transport: AES-128-CBC, RSA. */
  readonly algorithm?: string;
  /** As stated. */
  readonly content_type?: string;
  /** As stated. */
  readonly smime_type?: string;
}

/** Something wrong or remarkable with a message. */
export interface Issue {
  /** Such as decryption-failed. */
  readonly code: string;
  /** One sentence for people. */
  readonly detail: string;
  /** error changes the disposition. */
  readonly severity: Severity;
}

/** A message integrity check. */
export interface Mic {
  /** Digest, as the receipt spells it. */
  readonly algorithm: string;
  /** Which bytes it covers. */
  readonly coverage: MicCoverage;
  /** Base64. */
  readonly digest: string;
  /** How many bytes it covers. */
  readonly bytes: number;
  /** The rule it follows. */
  readonly note?: string;
}

/** The receipt as it was sent. */
export interface MdnRecord {
  /** Such as automatic-action/MDN-sent-automatically; processed. */
  readonly disposition: string;
  /** Of the receipt. */
  readonly message_id: string;
  /** Whether it is signed. */
  readonly signed: boolean;
  /** In bytes. */
  readonly size: number;
  /** HTTP status. */
  readonly status: number;
  /** Where its bytes are. */
  readonly blob?: BlobRef;
  /** Header fields it was sent with. */
  readonly headers?: Record<string, string[]>;
  /** What it says to people. */
  readonly human_text?: string;
  /** Digest of its signature. */
  readonly micalg?: string;
  /** Digest and algorithm it returns. */
  readonly received_content_mic?: string;
  /** The body itself, when the store was full. */
  readonly text?: string;
}

/** A captured AS2 message. */
export interface As2Message {
  /** AS2-From, without quotes. */
  readonly from: string;
  /** AS2-To, without quotes. */
  readonly to: string;
  /** The document inside. */
  readonly payload: Payload;
  /** What was asked of the receipt. */
  readonly receipt: ReceiptRequest;
  /** How it was protected. */
  readonly security: Security;
  /** Digests by the other readings of the standards. */
  readonly alternate_mics?: Mic[];
  /** AS2-Version. */
  readonly as2_version?: string;
  /** Outermost Content-Type. */
  readonly content_type?: string;
  /** Date as sent. */
  readonly date?: string;
  /** Message-ID as sent. */
  readonly message_id?: string;
  /** Subject as sent. */
  readonly subject?: string;
  /** User-Agent. */
  readonly user_agent?: string;
  /** What was wrong or remarkable. */
  readonly issues?: Issue[];
  /** Every wrapping, outermost first. */
  readonly layers?: Layer[];
  /** The receipt that was sent. */
  readonly mdn?: MdnRecord;
  /** The digest that was returned. */
  readonly mic?: Mic;
}

/** The service's own certificate and key. */
export interface IdentityInfo {
  /** Whether files of the user's own are configured. */
  readonly configured: boolean;
  /** Whether messages can be decrypted and receipts signed. */
  readonly ready: boolean;
  /** Where they come from. */
  readonly source: IdentitySource;
  /** File of the certificate. */
  readonly cert_path?: string;
  /** Why it is not ready. */
  readonly error?: string;
  /** File of the key. */
  readonly key_path?: string;
  /** The certificate, for partners. */
  readonly pem?: string;
  /** What the certificate says. */
  readonly certificate?: CertInfo;
  /** What the configured partner's certificate says. */
  readonly partner?: CertInfo;
}
