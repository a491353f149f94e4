/** What every chat1 handler uses: options, answers and the message it captures. */
import { presentedCredentials } from "../../../core/http/auth.ts";
import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { IngressCall, ProviderEnv } from "../../../core/plugin.ts";
import { captureChat, type ChatState } from "../capture.ts";
import type { ChannelRef } from "../model.ts";
import { contentsOf, type Post } from "./post.ts";
import { toRefused } from "./reply.ts";
import { Timestamps } from "./timestamps.ts";

/** Settings of the provider. */
export const OPTIONS = defineOptions({
  bot_token: optionalText(
    "Token that Web API calls must carry; any or none is accepted without it",
    {
      only: "file",
      secret: true,
    },
  ),
});

/** What a handler works with. */
export type Chat1Env = ProviderEnv<typeof OPTIONS, ChatState>;

/** Channel, user and group ids of the vendor; anything else is a name. */
const ID = /^[CDGUW][A-Z0-9]{2,}$/;

/** Keyed by the plugin's state, which is made once per service. */
const timestamps = new WeakMap<ChatState, Timestamps>();

/** The next `ts` of this service. */
export function nextTs(env: Chat1Env): string {
  const known = timestamps.get(env.state) ?? new Timestamps();
  timestamps.set(env.state, known);
  return known.next(env.ctx.now().getTime());
}

/** An answer of the Web API: always status 200, because clients take others for faults and retry for half an hour. */
export function answer(body: unknown): Response {
  return new Response(JSON.stringify(body), {
    headers: { "content-type": "application/json; charset=utf-8" },
  });
}

/** A refusal of the Web API. Its status is 200, so that it has to be noted here. */
export function refuseCall(
  env: Pick<Chat1Env, "reject">,
  error: string,
  details: readonly string[] = [],
): Response {
  const why = [error, ...details].join(": ");
  env.reject({ status: 200, reason: `Answered 200 with ok false: ${why}` });
  return answer(toRefused(error, details));
}

/** Records what was posted. */
export function recordPost(
  env: Chat1Env,
  post: Post,
  about: {
    readonly call: IngressCall;
    readonly channelId: string;
    readonly botId: string;
    readonly ts?: string;
    readonly meta: Readonly<Record<string, unknown>>;
  },
): void {
  captureChat(env, {
    channel: toChannel(about.channelId, post.channel),
    author: { id: about.botId, name: post.username, icon_url: post.iconUrl, bot: true },
    text: post.readable,
    contents: contentsOf(post),
    ts: about.ts,
    thread_ts: post.threadTs,
  }, {
    raw: about.call.raw,
    meta: {
      ...about.meta,
      ...post.meta,
      ...presentedCredentials(about.call.headers),
      ...(about.ts === undefined ? {} : { ts: about.ts }),
    },
  });
}

function toChannel(id: string, given: string): ChannelRef {
  return given === "" || ID.test(given) ? { id } : { id, name: given };
}
