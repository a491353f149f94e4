import { toBytes } from "@std/streams/to-bytes";
import type { BlobStore, CheckContext } from "../../../../core/plugin.ts";
import type { MailState } from "../../state.ts";
import type { MailEvent } from "../../views.ts";
import { MAX_MESSAGE, type Scan } from "./scanner.ts";

/** A scan, or why there was none. */
export type SpamOpinion = Scan | { readonly unasked: string };

/** Scans an email with SpamAssassin; `undefined` without the setting. */
export async function askSpam(
  event: MailEvent,
  ctx: CheckContext,
): Promise<SpamOpinion | undefined> {
  const { scanner } = (ctx.state ?? {}) as Partial<MailState>;
  if (ctx.values.spamassassin === undefined || scanner === undefined) return undefined;
  const message = await messageOf(event, ctx.blobs);
  if (typeof message === "string") return { unasked: message };
  return await scanner.scan(message, ctx);
}

/**
 * Returns the message as sent, or composed from the request of an HTTP API; otherwise the reason
 * for its absence.
 */
async function messageOf(
  { id, payload, raw, received_at }: MailEvent,
  blobs: BlobStore,
): Promise<Uint8Array | string> {
  const tooLarge = `the message is larger than ${MAX_MESSAGE} bytes`;
  const size = (payload.attachments ?? []).reduce((sum, one) => sum + one.size, 0);
  if (Math.max(raw.transport === "smtp" ? raw.body.length : 0, size) > MAX_MESSAGE) return tooLarge;
  if (raw.transport === "smtp") return raw.body;
  const attachments = [];
  for (const about of payload.attachments ?? []) {
    const opened = await blobs.open(about.blob.id);
    if (opened === undefined) return "the bytes of an attachment were deleted";
    attachments.push({ about, bytes: await toBytes(opened.body) });
  }
  // Loaded on first use: the composer takes much memory.
  const { composeEml } = await import("../../eml.ts");
  const { bcc: _, ...mail } = payload;
  const message = await composeEml(mail, { id, receivedAt: received_at, attachments });
  return message.length > MAX_MESSAGE ? tooLarge : message;
}
