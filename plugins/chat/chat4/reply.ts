import { vendorJson } from "../../../core/http/reply.ts";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { ChatFile, ChatMessage } from "../model.ts";
import { botOf, type Chat } from "./chats.ts";
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

/**
 * Returns a message, built from its events: https://core.telegram.org/bots/api#message. `last` has
 * its current content.
 */
export function toMessage(
  { first, last }: {
    readonly first: CapturedEvent<ChatMessage>;
    readonly last: CapturedEvent<ChatMessage>;
  },
  { token, chat }: { readonly token: string; readonly chat: Chat },
): Record<string, unknown> {
  const { ts, thread_ts } = first.payload;
  const { kind, plain, entities, content } = last.meta;
  const isText = kind === "text";
  const markup = last.payload.contents?.find(({ format }) => format === "chat4.reply_markup")?.json;
  const isInline = typeof markup === "object" && markup !== null && "inline_keyboard" in markup;
  const date = secondsOf(first);
  const { message_thread_id, media_group_id } = first.meta;
  const hasEntities = Array.isArray(entities) && entities.length > 0;
  return {
    message_id: Number(ts),
    from: botOf(token),
    chat,
    date,
    ...(last !== first && { edit_date: secondsOf(last) }),
    ...compact({ message_thread_id, media_group_id }),
    ...(thread_ts !== undefined && {
      reply_to_message: { message_id: Number(thread_ts), date: 0, chat },
    }),
    ...(isText ? { text: plain } : { [String(kind)]: content ?? mediaOf(last, String(kind)) }),
    ...(!isText && typeof plain === "string" && plain !== "" && { caption: plain }),
    ...(hasEntities && { [isText ? "entities" : "caption_entities"]: entities }),
    ...(isInline && { reply_markup: markup }),
  };
}

function secondsOf({ received_at }: CapturedEvent): number {
  return Math.floor(received_at.getTime() / 1000);
}

/** Returns the file of a message, or the one that a reference names. */
function mediaOf({ payload: { files = [] }, meta }: CapturedEvent<ChatMessage>, kind: string) {
  const [file] = files;
  const about = file === undefined ? toReference(String(meta.reference ?? "")) : toFile(file);
  switch (kind) {
    case "photo":
      return [{ ...about, ...SIZE }];
    case "video":
    case "animation":
      return { ...about, ...SIZE, duration: 0 };
    case "video_note":
      return { ...about, length: SIZE.width, duration: 0 };
    case "audio":
    case "voice":
      return { ...about, duration: 0 };
    case "sticker":
      return { ...about, ...SIZE, type: "regular", is_animated: false, is_video: false };
    default:
      return about;
  }
}

/** Pictures are not decoded, so any size will do. */
const SIZE = { width: 512, height: 512 };

/** https://core.telegram.org/bots/api#document */
export function toFile({ blob, size, filename, content_type }: ChatFile): Record<string, unknown> {
  return {
    file_id: blob.id,
    file_unique_id: blob.id.slice(0, 16),
    file_size: size,
    ...compact({ file_name: filename, mime_type: content_type || undefined }),
  };
}

function toReference(reference: string): Record<string, unknown> {
  return { file_id: reference, file_unique_id: reference.slice(-16) };
}
