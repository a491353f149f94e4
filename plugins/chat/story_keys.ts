import type { CapturedEvent, StoryKey } from "../../core/plugin.ts";
import type { ChatMessage } from "./model.ts";

/**
 * Ids of people begin with U or W, those of direct messages with D, as in the examples of
 * https://docs.slack.dev/reference/methods/conversations.open. A channel is not used as a
 * recipient, because its posts belong to many flows.
 */
const PERSON = /^[UWD][A-Z0-9]{6,}$|^@/;
/** Private chats of a bot have positive ids: https://core.telegram.org/bots/api#chat */
const PRIVATE = /^[1-9]\d*$/;

/** Returns the thread, the person, and the event that a response follows. */
export function storyKeysOfChat(event: CapturedEvent): StoryKey[] {
  const { channel, ts, thread_ts } = (event as CapturedEvent<ChatMessage>).payload;
  const keys: StoryKey[] = [{ kind: "id", name: "event", value: event.id }];
  const thread = thread_ts || ts;
  if (thread) keys.push({ kind: "id", name: "thread", value: `${channel.id} ${thread}` });
  const isPerson = event.provider === "chat4" ? PRIVATE : PERSON;
  if (isPerson.test(channel.id)) {
    keys.push({ kind: "recipient", name: "chat user", value: channel.id });
  }
  const { in_response_to: answered } = event.meta;
  if (typeof answered === "string") keys.push({ kind: "id", name: "event", value: answered });
  return keys;
}
