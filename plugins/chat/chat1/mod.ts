/** Slack: incoming webhooks, and the Web API over a workspace derived from the captures. */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import {
  type IngressCall,
  ingressProvider,
  type MaybePromise,
  type Refusal,
} from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { argumentsOf, serve } from "./methods.ts";
import { type Env, OPTIONS } from "./options.ts";
import { toVendorRefusal } from "./refusals.ts";
import { refuse, refuseWebhook, refuseWithStatus } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";
import { METHODS } from "./table.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Every method accepts both; GET is not listed. */
const METHOD_VERBS = ["POST", "GET"] as const;

/** Provider for Slack. */
export const chat1 = ingressProvider<ChatState, typeof OPTIONS, Store>({
  id: "chat1",
  title: "Slack webhooks and Web API",
  shortTitle: "Slack",
  about: "Accepts what Slack's incoming webhooks and Web API accept, and reads it back as they do",
  vendorHosts: ["slack.com", "hooks.slack.com", "files.slack.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/services/{team}/{bot}/{token}",
      about: "Post to an incoming webhook",
      public: true,
      handle: handler("takeWebhook"),
    },
    ...["actions", "commands"].map((kind) => ({
      method: "POST" as const,
      path: `/${kind}/{team}/{id}/{token}`,
      about: "Respond to a button or a slash command",
      unlisted: true,
      public: true,
      handle: handler("takeResponse"),
    })),
    {
      method: "POST",
      path: "/upload/v1/{token}",
      about: "Upload an announced file",
      public: true,
      handle: handler("takeUpload"),
    },
    {
      method: "GET",
      path: "/files-pri/{file}/download/{name}",
      about: "Download a file that a user uploaded in a modal",
      handle: handler("downloadFile"),
    },
    {
      method: "GET",
      path: "/files-pri/{file}/{name}",
      about: "Show such a file",
      unlisted: true,
      handle: handler("downloadFile"),
    },
    ...Object.entries(METHODS).flatMap(([name, one]) =>
      METHOD_VERBS.filter((verb) => verb === "POST" || one.postOnly !== true).map((method) => ({
        method,
        path: `/api/${name}`,
        about: one.about,
        unlisted: method === "GET",
        public: one.public === true,
        handle: serve(one.method),
      }))
    ),
    ...METHOD_VERBS.map((method) => ({
      method,
      path: "/api/{method}",
      about: "Any other method: unknown, as the vendor reports it",
      unlisted: true,
      public: true,
      handle: handler("refuseUnknown"),
    })),
  ],
  open({ state, ctx }) {
    const store = new Store(ctx.memory);
    state.onReset(() => store.clear());
    return store;
  },
  authorize,
  refuse: refuseCall,
  snippets,
  faults: FAULTS,
  callbacks: {
    inbound: "Request URL of a Slack app: events, slash commands and buttons",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function authorize(call: IngressCall, env: Env): MaybePromise<Response | undefined> {
  const { bot_token } = env.values;
  return bot_token === undefined ? undefined : checkToken(call, env, bot_token);
}

/** Checks the token in the header, or in an argument. */
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
