/** `POST /3/device/{token}` */
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { capturePush } from "../capture.ts";
import { readAddress } from "./address.ts";
import { checkHeaders, familyHeaders, type PushHeaders, toDelivery } from "./headers.ts";
import { readProviderToken } from "./jwt.ts";
import { aboutOf, refuseCall } from "./about.ts";
import type { Env } from "./options.ts";
import { answer, HTTP1_WARNING, type VendorRefusal } from "./reply.ts";
import { payloadLimit, readPayload } from "./request.ts";

/** Answers a call that sends. */
export function send(call: IngressCall, env: Env): Response {
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

function checkTopic({ topic }: PushHeaders, env: Env): VendorRefusal | undefined {
  if (topic === undefined) return "MissingTopic";
  const pinned = env.values.topic;
  return pinned === undefined || pinned === topic ? undefined : "TopicDisallowed";
}

function checkSize({ body }: IngressCall, headers: PushHeaders): VendorRefusal | undefined {
  if (body.length === 0) return "PayloadEmpty";
  return body.length > payloadLimit(headers["push-type"]) ? "PayloadTooLarge" : undefined;
}
