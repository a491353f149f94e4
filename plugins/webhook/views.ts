import type { Static } from "@sinclair/typebox";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import type { WebhookRequest } from "./model.ts";
import { WebhookRequestShape } from "./schema.ts";

export const WebhookEnvelopeShape = envelopeShape("webhook.RequestEnvelope", {
  message: WebhookRequestShape,
  raw_url: Type.String({ description: "Path of the request body as received" }),
});

/** One captured request. */
export type WebhookEnvelope = Static<typeof WebhookEnvelopeShape>;

/** A captured request. */
export type WebhookEvent = CapturedEvent<WebhookRequest>;

/** Returns an event as a list or fetch shows it; `url` is the address of its page. */
export function toWebhookEnvelope(event: WebhookEvent, url: string): WebhookEnvelope {
  return toEnvelope(event, url, {
    message: event.payload,
    raw_url: `/api/v1/webhook/messages/${event.id}/raw`,
  });
}
