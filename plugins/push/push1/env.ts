/** What every push1 handler uses: options, the credential check, and refusals that are noted. */
import { matchesSecret, readBearer } from "../../../core/http/auth.ts";
import { boolean, defineOptions, optionalText } from "../../../core/options/spec.ts";
import type { IngressCall, ProviderEnv } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import { type ApiFault, MISSING_CREDENTIALS, refusal, WRONG_CREDENTIALS } from "./reply.ts";

/** Settings of the provider. */
export const OPTIONS = defineOptions({
  bearer_token: optionalText(
    "Access token that requests must carry; any or none is accepted without it",
    {
      secret: true,
    },
  ),
  oauth_token: boolean(
    "Give out access tokens at POST /token, for service accounts whose token_uri points there",
    false,
    { only: "file" },
  ),
});

/** What a handler works with. */
export type Push1Env = ProviderEnv<typeof OPTIONS, PushState>;

/** One vendor operation, called once the credentials are known to be good. */
export type Push1Handler = (call: IngressCall, env: Push1Env) => Response;

/** Longest part of a message that is noted; it can quote what was sent many times over. */
const MAX_REASON = 300;

/** Keyed by the plugin's state, which is made once per service. */
const issuedTokens = new WeakMap<PushState, string>();

/** The access token that this service gives out. */
export function issuedToken(env: Pick<Push1Env, "state" | "ctx">): string {
  const known = issuedTokens.get(env.state);
  if (known !== undefined) return known;
  const token = `ya29.${[env.ctx.uuid(), env.ctx.uuid()].join("").replaceAll("-", "")}`;
  issuedTokens.set(env.state, token);
  return token;
}

/** Refuses calls without the pinned token, or one that was given out here; without a pin it lets all through. */
export function withToken(handle: Push1Handler): Push1Handler {
  return (call, env) => {
    const { bearer_token, oauth_token } = env.values;
    if (bearer_token === undefined) return handle(call, env);
    const authorization = call.headers.get("authorization");
    if (authorization === null) return refuse(env, MISSING_CREDENTIALS);
    const given = readBearer(authorization);
    const good = matchesSecret(given, bearer_token) ||
      (oauth_token && matchesSecret(given, issuedToken(env)));
    return good ? handle(call, env) : refuse(env, WRONG_CREDENTIALS);
  };
}

/** A refusal in the vendor's shape, noted with its message. */
export function refuse(
  env: Pick<Push1Env, "reject">,
  fault: ApiFault,
  headers: HeadersInit = {},
): Response {
  const message = fault.message.slice(0, MAX_REASON).toWellFormed();
  env.reject({ status: fault.code, reason: `Answered ${fault.code}: ${message}` });
  return refusal(fault, headers);
}
