/** push2: the Apple Push Notification service provider API. */
import { compact } from "../../../core/compact.ts";
import { matchesSecret } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { capturePush, type PushState } from "../capture.ts";
import {
  checkHeaders,
  familyHeaders,
  type PushHeaders,
  readHeaders,
  toDelivery,
} from "./headers.ts";
import { readProviderToken } from "./jwt.ts";
import { aboutOf } from "./about.ts";
import {
  broadcast,
  createChannel,
  deleteChannel,
  listChannels,
  readChannelCall,
} from "./channels.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { answer, HTTP1_WARNING, refuse, toVendorRefusal, type VendorRefusal } from "./reply.ts";
import { payloadLimit, readPayload } from "./request.ts";
import { snippets } from "./snippets.ts";
import type { Store } from "./store.ts";

const CHANNELS = "/1/apps/{bundle}/channels";

/** Provider for the Apple Push Notification service. */
export const push2 = ingressProvider<PushState, typeof OPTIONS, Store>({
  id: "push2",
  title: "APNs provider API",
  shortTitle: "APNs",
  aliases: ["apple"],
  about: "Accepts POST /3/device/{token} over HTTP/2 as the Apple Push Notification service does",
  vendorHosts: [
    "api.push.apple.com",
    "api.sandbox.push.apple.com",
    "api.development.push.apple.com",
    "api-manage-broadcast.push.apple.com",
    "api-manage-broadcast.sandbox.push.apple.com",
  ],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/3/device/{token}",
      about: "Send one push to one device",
      handle: send,
    },
    {
      method: "POST",
      path: "/4/broadcasts/apps/{bundle}",
      about: "Send one push to every device that follows a channel",
      handle: broadcast,
    },
    {
      method: "POST",
      path: CHANNELS,
      about: "Create a channel for Live Activities",
      handle: createChannel,
    },
    {
      method: "GET",
      path: CHANNELS,
      about: "Read the channel that apns-channel-id names",
      handle: readChannelCall,
    },
    {
      method: "DELETE",
      path: CHANNELS,
      about: "End the channel that apns-channel-id names",
      handle: deleteChannel,
    },
    {
      method: "GET",
      path: "/1/apps/{bundle}/all-channels",
      about: "List the channels of an app",
      handle: listChannels,
    },
    {
      method: "POST",
      path: "/3/{path...}",
      about: "Any other path: BadPath, as the vendor reports it",
      unlisted: true,
      public: true,
      handle: (call, env) => refuseCall("BadPath", { call, env }),
    },
  ],
  open: ({ state }) => state.channels,
  authorize,
  refuse(call, refusal, env) {
    const detail = refusal.status === 503 ? refusal.message : undefined;
    return refuseCall(toVendorRefusal(refusal), { call, env, detail });
  },
  snippets,
  faults: FAULTS,
  callbacks: {
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

/** Compares the key id with the pinned one; signatures are never verified. */
function authorize(call: IngressCall, env: Env): Response | undefined {
  const { key_id } = env.values;
  // The vendor checks these before the token, and refuses the request for them.
  const isDevice = call.params.token !== undefined;
  if (key_id === undefined || (isDevice && !readAddress(call).ok)) return undefined;
  const token = readProviderToken(call.headers.get("authorization"), env.ctx.now());
  if (token === undefined) return refuseCall("MissingProviderToken", { call, env });
  return matchesSecret(token.kid, key_id)
    ? undefined
    : refuseCall("InvalidProviderToken", { call, env });
}

function send(call: IngressCall, env: Env): Response {
  const address = readAddress(call);
  if (!address.ok) return refuseCall(address.refusal, { call, env });
  const { device, headers } = address.value;
  const reason = checkTopic(headers, env) ?? checkHeaders(headers) ?? checkSize(call, headers);
  if (reason !== undefined) return refuseCall(reason, { call, env });
  const since = env.state.gone.push2.since(headers.topic ?? "", device);
  if (since !== undefined) return refuseCall("Unregistered", { call, env, since });
  const authorization = call.headers.get("authorization");
  const token = readProviderToken(authorization, env.ctx.now());
  const about = aboutOf(call, env);
  const uniqueId = env.ctx.uuid();
  const content = readPayload(call.body);
  const pushType = headers["push-type"];
  capturePush(env, {
    ...content.draft,
    app: headers.topic ?? "",
    pushType,
    wakes: content.draft.wakes || pushType === "background",
    target: { kind: "device", value: device, source: "path" },
    delivery: toDelivery(headers),
  }, {
    raw: call.raw,
    meta: {
      push2_id: about.id,
      push2_unique_id: uniqueId,
      headers: familyHeaders(call.rawHeaders),
      ...content.meta,
      ...(authorization !== null && { authorization }),
      ...compact({ jwt: token }),
      http_version: call.version,
      ...(call.version === "2" ? {} : { warning: HTTP1_WARNING }),
    },
  });
  return answer({ ...about, uniqueId });
}

interface Address {
  readonly device: string;
  readonly headers: PushHeaders;
}

/** Device and headers, which the vendor checks first. */
function readAddress(call: IngressCall): Result<Address, VendorRefusal> {
  const device = call.params.token ?? "";
  if (device === "") return failure("MissingDeviceToken");
  const headers = readHeaders(call.rawHeaders);
  return headers === "duplicate" ? failure("DuplicateHeaders") : success({ device, headers });
}

function checkTopic({ topic }: PushHeaders, env: Env): VendorRefusal | undefined {
  if (topic === undefined) return "MissingTopic";
  const pinned = env.values.topic;
  return pinned === undefined || pinned === topic ? undefined : "TopicDisallowed";
}

function checkSize({ body }: IngressCall, headers: PushHeaders): VendorRefusal | undefined {
  if (body.length === 0) return "PayloadEmpty";
  return body.length > payloadLimit(headers["push-type"]) ? "PayloadTooLarge" : undefined;
}

function refuseCall(
  reason: VendorRefusal,
  { call, env, detail, since }: {
    readonly call: IngressCall;
    readonly env: Env;
    readonly since?: Date;
    readonly detail?: string | undefined;
  },
): Response {
  return refuse(reason, { env, about: aboutOf(call, env), detail, since });
}
