/** Types of the push tab. */
import type { CapturedView } from "../../lib/types.d.ts";
import type { PushMessage } from "../../../../plugins/push/model.ts";

export type * from "../../../../plugins/push/model.ts";

/** One captured push. */
export interface PushView extends CapturedView<PushMessage> {
  readonly title: string;
  readonly preview?: string;
  readonly displays: boolean;
  readonly explain: string;
  readonly raw_url: string;
}

/** A phone that a card is drawn for. */
export type Platform = "ios" | "android";
