/** Channels and threads, derived from the held messages on demand. */
import { createHash } from "node:crypto";
import { compact } from "../../core/compact.ts";
import type { CapturedEvent } from "../../core/events/event.ts";
import type { RouteContext } from "../../core/http/route.ts";
import { displayName } from "./capture.ts";
import type { ChatMessage } from "./model.ts";

/** A captured message. */
export type ChatEvent = CapturedEvent<ChatMessage>;

/** Returns whether a message is a reply. */
export function isReply({ ts, thread_ts }: ChatMessage): boolean {
  return thread_ts !== undefined && thread_ts !== "" && thread_ts !== ts;
}

/** Key of the thread in its channel: the parent's ts, else the message's own, else its event id. */
function rootKeyOf({ id, payload }: ChatEvent): string {
  return isReply(payload) ? payload.thread_ts! : payload.ts || id;
}

/** Short key of a channel, safe in a URL: the first 16 hex digits of the SHA-256 of its id. */
function channelKeyOf(channelId: string): string {
  return createHash("sha256").update(channelId).digest("hex").slice(0, 16);
}

/** A channel, derived from its messages. */
export interface Channel {
  readonly id: string;
  readonly key: string;
  /** Name from the newest message that names the channel. */
  name?: string;
  readonly newest: ChatEvent;
  messages: number;
  replies: number;
  /** Event id of each thread's first message; `undefined` while it is not held. */
  readonly threads: Map<string, string | undefined>;
}

/** Channels by id, most recently used first. Expects events newest first. */
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
    // A change belongs to its message, and does not count as one.
    if (event.payload.change !== undefined) continue;
    channel.messages++;
    const rootKey = rootKeyOf(event);
    const isRoot = !isReply(event.payload);
    if (!isRoot) channel.replies++;
    // Of two posts with the same ts, the older one, which comes later here, is the root.
    channel.threads.set(rootKey, isRoot ? event.id : channel.threads.get(rootKey));
  }
  return channels;
}

/** Number of threads whose first message is not held. */
export function countOrphans(channel: Channel): number {
  let orphans = 0;
  for (const rootId of channel.threads.values()) if (rootId === undefined) orphans++;
  return orphans;
}

/** Position of a message in its channel. */
export interface Place {
  readonly channel_key: string;
  readonly thread_key: string;
  /** Event id of the thread's first message; empty while it is not held. */
  readonly root_id: string;
  readonly reply: boolean;
}

export function placeOf(event: ChatEvent, channel: Channel): Place {
  const reply = isReply(event.payload);
  const rootKey = rootKeyOf(event);
  return {
    channel_key: channel.key,
    thread_key: `${channel.key}.${rootKey}`,
    root_id: reply || event.payload.change !== undefined
      ? channel.threads.get(rootKey) ?? ""
      : event.id,
    reply,
  };
}

/** Returns whether `word` is the id, key or name of the channel, with or without a leading `#` or `@`, in any case. */
export function namesChannel(word: string, channel: Channel): boolean {
  const wanted = bare(word);
  return wanted === channel.key || wanted === bare(channel.id) ||
    wanted === bare(displayName(channelRef(channel)));
}

export function channelRef({ id, name }: Channel): ChatMessage["channel"] {
  return { id, ...compact({ name }) };
}

function bare(name: string): string {
  return name.replace(/^[#@]/, "").toLowerCase();
}

/** Channels of the held messages by id, of one namespace or all. */
export function channelsOf(ctx: RouteContext, namespace?: string): ReadonlyMap<string, Channel> {
  const filter = { plugin: ctx.plugin, ...compact({ namespace }) };
  return gatherChannels(ctx.events.list(filter) as ChatEvent[]);
}

/** Returns the channel of an event; collects the channels once, and again after new messages. */
export function channelFinder(ctx: RouteContext): (event: ChatEvent) => Channel {
  let channels: ReadonlyMap<string, Channel> = new Map();
  let upToSeq = -1;
  return (event) => {
    const { id } = event.payload.channel;
    if (event.seq > upToSeq) {
      channels = channelsOf(ctx);
      upToSeq = ctx.events.list({ plugin: ctx.plugin }, { limit: 1 })[0]?.seq ?? upToSeq;
    }
    return channels.get(id) ?? gatherChannels([event]).get(id)!;
  };
}
