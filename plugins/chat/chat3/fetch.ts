/** Calls that read or change messages and webhooks. */
import { compact } from "../../../core/compact.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureChat, type DraftContent } from "../capture.ts";
import { storeFiles } from "../files.ts";
import type { Entry } from "../ledger.ts";
import type { ChatFile } from "../model.ts";
import { Faults } from "./fields.ts";
import { isSnowflake } from "./ids.ts";
import type { Env } from "./options.ts";
import { fail, invalidForm, REFUSALS } from "./refusals.ts";
import { answer, channelOf, fileIdOf, toMessage, toWebhook } from "./reply.ts";
import { type Post, readBody, readPost } from "./request.ts";
import { metaOf, nameOf } from "./send.ts";

/** `GET /webhooks/{webhook}/{token}` */
export function showWebhook(call: IngressCall, env: Env): Response {
  return answer(webhookOf(call, env));
}

function webhookOf({ params: { webhook = "", token = "" } }: IngressCall, { store, ctx }: Env) {
  const url = `${ctx.ingressUrl()}/api/webhooks/${webhook}/${token}`;
  return toWebhook({ id: webhook, token, url }, store.webhook(webhook));
}

/** `PATCH /webhooks/{webhook}/{token}` */
export async function changeWebhook(call: IngressCall, env: Env): Promise<Response> {
  const { json } = await readBody(call.body, call.headers.get("content-type"));
  const faults = new Faults();
  const name = faults.text(json, "name", { min: 1, max: 80 });
  if (faults.found.length > 0) fail(invalidForm(faults.found));
  const { webhook = "" } = call.params;
  env.store.change(webhook, compact({ name }));
  capture(call, env, { method: "Modify Webhook", text: name === undefined ? "" : `name: ${name}` });
  return answer(webhookOf(call, env));
}

/** `DELETE /webhooks/{webhook}/{token}` */
export function removeWebhook(call: IngressCall, env: Env): Response {
  env.store.change(call.params.webhook ?? "", { isDeleted: true });
  capture(call, env, { method: "Delete Webhook", text: "" });
  return answer();
}

/** Records a change of a webhook. */
function capture(
  { params: { webhook = "", token }, headers, raw }: IngressCall,
  env: Env,
  { method, text }: { readonly method: string; readonly text: string },
): void {
  captureChat(env, {
    channel: { id: channelOf(webhook), name: `Discord ${webhook.slice(-6)}` },
    author: { id: webhook, name: "", icon_url: "", bot: true },
    text: text === "" ? method : `${method}: ${text}`,
    contents: [],
  }, {
    type: "chat.call",
    raw,
    meta: { method, webhook_id: webhook, webhook_token: token, ...presentedCredentials(headers) },
  });
}

/** `GET /webhooks/{webhook}/{token}/messages/{message}` */
export function showMessage(call: IngressCall, env: Env): Response {
  return answer(toMessage(messageOf(call, env), nameOf(call, env)));
}

function messageOf({ params, query }: IngressCall, { store, ctx }: Env): Entry {
  const { webhook = "", message = "" } = params;
  if (!isSnowflake(message)) {
    const text = `Value "${message.slice(0, 100)}" is not snowflake.`;
    fail(invalidForm([{ path: "message_id", code: "NUMBER_TYPE_COERCE", message: text }]));
  }
  const channel = query.get("thread_id") ?? channelOf(webhook);
  const found = store.messages.find(channel, message, ctx);
  if (found?.first.meta.webhook_id === webhook) return found;
  return fail(REFUSALS.unknownMessage);
}

/** `PATCH /webhooks/{webhook}/{token}/messages/{message}`: omitted members stay unchanged. */
export async function editMessage(call: IngressCall, env: Env): Promise<Response> {
  const entry = messageOf(call, env);
  const body = await readBody(call.body, call.headers.get("content-type"));
  const post = readPost(body);
  const { first, last } = entry;
  const content = post.given.has("content") ? post.content : last.meta.content;
  const contents = [
    ...(["embeds", "components", "poll"] as const).flatMap((name) =>
      post.given.has(name) ? [] : kept(entry, `chat3.${name}`)
    ),
    ...post.contents,
  ];
  const before = keptFiles(entry, post);
  const isEmpty = !content && contents.length === 0 && before.length + post.files.length === 0;
  if (isEmpty) fail(REFUSALS.empty);
  const added = await storeFiles(env.ctx, post.files);
  // Retained, because the event of the edit names them, too.
  for (const { blob } of before) env.ctx.blobs.retain(blob.id);
  const text = typeof content === "string" && content.trim() !== "" ? content : post.readable;
  const { meta } = last;
  const event = captureChat(env, {
    channel: first.payload.channel,
    author: { id: "", name: first.payload.author.name ?? "", icon_url: "", bot: true },
    text: text || (post.contents.length === 0 && contents.length > 0 ? last.payload.text : ""),
    contents,
    files: [...before, ...added],
    ts: first.payload.ts,
    change: { kind: "edit", event_id: first.id },
  }, {
    raw: call.raw,
    meta: {
      ...compact({ flags: meta.flags }),
      ...metaOf({ ...post, content: typeof content === "string" ? content : undefined }, call),
    },
  });
  return answer(toMessage({ first, last: event }, nameOf(call, env)));
}

/** Returns the contents of one format, as sent. */
function kept({ last }: Entry, wanted: DraftContent["format"]): DraftContent[] {
  return (last.payload.contents ?? []).filter(({ format }) => format === wanted)
    .map(({ format, data }) => ({
      format,
      json: new TextDecoder().decode(Uint8Array.fromBase64(data)),
    }));
}

/** Files that are kept: those in `attachments`, or all without it. */
function keptFiles({ first, last }: Entry, { keptFiles: ids }: Post): readonly ChatFile[] {
  const files = last.payload.files ?? [];
  if (ids === undefined) return files;
  return files.filter((_file, index) => ids.includes(fileIdOf(first.payload.ts ?? "0", index)));
}

/** `DELETE /webhooks/{webhook}/{token}/messages/{message}` */
export function deleteMessage(call: IngressCall, env: Env): Response {
  const { first, last } = messageOf(call, env);
  const { webhook, token } = call.params;
  captureChat(env, {
    channel: first.payload.channel,
    author: { id: "", name: first.payload.author.name ?? "", icon_url: "", bot: true },
    text: last.payload.text,
    contents: [],
    ts: first.payload.ts,
    change: { kind: "deletion", event_id: first.id },
  }, {
    raw: call.raw,
    meta: {
      webhook_id: webhook,
      webhook_token: token,
      ...presentedCredentials(call.headers),
    },
  });
  return answer();
}
