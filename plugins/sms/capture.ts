import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { FaultSubject, PluginState, ProviderEnv } from "../../core/plugin.ts";
import { countSegments } from "./codec/segments.ts";
import type { Segments, SmsMedia, SmsMessage } from "./model.ts";
import type { SmsDirection, SmsStatus } from "./schema.ts";

/** An attachment as sent: bytes, or a link. */
export type DraftMedia =
  & { readonly content_type?: string; readonly filename?: string }
  & ({ readonly bytes: Uint8Array } | { readonly url: string });

/** A message to capture, from any provider. */
export interface SmsDraft {
  readonly to: string;
  readonly from?: string | undefined;
  readonly messaging_service?: string | undefined;
  readonly body: string;
  readonly media: readonly DraftMedia[];
  /** By default `queued`. */
  readonly status?: SmsStatus;
  /** By default `outbound`. */
  readonly direction?: SmsDirection;
}

/** State of the SMS plugin, which is empty: everything is in the events. */
export type SmsState = PluginState;

/**
 * Stores the media received as bytes, then records the message as one `sms.message` event.
 * Rejects with `StoreFullError`, and stores nothing, if there is no room for the bytes.
 */
export async function captureSms(
  env: Pick<ProviderEnv<OptionSet, SmsState>, "capture" | "ctx">,
  draft: SmsDraft,
  about: Pick<NewEvent, "raw" | "meta" | "metaFromId">,
): Promise<CapturedEvent<SmsMessage>> {
  const media: SmsMedia[] = [];
  const blobs: string[] = [];
  try {
    for (const item of draft.media) {
      const described = compact({
        content_type: item.content_type || undefined,
        filename: item.filename || undefined,
      });
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
    payload: message,
    blobs,
    ...about,
  });
}

/** Returns the subject of fault rules: a message before its capture, without its media. */
export function toFaultSubject(draft: SmsDraft): Omit<FaultSubject, "raw"> {
  return { payload: toMessage(draft, []), summary_parts: { to: [draft.to] } };
}

/** Returns the message in the form of an event. */
function toMessage(draft: SmsDraft, media: readonly SmsMedia[]): SmsMessage {
  return {
    to: draft.to.trim(),
    ...compact({
      from: draft.from?.trim() || undefined,
      messaging_service: draft.messaging_service?.trim() || undefined,
    }),
    body: draft.body,
    ...(media.length > 0 ? { media: [...media] } : {}),
    status: draft.status ?? "queued",
    direction: draft.direction ?? "outbound",
    segments: toSegments(draft.body),
  };
}

/** Counted here, never taken from a sender. */
function toSegments(body: string): Segments {
  const { ends, forcedBy, ...counted } = countSegments(body);
  return {
    ...counted,
    ...(ends.length > 0 ? { ends: [...ends] } : {}),
    // JSON cannot express a lone surrogate.
    ...compact({ forced_by: forcedBy?.toWellFormed() }),
  };
}

function title({ media, segments: { count } }: SmsMessage): string {
  return `${media ? "MMS" : "SMS"}, ${count} ${count === 1 ? "segment" : "segments"}`;
}
