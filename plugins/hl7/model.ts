// Made from schema.ts by `deno task docs`: change the shapes there.

/** The answer to a message. */
export interface Ack {
  /** False if none was requested, or the peer had disconnected. */
  readonly sent: boolean;
  /** Rules that applied: enhanced when MSH-15 or MSH-16 has a value. */
  readonly mode: "original" | "enhanced";
  /** MSA-1. */
  readonly code?: AckCode;
  /** Its own MSH-10. */
  readonly control_id?: string;
  /** The acknowledgement, without its frame. */
  readonly text?: string;
}

/** A code of MSA-1 (table 0008). */
export type AckCode = "AA" | "AE" | "AR" | "CA" | "CE" | "CR";

/** Position of a message in its batch. */
export interface Batch {
  /** The innermost header around it. */
  readonly kind: "FHS" | "BHS";
  /** Place of the message in its frame, from 0. */
  readonly index: number;
  /** Messages in the frame. */
  readonly count: number;
  /** Field 11 of the batch header. */
  readonly control_id?: string;
}

/** One component. */
export interface Component {
  /** Decoded. */
  readonly value: string;
  /** Its subcomponents, if there is more than one. */
  readonly subcomponents?: string[];
}

/** One field. */
export interface Field {
  /** As the standard counts: MSH-1 is the field separator itself. */
  readonly position: number;
  /** As sent; empty when the field is. */
  readonly value: string;
  /** In order; absent when the field is empty, and for the encoding characters. */
  readonly repetitions?: Repetition[];
}

/** Fields of a header: the first component of each, decoded; absent when empty. */
export interface Header {
  /** MSH-9.1, such as `ADT`. */
  readonly code?: string;
  /** MSH-9.2, such as `A01`. */
  readonly trigger_event?: string;
  /** MSH-9.3, such as `ADT_A01`. */
  readonly structure?: string;
  /** MSH-10, or field 11 of a batch header. */
  readonly control_id?: string;
  /** MSH-11: `P` production, `T` training, `D` debugging. */
  readonly processing_id?: string;
  /** MSH-12. */
  readonly version?: string;
  /** MSH-7, as sent. */
  readonly timestamp?: string;
  /** MSH-3. */
  readonly sending_application?: string;
  /** MSH-4. */
  readonly sending_facility?: string;
  /** MSH-5. */
  readonly receiving_application?: string;
  /** MSH-6. */
  readonly receiving_facility?: string;
}

/** One message. Empty optional properties are absent. */
export interface Hl7Message {
  /** MSH; of a batch without messages, FHS or BHS. */
  readonly header: Header;
  /** The message's own. */
  readonly separators: Separators;
  /** In order. */
  readonly segments?: Segment[];
  /** Problems. */
  readonly issues?: Issue[];
  /** MSH-18 as sent. */
  readonly charset?: string;
  /** Character set the bytes were decoded with. */
  readonly encoding: string;
  /** Bytes of the frame. */
  readonly size: number;
  /** Of the first PID segment. */
  readonly patient?: { readonly id?: string; readonly name?: string };
  /** Present if it arrived in a batch or file. */
  readonly batch?: Batch;
  /** The answer. */
  readonly ack: Ack;
}

/** A problem with a message, which is stored nevertheless. */
export interface Issue {
  /** Stable word. */
  readonly code: string;
  /** One sentence, for display. */
  readonly detail: string;
  /** `error` makes the acknowledgement negative. */
  readonly severity: "error" | "warning";
}

/** One repetition of a field. */
export interface Repetition {
  /** As sent. */
  readonly value: string;
  /** In order. */
  readonly components: Component[];
}

/** One segment. */
export interface Segment {
  /** Its name, such as `PID`. */
  readonly id: string;
  /** Place in the message, from 1. */
  readonly index: number;
  /** Place among those of the same name, from 1. */
  readonly occurrence: number;
  /** In order. */
  readonly fields: Field[];
}

/** Each a single character; empty when undeclared, or when its character was already in use. */
export interface Separators {
  /** Between fields. */
  readonly field: string;
  /** Between components of a field. */
  readonly component: string;
  /** Between repetitions of a field. */
  readonly repetition: string;
  /** Around escape sequences. */
  readonly escape: string;
  /** Between subcomponents of a component. */
  readonly subcomponent: string;
}
