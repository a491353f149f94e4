/** Shapes of the HL7 read-back API, as far as the user interface reads them. */

/** One component. */
export interface Component {
  readonly value: string;
  readonly subcomponents?: readonly string[];
}

/** One repetition of a field. */
export interface Repetition {
  readonly value: string;
  readonly components: readonly Component[];
}

/** One field. */
export interface Field {
  readonly position: number;
  readonly value: string;
  readonly repetitions?: readonly Repetition[];
}

/** One segment. */
export interface Segment {
  readonly id: string;
  readonly index: number;
  readonly occurrence: number;
  readonly fields: readonly Field[];
}

/** The characters that separate. */
export interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

/** Something wrong with a message. */
export interface Issue {
  readonly code: string;
  readonly detail: string;
  readonly severity: "error" | "warning";
}

/** The answer to a message. */
export interface Ack {
  readonly sent: boolean;
  readonly mode: "original" | "enhanced";
  readonly code?: string;
  readonly text?: string;
}

/** One message. */
export interface Hl7Message {
  readonly header: Readonly<Record<string, string>>;
  readonly separators: Separators;
  readonly segments?: readonly Segment[];
  readonly issues?: readonly Issue[];
  readonly charset?: string;
  readonly encoding: string;
  readonly size: number;
  readonly batch?: {
    readonly kind: string;
    readonly index: number;
    readonly count: number;
    readonly control_id?: string;
  };
  readonly ack: Ack;
}

/** One captured message. */
export interface Hl7View {
  readonly id: string;
  readonly provider: string;
  readonly received_at: string;
  readonly title: string;
  readonly preview?: string;
  readonly message: Hl7Message;
  readonly raw_url: string;
  readonly url?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}
