/** Filters of chat messages. */
import { textTest } from "../../core/events/search.ts";
import { boolean, text, word } from "../../core/http/params.ts";
import { type EventFilters, filtersFor } from "../../core/http/route.ts";
import type { ChatMessage, Content } from "./model.ts";
import { CHAT_FORMATS } from "./schema.ts";
import { channelFinder, type ChatEvent, isReply, namesChannel, placeOf } from "./threads.ts";
import { formatsOf } from "./views.ts";

/** Conditions on a chat message; all present ones must hold. */
export interface ChatFilter {
  /** Id, display name or derived key of its channel. */
  readonly channel?: string | undefined;
  /** Part of the author's name or id, in any case. */
  readonly author?: string | undefined;
  /** Derived key of its thread. */
  readonly thread?: string | undefined;
  /** A format of its contents. */
  readonly format?: Content["format"] | undefined;
  /** Whether it was posted by a bot. */
  readonly bot?: boolean | undefined;
  /** Whether it is a reply. */
  readonly replies?: boolean | undefined;
  /** Whether it is a change of a message. */
  readonly changes?: boolean | undefined;
}

/** The filter as query parameters. */
export const filters: EventFilters = filtersFor<ChatEvent>()({
  query: {
    channel: text("Id, display name or derived key of a channel"),
    author: text("Substring of the author's name or id"),
    thread: text("Derived key of a thread"),
    format: word("Only messages with contents of this format", CHAT_FORMATS),
    bot: boolean("Only posts by bots, or only posts by others"),
    replies: boolean("Only replies, or only messages that are not replies"),
    changes: boolean("Only edits, deletions and reactions, or only messages"),
  },
  select(filter, ctx) {
    const channelOf = channelFinder(ctx);
    const { channel, thread } = filter;
    return {
      matches: (event) =>
        matchesChat(event.payload, filter) &&
        (channel === undefined || namesChannel(channel, channelOf(event))) &&
        (thread === undefined || placeOf(event, channelOf(event)).thread_key === thread),
    };
  },
});

function matchesChat(message: ChatMessage, filter: ChatFilter): boolean {
  const { author, format, bot, replies, changes } = filter;
  const { id = "", name = "" } = message.author;
  return (author === undefined || [name, id].some(textTest(author))) &&
    (format === undefined || formatsOf(message).has(format)) &&
    (bot === undefined || bot === message.author.bot) &&
    (replies === undefined || replies === isReply(message)) &&
    (changes === undefined || changes === (message.change !== undefined));
}
