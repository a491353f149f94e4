/** Types of the AS2 tab. */
import type { CapturedView } from "../../lib/types.d.ts";
import type { As2Message } from "../../../../plugins/as2/model.ts";

export type * from "../../../../plugins/as2/model.ts";

/** One captured message. */
export interface As2View extends CapturedView<As2Message> {
  readonly title: string;
  readonly preview?: string;
  readonly raw_url: string;
  readonly mdn_url?: string;
  readonly payload_url?: string;
}

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
  /** Its place in the text: `from` its tag, `to` after its terminator. */
  readonly from: number;
  readonly to: number;
  /** Number of enclosing envelopes. */
  readonly depth: number;
  /** Whether it has a terminator. */
  readonly ended: boolean;
}

/** A parsed document. */
export interface EdiDocument {
  readonly standard: "x12" | "edifact";
  readonly separators: EdiSeparators;
  readonly segments: readonly EdiSegment[];
  /** Whether all of it was parsed. */
  readonly complete: boolean;
}
