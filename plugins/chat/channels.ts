/** Channels of the chat messages that are held. */
import { compact } from "../../core/compact.ts";
import type { RouteContext } from "../../core/http/route.ts";
import { type Channel, type ChatEvent, gatherChannels } from "./threads.ts";

/** Every channel, by its id; those of one namespace where that is given. */
export function channelsOf(ctx: RouteContext, namespace?: string): ReadonlyMap<string, Channel> {
  const filter = { plugin: ctx.plugin, ...compact({ namespace }) };
  return gatherChannels(ctx.events.list(filter) as ChatEvent[]);
}

/** Channels are gathered when one is first asked for, and again for a message that came later. */
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
