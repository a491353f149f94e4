/** What every mail3 handler uses: options, answers, the credential check and the memory of the service. */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeJson } from "../../../core/codec/json_lenient.ts";
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { choice, defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { IngressCall, ProviderEnv } from "../../../core/plugin.ts";
import type { MailState } from "../capture.ts";
import { Mail3Memory } from "./memory.ts";
import { ERRORS, type VendorError } from "./reply.ts";
import type { Read } from "./request.ts";

/** Value of `provider` on the events of this provider. */
export const PROVIDER = "mail3";

/** What the vendor says has become of a message. */
const LAST_EVENTS = [
  "queued",
  "sent",
  "delivered",
  "delivery_delayed",
  "opened",
  "clicked",
  "bounced",
  "complained",
  "failed",
  "suppressed",
] as const;

/** Settings of the provider. */
export const OPTIONS = defineOptions({
  api_key: optionalText("API key that requests must carry; any is accepted while unset", {
    secret: true,
  }),
  last_event: choice(
    "State that fetched emails report, unless scheduled or canceled",
    LAST_EVENTS,
    "delivered",
  ),
});

/** What a handler works with. */
export type Mail3Env = ProviderEnv<typeof OPTIONS, MailState>;

/** One vendor operation, called once the credentials are known to be good. */
export type Mail3Handler = (call: IngressCall, env: Mail3Env) => Response | Promise<Response>;

/** Keyed by the plugin's state, which is made once per service. */
const memories = new WeakMap<MailState, Mail3Memory>();

/** The memory of this service. */
export function memoryOf(env: Mail3Env): Mail3Memory {
  const known = memories.get(env.state);
  if (known !== undefined) return known;
  const { events } = env.ctx;
  const memory = new Mail3Memory((id) => events.get(id) !== undefined);
  memories.set(env.state, memory);
  return memory;
}

/** A successful answer. */
export function answer(body: unknown): Response {
  return Response.json(body);
}

/** A refusal in the vendor's shape. */
export function refusal(error: VendorError, headers: HeadersInit = {}): Response {
  return Response.json(error, { status: error.statusCode, headers });
}

/** Checks the pinned key, when there is one, before the operation runs. */
export function withKey(handle: Mail3Handler): Mail3Handler {
  return (call, env) => {
    const pinned = env.values.api_key;
    if (pinned !== undefined) {
      const authorization = call.headers.get("authorization");
      if (authorization === null) return refusal(ERRORS.missingKey);
      if (!matchesSecret(readBearer(authorization), pinned)) return refusal(ERRORS.wrongKey);
    }
    return handle(call, env);
  };
}

/** The request body as JSON. */
export function readJson(call: IngressCall): Read<unknown> {
  try {
    return { ok: true, value: decodeJson(call.body, call.headers.get("content-type")) };
  } catch (error) {
    if (error instanceof WireError) return { ok: false, error: ERRORS.badJson };
    throw error;
  }
}
