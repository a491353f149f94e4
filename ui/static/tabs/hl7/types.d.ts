/** Types of the HL7 tab. */
import type { CapturedView } from "../../lib/types.d.ts";
import type { Hl7Message } from "../../../../plugins/hl7/model.ts";

export type * from "../../../../plugins/hl7/model.ts";

/** One captured message. */
export interface Hl7View extends CapturedView<Hl7Message> {
  readonly title: string;
  readonly preview?: string;
  readonly raw_url: string;
}
