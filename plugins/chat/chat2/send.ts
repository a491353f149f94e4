/** Posts to webhooks and workflows. */
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureChat } from "../capture.ts";
import type { Env } from "./options.ts";
import { answer, identify, REFUSALS, refuse } from "./reply.ts";
import { readPost, readWorkflow } from "./request.ts";

/** Answers a post to an incoming webhook. */
export function postToWebhook(call: IngressCall, env: Env): Response {
  return identify(takeWebhook(call, env), env);
}

/** Answers a post to a workflow. */
export function postToWorkflow(call: IngressCall, env: Env): Response {
  return identify(takeWorkflow(call, env), env);
}

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
