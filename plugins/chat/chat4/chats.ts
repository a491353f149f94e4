/** Chats and bots: https://core.telegram.org/bots/api#chat */
import { createHash } from "node:crypto";
import type { ChannelRef } from "../model.ts";
import type { Params } from "./params.ts";
import { fail } from "./refusals.ts";

/** A chat, of which only its id or name is known. */
export interface Chat {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup" | "channel";
  readonly title?: string;
  readonly first_name?: string;
  readonly username?: string;
}

/** Ids of supergroups and channels are below this one. */
const FIRST_SUPERGROUP = -1_000_000_000_000;

/** Returns the chat that a call names. */
export function chatIn(params: Params, name = "chat_id"): Chat {
  const given = params.text(name).trim();
  if (given === "") return fail("chat_id is empty");
  if (given.startsWith("@")) {
    const username = given.slice(1);
    if (!/^[a-z]\w{3,31}$/i.test(username)) return fail("chat not found");
    const digest = createHash("sha256").update(username.toLowerCase()).digest();
    const id = FIRST_SUPERGROUP - 1 - digest.readUInt32BE(0);
    return { id, type: "channel", title: username, username };
  }
  if (!/^-?[1-9]\d{0,14}$/.test(given)) return fail("chat not found");
  return chatOf(Number(given));
}

/** Returns the chat with this id. */
export function chatOf(id: number): Chat {
  if (id > 0) return { id, type: "private", first_name: `User ${id}` };
  const type = id <= FIRST_SUPERGROUP ? "supergroup" : "group";
  return { id, type, title: `Chat ${id}` };
}

/** Returns a chat in the form of events. */
export function toChannel({ id, username }: Chat): ChannelRef {
  return { id: String(id), name: username === undefined ? `Telegram ${id}` : `@${username}` };
}

/** Returns the bot with this token. */
export function botOf(token: string) {
  const id = Number(token.split(":")[0]);
  return { id, is_bot: true, first_name: "Standin", username: `standin_${id}_bot` };
}

/** Returns the chat of a captured message, with the name that the sender used. */
export function toKnownChat({ id, name = "" }: ChannelRef): Chat {
  const username = /^@(.+)$/.exec(name)?.[1];
  const chat = chatOf(Number(id));
  return username === undefined
    ? chat
    : { id: chat.id, type: "channel", title: username, username };
}
