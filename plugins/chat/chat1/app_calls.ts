/** Requests to a Slack app, in the vendor's form. */
import { encodeHex } from "@std/encoding/hex";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { textOf, unknownName } from "../../../core/options/suggest.ts";
import { compact } from "../../../core/compact.ts";
import type { CallContext, OutgoingCall } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import type { OPTIONS } from "./options.ts";
import { ADA, channelIdOf, IDENTITY } from "./ids.ts";
import type { Store } from "./store.ts";

/** Context of requests to the app. */
export type Context = CallContext<typeof OPTIONS, ChatState, Store>;
type Json = Readonly<Record<string, unknown>>;

/** A user other than the bot. */
export const USER = { id: ADA, username: "ada", name: "ada", team_id: IDENTITY.team_id };

/** Secret that signs the requests. */
export function secretOf({ key }: Context): string {
  return encodeHex(key("signing secret")).slice(0, 32);
}

/** Returns the deprecated token of each request. */
export function tokenOf({ key }: Context): string {
  return encodeHex(key("verification token")).slice(0, 24);
}

function urlOf({ inbound }: Context): string {
  if (inbound !== undefined) return inbound;
  throw new RangeError(
    "Cannot call the Slack app: set [callbacks.inbound] chat1 (--callbacks-inbound-chat1)",
  );
}

/** Random letters and digits. */
function newId({ env }: Context): string {
  return env.ctx.uuid().replaceAll("-", "").slice(0, 11).toUpperCase();
}

export function secondsOf({ env }: Context): string {
  return env.store.nextTs(env.ctx.now().getTime());
}

function jsonCall(name: string, value: Json, context: Context, note: Json = {}): OutgoingCall {
  return {
    name,
    url: urlOf(context),
    headers: [["Content-Type", "application/json"], ...AGENT],
    body: new TextEncoder().encode(JSON.stringify({ token: tokenOf(context), ...value })),
    note,
  };
}

function formCall(
  name: string,
  fields: Readonly<Record<string, string>>,
  { context, note = {} }: { context: Context; note?: Json },
): OutgoingCall {
  return {
    name,
    url: urlOf(context),
    headers: [["Content-Type", "application/x-www-form-urlencoded"], ...AGENT],
    body: new TextEncoder().encode(new URLSearchParams(fields).toString()),
    note,
  };
}

const AGENT = [["User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)"], [
  "Accept",
  "*/*",
]] as const;

/** Returns an event of the Events API. */
export function eventCall(event: Json, context: Context): OutgoingCall {
  const ts = secondsOf(context);
  const { team_id, app_id, user_id } = IDENTITY;
  const whole = {
    ...(event.type === "message" ? { ts, channel_type: "channel" } : {}),
    event_ts: ts,
    ...event,
  };
  return jsonCall(
    String(event.type),
    {
      team_id,
      api_app_id: app_id,
      event: whole,
      type: "event_callback",
      event_id: `Ev${newId(context)}`,
      event_time: Math.floor(Number(ts)),
      authorizations: [{
        enterprise_id: null,
        team_id,
        user_id,
        is_bot: true,
        is_enterprise_install: false,
      }],
      is_ext_shared_channel: false,
    },
    context,
    { isEvent: true },
  );
}

/** Returns an address for responses, in the vendor's form. */
export function responseUrl(
  kind: "actions" | "commands",
  target: { readonly channel: string; readonly eventId?: string },
  context: Context,
): string {
  const { env } = context;
  const token = env.ctx.uuid().replaceAll("-", "");
  env.store.addTarget(token, target, env.ctx.now().getTime());
  return `${env.ctx.ingressUrl()}/${kind}/${IDENTITY.team_id}/${
    parseInt(token.slice(0, 8), 16)
  }/${token}`;
}

/** Returns an interaction: a form whose `payload` is the JSON. */
export function interactionCall(
  payload: Json,
  { context, note }: { context: Context; note?: Json },
): OutgoingCall {
  const whole = {
    user: USER,
    api_app_id: IDENTITY.app_id,
    token: tokenOf(context),
    team: { id: IDENTITY.team_id, domain: IDENTITY.name },
    enterprise: null,
    is_enterprise_install: false,
    ...payload,
  };
  const fields = { payload: JSON.stringify(whole) };
  return formCall(String(payload.type), fields, { context, ...compact({ note }) });
}

/** Returns a `trigger_id`, with which the app may open a view. */
export function newTrigger(context: Context): string {
  return `${newId(context)}.${newId(context)}`;
}

const TYPES = ["event", "command", "url_verification"];
const KEYS: Readonly<Record<string, readonly string[]>> = {
  event: ["type", "event"],
  command: ["type", "command", "text", "channel_id"],
  url_verification: ["type"],
};

/** Returns the call for a payload. Throws `RangeError` for an invalid one. */
export function inboundCall(payload: Json, context: Context): OutgoingCall {
  const { type = payload.command === undefined ? "event" : "command" } = payload;
  const keys = typeof type === "string" && Object.hasOwn(KEYS, type) ? KEYS[type]! : undefined;
  if (keys === undefined) {
    throw new RangeError(`Cannot call the Slack app: ${unknownName("type", textOf(type), TYPES)}`);
  }
  const unknown = Object.keys(payload).find((key) => !keys.includes(key));
  if (unknown !== undefined) {
    throw new RangeError(`Cannot call the Slack app: ${unknownName("field", unknown, keys)}`);
  }
  if (type === "url_verification") {
    const challenge = encodeHex(context.key(newId(context)));
    return jsonCall(type, { challenge, type }, context, { challenge });
  }
  if (type === "event") {
    const { event } = payload;
    if (isJsonObject(event) && typeof event.type === "string") return eventCall(event, context);
    throw new RangeError('Cannot call the Slack app: expected "event" with its type');
  }
  return commandCall(payload, context);
}

function commandCall({ command, text = "", channel_id }: Json, context: Context): OutgoingCall {
  if (typeof command !== "string" || !command.startsWith("/")) {
    throw new RangeError('Cannot call the Slack app: expected "command" such as "/deploy"');
  }
  if (typeof text !== "string") {
    throw new RangeError('Cannot call the Slack app: expected "text" to be text');
  }
  const channel = typeof channel_id === "string" ? channel_id : channelIdOf("general");
  return formCall(command, {
    token: tokenOf(context),
    team_id: IDENTITY.team_id,
    team_domain: IDENTITY.name,
    channel_id: channel,
    channel_name: "general",
    user_id: USER.id,
    user_name: USER.name,
    command,
    text,
    api_app_id: IDENTITY.app_id,
    is_enterprise_install: "false",
    response_url: responseUrl("commands", { channel }, context),
    trigger_id: newTrigger(context),
  }, { context, note: { channel } });
}
