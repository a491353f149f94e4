/**
 * Microsoft Teams incoming webhooks: Office 365 connectors and workflows
 * (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 *
 * @module
 */
import { presentedCredentials } from "../../../core/http/auth.ts";
import { defineOptions } from "../../../core/options/spec.ts";
import { type IngressCall, ingressProvider, type ProviderEnv } from "../../../core/plugin.ts";
import { captureChat, type ChatState } from "../capture.ts";
import { readPost } from "./request.ts";
import { snippets } from "./snippets.ts";

const OPTIONS = defineOptions({});

type Env = ProviderEnv<typeof OPTIONS, ChatState>;

/** The second of the chat providers. */
export const chat2 = ingressProvider<ChatState, typeof OPTIONS>({
  id: "chat2",
  title: "Microsoft Teams incoming webhooks",
  shortTitle: "Teams",
  about: "Takes MessageCards, Adaptive Cards and texts as Teams webhooks of both generations do",
  vendorHosts: ["*.webhook.office.com"],
  options: OPTIONS,
  routes: [{
    method: "POST",
    path: "/webhookb2/{tenants}/IncomingWebhook/{rest...}",
    about: "Post to an incoming webhook",
    handle: (call, env) => withRequestId(takeWebhook(call, env), env),
  }],
  refuse: (_call, { kind, status, message, allow }, env) =>
    withRequestId(
      plain(kind === "busy" ? 429 : status, message, allow ? { allow: allow.join(", ") } : {}),
      env,
    ),
  snippets,
});

function takeWebhook(call: IngressCall, env: Env): Response {
  const place = readPlace(call);
  if (place === undefined) return plain(404, "Invalid webhook URL");
  const post = readPost(call.body, call.headers.get("content-type"));
  if ("error" in post) return plain(400, post.error);
  captureChat(env, {
    channel: { id: call.path },
    author: { ...post.author, bot: true },
    text: post.text,
    contents: post.contents,
  }, {
    raw: call.raw,
    meta: {
      path: call.path,
      ...place,
      generation: post.generation,
      ...post.meta,
      ...presentedCredentials(call.headers),
    },
  });
  // Clients of connectors compare the body with "1"; those of workflows want 202 with none.
  return post.generation === "connector" ? plain(200, "1") : new Response(null, { status: 202 });
}

/** Every answer is numbered: the notifier of Symfony takes one that is not for a failure (MicrosoftTeamsTransport.php). */
function withRequestId(response: Response, { ctx }: Env): Response {
  response.headers.set("request-id", ctx.uuid());
  return response;
}

interface Place {
  readonly guid: string;
  readonly tenant: string;
  readonly id: string;
  readonly key: string;
}

/** `{guid}@{tenant}/IncomingWebhook/{id}/{key}`, and newer addresses with more behind. */
function readPlace({ params: { tenants = "", rest = "" } }: IngressCall): Place | undefined {
  const [guid = "", tenant = "", ...others] = tenants.split("@");
  const [id = "", key = ""] = rest.split("/");
  if ([guid, tenant, id, key].includes("") || others.length > 0) return undefined;
  return { guid, tenant, id, key };
}

function plain(status: number, body: string, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set("content-type", "text/plain; charset=utf-8");
  return new Response(body, { status, headers: all });
}
