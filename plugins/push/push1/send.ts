/** Calls that send, and those of topics and tokens. */
import { compact } from "../../../core/compact.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { capturePush } from "../capture.ts";
import type { Env } from "./options.ts";
import { answer, refuse, UNREGISTERED } from "./reply.ts";
import { readSend, readTopics } from "./request.ts";

/** Answers a call that sends. */
export function send(call: IngressCall, env: Env): Response {
  const project = call.params.project ?? "";
  const request = readSend(call.body, call.headers.get("content-type"));
  if (!request.ok) return refuse(request.refusal, env);
  const { draft, validateOnly, meta } = request.value;
  const isGone = draft.target.kind === "device" &&
    env.state.gone.push1.since(project, draft.target.value) !== undefined;
  if (isGone) return refuse(UNREGISTERED, env);
  const nameOf = (id: string): string =>
    `projects/${project}/messages/${validateOnly ? "fake_message_id" : `0:${id}`}`;
  const event = capturePush(env, { ...draft, app: project }, {
    raw: call.raw,
    meta: {
      ...meta,
      ...compact({ alert_section: draft.alertSection }),
      ...(validateOnly && { validate_only: true }),
      ...presentedCredentials(call.headers),
    },
    metaFromId: (id) => ({ name: nameOf(id) }),
  });
  return answer({ name: nameOf(event.id) });
}

/**
 * `POST /iid/v1:batchAdd` and `:batchRemove`: one result per token, empty for success
 * (https://developers.google.com/instance-id/reference/server).
 */
export function changeTopics(call: IngressCall, env: Env): Response {
  const tokens = readTopics(call.body, call.headers.get("content-type"));
  return tokens.ok
    ? answer({
      results: tokens.value.map((token) => isToken(token) ? {} : { error: "INVALID_ARGUMENT" }),
    })
    : refuse(tokens.refusal, env);
}

/** Tokens are opaque, and have no spaces. */
function isToken(value: unknown): boolean {
  return typeof value === "string" && /^\S+$/.test(value);
}

/** Starts or ends a topic subscription, which has no effect here and creates no event. */
export function changeSubscription(): Response {
  return answer({});
}

/**
 * `POST /token`, if enabled:
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */
export function giveToken(_call: IngressCall, env: Env): Response {
  if (!env.values.oauth_token) {
    const description =
      "Cannot issue an access token: set oauth_token = true under [plugins.push.providers.push1]";
    env.reject({ status: 404, reason: description });
    // RFC 6749 section 5.2
    return answer({ error: "invalid_request", error_description: description }, 404);
  }
  return answer(
    { access_token: env.store.token, expires_in: 3600, token_type: "Bearer" },
    200,
    { "cache-control": "no-store" },
  );
}
