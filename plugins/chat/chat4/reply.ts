import { vendorJson } from "../../../core/http/reply.ts";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { Entry } from "../ledger.ts";
import type { ChatMessage } from "../model.ts";
import { botOf, type Chat } from "./chats.ts";
import type { Json } from "./fields.ts";
import type { MethodCall } from "./methods.ts";
import { toFileObject } from "./objects.ts";
import type { VendorRefusal } from "./refusals.ts";

/** Response with a result: https://core.telegram.org/bots/api#making-requests */
export function answer(result: unknown): Response {
  return vendorJson({ ok: true, result });
}

/** Returns a refusal. */
export function refuse({ status, description, retryAfter }: VendorRefusal): Response {
  const response = vendorJson({
    ok: false,
    error_code: status,
    description,
    ...(retryAfter !== undefined && { parameters: { retry_after: retryAfter } }),
  }, { status });
  if (retryAfter !== undefined) response.headers.set("retry-after", String(retryAfter));
  return response;
}

/** Returns a message, with the one that it replies to: https://core.telegram.org/bots/api#message */
export function toMessage(
  entry: Entry,
  from: { readonly call: MethodCall; readonly chat: Chat },
): Json {
  const { call: { env, token }, chat } = from;
  const { channel, thread_ts } = entry.first.payload;
  const message = withoutReply(entry, { token, chat });
  if (thread_ts === undefined) return message;
  const original = env.store.messages.find(channel.id, thread_ts, env.ctx);
  return {
    ...message,
    reply_to_message: original === undefined
      // Of somebody else: https://core.telegram.org/bots/api#inaccessiblemessage
      ? { message_id: Number(thread_ts), date: 0, chat }
      : withoutReply(original, { token, chat }),
  };
}

/** Returns a message, built from its events; the last one has its current content. */
function withoutReply(
  { first, last }: Entry,
  { token, chat }: { readonly token: string; readonly chat: Chat },
): Json {
  const { ts } = first.payload;
  const { plain } = last.meta;
  const kind = String(last.meta.kind);
  const isText = kind === "text";
  const markup = last.payload.contents?.find(({ format }) => format === "chat4.reply_markup")?.json;
  const isInline = typeof markup === "object" && markup !== null && "inline_keyboard" in markup;
  const date = secondsOf(first);
  const entities = entitiesOf(last);
  return {
    message_id: Number(ts),
    from: botOf(token),
    chat,
    date,
    ...(last !== first && { edit_date: secondsOf(last) }),
    ...settingsOf(first.meta),
    ...(isText ? { text: plain } : contentOf(kind, last)),
    ...(!isText && typeof plain === "string" && plain !== "" && { caption: plain }),
    ...(entities.length > 0 && { [isText ? "entities" : "caption_entities"]: entities }),
    ...(isInline && { reply_markup: markup }),
  };
}

function secondsOf({ received_at }: CapturedEvent): number {
  return Math.floor(received_at.getTime() / 1000);
}

/** Returns the entities of the parse mode, or those that were given instead of one. */
function entitiesOf({ meta }: CapturedEvent<ChatMessage>): readonly unknown[] {
  const given = meta.parse_mode === undefined ? meta.caption_entities : undefined;
  const entities = meta.entities ?? given;
  return Array.isArray(entities) ? entities : [];
}

/** Members of a message that repeat parameters of the call. */
function settingsOf(meta: Json): Json {
  const { message_thread_id, media_group_id, business_connection_id, forward_origin } = meta;
  return {
    ...compact({ message_thread_id, media_group_id, business_connection_id, forward_origin }),
    ...compact({
      link_preview_options: meta.link_preview_options,
      effect_id: meta.message_effect_id,
    }),
    ...(meta.protect_content === true && { has_protected_content: true }),
    ...(meta.has_spoiler === true && { has_media_spoiler: true }),
    ...(meta.show_caption_above_media === true && { show_caption_above_media: true }),
  };
}

/** Members that a message has besides its content, for older clients: https://core.telegram.org/bots/api#message */
const ALSO: Readonly<Record<string, (content: unknown) => Json>> = {
  animation: (content) => {
    const { file_id, file_unique_id, file_name, mime_type, file_size } = content as Json;
    return {
      document: {
        file_id,
        file_unique_id,
        ...compact({ file_name, mime_type, file_size }),
      },
    };
  },
  live_photo: (content) => ({ photo: (content as Json).photo }),
  venue: (content) => ({ location: (content as Json).location }),
};

/** Returns the content of a message under its kind. */
function contentOf(
  kind: string,
  { payload: { files = [] }, meta }: CapturedEvent<ChatMessage>,
): Json {
  const { reference = "", details } = meta;
  const content = meta.content ?? toFileObject(kind, {
    file: files[0],
    reference: String(reference),
    details: details as Json | undefined,
  });
  return { [kind]: content, ...ALSO[kind]?.(content) };
}
