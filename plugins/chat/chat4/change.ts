/**
 * Methods that change messages. A captured message never changes: each change is a separate event,
 * and only the vendor's responses reflect it (Decision 0008).
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import { captureChat, type DraftContent } from "../capture.ts";
import type { Entry } from "../ledger.ts";
import type { ChatChange, ChatFile, ChatMessage } from "../model.ts";
import { botOf, chatIn } from "./chats.ts";
import { captureCall } from "./fetch.ts";
import { idsIn } from "./forward.ts";
import { type Method, type MethodCall, notesOf } from "./methods.ts";
import { fail } from "./refusals.ts";

/** Returns the message that a call names, which must be the bot's own. `what` as in "message to edit". */
export function entryIn({ params, env }: MethodCall, what: string): Entry {
  if (params.text("inline_message_id") !== "") return fail("MESSAGE_ID_INVALID");
  const chat = chatIn(params);
  const id = params.integer("message_id");
  if (id === 0) return fail("message identifier is not specified");
  return env.store.messages.find(String(chat.id), String(id), env.ctx) ??
    fail(`${what} not found`);
}

/** https://core.telegram.org/bots/api#deletemessage */
export const deleteMessage: Method = (call) => {
  const { first, last } = entryIn(call, "message to delete");
  recordChange(call, first, { kind: "deletion", text: last.payload.text });
  return true;
};

/** https://core.telegram.org/bots/api#deletemessages: unknown messages are skipped. */
export const deleteMessages: Method = (call) => {
  const { params, env } = call;
  const chat = chatIn(params);
  for (const id of new Set(idsIn(call))) {
    const entry = env.store.messages.find(String(chat.id), String(id), env.ctx);
    if (entry === undefined) continue;
    recordChange(call, entry.first, { kind: "deletion", text: entry.last.payload.text });
  }
  return true;
};

/** https://core.telegram.org/bots/api#reactiontypeemoji */
const REACTIONS: ReadonlySet<string> = new Set(
  ("👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 " +
    "🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 " +
    "🙊 😎 👾 🤷♂ 🤷 🤷♀ 😡").split(" "),
);

/** Refusals are those of https://github.com/tdlib/telegram-bot-api (`get_reaction_type` of Client.cpp) */
function checkReaction(reaction: unknown): asserts reaction is Readonly<Record<string, unknown>> {
  const wrong = (reason: string): never => fail(`can't parse ReactionType: ${reason}`);
  if (!isJsonObject(reaction)) return wrong("expected an Object");
  const { type } = reaction;
  const names = new Map<unknown, string>([["emoji", "emoji"], ["custom_emoji", "custom_emoji_id"]]);
  const name = names.get(type);
  if (type === undefined) return wrong('Can\'t find field "type"');
  if (name === undefined) return wrong("invalid reaction type specified");
  if (reaction[name] === undefined) return wrong(`Can't find field "${name}"`);
  // Joiners and variants do not count. For ✅: https://github.com/NousResearch/hermes-agent/pull/7175
  const emoji = String(reaction.emoji ?? "").replace(/[\u200d\ufe0f]/g, "");
  if (type === "emoji" && !REACTIONS.has(emoji)) fail("REACTION_INVALID");
}

/**
 * https://core.telegram.org/bots/api#setmessagereaction: a bot sets at most one; an empty list
 * removes it. Most messages that bots react to are of users, and not known here.
 */
export const setReaction: Method = (call) => {
  const { params, env } = call;
  const given = params.json("reaction", "reaction types") ?? [];
  if (!Array.isArray(given)) return fail("expected an Array of ReactionType");
  given.forEach(checkReaction);
  const chat = chatIn(params);
  const id = params.integer("message_id");
  if (id === 0) return fail("message identifier is not specified");
  const entry = env.store.messages.find(String(chat.id), String(id), env.ctx);
  if (entry === undefined) return captureCall(call);
  const [reaction] = given;
  const emoji = reaction?.emoji ?? reaction?.custom_emoji_id;
  recordChange(call, entry.first, {
    kind: emoji === undefined ? "reaction_removed" : "reaction_added",
    reaction: typeof emoji === "string" ? emoji.slice(0, 100) : "",
  });
  return true;
};

/** Captures a change, in the chat and the thread of its message. */
export function recordChange(
  call: MethodCall,
  first: CapturedEvent<ChatMessage>,
  { kind, reaction, text = "", contents = [], files = [], meta = {} }: {
    readonly kind: ChatChange["kind"];
    readonly reaction?: string;
    readonly text?: string;
    readonly contents?: readonly DraftContent[];
    readonly files?: readonly ChatFile[];
    readonly meta?: Readonly<Record<string, unknown>>;
  },
): CapturedEvent<ChatMessage> {
  const { channel, ts, thread_ts } = first.payload;
  return captureChat(call.env, {
    channel,
    author: { id: botOf(call.token).username, name: "", icon_url: "", bot: true },
    text,
    contents,
    files,
    ts,
    thread_ts,
    change: { kind, event_id: first.id, ...(reaction === undefined ? {} : { reaction }) },
  }, {
    raw: call.call.raw,
    meta: {
      ...notesOf(call),
      ...(call.params.text("parse_mode") !== "" && { parse_mode: call.params.text("parse_mode") }),
      ...meta,
    },
  });
}
