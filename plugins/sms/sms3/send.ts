/** Sends over the SMS API and the Messages API. */
import { matchesSecret, presentedCredentials, readBasic } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureSms } from "../capture.ts";
import type { Env } from "./options.ts";
import {
  answerMessage,
  answerSms,
  isSmsApi,
  REFUSALS,
  refuse,
  type VendorRefusal,
} from "./reply.ts";
import { readMessage, readSms, type SendRequest } from "./request.ts";

/** `POST /sms/json` and `POST /v1/messages` */
export async function send(call: IngressCall, env: Env): Promise<Response> {
  const read = isSmsApi(call) ? readSms : readMessage;
  const request = read(call.body, call.headers.get("content-type"));
  if (!request.ok) return refuseCall(request.refusal, call, env);
  if (!isKnown(request.value, call, env)) return refuseCall(REFUSALS.credentials, call, env);
  const { draft, meta, key } = request.value;
  const id = env.ctx.uuid();
  const event = await captureSms(env, draft, {
    raw: call.raw,
    meta: {
      ...meta,
      message_id: id,
      ...(key !== undefined && { api_key: key }),
      ...presentedCredentials(call.headers),
    },
  });
  if (!isSmsApi(call)) return answerMessage(id);
  const { count } = event.payload.segments;
  const others = Array.from({ length: count - 1 }, () => env.ctx.uuid());
  return answerSms(draft.to, [id, ...others]);
}

/** Checks pinned credentials, in the body or as Basic. A JWT or a signature replaces the secret. */
function isKnown(
  { key, secret, signed }: SendRequest,
  call: IngressCall,
  { values }: Env,
): boolean {
  const authorization = call.headers.get("authorization") ?? "";
  if (/^Bearer /i.test(authorization)) return true;
  const basic = readBasic(authorization);
  const { api_key, api_secret } = values;
  return (api_key === undefined || matchesSecret(key ?? basic?.username, api_key)) &&
    (api_secret === undefined || signed || matchesSecret(secret ?? basic?.password, api_secret));
}

/** The SMS API refuses with status 200, which core cannot tell from success. */
function refuseCall(refusal: VendorRefusal, call: IngressCall, env: Env): Response {
  const response = refuse(refusal, { call, requestId: env.ctx.uuid() });
  if (response.status === 200) {
    const [status, text] = refusal.sms;
    env.reject({ status: 200, reason: `Answered 200 with status ${status}: ${text}` });
  }
  return response;
}
