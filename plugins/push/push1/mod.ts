/** push1: Firebase Cloud Messaging, HTTP v1. */
import { compact } from "../../../core/compact.ts";
import { matchesSecret, presentedCredentials, readBearer } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { capturePush, type PushState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { answer, REFUSALS, refuse, refuseBatch, toVendorRefusal, UNREGISTERED } from "./reply.ts";
import { readSend, readTopics } from "./request.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const SUBSCRIPTIONS = "/v1/projects/{project}/registrations/{token}/topicSubscriptions";

/** Provider for Firebase Cloud Messaging. */
export const push1 = ingressProvider<PushState, typeof OPTIONS, Store>({
  id: "push1",
  title: "FCM HTTP v1",
  shortTitle: "FCM",
  aliases: ["firebase"],
  about: "Accepts POST /v1/projects/{project}/messages:send as Firebase Cloud Messaging does",
  vendorHosts: ["fcm.googleapis.com", "iid.googleapis.com", "oauth2.googleapis.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/v1/projects/{project}/messages:send",
      about: "Send one message to a device, a topic or a condition",
      handle: send,
    },
    {
      method: "POST",
      path: SUBSCRIPTIONS,
      about: "Subscribe a device to a topic; accepted without effect",
      handle: changeSubscription,
    },
    {
      method: "DELETE",
      path: `${SUBSCRIPTIONS}/{topic}`,
      about: "Unsubscribe a device from a topic; accepted without effect",
      handle: changeSubscription,
    },
    {
      method: "POST",
      path: "/iid/v1:batchAdd",
      about: "Subscribe devices to a topic (legacy call); accepted without effect",
      handle: changeTopics,
    },
    {
      method: "POST",
      path: "/iid/v1:batchRemove",
      about: "Unsubscribe devices from a topic (legacy call); accepted without effect",
      handle: changeTopics,
    },
    {
      method: "POST",
      path: "/batch",
      about: "The old batch call, which the vendor has shut down: 404",
      unlisted: true,
      public: true,
      handle: (_call, env) => refuseBatch(env),
    },
    {
      method: "POST",
      path: "/token",
      about: "Access token of a service account, if oauth_token is on",
      public: true,
      isOn: ({ oauth_token }) => oauth_token,
      handle: giveToken,
    },
  ],
  open: ({ ctx }) => new Store(ctx.uuid),
  authorize,
  refuse: (_call, refusal, env) => refuse(toVendorRefusal(refusal), env),
  snippets,
  faults: FAULTS,
  callbacks: {
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

/** Accepts the pinned token or one issued here; without a pin, any or none. */
function authorize(call: IngressCall, env: Env): Response | undefined {
  const { bearer_token, oauth_token } = env.values;
  if (bearer_token === undefined) return undefined;
  const authorization = call.headers.get("authorization");
  if (authorization === null) return refuse(REFUSALS.noCredentials, env);
  const given = readBearer(authorization);
  const good = matchesSecret(given, bearer_token) ||
    (oauth_token && matchesSecret(given, env.store.token));
  return good ? undefined : refuse(REFUSALS.wrongCredentials, env);
}

function send(call: IngressCall, env: Env): Response {
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
function changeTopics(call: IngressCall, env: Env): Response {
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
function changeSubscription(): Response {
  return answer({});
}

/**
 * `POST /token`, if enabled:
 * https://developers.google.com/identity/protocols/oauth2/service-account
 */
function giveToken(_call: IngressCall, env: Env): Response {
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
