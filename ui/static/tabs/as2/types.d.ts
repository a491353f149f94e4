/** Shapes of the AS2 read-back API, as far as the user interface reads them, and of EDI documents. */

/** The characters that separate; `release` takes the meaning from the next one. */
export interface EdiSeparators {
  readonly element: string;
  readonly component: string;
  readonly segment: string;
  readonly repetition?: string;
  readonly release?: string;
}

/** One element of a segment: its repetitions, each with its components. */
export interface EdiElement {
  /** From 1 on. */
  readonly position: number;
  /** As written. */
  readonly text: string;
  readonly repetitions: readonly (readonly string[])[];
}

/** One segment. */
export interface EdiSegment {
  readonly tag: string;
  readonly elements: readonly EdiElement[];
  /** Where it stands in the text: `from` its tag, `to` behind its terminator. */
  readonly from: number;
  readonly to: number;
  /** How many envelopes stand around it. */
  readonly depth: number;
  /** Whether its terminator is there. */
  readonly ended: boolean;
}

/** A document taken apart. */
export interface EdiDocument {
  readonly standard: "x12" | "edifact";
  readonly separators: EdiSeparators;
  readonly segments: readonly EdiSegment[];
  /** Whether all of it was read. */
  readonly complete: boolean;
}

/** A certificate. */
export interface Certificate {
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly fingerprint: string;
  readonly not_before: string;
  readonly not_after: string;
  readonly self_signed: boolean;
  readonly key_algorithm?: string;
}

/** One wrapping of the document, the outermost first. */
export interface Layer {
  readonly kind: "signed" | "encrypted" | "compressed";
  readonly bytes: number;
  readonly opened: boolean;
  readonly algorithm?: string;
  readonly content_type?: string;
  readonly smime_type?: string;
}

/** A digest. */
export interface Mic {
  readonly algorithm: string;
  readonly coverage: string;
  readonly digest: string;
  readonly bytes: number;
  readonly note?: string;
}

/** What signed the message. */
export interface Signature {
  readonly verified: boolean;
  readonly partner_configured: boolean;
  readonly signer_matched: boolean;
  readonly signer?: Certificate;
  readonly chain?: readonly Certificate[];
  readonly declared_micalg?: string;
  readonly digest_algorithm?: string;
  readonly signature_algorithm?: string;
  readonly protocol?: string;
  readonly error?: string;
}

/** How the message was encrypted. */
export interface Encryption {
  readonly decrypted: boolean;
  readonly content_algorithm?: string;
  readonly content_algorithm_oid?: string;
  readonly key_algorithm?: string;
  readonly key_algorithm_oid?: string;
  readonly recipients?: readonly { readonly issuer: string; readonly serial: string }[];
  readonly error?: string;
}

/** How the message was compressed. */
export interface Compression {
  readonly algorithm?: string;
  readonly algorithm_oid: string;
  readonly placement: string;
  readonly compressed_size: number;
  readonly decompressed_size?: number;
  readonly decompressed: boolean;
  readonly error?: string;
}

/** The receipt as sent. */
export interface Mdn {
  readonly disposition: string;
  readonly message_id: string;
  readonly signed: boolean;
  readonly size: number;
  readonly status: number;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly human_text?: string;
  readonly micalg?: string;
  readonly received_content_mic?: string;
}

/** One message. */
export interface As2Message {
  readonly from: string;
  readonly to: string;
  readonly payload: {
    readonly size: number;
    readonly content_type?: string;
    readonly filename?: string;
    readonly format?: string;
    readonly preview?: string;
    readonly transfer_encoding?: string;
    readonly recovered?: boolean;
  };
  readonly receipt: {
    readonly requested: boolean;
    readonly signed_requested: boolean;
    readonly async_url?: string;
    readonly notify_to?: string;
    readonly options?: string;
  };
  readonly security: {
    readonly signed: boolean;
    readonly encrypted: boolean;
    readonly compressed: boolean;
    readonly signature?: Signature;
    readonly encryption?: Encryption;
    readonly compression?: Compression;
  };
  readonly as2_version?: string;
  readonly content_type?: string;
  readonly date?: string;
  readonly message_id?: string;
  readonly subject?: string;
  readonly user_agent?: string;
  readonly alternate_mics?: readonly Mic[];
  readonly mic?: Mic;
  readonly mdn?: Mdn;
  readonly layers?: readonly Layer[];
  readonly issues?: readonly {
    readonly code: string;
    readonly detail: string;
    readonly severity: "error" | "warning" | "info";
  }[];
}

/** One captured message. */
export interface As2View {
  readonly id: string;
  readonly provider: string;
  readonly received_at: string;
  readonly title: string;
  readonly preview?: string;
  readonly message: As2Message;
  readonly raw_url: string;
  readonly url?: string;
  readonly mdn_url?: string;
  readonly payload_url?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The service's own certificate, and the partner's. */
export interface Identity {
  readonly configured: boolean;
  readonly ready: boolean;
  readonly source: string;
  readonly cert_path?: string;
  readonly error?: string;
  readonly pem?: string;
  readonly certificate?: Certificate;
  readonly partner?: Certificate;
}
