import type { Static } from "@sinclair/typebox";
import { toLine } from "../../core/bytes/text.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import { firstLine } from "./capture.ts";
import type { PushMessage } from "./model.ts";
import { PushMessageShape } from "./schema.ts";

export const PushEnvelopeShape = envelopeShape("push.MessageEnvelope", {
  title: Type.String({ description: "Title or text of the alert, or the kind of the push" }),
  preview: Type.Optional(Type.String({ description: "Beginning of the alert's text" })),
  displays: Type.Boolean({ description: "Whether a device would show or play anything" }),
  explain: Type.String({ description: "Why" }),
  message: PushMessageShape,
  raw_url: Type.String({ description: "Path of the request body as received" }),
});

/** One captured push. */
export type PushEnvelope = Static<typeof PushEnvelopeShape>;

/** A captured push. */
export type PushEvent = CapturedEvent<PushMessage>;

/** Returns an event as a list or fetch shows it; `url` is the address of its page. */
export function toPushEnvelope(event: PushEvent, url: string): PushEnvelope {
  const message = event.payload;
  const preview = toLine(message.alert?.body);
  return toEnvelope(event, url, {
    title: firstLine(message.alert) || message.kind,
    ...compact({ preview: preview || undefined }),
    displays: isShown(message),
    explain: event.summary_parts.snippet ?? "",
    message,
    raw_url: `/api/v1/push/messages/${event.id}/raw`,
  });
}

/** Returns whether a device would show or play anything. */
export function isShown(message: PushMessage): boolean {
  return message.kind === "notification";
}
