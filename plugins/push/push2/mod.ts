/** push2: the Apple Push Notification service provider API. */
import { matchesSecret } from "../../../core/http/auth.ts";
import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import {
  type IngressCall,
  ingressProvider,
  type ProviderEnv,
  type Refusal,
} from "../../../core/plugin.ts";
import { capturePush, type PushState } from "../capture.ts";
import {
  checkHeaders,
  familyHeaders,
  type PushHeaders,
  readHeaders,
  requestId,
  toDelivery,
} from "./headers.ts";
import { type ProviderToken, readProviderToken } from "./jwt.ts";
import { payloadLimit, readPayload } from "./payload.ts";
import {
  accepted,
  HTTP1_WARNING,
  type Reason,
  REASONS,
  refused,
  type ReplyAbout,
} from "./reply.ts";
import { snippets } from "./snippets.ts";

const OPTIONS = defineOptions({
  topic: optionalText("Topic (bundle id) that every push must name; any is accepted without it"),
  key_id: optionalText("Key id that provider tokens must name; any or none is accepted without it"),
});

type Env = ProviderEnv<typeof OPTIONS, PushState>;

/** The second of the push gateways. */
export const push2 = ingressProvider<PushState, typeof OPTIONS>({
  id: "push2",
  title: "APNs provider API",
  shortTitle: "APNs",
  about: "Takes POST /3/device/{token} over HTTP/2 as the Apple Push Notification service does",
  vendorHosts: [
    "api.push.apple.com",
    "api.sandbox.push.apple.com",
    "api.development.push.apple.com",
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
      path: "/3/{path...}",
      about: "Any other path: BadPath, as the vendor says it",
      unlisted: true,
      handle: (call, env) => refuse(call, env, "BadPath"),
    },
  ],
  refuse: (call, { kind, message }, env) =>
    refuse(call, env, REFUSAL_REASONS[kind], kind === "busy" ? message : undefined),
  snippets,
});

const REFUSAL_REASONS: Readonly<Record<Refusal["kind"], Reason>> = {
  too_large: "PayloadTooLarge",
  method_not_allowed: "MethodNotAllowed",
  // A body that cannot be unpacked holds no payload.
  bad_encoding: "PayloadEmpty",
  busy: "ServiceUnavailable",
  internal: "InternalServerError",
};

function send(call: IngressCall, env: Env): Response {
  const device = call.params.token ?? "";
  if (device === "") return refuse(call, env, "MissingDeviceToken");
  const headers = readHeaders(call.rawHeaders);
  if (headers === "duplicate") return refuse(call, env, "DuplicateHeaders");
  const authorization = call.headers.get("authorization");
  const token = readProviderToken(authorization, env.ctx.now());
  const reason = checkToken(token, env) ?? checkTopic(headers, env) ?? checkHeaders(headers) ??
    checkSize(call, headers);
  if (reason !== undefined) return refuse(call, env, reason);
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
      ...(authorization === null ? {} : { authorization }),
      ...(token === undefined ? {} : { jwt: token }),
      http_version: call.version,
      ...(call.version === "2" ? {} : { warning: HTTP1_WARNING }),
    },
  });
  return accepted({ ...about, uniqueId });
}

function checkToken(token: ProviderToken | undefined, env: Env): Reason | undefined {
  const { key_id } = env.values;
  if (key_id === undefined) return undefined;
  if (token === undefined) return "MissingProviderToken";
  return matchesSecret(token.kid, key_id) ? undefined : "InvalidProviderToken";
}

function checkTopic({ topic }: PushHeaders, env: Env): Reason | undefined {
  if (topic === undefined) return "MissingTopic";
  const pinned = env.values.topic;
  return pinned === undefined || pinned === topic ? undefined : "TopicDisallowed";
}

function checkSize({ body }: IngressCall, headers: PushHeaders): Reason | undefined {
  if (body.length === 0) return "PayloadEmpty";
  return body.length > payloadLimit(headers["push-type"]) ? "PayloadTooLarge" : undefined;
}

/** Noted here and not by core, which would have to split the answer's body and so its frame. */
function refuse(
  call: IngressCall,
  env: Pick<Env, "reject" | "ctx">,
  reason: Reason,
  detail?: string,
): Response {
  const status = REASONS[reason];
  const why = detail === undefined ? reason : `${reason}: ${detail}`;
  env.reject({ status, reason: `Answered ${status}: ${why}` });
  return refused(reason, aboutOf(call, env));
}

function aboutOf(call: IngressCall, env: Pick<Env, "ctx">): ReplyAbout {
  return {
    id: requestId(call.rawHeaders) ?? env.ctx.uuid().toUpperCase(),
    version: call.version,
  };
}
