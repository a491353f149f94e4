import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import { compact } from "../../../core/compact.ts";
import type { CapturedEvent } from "../../../core/plugin.ts";
import type { ChatFile, ChatMessage } from "../model.ts";
import type { Env } from "./options.ts";
import type { FieldFault, VendorRefusal } from "./refusals.ts";
import type { Webhook } from "./store.ts";

type Json = Record<string, unknown>;

/** Default name of a webhook. */
export const NAME = "standin";
/** The server whose channels the webhooks post to. */
const GUILD_ID = "1000000000000000001";

/** Channel of a webhook, derived from the webhook id because no request names it. */
export function channelOf(webhook: string): string {
  return String(BigInt(webhook) + 1n);
}

/** https://docs.discord.com/developers/resources/webhook#webhook-object */
export function toWebhook(
  { id, token, url }: { readonly id: string; readonly token: string; readonly url: string },
  { name = NAME, avatar }: Webhook,
): Json {
  return {
    application_id: null,
    avatar: avatar ?? null,
    channel_id: channelOf(id),
    guild_id: GUILD_ID,
    id,
    name,
    type: 1,
    token,
    url,
  };
}

/**
 * Returns a message, built from its events:
 * https://docs.discord.com/developers/resources/message#message-object. `last` has its current
 * content.
 */
export function toMessage(
  { first, last }: {
    readonly first: CapturedEvent<ChatMessage>;
    readonly last: CapturedEvent<ChatMessage>;
  },
  { webhook, name = NAME }: { readonly webhook: string; readonly name?: string | undefined },
): Json {
  const { channel, author, ts = "" } = first.payload;
  const { contents = [], files = [] } = last.payload;
  const part = (format: string): unknown =>
    contents.find((content) => content.format === format)?.json;
  const poll = part("chat3.poll");
  return {
    id: ts,
    type: 0,
    content: typeof last.meta.content === "string" ? last.meta.content : "",
    channel_id: channel.id,
    author: {
      id: webhook,
      username: author.name ?? name,
      avatar: null,
      discriminator: "0000",
      public_flags: 0,
      flags: 0,
      bot: true,
      global_name: null,
    },
    attachments: files.map((file, index) => toAttachment(file, { channel: channel.id, ts, index })),
    embeds: toEmbeds(part("chat3.embeds")),
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    pinned: false,
    tts: first.meta.tts === true,
    timestamp: toTime(first.received_at),
    edited_timestamp: last === first ? null : toTime(last.received_at),
    flags: typeof last.meta.flags === "number" ? last.meta.flags : 0,
    components: part("chat3.components") ?? [],
    webhook_id: webhook,
    ...(poll !== undefined && { poll }),
  };
}

/** Every embed of a webhook has the type `rich`, whatever its sender states. */
function toEmbeds(embeds: unknown): unknown {
  if (!Array.isArray(embeds)) return [];
  return embeds.map((embed: object) => ({ ...embed, type: "rich" }));
}

function toTime(at: Date): string {
  return at.toISOString().replace("Z", "000+00:00");
}

/** Id of a file of a message, derived from the message id. */
export function fileIdOf(ts: string, index: number): string {
  return String(BigInt(ts) + 1n + BigInt(index));
}

function toAttachment(
  { size, filename = "file", content_type, title }: ChatFile,
  { channel, ts, index }: { readonly channel: string; readonly ts: string; readonly index: number },
): Json {
  const id = fileIdOf(ts, index);
  const path = `attachments/${channel}/${id}/${encodeURIComponent(filename.toWellFormed())}`;
  return {
    id,
    filename,
    size,
    url: `https://cdn.discordapp.com/${path}`,
    proxy_url: `https://media.discordapp.net/${path}`,
    ...compact({ content_type, description: title }),
  };
}

/** Response with a message or a webhook, or 204 without one. */
export function answer(body?: Json): Response {
  return body === undefined ? new Response(null, { status: 204 }) : vendorJson(body);
}

/** The variant for Slack's format answers as Slack does. */
export function answerSlack(): Response {
  return textResponse("ok", { headers: { "content-type": "text/html; charset=utf-8" } });
}

/** Returns a refusal. */
export function refuse({ status, code, message, faults = [] }: VendorRefusal): Response {
  if (status === 429) return limited(1);
  const errors = faults.length === 0 ? {} : { errors: toTree(faults) };
  return vendorJson({ message, code, ...errors }, { status });
}

/** Returns the refusal of too many requests: https://docs.discord.com/developers/topics/rate-limits */
export function limited(seconds: number, scope: "user" | "shared" | "global" = "user"): Response {
  const response = vendorJson({
    message: "You are being rate limited.",
    retry_after: seconds,
    global: scope === "global",
  }, { status: 429 });
  response.headers.set("retry-after", String(Math.ceil(seconds)));
  response.headers.set("x-ratelimit-scope", scope);
  if (scope === "global") response.headers.set("x-ratelimit-global", "true");
  response.headers.set("x-ratelimit-remaining", "0");
  response.headers.set("x-ratelimit-reset-after", seconds.toFixed(3));
  return response;
}

/** Faults as a tree by path. */
function toTree(faults: readonly FieldFault[]): Json {
  const root: Json = {};
  for (const { path, code, message } of faults) {
    let at = root;
    for (const name of path === "_" ? [] : path.split(".")) {
      at = (Object.hasOwn(at, name) ? at[name] : at[name] = {}) as Json;
    }
    const errors = (at._errors ??= []) as unknown[];
    errors.push({ code, message });
  }
  return root;
}

/** Requests per bucket, and its length in seconds, as for webhooks. */
const LIMIT = 5;
const WINDOW = 2;

/** Adds the rate-limit headers that clients use for pacing; the limit is never reached. */
export function pace(response: Response, { ctx }: Pick<Env, "ctx">): Response {
  const { headers } = response;
  const remaining = headers.get("x-ratelimit-remaining") ?? String(LIMIT - 1);
  const after = Number(headers.get("x-ratelimit-reset-after") ?? WINDOW);
  headers.set("x-ratelimit-limit", String(LIMIT));
  headers.set("x-ratelimit-remaining", remaining);
  headers.set("x-ratelimit-reset-after", after.toFixed(3));
  headers.set("x-ratelimit-reset", (ctx.now().getTime() / 1000 + after).toFixed(3));
  headers.set("x-ratelimit-bucket", "standin");
  return response;
}
