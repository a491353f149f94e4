// Made from schema.ts by `deno task docs`: change the shapes there.
import type { BlobRef } from "../../core/blobs/blob.ts";

/** A captured AS2 message. */
export interface As2Message {
  /** AS2-From, without quotes. */
  readonly from: string;
  /** AS2-To, without quotes. */
  readonly to: string;
  /** The document inside. */
  readonly payload: Payload;
  /** The receipt request. */
  readonly receipt: ReceiptRequest;
  /** How it was protected. */
  readonly security: Security;
  /** Digests by other readings of the standards. */
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
  /** Problems and peculiarities. */
  readonly issues?: Issue[];
  /** Every wrapping, outermost first. */
  readonly layers?: Layer[];
  /** The receipt as sent. */
  readonly mdn?: MdnRecord;
  /** The returned digest. */
  readonly mic?: Mic;
}

/** A certificate. */
export interface CertInfo {
  /** Subject. */
  readonly subject: string;
  /** Issuer. */
  readonly issuer: string;
  /** Hexadecimal digits, lower case. */
  readonly serial: string;
  /** SHA-256, upper-case hexadecimal with colons. */
  readonly fingerprint: string;
  /** RFC 3339. */
  readonly not_before: string;
  /** RFC 3339. */
  readonly not_after: string;
  /** Whether it is self-signed. */
  readonly self_signed: boolean;
  /** Such as RSA 2048. */
  readonly key_algorithm?: string;
}

/** The compression of the message. */
export interface CompressionInfo {
  /** Object identifier. */
  readonly algorithm_oid: string;
  /** before-signing, after-signing or unsigned. */
  readonly placement: string;
  /** In bytes. */
  readonly compressed_size: number;
  /** Whether it could be decompressed. */
  readonly decompressed: boolean;
  /** zlib, if it is. */
  readonly algorithm?: string;
  /** Why that failed. */
  readonly error?: string;
  /** In bytes. */
  readonly decompressed_size?: number;
}

/** The encryption of the message. */
export interface Encryption {
  /** Whether it could be decrypted. */
  readonly decrypted: boolean;
  /** Such as AES-128-CBC. */
  readonly content_algorithm?: string;
  /** Object identifier. */
  readonly content_algorithm_oid?: string;
  /** Why that failed. */
  readonly error?: string;
  /** RSA or RSAES-OAEP. */
  readonly key_algorithm?: string;
  /** Object identifier. */
  readonly key_algorithm_oid?: string;
  /** Certificates it is encrypted for. */
  readonly recipients?: RecipientInfo[];
}

/** The service's own certificate and key. */
export interface IdentityInfo {
  /** Whether the user's own files are configured. */
  readonly configured: boolean;
  /** Whether messages can be decrypted and receipts signed. */
  readonly ready: boolean;
  /** Their source. */
  readonly source: IdentitySource;
  /** File of the certificate. */
  readonly cert_path?: string;
  /** Why it is not ready. */
  readonly error?: string;
  /** File of the key. */
  readonly key_path?: string;
  /** The certificate, for partners. */
  readonly pem?: string;
  /** Contents of the certificate. */
  readonly certificate?: CertInfo;
  /** Contents of the configured partner's certificate. */
  readonly partner?: CertInfo;
}

/** Source of the identity. */
export type IdentitySource = "configured" | "generated" | "memory" | "none";

/** A problem or peculiarity of a message. */
export interface Issue {
  /** Such as decryption-failed. */
  readonly code: string;
  /** One sentence, for display. */
  readonly detail: string;
  /** error changes the disposition. */
  readonly severity: Severity;
}

/** One wrapping of the document, the outermost first. */
export interface Layer {
  /** Size of its body, with its transfer encoding decoded. */
  readonly bytes: number;
  /** Its kind. */
  readonly kind: LayerKind;
  /** Whether it could be opened. */
  readonly opened: boolean;
  /** RSA-SHA256, zlib, or cipher and key transport: AES-128-CBC, RSA. */
  readonly algorithm?: string;
  /** As stated. */
  readonly content_type?: string;
  /** As stated. */
  readonly smime_type?: string;
}

/** Kind of a layer. */
export type LayerKind = "signed" | "encrypted" | "compressed";

/** The receipt as sent. */
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
  /** Header fields of the receipt. */
  readonly headers?: Record<string, string[]>;
  /** Readable text. */
  readonly human_text?: string;
  /** Digest of its signature. */
  readonly micalg?: string;
  /** Digest and algorithm it returns. */
  readonly received_content_mic?: string;
  /** The body itself, when the store was full. */
  readonly text?: string;
}

/** A message integrity check. */
export interface Mic {
  /** Digest, as the receipt spells it. */
  readonly algorithm: string;
  /** Bytes that it covers. */
  readonly coverage: MicCoverage;
  /** Base64. */
  readonly digest: string;
  /** How many bytes it covers. */
  readonly bytes: number;
  /** The rule it follows. */
  readonly note?: string;
}

/** Bytes that a digest covers. */
export type MicCoverage =
  | "signed-content"
  | "decrypted-entity"
  | "decompressed-entity"
  | "content"
  | "headers-and-content";

/** The business document, after every layer that could be opened. */
export interface Payload {
  /** In bytes, with its transfer encoding decoded. */
  readonly size: number;
  /** Where its bytes are; absent when the store was full. */
  readonly blob?: BlobRef;
  /** As the sender states it, parameters included. */
  readonly content_type?: string;
  /** As the sender states it; hostile text. */
  readonly filename?: string;
  /** edifact, x12, xml, json, hl7 or text, by its content. */
  readonly format?: string;
  /** Its first 1024 characters, if it is text. */
  readonly preview?: string;
  /** Content-Transfer-Encoding that was decoded. */
  readonly transfer_encoding?: string;
  /** Whether these are the bytes of a layer that could not be opened. */
  readonly recovered: boolean;
}

/** The receipt request. */
export interface ReceiptRequest {
  /** Whether one is requested. */
  readonly requested: boolean;
  /** Whether it must be signed. */
  readonly signed_requested: boolean;
  /** Delivery address; contacted only where callbacks are on. */
  readonly async_url?: string;
  /** Disposition-Notification-To. */
  readonly notify_to?: string;
  /** Disposition-Notification-Options as sent. */
  readonly options?: string;
  /** Requested signature format. */
  readonly protocol?: string;
  /** required or optional. */
  readonly signed_importance?: string;
  /** Requested digests, as spelled. */
  readonly mic_algs?: string[];
}

/** Names the certificate a message was encrypted for. */
export interface RecipientInfo {
  /** Empty when the certificate is named by its key. */
  readonly issuer: string;
  /** Hexadecimal digits, or the key identifier. */
  readonly serial: string;
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

/** Severity of an issue. */
export type Severity = "error" | "warning" | "info";

/** The signature of the message: whether it is intact, and, separately, who signed it. */
export interface Signature {
  /** Whether a partner certificate is configured. */
  readonly partner_configured: boolean;
  /** Whether it was made by the configured partner. */
  readonly signer_matched: boolean;
  /** Whether it verifies with the certificate in the message. */
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
