import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { Env } from "./options.ts";
import type { VendorRefusal } from "./refusals.ts";
import type { Post } from "./request.ts";

/** Ids under which this stand-in posts. */
export const IDENTITY = {
  bot_id: "B0STANDIN1",
  user_id: "U0STANDIN1",
  app_id: "A0STANDIN1",
  team_id: "T0STANDIN1",
  name: "standin",
} as const;

/** Answer to `chat.postMessage`. */
export function toPosted(post: Post, ts: string): Record<string, unknown> {
  const { app_id, bot_id, team_id, user_id, name } = IDENTITY;
  const overridden = post.username !== "" || post.iconUrl !== "" || post.iconEmoji !== "";
  return {
    ok: true,
    channel: post.channel,
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
        attachments: post.attachments.items.map((item, index) => ({
          id: index + 1,
          ...(isJsonObject(item) ? item : {}),
        })),
      }),
    },
  };
}

/** Answer to `auth.test`. */
export function toAuthTest(): Record<string, unknown> {
  const { bot_id, team_id, user_id, name } = IDENTITY;
  return {
    ok: true,
    url: "https://standin.slack.com/",
    team: name,
    user: name,
    team_id,
    user_id,
    bot_id,
    is_enterprise_install: false,
  };
}

/** An answer of the Web API: always status 200, because clients retry any other for half an hour. */
export function answer(body: unknown): Response {
  return Response.json(body, { headers: { "content-type": "application/json; charset=utf-8" } });
}

/** Answer of a webhook. */
export function answerWebhook(): Response {
  return new Response("ok", { headers: { "content-type": "text/html" } });
}

/** A refusal of the Web API. Its status is 200, which core does not note by itself. */
export function refuse(
  { error, details = [] }: VendorRefusal,
  env: Pick<Env, "reject">,
): Response {
  const why = [error, ...details].join(": ");
  env.reject({ status: 200, reason: `Answered 200 with ok false: ${why}` });
  return answer(toRefused(error, details));
}

/** A refusal of a webhook: one word, which the vendor calls HTML too. */
export function refuseWebhook({ error, status = 400 }: VendorRefusal): Response {
  return new Response(error, { status, headers: { "content-type": "text/html" } });
}

/** A refusal of the Web API with a status that its clients expect. */
export function refuseWithStatus({ error, status = 400 }: VendorRefusal): Response {
  return Response.json(toRefused(error), { status });
}

/** The body of a refusal. */
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
