/** Composes Internet messages (RFC 5322, MIME) of emails received through an HTTP API. */
import { Buffer } from "node:buffer";
import { compact } from "../../core/compact.ts";
import { toMediaType } from "../../core/http/media_type.ts";
import type { Address, Attachment, MailMessage } from "./model.ts";

/** Fields that the composer writes from properties of the message. */
const COMPOSED = new Set([
  "from",
  "to",
  "cc",
  "bcc",
  "reply-to",
  "subject",
  "date",
  "message-id",
  "mime-version",
]);
/** RFC 5322 section 2.2: printable ASCII except the colon. */
const FIELD_NAME = /^[!-9;-~]+$/;

/** Parts that the message itself lacks. */
export interface EmlAbout {
  /** Event id: determines the Message-ID and the boundaries, so that equal calls return equal bytes. */
  readonly id: string;
  /** Used when the message has no Date field. */
  readonly receivedAt: Date;
  readonly attachments: readonly EmlAttachment[];
}

/** An attachment with its bytes. */
export interface EmlAttachment {
  readonly about: Omit<Attachment, "blob" | "size">;
  readonly bytes: Uint8Array;
}

/**
 * Composes the message, Bcc included. Leaves out content fields of the sender and fields whose name RFC 5322 cannot
 * express; the event keeps them.
 */
export async function composeEml(mail: MailMessage, about: EmlAbout): Promise<Uint8Array> {
  const fields = Object.entries(mail.headers ?? {});
  const own = (name: string) => fields.find(([key]) => key.toLowerCase() === name)?.[1][0];
  // Loaded on first use, because it pulls in much of Node's standard library.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const message = new MailComposer({
    from: toMailbox(mail.from),
    to: mail.to?.map(toMailbox),
    cc: mail.cc?.map(toMailbox),
    bcc: mail.bcc?.map(toMailbox),
    replyTo: mail.reply_to?.map(toMailbox),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: own("message-id") ?? `<${about.id}@standin.invalid>`,
    date: own("date") ?? about.receivedAt,
    headers: fields.filter(([name]) => isOther(name)).flatMap(([key, values]) =>
      values.map((value) => ({ key, value }))
    ),
    attachments: about.attachments.map(toPart),
    baseBoundary: about.id,
    newline: "\r\n",
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  message.keepBcc = true;
  return await message.build();
}

function isOther(name: string): boolean {
  const lower = name.toLowerCase();
  return FIELD_NAME.test(name) && !COMPOSED.has(lower) && !lower.startsWith("content-");
}

function toMailbox({ email, name }: Address): { name: string; address: string } {
  return { name: name ?? "", address: email };
}

function toPart({ about, bytes }: EmlAttachment) {
  return {
    filename: about.filename ?? false as const,
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    contentType: toMediaType(about.content_type),
    contentDisposition: about.inline ? "inline" as const : "attachment" as const,
    ...compact({ cid: about.content_id || undefined }),
  };
}
