/** Discord webhooks: https://docs.discord.com/developers/resources/webhook */
import { matchesSecret } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import {
  type IngressCall,
  ingressProvider,
  type IngressRoute,
  type MaybePromise,
} from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import type { ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { isSnowflake } from "./ids.ts";
import { type Env, OPTIONS } from "./options.ts";
import { invalidForm, REFUSALS, toVendorRefusal, type VendorRefusal } from "./refusals.ts";
import { pace, refuse } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

type Route = IngressRoute<typeof OPTIONS, ChatState, Store>;
type Handle = (call: IngressCall, env: Env) => MaybePromise<Response>;

const WEBHOOK = "/webhooks/{webhook}/{token}";
const MESSAGE = `${WEBHOOK}/messages/{message}`;

/** Provider for Discord. */
export const chat3 = ingressProvider<ChatState, typeof OPTIONS, Store>({
  id: "chat3",
  title: "Discord webhooks",
  shortTitle: "Discord",
  about: "Accepts messages, edits and deletions of Discord webhooks, and reads them back",
  vendorHosts: ["discord.com", "discordapp.com", "canary.discord.com", "ptb.discord.com"],
  options: OPTIONS,
  routes: [
    ...operation("POST", WEBHOOK, "Send a message", handler("execute")),
    ...operation("GET", WEBHOOK, "Get the webhook", handler("showWebhook")),
    ...operation("PATCH", WEBHOOK, "Rename the webhook", handler("changeWebhook")),
    ...operation("DELETE", WEBHOOK, "Delete the webhook", handler("removeWebhook")),
    ...operation(
      "POST",
      `${WEBHOOK}/slack`,
      "Send a message in Slack's format",
      handler("executeSlack"),
    ),
    ...operation("POST", `${WEBHOOK}/github`, "Send a GitHub event", handler("executeGithub")),
    ...operation("GET", MESSAGE, "Get a message", handler("showMessage")),
    ...operation("PATCH", MESSAGE, "Edit a message", handler("editMessage")),
    ...operation("DELETE", MESSAGE, "Delete a message", handler("deleteMessage")),
  ],
  open({ state, ctx }) {
    const store = new Store(ctx.memory);
    state.onReset(() => store.clear());
    return store;
  },
  authorize,
  refuse: (_call, refusal, env) => pace(refuse(toVendorRefusal(refusal)), env),
  snippets,
  faults: FAULTS,
});

/** One operation, with and without the API version in its path. */
function operation(
  method: Route["method"],
  path: string,
  about: string,
  handle: Handle,
): readonly Route[] {
  const served = async (call: IngressCall, env: Env): Promise<Response> =>
    pace(await answerOf(call, env, handle), env);
  return [
    { method, path: `/api${path}`, about, handle: served },
    { method, path: `/api/{version}${path}`, about, unlisted: true, handle: served },
  ];
}

async function answerOf(call: IngressCall, env: Env, handle: Handle): Promise<Response> {
  try {
    return await handle(call, env);
  } catch (error) {
    if (error instanceof Refused) return refuse(error.refusal as VendorRefusal);
    throw error;
  }
}

function authorize({ params }: IngressCall, env: Env): Response | undefined {
  const refusal = check(params, env);
  return refusal && pace(refuse(refusal), env);
}

function check(params: IngressCall["params"], { values, store }: Env): VendorRefusal | undefined {
  const { version = "v10", webhook = "", token } = params;
  if (!/^v\d{1,2}$/.test(version)) return REFUSALS.notFound;
  if (!isSnowflake(webhook)) {
    const message = `Value "${webhook.slice(0, 100)}" is not snowflake.`;
    return invalidForm([{ path: "webhook_id", code: "NUMBER_TYPE_COERCE", message }]);
  }
  if (store.webhook(webhook).isDeleted === true) return REFUSALS.unknownWebhook;
  const { webhook_token } = values;
  if (webhook_token === undefined || matchesSecret(token, webhook_token)) return undefined;
  return REFUSALS.wrongToken;
}
