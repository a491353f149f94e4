/** Types of the webhook tab. */
import type { CapturedView } from "../../lib/types.d.ts";
import type { WebhookRequest } from "../../../../plugins/webhook/model.ts";

export type * from "../../../../plugins/webhook/model.ts";

/** One captured request. */
export interface WebhookView extends CapturedView<WebhookRequest> {
  readonly raw_url: string;
}
