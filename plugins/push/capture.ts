import { toLine } from "../../core/bytes/text.ts";
import { isJsonObject } from "../../core/codec/json_lenient.ts";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent, NewEvent } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { FaultSubject, PluginState, ProviderEnv } from "../../core/plugin.ts";
import type { GoneTokens } from "./gone_tokens.ts";
import { judgePush, type PushContent } from "./derive.ts";
import type {
  PushAlert,
  PushDelivery,
  PushMessage,
  PushPayloadFormat,
  PushTarget,
} from "./model.ts";
import type { Store as Channels } from "./push2/store.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** A verbatim part of a request. */
export interface DraftPayload {
  readonly format: PushPayloadFormat;
  readonly bytes: Uint8Array;
  /** Parsed; `undefined` unless it is JSON. */
  readonly json: unknown;
}

/** JSON data for the app. */
export interface DraftData {
  /** As sent. */
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A push to capture, from any gateway. */
export interface PushDraft
  extends Pick<PushContent, "wakes" | "carries" | "unreadable" | "alertSection" | "decidedBy"> {
  readonly app: string;
  readonly pushType?: string | undefined;
  readonly target: PushTarget;
  readonly alert?: PushAlert | undefined;
  readonly data?: DraftData | undefined;
  readonly delivery: PushDelivery;
  readonly payloads: readonly DraftPayload[];
}

/** State of the push plugin, besides its events. */
export interface PushState extends PluginState {
  /** Web push subscriptions created here. */
  readonly subscriptions: Subscriptions;
  /** Channels for Live Activities. */
  readonly channels: Channels;
  /** Tokens that are no longer registered, by gateway. */
  readonly gone: { readonly push1: GoneTokens; readonly push2: GoneTokens };
}

const encoder = new TextEncoder();

/** Records a push as one `push.message` event; the snippet of its summary explains its effect. */
export function capturePush(
  env: Pick<ProviderEnv<OptionSet, PushState>, "capture">,
  draft: PushDraft,
  about: Pick<NewEvent, "raw" | "meta" | "metaFromId">,
): CapturedEvent<PushMessage> {
  const dataKeys = Object.keys(draft.data?.json ?? {}).length;
  const { kind, explain } = judgePush({ ...draft, dataKeys });
  const message = toMessage(kind, draft);
  const line = firstLine(message.alert);
  return env.capture({
    type: "push.message",
    summary: `${kind} ${draft.app} -> ${draft.target.value}${line === "" ? "" : `: ${line}`}`,
    summary_parts: {
      from: draft.app,
      to: [draft.target.value],
      title: toLine(message.alert?.title) || kind,
      snippet: explain,
    },
    payload: message,
    ...about,
  });
}

/** First line of an alert, for lists: its title or its text. */
export function firstLine(alert: PushAlert | undefined): string {
  const keys = alert?.localization;
  return toLine(alert?.title) || toLine(alert?.body) || toLine(keys?.title_key) ||
    toLine(keys?.body_key);
}

/** Returns the subject of fault rules: the push as an event holds it. */
export function toSubject(draft: PushDraft): Omit<FaultSubject, "raw"> {
  const dataKeys = Object.keys(draft.data?.json ?? {}).length;
  const { kind } = judgePush({ ...draft, dataKeys });
  return { payload: toMessage(kind, draft), summary_parts: { to: [draft.target.value] } };
}

function toMessage(kind: PushMessage["kind"], draft: PushDraft): PushMessage {
  const { app, pushType, target, alert, data, delivery, payloads } = draft;
  return {
    kind,
    ...compact({ push_type: pushType || undefined, app: app || undefined }),
    target,
    ...compact({ alert }),
    ...(data && { data: encoder.encode(data.text).toBase64(), data_json: data.json }),
    delivery,
    payloads: payloads.map(({ format, bytes, json }) => ({
      format,
      data: bytes.toBase64(),
      ...compact({ json }),
    })),
  };
}

/** Returns whether the data has `key` at its top level. */
export function hasDataKey(message: PushMessage, key: string): boolean {
  return isJsonObject(message.data_json) && Object.hasOwn(message.data_json, key);
}
