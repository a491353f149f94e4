/** Internet messages (RFC 5322, MIME) as mail of the canonical kind. */
import type { Steps } from "../../core/bytes/steps.ts";
import type { Mailbox } from "../../core/codec/mime/address.ts";
import { decodeMessage, type MimeAttachment } from "../../core/codec/mime/message.ts";
import { compact } from "../../core/compact.ts";
import type { HeaderPairs } from "../../core/events/event.ts";
import { toAddress } from "./address_list.ts";
import type { DraftAttachment, MailDraft } from "./capture.ts";
import type { Address } from "./model.ts";

/** The SMTP envelope of a message. */
export interface MailEnvelope {
  /** Empty for the null reverse-path. */
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
}

/** A message to capture, with its warnings. */
export interface MimeDraft {
  readonly draft: MailDraft;
  /** Header block as sent: encoded words are not decoded. */
  readonly headers: HeaderPairs;
  /** One sentence per malformed part. */
  readonly warnings: readonly string[];
}

/**
 * Reads a message; never fails. Without a From field the sender comes from the envelope. Envelope recipients that no
 * To, Cc or Bcc field names go to `bcc`: that is how a blind copy arrives.
 */
export function* draftFromMime(bytes: Uint8Array, envelope: MailEnvelope): Steps<MimeDraft> {
  const message = yield* decodeMessage(bytes);
  const [from] = message.from;
  const named = [...message.to, ...message.cc, ...message.bcc];
  const draft: MailDraft = {
    from: from === undefined ? toAddress(envelope.mailFrom) : fromMailbox(from),
    to: message.to.map(fromMailbox),
    cc: message.cc.map(fromMailbox),
    bcc: [...message.bcc.map(fromMailbox), ...blindRecipients(envelope.rcptTo, named)],
    reply_to: message.replyTo.map(fromMailbox),
    subject: message.subject,
    text: message.text,
    html: message.html,
    headers: message.headers,
    attachments: message.attachments.map(toDraftAttachment),
  };
  return {
    draft,
    headers: message.header.fields.map(({ name, value }) => [name, value]),
    warnings: message.warnings,
  };
}

function blindRecipients(rcptTo: readonly string[], named: readonly Mailbox[]): Address[] {
  const known = new Set(named.map(({ email }) => email.toLowerCase()));
  const blind: Address[] = [];
  for (const email of rcptTo) {
    const key = email.toLowerCase();
    if (known.has(key)) continue;
    known.add(key);
    blind.push({ email });
  }
  return blind;
}

function fromMailbox({ email, name }: Mailbox): Address {
  return toAddress(email, name);
}

function toDraftAttachment(part: MimeAttachment): DraftAttachment {
  return {
    bytes: part.bytes,
    inline: part.inline,
    content_type: part.contentType,
    ...compact({ filename: part.filename, content_id: part.contentId }),
  };
}
