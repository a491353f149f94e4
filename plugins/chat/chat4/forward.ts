/** Methods that send messages again. */
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { ChatMessage } from "../model.ts";
import { botOf, chatIn } from "./chats.ts";
import type { Json } from "./fields.ts";
import type { Method, MethodCall } from "./methods.ts";
import { NO_TEXT, type Post, readCaption, readCommon } from "./post.ts";
import { fail } from "./refusals.ts";
import { toMessage } from "./reply.ts";
import { record } from "./send.ts";

/** Content that cannot be copied; copyMessages skips it: https://core.telegram.org/bots/api#copymessage */
const UNCOPIED = ["invoice", "paid_media"];

/**
 * https://core.telegram.org/bots/api#forwardmessage and #copymessage: messages of the bot itself
 * can be read.
 */
export const forward: Method = (call) => {
  const { params, method, env } = call;
  const chat = chatIn(params);
  const from = chatIn(params, "from_chat_id");
  const isCopy = method.startsWith("copy");
  const isMany = method.endsWith("s");
  const ids = isMany ? idsIn(call) : [params.integer("message_id")];
  const caption = params.has("caption") ? readCaption(params) : undefined;
  const common = readCommon(params);
  const passed = ids.flatMap((id) => {
    const found = env.store.messages.find(String(from.id), String(id), env.ctx);
    const last = found?.last;
    if (isCopy && UNCOPIED.includes(String(last?.meta.kind))) {
      return isMany ? [] : fail("the message can't be copied");
    }
    const { files = [], contents = [] } = last?.payload ?? {};
    for (const { blob } of files) env.ctx.blobs.retain(blob.id);
    const kept = contents.map(({ format, json }) => ({ format, json: JSON.stringify(json) }));
    const isReplaced = (format: string) => isCopy && format === "chat4.reply_markup";
    const post: Post = {
      ...common,
      ...textOf(last, `message ${id} of ${from.id}`),
      ...captionOf(call, { last, caption }),
      kind: String(last?.meta.kind ?? "text"),
      parseMode: "",
      reference: String(last?.meta.reference ?? ""),
      files: [],
      contents: [...kept.filter(({ format }) => !isReplaced(format)), ...common.contents],
    };
    const more = {
      forwarded: `${from.id}/${id}`,
      // A poll and a dice stay what they were.
      ...compact({ content: last?.meta.content, details: last?.meta.details }),
      ...(!isCopy && { forward_origin: originOf(call, found?.first) }),
    };
    return [record(call, { chat, post, files, more })];
  });
  const shown = passed.map((event) =>
    isCopy || isMany
      ? { message_id: Number(event.payload.ts) }
      : toMessage({ first: event, last: event }, { call, chat })
  );
  return isMany ? shown : shown[0];
};

function textOf(
  last: CapturedEvent<ChatMessage> | undefined,
  unknown: string,
): Pick<Post, "given" | "formatted"> {
  const { text = unknown } = last?.payload ?? {};
  const { plain = text, entities, caption_entities: others, parse_mode } = last?.meta ?? {};
  const given = entities ?? (parse_mode === undefined ? others : undefined) ?? [];
  return {
    given: text,
    formatted: { text: String(plain), entities: given as Post["formatted"]["entities"] },
  };
}

/** Returns the new caption of a copy, which may have none. */
function captionOf(
  { params, method }: MethodCall,
  { last, caption }: {
    readonly last: CapturedEvent<ChatMessage> | undefined;
    readonly caption: Pick<Post, "given" | "formatted"> | undefined;
  },
): Partial<Pick<Post, "given" | "formatted">> {
  const { kind = "text" } = last?.meta ?? {};
  if (kind === "text" || last?.meta.content !== undefined) return {};
  if (method === "copymessages" && params.flag("remove_caption")) return NO_TEXT;
  return method === "copymessage" && caption !== undefined ? caption : {};
}

/** https://core.telegram.org/bots/api#messageorigin: who sent an unknown message is not known. */
function originOf(
  { token, env }: MethodCall,
  first: CapturedEvent<ChatMessage> | undefined,
): Json {
  const time = first?.received_at ?? env.ctx.now();
  const date = Math.floor(time.getTime() / 1000);
  return first === undefined
    ? { type: "hidden_user", date, sender_user_name: "Unknown" }
    : { type: "user", date, sender_user: botOf(token) };
}

/** Ids of several messages: at most 100. */
export function idsIn({ params }: MethodCall): readonly number[] {
  const ids = params.json("message_ids", "message identifiers");
  if (ids === undefined) return fail("message identifiers are not specified");
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(Number(id)))) {
    return fail("expected an Array of message identifiers");
  }
  if (ids.length === 0) return fail("message identifiers are not specified");
  return ids.length > 100 ? fail("too many message identifiers specified") : ids.map(Number);
}
