import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent, RawRecord } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { PluginState, ProviderEnv } from "../../core/plugin.ts";
import { countSegments } from "./codec/segments.ts";
import type { Segments, SmsMedia, SmsMessage } from "./model.ts";
import type { SmsDirection, SmsStatus } from "./schema.ts";

/** An attachment as it was given: bytes, which are not stored yet, or a link. */
export type DraftMedia =
  & { readonly content_type?: string; readonly filename?: string }
  & (
    | { readonly bytes: Uint8Array }
    | { readonly url: string }
  );

/** A message on its way into the log, from any provider. */
export interface SmsDraft {
  readonly to: string;
  readonly from?: string | undefined;
  readonly messaging_service?: string | undefined;
  readonly body: string;
  readonly media: readonly DraftMedia[];
  /** `queued` unless given. */
  readonly status?: SmsStatus;
  /** `outbound` unless given. */
  readonly direction?: SmsDirection;
}

/** State of the SMS plugin: the events are all it has. */
export type SmsState = PluginState;

/** What capturing needs of a provider's environment. */
export type SmsEnv = Pick<ProviderEnv<OptionSet, SmsState>, "capture" | "ctx">;

/** What goes on the event besides the message. */
export interface SmsAbout {
  readonly raw: RawRecord;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly metaFromId?: NonNullable<NewEvent["metaFromId"]>;
}

/**
 * Stores the media that came as bytes, then records the message as one `sms.message` event.
 * Rejects with `StoreFullError`, with nothing kept, when the bytes find no room.
 */
export async function captureSms(
  env: SmsEnv,
  draft: SmsDraft,
  about: SmsAbout,
): Promise<CapturedEvent<SmsMessage>> {
  const media: SmsMedia[] = [];
  const blobs: string[] = [];
  try {
    for (const item of draft.media) {
      const described = {
        ...compact({
          content_type: item.content_type || undefined,
          filename: item.filename || undefined,
        }),
      };
      if ("url" in item) {
        media.push({ ...described, url: item.url });
        continue;
      }
      const blob = await env.ctx.blobs.put(item.bytes, described);
      blobs.push(blob.id);
      media.push({ ...described, blob });
    }
  } catch (error) {
    for (const id of blobs) await env.ctx.blobs.remove(id);
    throw error;
  }
  const message = toMessage(draft, media);
  const sender = message.from ?? message.messaging_service ?? "";
  return env.capture({
    type: "sms.message",
    summary: `${sender} -> ${message.to}: ${message.body}`,
    summary_parts: {
      from: sender,
      to: [message.to],
      title: title(message),
      snippet: message.body,
    },
    meta: about.meta,
    payload: message,
    raw: about.raw,
    blobs,
    ...compact({ metaFromId: about.metaFromId }),
  });
}

function toMessage(draft: SmsDraft, media: readonly SmsMedia[]): SmsMessage {
  const from = draft.from?.trim();
  const service = draft.messaging_service?.trim();
  return {
    to: draft.to.trim(),
    ...compact({ from: from || undefined, messaging_service: service || undefined }),
    body: draft.body,
    ...(media.length > 0 ? { media: [...media] } : {}),
    status: draft.status ?? "queued",
    direction: draft.direction ?? "outbound",
    segments: toSegments(draft.body),
  };
}

/** The segments of a body; always reckoned here, never taken from a sender. */
function toSegments(body: string): Segments {
  const { ends, forcedBy, ...counted } = countSegments(body);
  return {
    ...counted,
    ...(ends.length > 0 ? { ends: [...ends] } : {}),
    // A lone surrogate cannot be written as JSON text of its own.
    ...(forcedBy === undefined ? {} : { forced_by: forcedBy.toWellFormed() }),
  };
}

function title({ media, segments: { count } }: SmsMessage): string {
  return `${media ? "MMS" : "SMS"}, ${count} ${count === 1 ? "segment" : "segments"}`;
}
