/** The Web API: `chat.postMessage`, and what applications call when they start. */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { type Arguments, type BodyFault, readArguments } from "./arguments.ts";
import { answer, type Chat1Env, nextTs, recordPost, refuseCall } from "./env.ts";
import { readPost } from "./post.ts";
import { IDENTITY, toAuthTest, toPosted } from "./reply.ts";

/** `POST /api/chat.postMessage` */
export async function postMessage(call: IngressCall, env: Chat1Env): Promise<Response> {
  const given = await argumentsOf(call);
  const denied = checkToken(call, env, given);
  if (denied !== undefined) return denied;
  if (typeof given === "string") return refuseCall(env, given);
  if (!given.text("channel")?.trim()) return refuseCall(env, "channel_not_found");
  const post = readPost(given);
  if ("error" in post) return refuseCall(env, post.error, post.details);
  const ts = nextTs(env);
  const token = given.text("token");
  recordPost(env, post, {
    call,
    channelId: post.channel,
    botId: IDENTITY.bot_id,
    ts,
    meta: { surface: "web_api", ...(token === undefined ? {} : { token }) },
  });
  return answer(toPosted(post, ts));
}

/** `auth.test`: who the token belongs to. */
export async function testAuth(call: IngressCall, env: Chat1Env): Promise<Response> {
  return checkToken(call, env, await argumentsOf(call)) ?? answer(toAuthTest());
}

/** `api.test`: whether anybody is there. Fails on demand. */
export async function testApi(call: IngressCall, env: Chat1Env): Promise<Response> {
  const given = await argumentsOf(call);
  const error = typeof given === "string" ? undefined : given.text("error");
  return error ? refuseCall(env, error.slice(0, 100)) : answer({ ok: true, args: {} });
}

/** Any other method. */
export function refuseUnknown(_call: IngressCall, env: Chat1Env): Response {
  return refuseCall(env, "unknown_method");
}

/** What the body says, and the query where the body says nothing. */
async function argumentsOf(call: IngressCall): Promise<Arguments | BodyFault> {
  const given = await readArguments(call.body, call.headers.get("content-type"));
  if (typeof given === "string") return given;
  const inQuery = (name: string): string | undefined => call.query.get(name) ?? undefined;
  return {
    text: (name) => given.text(name) ?? inQuery(name),
    json: (name) => given.json(name) ?? inQuery(name),
  };
}

function checkToken(
  call: IngressCall,
  env: Chat1Env,
  given: Arguments | BodyFault,
): Response | undefined {
  const { bot_token } = env.values;
  if (bot_token === undefined) return undefined;
  const authorization = call.headers.get("authorization");
  const token = readBearer(authorization) ??
    (typeof given === "string" ? undefined : given.text("token"));
  if (token === undefined) {
    return refuseCall(env, authorization === null ? "not_authed" : "invalid_auth");
  }
  return matchesSecret(token, bot_token) ? undefined : refuseCall(env, "invalid_auth");
}
