import type { BlobRef } from "../../core/blobs/blob.ts";
import { toLine } from "../../core/bytes/text.ts";
import { compact } from "../../core/compact.ts";
import { StoreFullError } from "../../core/errors.ts";
import type { CapturedEvent, NewEvent, RawRecord } from "../../core/events/event.ts";
import { toHeaderMap } from "../../core/events/view.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { ProviderEnv } from "../../core/plugin.ts";
import type { Address, Attachment, MailMessage } from "./model.ts";
import type { MailState } from "./state.ts";

/** An attachment before its bytes are stored. */
export interface DraftAttachment {
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly content_type?: string;
  readonly inline: boolean;
  /** Without angle brackets. */
  readonly content_id?: string;
}

/** A message to capture, from any provider. */
export interface MailDraft {
  readonly from: Address;
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly reply_to: readonly Address[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** In the order received; equal names may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly attachments: readonly DraftAttachment[];
}

export { MailState } from "./state.ts";

/** The part of a provider's environment that capturing needs. */
export type MailEnv = Pick<ProviderEnv<OptionSet, MailState>, "capture" | "ctx">;

/** Blobs of the attachments that messages of one request share. */
export type StoredAttachments = Map<DraftAttachment, BlobRef>;

/** Parts of the event besides the message. */
export interface MailAbout {
  readonly raw: RawRecord;
  readonly meta: Readonly<Record<string, unknown>>;
  /**
   * When the blob store is full, `"reject"` throws `StoreFullError` and stores nothing; `"drop"` captures the message
   * without that attachment, with a warning in `meta.parse_warnings`.
   */
  readonly whenFull: "reject" | "drop";
  /**
   * Attachments stored for messages of the same request, this one's included: a draft attachment that they share is
   * stored once.
   */
  readonly stored?: StoredAttachments;
  /** As in `NewEvent`. */
  readonly metaFromId?: (id: string) => Readonly<Record<string, unknown>>;
}

/** Stores the attachments, then records the message as one `mail.message` event. */
export async function captureMail(
  env: MailEnv,
  draft: MailDraft,
  about: MailAbout,
): Promise<CapturedEvent<MailMessage>> {
  if (draft.attachments.length === 0) return recordMail(env, draft, about);
  return recordMail(env, draft, about, await storeAttachments(env, draft, about));
}

/** Records a message without attachments, or with stored ones. */
export function recordMail(
  env: MailEnv,
  draft: MailDraft,
  about: MailAbout,
  { attachments, warnings }: Stored = NOTHING_STORED,
): CapturedEvent<MailMessage> {
  const to = recipientsOf(draft);
  const event: { -readonly [K in keyof NewEvent]: NewEvent<MailMessage>[K] } = {
    type: "mail.message",
    summary: `${draft.from.email} -> ${to.length === 1 ? to[0] : to.join(", ")}: ${draft.subject}`,
    summary_parts: {
      from: formatAddress(draft.from),
      to,
      title: draft.subject,
      snippet: snippet(draft),
    },
    meta: withWarnings(about.meta, warnings),
    payload: toMessage(draft, attachments),
    raw: about.raw,
    blobs: attachments.length === 0 ? NO_BLOBS : attachments.map(({ blob }) => blob.id),
  };
  if (about.metaFromId !== undefined) event.metaFromId = about.metaFromId;
  return env.capture(event);
}

const NO_BLOBS: readonly string[] = [];

/** Recipients of a message, copies included. */
export function recipientsOf({ to, cc, bcc }: MailDraft): string[] {
  const emails = to.map(({ email }) => email);
  for (const { email } of cc) emails.push(email);
  for (const { email } of bcc) emails.push(email);
  return emails;
}

/** Attachments of a message after storing. */
interface Stored {
  readonly attachments: Attachment[];
  /** One per attachment that was not stored. */
  readonly warnings: readonly string[];
}

const NOTHING_STORED: Stored = { attachments: [], warnings: [] };

async function storeAttachments(
  env: MailEnv,
  draft: MailDraft,
  about: MailAbout,
): Promise<Stored> {
  const attachments: Attachment[] = [];
  const warnings: string[] = [];
  const { blobs } = env.ctx;
  const shared = new Set<string>();
  for (const item of draft.attachments) {
    let blob: BlobRef;
    try {
      const known = about.stored?.get(item);
      if (known !== undefined && blobs.get(known.id) !== undefined) {
        blobs.retain(known.id);
        shared.add(known.id);
        blob = known;
      } else {
        blob = await blobs.put(item.bytes, describe(item));
        about.stored?.set(item, blob);
      }
    } catch (error) {
      if (error instanceof StoreFullError && about.whenFull === "drop") {
        warnings.push(
          `attachment ${item.filename ?? attachments.length} was not stored: ${error.message}`,
        );
        continue;
      }
      for (const { blob } of attachments) {
        if (shared.has(blob.id)) blobs.release(blob.id);
        else await blobs.remove(blob.id);
      }
      throw error;
    }
    attachments.push({
      blob,
      size: item.bytes.length,
      inline: item.inline,
      ...describe(item),
      ...compact({ content_id: item.content_id || undefined }),
    });
  }
  return { attachments, warnings };
}

/** `Name <address>`, or the bare address. */
export function formatAddress(address: Address): string {
  return address.name ? `${address.name} <${address.email}>` : address.email;
}

function describe(item: DraftAttachment): { filename?: string; content_type?: string } {
  return compact({
    filename: item.filename || undefined,
    content_type: item.content_type || undefined,
  });
}

/** Returns the message in the form of an event. */
export function toMessage(draft: MailDraft, attachments: Attachment[]): MailMessage {
  // Built up property by property, like everything an event keeps: docs/decisions/0019.
  const message = {} as { -readonly [K in keyof MailMessage]: MailMessage[K] };
  message.from = draft.from;
  if (draft.to.length > 0) message.to = [...draft.to];
  if (draft.cc.length > 0) message.cc = [...draft.cc];
  if (draft.bcc.length > 0) message.bcc = [...draft.bcc];
  if (draft.reply_to.length > 0) message.reply_to = [...draft.reply_to];
  if (draft.subject !== "") message.subject = draft.subject;
  if (draft.text !== "") message.text = draft.text;
  if (draft.html !== "") message.html = draft.html;
  if (draft.headers.length > 0) message.headers = toHeaderMap(draft.headers);
  if (attachments.length > 0) message.attachments = attachments;
  return message;
}

function snippet({ text, html }: MailDraft): string {
  if (text !== "") return toLine(text);
  return toLine(withoutTags(html.slice(0, 20_000)).replace(/&nbsp;/g, " "));
}

/** Elements with invisible text, with their end tags. */
const UNSEEN = /^(style|script|head)\b/i;
const END: Readonly<Record<string, RegExp>> = {
  style: /<\/style\s*>/gi,
  script: /<\/script\s*>/gi,
  head: /<\/head\s*>/gi,
};

/** Removes tags. No part is searched twice, because senders choose how many tags stay open. */
function withoutTags(html: string): string {
  let text = "";
  let at = 0;
  const unended = new Set<string>();
  while (at < html.length) {
    const begin = html.indexOf("<", at);
    const close = begin < 0 ? -1 : html.indexOf(">", begin);
    if (close < 0) break;
    text += `${html.slice(at, begin)} `;
    at = close + 1;
    const name = UNSEEN.exec(html.slice(begin + 1, begin + 9))?.[1]?.toLowerCase();
    if (name === undefined || unended.has(name)) continue;
    const end = END[name]!;
    end.lastIndex = begin;
    if (end.test(html)) at = end.lastIndex;
    else unended.add(name);
  }
  return text + html.slice(at);
}

function withWarnings(
  meta: Readonly<Record<string, unknown>>,
  warnings: readonly string[],
): Readonly<Record<string, unknown>> {
  if (warnings.length === 0) return meta;
  const earlier = Array.isArray(meta.parse_warnings) ? meta.parse_warnings : [];
  return { ...meta, parse_warnings: [...earlier, ...warnings] };
}
