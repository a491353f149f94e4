/** push1: Firebase Cloud Messaging, HTTP v1. */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, refuse, refuseBatch, toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

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
      handle: handler("send"),
    },
    {
      method: "POST",
      path: SUBSCRIPTIONS,
      about: "Subscribe a device to a topic; accepted without effect",
      handle: handler("changeSubscription"),
    },
    {
      method: "DELETE",
      path: `${SUBSCRIPTIONS}/{topic}`,
      about: "Unsubscribe a device from a topic; accepted without effect",
      handle: handler("changeSubscription"),
    },
    {
      method: "POST",
      path: "/iid/v1:batchAdd",
      about: "Subscribe devices to a topic (legacy call); accepted without effect",
      handle: handler("changeTopics"),
    },
    {
      method: "POST",
      path: "/iid/v1:batchRemove",
      about: "Unsubscribe devices from a topic (legacy call); accepted without effect",
      handle: handler("changeTopics"),
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
      about: "Issue an access token to a service account, if oauth_token is on",
      public: true,
      isOn: ({ oauth_token }) => oauth_token,
      handle: handler("giveToken"),
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
