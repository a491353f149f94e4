import type { Static } from "@sinclair/typebox";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { Type } from "../../core/shape_type.ts";
import type { MailMessage } from "./model.ts";
import { MailMessageShape } from "./schema.ts";

/** Paths of a message and its parts on this server. */
export const MessageLinksShape = Type.Object({
  self: Type.String(),
  raw: Type.String(),
  html: Type.Optional(Type.String({ description: "Absent without an HTML body" })),
  text: Type.Optional(Type.String({ description: "Absent without a text body" })),
  attachments: Type.Optional(Type.Array(Type.String())),
}, { $id: "mail.MessageLinks" });

export const MessageViewShape = envelopeShape("mail.MessageView", {
  size: Type.Integer({ description: "Bytes of the request or message as received" }),
  message: MailMessageShape,
  links: MessageLinksShape,
});

/** One captured message with its links. */
export type MessageView = Static<typeof MessageViewShape>;

/** A captured message. */
export type MailEvent = CapturedEvent<MailMessage>;

/** Returns an event as a list or fetch shows it; `url` is the address of its page. */
export function toMessageView(event: MailEvent, url: string): MessageView {
  return toEnvelope(event, url, {
    size: event.raw.body.length,
    message: event.payload,
    links: toLinks(event),
  });
}

/** For long lists: sender, recipients, subject and attachments. */
export function withoutBody(view: MessageView): MessageView {
  const { text: _text, html: _html, headers: _headers, ...message } = view.message;
  return { ...view, message };
}

function toLinks({ id, payload }: MailEvent): MessageView["links"] {
  const self = `/api/v1/mail/messages/${id}`;
  return {
    self,
    raw: `${self}/raw`,
    ...(payload.html && { html: `${self}/html` }),
    ...(payload.text && { text: `${self}/text` }),
    ...compact({
      attachments: payload.attachments?.map((_, index) => `${self}/attachments/${index}`),
    }),
  };
}
