/** Slack: incoming webhooks, and `chat.postMessage` of the Web API. */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import {
  type IngressCall,
  ingressProvider,
  type MaybePromise,
  type Refusal,
} from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { toVendorRefusal } from "./refusals.ts";
import { refuse, refuseWebhook, refuseWithStatus } from "./reply.ts";
import { argumentsOf, postMessage, refuseUnknown, takeWebhook, testApi, testAuth } from "./send.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

/** The first of the chat providers. */
export const chat1 = ingressProvider<ChatState, typeof OPTIONS, Store>({
  id: "chat1",
  title: "Slack webhooks and Web API",
  shortTitle: "Slack",
  about: "Takes posts to incoming webhooks and to chat.postMessage as Slack does",
  vendorHosts: ["slack.com", "hooks.slack.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/services/{team}/{bot}/{token}",
      about: "Post to an incoming webhook",
      public: true,
      handle: takeWebhook,
    },
    {
      method: "POST",
      path: "/api/chat.postMessage",
      about: "Post a message",
      handle: postMessage,
    },
    ...(["POST", "GET"] as const).flatMap((method) => [
      {
        method,
        path: "/api/auth.test",
        about: "Try a token",
        unlisted: method === "GET",
        handle: testAuth,
      },
      {
        method,
        path: "/api/api.test",
        about: "Try the connection",
        unlisted: method === "GET",
        public: true,
        handle: testApi,
      },
      {
        method,
        path: "/api/{method}",
        about: "Any other method: unknown, as the vendor says it",
        unlisted: true,
        public: true,
        handle: refuseUnknown,
      },
    ]),
  ],
  open: () => new Store(),
  authorize,
  refuse: refuseCall,
  snippets,
  faults: FAULTS,
});

function authorize(call: IngressCall, env: Env): MaybePromise<Response | undefined> {
  const { bot_token } = env.values;
  return bot_token === undefined ? undefined : checkToken(call, env, bot_token);
}

/** The token is in the header, or an argument. */
async function checkToken(
  call: IngressCall,
  env: Env,
  pinned: string,
): Promise<Response | undefined> {
  const authorization = call.headers.get("authorization");
  const token = readBearer(authorization) ?? await tokenIn(call);
  if (token === undefined) {
    return refuse({ error: authorization === null ? "not_authed" : "invalid_auth" }, env);
  }
  return matchesSecret(token, pinned) ? undefined : refuse({ error: "invalid_auth" }, env);
}

async function tokenIn(call: IngressCall): Promise<string | undefined> {
  const given = await argumentsOf(call);
  return given.ok ? given.value.text("token") : undefined;
}

function refuseCall(call: IngressCall, refusal: Refusal, env: Env): Response {
  const isApi = call.path.startsWith("/api/");
  const own = toVendorRefusal(refusal, { isApi });
  if (!isApi) return refuseWebhook(own);
  const isExpected = ["method_not_allowed", "busy", "unavailable"].includes(refusal.kind);
  return isExpected ? refuseWithStatus(own) : refuse(own, env);
}
