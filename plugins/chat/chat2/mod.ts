/**
 * Microsoft Teams incoming webhooks: Office 365 connectors and workflows
 * (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using).
 */
import { presentedCredentials } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { captureChat, type ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { answer, identify, REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { readPost } from "./request.ts";
import { snippets } from "./snippets.ts";

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
    handle: (call, env) => identify(takeWebhook(call, env), env),
  }],
  refuse: (_call, refusal, env) => identify(refuse(toVendorRefusal(refusal)), env),
  snippets,
  faults: FAULTS,
});

function takeWebhook(call: IngressCall, env: Env): Response {
  const place = readPlace(call);
  if (place === undefined) return refuse(REFUSALS.badUrl);
  const read = readPost(call.body, call.headers.get("content-type"));
  if (!read.ok) return refuse(read.refusal);
  const post = read.value;
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
  return answer(post.generation);
}

interface Place {
  readonly guid: string;
  readonly tenant: string;
  readonly id: string;
  readonly key: string;
}

/** `{guid}@{tenant}/IncomingWebhook/{id}/{key}`, and newer addresses with further parts. */
function readPlace({ params: { tenants = "", rest = "" } }: IngressCall): Place | undefined {
  const [guid = "", tenant = "", ...others] = tenants.split("@");
  const [id = "", key = ""] = rest.split("/");
  if ([guid, tenant, id, key].includes("") || others.length > 0) return undefined;
  return { guid, tenant, id, key };
}
