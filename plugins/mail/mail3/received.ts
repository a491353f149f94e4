/**
 * Inbound emails, as the vendor's API returns them:
 * https://resend.com/docs/api-reference/emails/retrieve-received-email
 */
import { decodeBase64, encodeBase64 } from "@std/encoding/base64";
import { StoreFullError } from "../../../core/errors.ts";
import { parseMailbox } from "../address_list.ts";
import { composeEml } from "../eml.ts";
import { addressOf, type InboundMail } from "../inbound_mail.ts";
import type { Address } from "../model.ts";
import { toTimestamp } from "./reply.ts";
import type { Collection, ReceivedAttachment, ReceivedMail } from "./resources.ts";

/** Form of inline images in the HTML of a received email. */
export type HtmlFormat = "data_uri" | "cid";

/** Maximum number of received emails; the oldest are dropped first. */
const MAX_RECEIVED = 1000;
/** Maximum number of characters of images embedded in one text. */
const MAX_INLINE = 32 * 1024 * 1024;

/** Returns an email as the vendor receives it. */
export function toReceived(
  mail: InboundMail,
  { uuid, now }: { uuid(): string; now: Date },
): ReceivedMail {
  const { from, to, subject, text, html } = mail;
  return {
    id: uuid(),
    createdAt: now,
    messageId: `<${uuid()}@standin.invalid>`,
    from,
    to,
    subject,
    text,
    html,
    attachments: mail.attachments.map(({ bytes, content_id, ...about }) => ({
      id: uuid(),
      ...about,
      content_id: content_id ?? null,
      size: bytes.length,
      content: encodeBase64(bytes),
    })),
  };
}

/**
 * Stores an email, and drops the oldest ones if there is no room. Throws `RangeError` for one that is
 * too large.
 */
export function keepReceived(mails: Collection<ReceivedMail>, mail: ReceivedMail): void {
  const oldest = mails.list().toReversed();
  for (const { id } of oldest.splice(0, oldest.length - MAX_RECEIVED + 1)) mails.remove(id);
  for (;;) {
    try {
      return mails.save(mail);
    } catch (error) {
      if (!(error instanceof StoreFullError)) throw error;
      const [first] = oldest.splice(0, 1);
      if (first === undefined) {
        throw new RangeError(`Cannot send an inbound email: ${error.message}`, { cause: error });
      }
      mails.remove(first.id);
    }
  }
}

/** Data of `email.received`: https://resend.com/docs/webhooks/emails/received */
export function toReceivedData(mail: ReceivedMail): Record<string, unknown> {
  return {
    email_id: mail.id,
    created_at: mail.createdAt.toISOString(),
    from: mail.from,
    to: [addressOf(mail.to)],
    bcc: [],
    cc: [],
    received_for: [addressOf(mail.to)],
    message_id: mail.messageId,
    subject: mail.subject,
    attachments: mail.attachments.map((attachment) => toAbout(attachment)),
  };
}

/** An entry of `GET /emails/receiving`. */
export function toReceivedEntry(mail: ReceivedMail): Record<string, unknown> {
  return {
    id: mail.id,
    to: [addressOf(mail.to)],
    from: mail.from,
    created_at: toTimestamp(mail.createdAt),
    subject: mail.subject,
    bcc: [],
    cc: [],
    reply_to: [],
    received_for: [addressOf(mail.to)],
    message_id: mail.messageId,
    attachments: mail.attachments.map((attachment) => ({
      ...toAbout(attachment),
      size: attachment.size,
    })),
  };
}

/** `GET /emails/receiving/{id}` */
export function toReceivedEmail(
  mail: ReceivedMail,
  { format, raw }: { format: HtmlFormat; raw: { download_url: string; expires_at: string } },
): Record<string, unknown> {
  const html = format === "cid" ? mail.html : withImages(mail);
  return {
    object: "email",
    ...toReceivedEntry(mail),
    html: html === "" ? null : html,
    text: mail.text === "" ? null : mail.text,
    headers: Object.fromEntries(headersOf(mail)),
    html_format: format,
    raw,
  };
}

/** An attachment with its download address. */
export function toReceivedAttachment(
  attachment: ReceivedAttachment,
  link: { download_url: string; expires_at: string },
): Record<string, unknown> {
  return { ...toAbout(attachment), size: attachment.size, ...link };
}

/** Returns the bytes of an attachment. */
export function bytesOfReceived({ content }: ReceivedAttachment): Uint8Array {
  return decodeBase64(content);
}

/** Composes the email as it would be received. */
export async function composeReceived(mail: ReceivedMail): Promise<Uint8Array> {
  return await composeEml({
    from: toAddress(mail.from),
    to: [toAddress(mail.to)],
    subject: mail.subject,
    ...(mail.text === "" ? {} : { text: mail.text }),
    ...(mail.html === "" ? {} : { html: mail.html }),
    headers: { "Message-ID": [mail.messageId] },
  }, {
    id: mail.id,
    receivedAt: mail.createdAt,
    attachments: mail.attachments.map((attachment) => ({
      about: {
        filename: attachment.filename,
        content_type: attachment.content_type,
        inline: attachment.content_id !== null,
        ...(attachment.content_id === null ? {} : { content_id: attachment.content_id }),
      },
      bytes: bytesOfReceived(attachment),
    })),
  });
}

function toAbout({ id, filename, content_type, content_id }: ReceivedAttachment) {
  return {
    id,
    filename,
    content_type,
    content_disposition: content_id === null ? "attachment" : "inline",
    content_id,
  };
}

function headersOf(mail: ReceivedMail): [name: string, value: string][] {
  return [
    ["from", mail.from],
    ["to", mail.to],
    ["subject", mail.subject],
    ["date", mail.createdAt.toUTCString().replace("GMT", "+0000")],
    ["message-id", mail.messageId],
    ["mime-version", "1.0"],
  ];
}

/** Replaces `cid:` URLs (RFC 2392) with the images, while there is room. */
function withImages({ html, attachments }: ReceivedMail): string {
  const images = new Map(attachments.map((one) => [one.content_id, one]));
  let left = MAX_INLINE;
  return html.replace(/\bcid:([^"'\s>)]+)/gi, (address, id) => {
    const image = images.get(id);
    if (image === undefined || image.content.length > left) return address;
    left -= image.content.length;
    return `data:${image.content_type};base64,${image.content}`;
  });
}

function toAddress(mailbox: string): Address {
  return parseMailbox(mailbox) ?? { email: addressOf(mailbox) };
}
