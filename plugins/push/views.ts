/** How captured pushes read in the API. */
import { type Static, Type } from "@sinclair/typebox";
import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, toEnvelope } from "../../core/http/messages.ts";
import { firstLine, hasDataKey, toLine } from "./capture.ts";
import { type PushMessage, PushMessageShape } from "./model.ts";

/** One captured push, with the verdict. */
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

/** An event as a list or fetch shows it; `url` is the address of its page. */
export function toPushEnvelope(event: PushEvent, url: string): PushEnvelope {
  const message = event.payload;
  const preview = toLine(message.alert?.body);
  return toEnvelope(event, url, {
    title: firstLine(message.alert) || message.kind,
    ...(preview === "" ? {} : { preview }),
    displays: displays(message),
    explain: event.summary_parts.snippet ?? "",
    message,
    raw_url: `/api/v1/push/messages/${event.id}/raw`,
  });
}

/** Words by which `kind` can be asked for. */
export const KIND_WORDS = ["notification", "silent", "empty", "alert", "background"] as const;
/** Words by which `target_kind` can be asked for. */
export const TARGET_WORDS = ["device", "topic", "condition", "token", "fid"] as const;

/** Other words for kinds and target kinds. */
const ALIASES: Readonly<Record<string, string>> = {
  alert: "notification",
  background: "silent",
  token: "device",
  fid: "device",
};

/** Conditions of the message list; all given ones must hold. */
export interface PushFilter {
  readonly displays?: boolean | undefined;
  readonly kind?: typeof KIND_WORDS[number] | undefined;
  readonly target_kind?: typeof TARGET_WORDS[number] | undefined;
  readonly target?: string | undefined;
  readonly app?: string | undefined;
  readonly push_type?: string | undefined;
  readonly priority?: string | undefined;
  readonly data_key?: string | undefined;
}

/** Whether a push meets the conditions. */
export function matchesPush(message: PushMessage, filter: PushFilter): boolean {
  const { kind, target_kind, target, app, push_type, priority, data_key } = filter;
  return (filter.displays === undefined || filter.displays === displays(message)) &&
    (kind === undefined || message.kind === (ALIASES[kind] ?? kind)) &&
    (target_kind === undefined || message.target.kind === (ALIASES[target_kind] ?? target_kind)) &&
    (target === undefined ||
      message.target.value.toLowerCase().includes(target.toLowerCase())) &&
    (app === undefined || message.app === app) &&
    (push_type === undefined || message.push_type === push_type) &&
    (priority === undefined || hasPriority(message, priority)) &&
    (data_key === undefined || hasDataKey(message, data_key));
}

function hasPriority({ delivery }: PushMessage, wanted: string): boolean {
  return delivery.priority === wanted.toLowerCase() || delivery.priority_raw === wanted;
}

function displays(message: PushMessage): boolean {
  return message.kind === "notification";
}
