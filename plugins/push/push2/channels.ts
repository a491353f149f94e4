/**
 * Channels for Live Activities
 * (https://developer.apple.com/documentation/usernotifications/sending-channel-management-requests-to-apns), and
 * broadcasts to them
 * (https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns).
 */
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { capturePush } from "../capture.ts";
import {
  checkHeaders,
  familyHeaders,
  type PushHeaders,
  readHeaders,
  toDelivery,
} from "./headers.ts";
import { readProviderToken } from "./jwt.ts";
import type { Env } from "./options.ts";
import { answerRequest, HTTP1_WARNING, refuseRequest, type VendorRefusal } from "./reply.ts";
import { readPayload } from "./request.ts";
import type { Channel } from "./store.ts";

/** Largest payload of a broadcast, in bytes. */
const MAX_BYTES = 5120;

/** A call about the channels of one app. */
interface ChannelCall {
  readonly app: string;
  /** Headers, already checked. */
  readonly headers: PushHeaders;
  /** As sent, or new; clients match responses to requests by it. */
  readonly requestId: string;
}

/** `POST /1/apps/{bundle}/channels`: creates a channel. */
export function createChannel(call: IngressCall, env: Env): Response {
  return serve(call, env, ({ app, requestId }) => {
    const channel = readChannel(call.body);
    if (!channel.ok) return channel;
    const id = env.store.create(app, channel.value);
    if (id === undefined) return failure("CannotCreateChannelConfig");
    return success(answerRequest({ requestId, status: 201, channelId: id }));
  });
}

/** `GET /1/apps/{bundle}/channels`: returns the channel named in the header. */
export function readChannelCall(call: IngressCall, env: Env): Response {
  return serve(call, env, (about) => {
    const found = findChannel(about, env);
    if (!found.ok) return found;
    return success(answerRequest({ requestId: about.requestId, body: found.value.channel }));
  });
}

/** `DELETE /1/apps/{bundle}/channels`: deletes the channel named in the header. */
export function deleteChannel(call: IngressCall, env: Env): Response {
  return serve(call, env, (about) => {
    const found = findChannel(about, env);
    if (!found.ok) return found;
    env.store.delete(about.app, found.value.id);
    return success(answerRequest({ requestId: about.requestId, status: 204 }));
  });
}

/** `GET /1/apps/{bundle}/all-channels`: ids of all channels of an app. */
export function listChannels(call: IngressCall, env: Env): Response {
  return serve(
    call,
    env,
    ({ app, requestId }) =>
      success(answerRequest({ requestId, body: { channels: env.store.list(app) } })),
  );
}

/** `POST /4/broadcasts/apps/{bundle}`: one push to every device that follows a channel. */
export function broadcast(call: IngressCall, env: Env): Response {
  return serve(call, env, (about) => {
    const { app, headers, requestId } = about;
    const found = findChannel(about, env);
    if (!found.ok) return found;
    const type = headers["push-type"];
    if (type === undefined) return failure("MissingPushType");
    // Apple's own examples write "Liveactivity".
    if (type.toLowerCase() !== "liveactivity") return failure("InvalidPushType");
    // A channel without storage keeps no message.
    if (
      found.value.channel["message-storage-policy"] === 0 && Number(headers.expiration ?? 0) > 0
    ) {
      return failure("BadExpirationDate");
    }
    if (call.body.length === 0) return failure("PayloadEmpty");
    if (call.body.length > MAX_BYTES) return failure("PayloadTooLarge");
    const { draft, meta } = readPayload(call.body);
    const authorization = call.headers.get("authorization");
    const uniqueId = env.ctx.uuid();
    capturePush(env, {
      ...draft,
      app,
      pushType: type,
      target: { kind: "channel", value: found.value.id, source: "channel" },
      delivery: toDelivery(headers),
    }, {
      raw: call.raw,
      meta: {
        request_id: requestId,
        push2_unique_id: uniqueId,
        headers: familyHeaders(call.rawHeaders),
        ...meta,
        ...compact({
          authorization: authorization ?? undefined,
          jwt: readProviderToken(authorization, env.ctx.now()),
        }),
        http_version: call.version,
        ...(call.version === "2" ? {} : { warning: HTTP1_WARNING }),
      },
    });
    return success(answerRequest({ requestId, uniqueId }));
  });
}

/** Checks the parts shared by all calls, and answers with the result. */
function serve(
  call: IngressCall,
  env: Env,
  run: (about: ChannelCall) => Result<Response, VendorRefusal>,
): Response {
  const sent = readHeaders(call.rawHeaders);
  const headers = sent === "duplicate" ? {} : sent;
  const requestId = headers["request-id"] ?? env.ctx.uuid();
  const app = call.params.bundle ?? "";
  const pinned = env.values.topic;
  const fault = sent === "duplicate"
    ? "DuplicateHeaders"
    : pinned !== undefined && pinned !== app
    ? "TopicDisallowed"
    : checkHeaders({ ...headers, "push-type": undefined });
  const result = fault === undefined ? run({ app, headers, requestId }) : failure(fault);
  return result.ok ? result.value : refuseRequest(result.refusal, { env, requestId });
}

function findChannel(
  { app, headers }: ChannelCall,
  env: Env,
): Result<{ readonly id: string; readonly channel: Channel }, VendorRefusal> {
  const id = headers["channel-id"];
  if (id === undefined) return failure("MissingChannelId");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(id)) return failure("BadChannelId");
  const channel = env.store.get(app, id);
  return channel === undefined ? failure("ChannelNotRegistered") : success({ id, channel });
}

function readChannel(body: Uint8Array): Result<Channel, VendorRefusal> {
  const json = readJson(body);
  const sent = json.ok && isJsonObject(json.value) ? json.value : {};
  const { "message-storage-policy": policy, "push-type": type } = sent;
  if (type === undefined) return failure("MissingPushType");
  if (typeof type !== "string" || type.toLowerCase() !== "liveactivity") {
    return failure("InvalidPushType");
  }
  if (policy !== 0 && policy !== 1) return failure("CannotCreateChannelConfig");
  return success({ "message-storage-policy": policy, "push-type": "LiveActivity" });
}
