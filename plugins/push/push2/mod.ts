/** push2: the Apple Push Notification service provider API. */
import { matchesSecret } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import { readAddress } from "./address.ts";
import { readProviderToken } from "./jwt.ts";
import { refuseCall } from "./about.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { toVendorRefusal } from "./reply.ts";
import { snippets } from "./snippets.ts";
import type { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

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
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/4/broadcasts/apps/{bundle}",
      about: "Send one push to every device that follows a channel",
      handle: handler("broadcast"),
    },
    {
      method: "POST",
      path: CHANNELS,
      about: "Create a channel for Live Activities",
      handle: handler("createChannel"),
    },
    {
      method: "GET",
      path: CHANNELS,
      about: "Read the channel that apns-channel-id names",
      handle: handler("readChannelCall"),
    },
    {
      method: "DELETE",
      path: CHANNELS,
      about: "End the channel that apns-channel-id names",
      handle: handler("deleteChannel"),
    },
    {
      method: "GET",
      path: "/1/apps/{bundle}/all-channels",
      about: "List the channels of an app",
      handle: handler("listChannels"),
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
