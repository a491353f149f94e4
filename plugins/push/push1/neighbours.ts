/**
 * Small calls that FCM clients make beside sending: topic subscriptions, and the OAuth 2 token of a service account.
 * They change nothing here and make no event.
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeJson, isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { issuedToken, type Push1Env, refuse } from "./env.ts";
import { answer, invalidArgument } from "./reply.ts";

/** Most tokens in one call (https://firebase.google.com/docs/cloud-messaging/manage-topic-subscriptions). */
const MAX_TOKENS = 1000;

/** `POST /iid/v1:batchAdd` and `:batchRemove`: one empty result per token, which says that it went well. */
export function changeTopics(call: IngressCall, env: Push1Env): Response {
  let body: unknown;
  try {
    body = decodeJson(call.body, call.headers.get("content-type"));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  const tokens = isJsonObject(body) ? body.registration_tokens : undefined;
  if (!Array.isArray(tokens) || tokens.length === 0 || tokens.length > MAX_TOKENS) {
    const description = `registration_tokens must be a list of 1 to ${MAX_TOKENS} tokens`;
    return refuse(env, invalidArgument([{ field: "registration_tokens", description }]));
  }
  return answer({ results: tokens.map(() => ({})) });
}

/** Subscriptions of one registration: made, or ended. */
export function changeSubscription(): Response {
  return answer({});
}

/** `POST /token`, when it is on: https://developers.google.com/identity/protocols/oauth2/service-account */
export function giveToken(_call: IngressCall, env: Push1Env): Response {
  if (!env.values.oauth_token) {
    const description =
      "Cannot give out an access token: set oauth_token = true under [plugins.push.providers.push1]";
    env.reject({ status: 404, reason: description });
    // RFC 6749 section 5.2
    return answer({ error: "invalid_request", error_description: description }, 404);
  }
  return answer(
    { access_token: issuedToken(env), expires_in: 3600, token_type: "Bearer" },
    200,
    { "cache-control": "no-store" },
  );
}
