/**
 * Ids in the vendor's form, derived from the object they identify, so they are the same in every
 * run and instance.
 */
import { createHash } from "node:crypto";

/** Ids of the team, app and bot. */
export const IDENTITY = {
  bot_id: "B0STANDIN1",
  user_id: "U0STANDIN1",
  app_id: "A0STANDIN1",
  team_id: "T0STANDIN1",
  name: "standin",
} as const;

/** A user other than the bot. */
export const ADA = "U0STANDIN2";

/**
 * Id of a channel, group or direct conversation. Names are lower case, so ids and names cannot be
 * confused.
 */
const CONVERSATION = /^[CDG][A-Z0-9]{1,40}$/;
const USER = /^[UW][A-Z0-9]{1,40}$/;
const TS = /^\d{1,12}\.\d{1,6}$/;

/** Returns whether a word is the id of a conversation. */
export function isConversation(word: string): boolean {
  return CONVERSATION.test(word);
}

/** Returns whether a word is the id of a user. */
export function isUser(word: string): boolean {
  return USER.test(word);
}

/** Returns whether a word is the time of a message. */
export function isTs(word: string): boolean {
  return TS.test(word);
}

/** Returns the id of the channel with this name, given without `#`. */
export function channelIdOf(name: string): string {
  return `C${digest(`channel:${name}`)}`;
}

/** Returns the id of the bot's conversation with one user. */
export function directIdOf(user: string): string {
  return `D${digest(`direct:${user}`)}`;
}

/** Returns the id of the bot's conversation with several users, in any order. */
export function groupIdOf(users: readonly string[]): string {
  return `G${digest(`group:${users.toSorted().join()}`)}`;
}

/** Returns the id of the user with this email address or name. */
export function userIdOf(name: string): string {
  return `U${digest(`user:${name.toLowerCase()}`)}`;
}

/** Returns a new id that begins with `prefix`. */
export function newId(prefix: string, uuid: string): string {
  return `${prefix}${digest(uuid)}`;
}

/** Ten upper-case letters and digits. */
function digest(text: string): string {
  const bytes = createHash("sha256").update(text).digest();
  return Array.from(bytes.subarray(0, 10), (byte) => (byte % 36).toString(36)).join("")
    .toUpperCase();
}
