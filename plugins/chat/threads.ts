/**
 * Channels and threads, derived from the held messages each time they are asked for: nothing is stored as a relation.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import { displayName } from "./capture.ts";
import type { ChatMessage } from "./model.ts";

/** A captured message. */
export type ChatEvent = CapturedEvent<ChatMessage>;

/** Whether a message answers another one. */
export function isReply({ ts, thread_ts }: ChatMessage): boolean {
  return thread_ts !== undefined && thread_ts !== "" && thread_ts !== ts;
}

/** Under what a message is filed inside its channel: its parent's ts, else its own, else its event id. */
function rootKeyOf({ id, payload }: ChatEvent): string {
  return isReply(payload) ? payload.thread_ts! : payload.ts || id;
}

/** Short key of a channel, safe in an address: the first 16 hex digits of the SHA-256 of its id. */
function channelKeyOf(channelId: string): string {
  return createHash("sha256").update(channelId).digest("hex").slice(0, 16);
}

/** One thread: a message and its replies, or a post that nobody answered. */
interface Thread {
  /** The event of the message that was answered; absent when it was never seen or is no longer held. */
  rootId?: string;
}

/** One channel, gathered from its messages. */
export interface Channel {
  readonly id: string;
  readonly key: string;
  /** Of the newest message that names the channel. */
  name?: string;
  readonly newest: ChatEvent;
  messages: number;
  replies: number;
  readonly threads: Map<string, Thread>;
}

/** Channels by id, the most recently used first. `events` are newest first, as lists are. */
export function gatherChannels(events: Iterable<ChatEvent>): ReadonlyMap<string, Channel> {
  const channels = new Map<string, Channel>();
  for (const event of events) {
    const { channel: { id, name } } = event.payload;
    let channel = channels.get(id);
    if (channel === undefined) {
      const key = channelKeyOf(id);
      channel = { id, key, newest: event, messages: 0, replies: 0, threads: new Map() };
      channels.set(id, channel);
    }
    if (channel.name === undefined && name) channel.name = name;
    channel.messages++;
    const rootKey = rootKeyOf(event);
    let thread = channel.threads.get(rootKey);
    if (thread === undefined) {
      thread = {};
      channel.threads.set(rootKey, thread);
    }
    if (isReply(event.payload)) channel.replies++;
    // Should two posts share a ts, the older one, which comes later here, is the one that was answered.
    else thread.rootId = event.id;
  }
  return channels;
}

/** Threads of a channel whose first message is missing. */
export function countOrphans(channel: Channel): number {
  let orphans = 0;
  for (const thread of channel.threads.values()) if (thread.rootId === undefined) orphans++;
  return orphans;
}

/** Where a message stands. */
export interface Place {
  readonly channel_key: string;
  readonly thread_key: string;
  /** Event id of the thread's first message; its own for that message; empty when that one is missing. */
  readonly root_id: string;
  readonly reply: boolean;
}

/** Where a message stands among its channel's threads. */
export function placeOf(event: ChatEvent, channel: Channel): Place {
  const reply = isReply(event.payload);
  const rootKey = rootKeyOf(event);
  return {
    channel_key: channel.key,
    thread_key: `${channel.key}.${rootKey}`,
    root_id: reply ? channel.threads.get(rootKey)?.rootId ?? "" : event.id,
    reply,
  };
}

/** Whether a word names the channel: its id, key or name, with or without a leading `#`, in any case. */
export function namesChannel(word: string, channel: Channel): boolean {
  const wanted = bare(word);
  return wanted === channel.key || wanted === bare(channel.id) ||
    wanted === bare(displayName(channelRef(channel)));
}

/** A channel as messages refer to it. */
export function channelRef({ id, name }: Channel): ChatMessage["channel"] {
  return { id, ...compact({ name }) };
}

function bare(name: string): string {
  return name.replace(/^#/, "").toLowerCase();
}
