/** Incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
import type { IngressCall } from "../../../core/plugin.ts";
import { readArguments } from "./arguments.ts";
import { type Chat1Env, recordPost } from "./env.ts";
import { readPost } from "./post.ts";

/** `POST /services/{team}/{bot}/{token}` */
export async function takeWebhook(call: IngressCall, env: Chat1Env): Promise<Response> {
  const { team = "", bot = "", token = "" } = call.params;
  const type = call.headers.get("content-type");
  const given = await readArguments(call.body, type, { fields: false });
  if (typeof given === "string") return refuseWebhook(400, "invalid_payload");
  const post = readPost(given);
  if ("error" in post) return refuseWebhook(400, post.error);
  recordPost(env, post, {
    call,
    channelId: post.channel || `webhook:${team}/${bot}`,
    botId: bot,
    meta: { surface: "webhook", team, bot, webhook_token: token },
  });
  return new Response("ok", { headers: { "content-type": "text/html" } });
}

/** A refusal: one word. */
export function refuseWebhook(
  status: number,
  error: string,
  headers: HeadersInit = {},
): Response {
  const all = new Headers(headers);
  all.set("content-type", "text/plain; charset=utf-8");
  return new Response(error, { status, headers: all });
}
