/**
 * Microsoft Teams incoming webhooks: Office 365 connectors and workflows
 * (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). Addresses of workflows are
 * those of Logic Apps, or since 2025 those of the Power Platform
 * (learn.microsoft.com/troubleshoot/power-platform/power-automate/flow-run-issues/triggers-troubleshoot).
 */
import { presentedCredentials } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { captureChat, type ChatState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { answer, identify, REFUSALS, refuse, toVendorRefusal } from "./reply.ts";
import { readPost, readWorkflow } from "./request.ts";
import { snippets } from "./snippets.ts";

/** Provider for Microsoft Teams. */
export const chat2 = ingressProvider<ChatState, typeof OPTIONS>({
  id: "chat2",
  title: "Microsoft Teams incoming webhooks",
  shortTitle: "Teams",
  aliases: ["microsoft-teams"],
  about: "Accepts MessageCards, Adaptive Cards and texts as Teams webhooks of both generations do",
  vendorHosts: [
    "*.webhook.office.com",
    // prod-00.westeurope.logic.azure.com, and {environment}.00.environment.api.powerplatform.com
    "**.logic.azure.com",
    "**.environment.api.powerplatform.com",
  ],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/webhookb2/{tenants}/IncomingWebhook/{rest...}",
      about: "Post to an incoming webhook",
      handle: (call, env) => identify(takeWebhook(call, env), env),
    },
    ...["/workflows", "/powerautomate/automations/direct/workflows"].map((folder) => ({
      method: "POST" as const,
      path: `${folder}/{workflow}/triggers/{trigger}/paths/invoke`,
      about: "Post to a workflow",
      handle: (call: IngressCall, env: Env) => identify(takeWorkflow(call, env), env),
    })),
  ],
  refuse: (_call, refusal, env) => identify(refuse(toVendorRefusal(refusal)), env),
  snippets,
  faults: FAULTS,
  callbacks: { load: async () => (await import("./callbacks.ts")).CALLBACKS },
});

function takeWebhook(call: IngressCall, env: Env): Response {
  const place = readPlace(call);
  if (place === undefined) return refuse(REFUSALS.badUrl);
  return take(call, env, { place, read: readPost });
}

/** A workflow address has a version, and a signature unless the caller is authenticated. */
function takeWorkflow(call: IngressCall, env: Env): Response {
  const { workflow = "", trigger = "" } = call.params;
  const version = call.query.get("api-version") ?? "";
  const sig = call.query.get("sig") ?? "";
  if (version === "") return refuse(REFUSALS.noVersion);
  if (sig === "" && !call.headers.has("authorization")) return refuse(REFUSALS.noSignature);
  const place = {
    name: `Teams workflow ${workflow.slice(0, SHOWN)}`,
    meta: { workflow, trigger, api_version: version, ...(sig === "" ? {} : { sig }) },
  };
  return take(call, env, { place, read: readWorkflow });
}

function take(
  call: IngressCall,
  env: Env,
  { place, read }: { readonly place: Place; readonly read: typeof readPost },
): Response {
  const given = read(call.body, call.headers.get("content-type"));
  if (!given.ok) return refuse(given.refusal);
  const post = given.value;
  captureChat(env, {
    channel: { id: call.path, name: place.name },
    author: { ...post.author, bot: true },
    text: post.text,
    contents: post.contents,
  }, {
    raw: call.raw,
    meta: {
      path: call.path,
      ...place.meta,
      generation: post.generation,
      ...post.meta,
      ...presentedCredentials(call.headers),
    },
  });
  return answer(post.generation);
}

/** Characters of each id in the name of a channel. */
const SHOWN = 8;

/** Destination of a post. */
interface Place {
  /** A short name that distinguishes the channel, because its real name is unknown. */
  readonly name: string;
  readonly meta: Readonly<Record<string, string>>;
}

/** `{guid}@{tenant}/IncomingWebhook/{id}/{key}`, and newer addresses with further parts. */
function readPlace({ params: { tenants = "", rest = "" } }: IngressCall): Place | undefined {
  const [guid = "", tenant = "", ...others] = tenants.split("@");
  const [id = "", key = ""] = rest.split("/");
  if ([guid, tenant, id, key].includes("") || others.length > 0) return undefined;
  return {
    name: `Teams ${id.slice(0, SHOWN)}/${key.slice(0, SHOWN)}`,
    meta: { guid, tenant, id, key },
  };
}
