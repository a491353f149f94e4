/** What every sms1 handler uses: options, answers, the credential check and the memory of the service. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm, type FormFields, formFields } from "../../../core/codec/form.ts";
import { matchesSecret, readBasic } from "../../../core/http/auth.ts";
import { defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { IngressCall, ProviderEnv } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { SmsEvent } from "../views.ts";
import { badParameter, type Fault, FAULTS, notFound, type Read } from "./fault.ts";
import { accountOf, type Change, messageSid, toFaultBody } from "./reply.ts";
import { decodeMessageSid } from "./sids.ts";

/** Value of `provider` on the events of this provider. */
export const PROVIDER = "sms1";

/** Settings of the provider. */
export const OPTIONS = defineOptions({
  account_sid: optionalText(
    "Account SID that clients must present; checked together with the token",
  ),
  auth_token: optionalText("Auth token that clients must present; checked together with the SID", {
    secret: true,
  }),
});

/** What a handler works with. */
export type Sms1Env = ProviderEnv<typeof OPTIONS, SmsState>;

/** One vendor operation. */
export type Sms1Handler = (call: IngressCall, env: Sms1Env) => Response | Promise<Response>;

/** Changes kept; the oldest go first. */
const MAX_CHANGES = 10_000;

/** What was changed after the capture, by event. Keyed by the plugin's state, which is made once per service. */
const changes = new WeakMap<SmsState, Map<string, Change>>();

/** What came after the capture of a message. */
export function changeOf(env: Sms1Env, eventId: string): Change | undefined {
  return changes.get(env.state)?.get(eventId);
}

/** Adds to what came after the capture. */
export function addChange(env: Sms1Env, eventId: string, change: Omit<Change, "at">): Change {
  const kept = changes.get(env.state) ?? new Map<string, Change>();
  changes.set(env.state, kept);
  const added = { ...kept.get(eventId), ...change, at: env.ctx.now() };
  kept.set(eventId, added);
  if (kept.size > MAX_CHANGES) kept.delete(kept.keys().next().value!);
  return added;
}

/** An answer with the headers the vendor sends, but for the id of the request. */
export function answer(body: unknown, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers(headers);
  all.set("content-type", "application/json;charset=utf-8");
  all.set("twilio-concurrent-requests", "1");
  all.set("x-api-domain", "api.twilio.com");
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers: all });
}

/** A refusal in the vendor's shape. */
export function refusal(fault: Fault, headers: HeadersInit = {}): Response {
  return answer(toFaultBody(fault), fault.status, headers);
}

/** Gives an answer the id of its request. */
export function identify(response: Response, { ctx }: Sms1Env): Response {
  response.headers.set("twilio-request-id", `RQ${ctx.uuid().replaceAll("-", "")}`);
  return response;
}

/** Checks the credentials before the operation runs, when both of them are pinned. */
export function withCredentials(handle: Sms1Handler): Sms1Handler {
  return (call, env) => {
    const { account_sid, auth_token } = env.values;
    if (account_sid === undefined || auth_token === undefined) {
      if (account_sid !== auth_token) warnHalfPinned(env);
      return handle(call, env);
    }
    const authorization = call.headers.get("authorization");
    if (authorization === null) {
      return refusal(FAULTS.noCredentials, { "www-authenticate": 'Basic realm="Twilio API"' });
    }
    const given = readBasic(authorization);
    if (!matchesSecret(given?.username, account_sid)) return refusal(FAULTS.wrongUser);
    if (!matchesSecret(given?.password, auth_token)) return refusal(FAULTS.wrongToken);
    const { account } = call.params;
    if (account !== undefined && account !== account_sid) return refusal(FAULTS.wrongToken);
    return handle(call, env);
  };
}

const warned = new WeakSet<SmsState>();

/** Once per service: a setting that changes nothing must not go unnoticed. */
function warnHalfPinned(env: Sms1Env): void {
  if (warned.has(env.state)) return;
  warned.add(env.state);
  env.ctx.log.warn(
    "Accepting any credentials for sms1: they are checked only when account_sid and auth_token are both set",
  );
}

/** The form fields of a call, urlencoded or multipart. */
export async function readFields(call: IngressCall): Promise<Read<FormFields>> {
  const type = call.headers.get("content-type") ?? "";
  try {
    if (!/^multipart\/form-data\b/i.test(type)) return { ok: true, value: decodeForm(call.body) };
    const body = call.body as Uint8Array<ArrayBuffer>;
    const form = await new Response(body, { headers: { "content-type": type } }).formData();
    const texts = [...form].filter((part): part is [string, string] => typeof part[1] === "string");
    return { ok: true, value: formFields(texts) };
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) {
      return { ok: false, fault: badParameter("body", error.message) };
    }
    throw error;
  }
}

/** The message that the call's path names: of this account, and not deleted. */
export function findMessage(call: IngressCall, env: Sms1Env): Read<SmsEvent> {
  const { account = "", sid = "" } = call.params;
  const eventId = decodeMessageSid(sid);
  const event = eventId === undefined ? undefined : env.ctx.events.get(eventId);
  if (event === undefined || !isOurs(event, env)) return missing(call);
  const found = event as SmsEvent;
  if (messageSid(found) !== sid || accountOf(found) !== account) return missing(call);
  if (changeOf(env, found.id)?.deleted) return missing(call);
  return { ok: true, value: found };
}

/** The refusal for a path that names nothing. */
export function missing(call: IngressCall): Extract<Read<never>, { ok: false }> {
  return { ok: false, fault: notFound(call.path) };
}

function isOurs(event: { plugin: string; provider: string }, env: Sms1Env): boolean {
  return event.plugin === env.ctx.plugin && event.provider === PROVIDER;
}
