import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import { IDENTITY } from "./ids.ts";
import { numbered, TEAM_URL } from "./objects.ts";
import type { Env } from "./options.ts";
import type { VendorRefusal } from "./refusals.ts";
import type { ChannelRef } from "../model.ts";
import type { Post } from "./request.ts";
import type { Room } from "./workspace.ts";

/** Response to `chat.postMessage`, with the id of the channel. */
export function toPosted(
  post: Post,
  { ts, channel }: { readonly ts: string; readonly channel: string },
): Record<string, unknown> {
  const { app_id, bot_id, team_id, user_id, name } = IDENTITY;
  const overridden = post.username !== "" || post.iconUrl !== "" || post.iconEmoji !== "";
  return {
    channel,
    ts,
    message: {
      type: "message",
      ...(overridden ? { subtype: "bot_message" } : {}),
      text: post.readable,
      ts,
      ...(post.username === "" ? {} : { username: post.username }),
      ...iconsOf(post),
      bot_id,
      user: user_id,
      app_id,
      team: team_id,
      bot_profile: {
        id: bot_id,
        app_id,
        name,
        icons: {},
        deleted: false,
        updated: Math.floor(Number(ts)),
        team_id,
      },
      ...(post.threadTs === "" ? {} : { thread_ts: post.threadTs }),
      ...(post.blocks === undefined ? {} : { blocks: post.blocks.items }),
      ...(post.attachments === undefined ? {} : {
        attachments: numbered(post.attachments.items),
      }),
    },
  };
}

/** Returns a conversation in the form of events, with its readable name. */
export function toChannel({ id, name, users }: Room): ChannelRef {
  return name === id ? { id } : { id, name: `${users.length === 0 ? "#" : "@"}${name}` };
}

/** Response to `auth.test`. */
export function toAuthTest(): Record<string, unknown> {
  const { bot_id, team_id, user_id, name } = IDENTITY;
  return {
    url: TEAM_URL,
    team: name,
    user: name,
    team_id,
    user_id,
    bot_id,
    is_enterprise_install: false,
  };
}

/** Returns a response of the Web API: always status 200, because clients retry any other for half an hour. */
export function answer(body: unknown): Response {
  return vendorJson(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}

/** Response of a webhook. */
export function answerWebhook(): Response {
  return textResponse("ok", { headers: { "content-type": "text/html" } });
}

/** Returns a refusal of the Web API. Core does not record it, because its status is 200. */
export function refuse(
  { error, details = [] }: VendorRefusal,
  env: Pick<Env, "reject">,
): Response {
  const why = [error, ...details].join(": ");
  env.reject({ status: 200, reason: `Answered 200 with ok false: ${why}` });
  return answer(toRefused(error, details));
}

/** Returns a refusal of a webhook: one word, sent as HTML like the vendor does. */
export function refuseWebhook({ error, status = 400 }: VendorRefusal): Response {
  return textResponse(error, { status, headers: { "content-type": "text/html" } });
}

/** Returns a refusal of the Web API with a status that its clients expect. */
export function refuseWithStatus({ error, status = 400 }: VendorRefusal): Response {
  return vendorJson(toRefused(error), { status });
}

/** Returns the body of a refusal. */
function toRefused(error: string, details: readonly string[] = []): Record<string, unknown> {
  if (details.length === 0) return { ok: false, error };
  return {
    ok: false,
    error,
    errors: details,
    response_metadata: { messages: details.map((detail) => `[ERROR] ${detail}`) },
  };
}

function iconsOf({ iconEmoji, iconUrl }: Post): Record<string, unknown> {
  if (iconUrl !== "") return { icons: { image_48: iconUrl } };
  return iconEmoji === "" ? {} : { icons: { emoji: iconEmoji } };
}
