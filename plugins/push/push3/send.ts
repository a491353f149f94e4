/** Calls that send, cancel and ask for receipts. */
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, Refused } from "../../../core/result.ts";
import { capturePush } from "../capture.ts";
import type { Env } from "./options.ts";
import { REFUSALS, unauthorized, type VendorRefusal } from "./refusals.ts";
import { answer, refuse } from "./reply.ts";
import { readPush } from "./request.ts";
import { admitsKey, decodeToken, subscriptionId } from "./subscription.ts";
import { decodeKey, readVapid, type Vapid, verifyVapid } from "./vapid.ts";

/** Answers a call that sends. */
export async function send(call: IngressCall, env: Env): Promise<Response> {
  const { token = "" } = call.params;
  const keys = decodeToken(token);
  if (keys === "broken") return refuse(REFUSALS.unknownEndpoint, { call, env });
  const known = keys === "foreign" ? undefined : keys;
  const id = subscriptionId(token);
  if (env.state.subscriptions.isGone(id)) return refuse(REFUSALS.gone, { call, env });
  const vapid = await identify(call, { env, keys: known });
  if ("refusal" in vapid) return refuse(vapid.refusal, { call, env });
  const request = readPush({ body: call.body, headers: call.headers, keys: known });
  if (!request.ok) return refuse(request.refusal, { call, env });
  const { draft, headers } = request.value;
  const topic = draft.delivery.collapse_key;
  const replaces = topic === undefined ? undefined : env.store.replacedBy({ token, topic });
  const { id: eventId } = capturePush(env, {
    ...draft,
    app: vapid.value?.sub ?? "",
    target: { kind: "device", value: token, source: "path" },
  }, {
    raw: call.raw,
    meta: {
      subscription: known === undefined ? "made elsewhere" : id,
      encoding: headers.coding.name,
      ...compact({ vapid: vapid.value, replaces, warning: warningOf(vapid.value, call) }),
    },
  });
  if (topic !== undefined) env.store.hold({ token, topic }, eventId);
  const { ttl, wantsReceipt: receipt } = headers;
  return answer({ origin: originOf(call), id: eventId, ttl, receipt });
}

/** Verifies the application server's token; `undefined` without one, if none is required. */
async function identify(
  call: IngressCall,
  { env, keys }: { env: Env; keys: Exclude<ReturnType<typeof decodeToken>, string> | undefined },
): Promise<{ readonly value: Vapid | undefined } | { readonly refusal: VendorRefusal }> {
  const presented = attempt<ReturnType<typeof readVapid>, VendorRefusal>(() => {
    const sent = readVapid(call.headers);
    if (sent !== undefined) {
      if (keys === undefined || admitsKey(keys, decodeKey(sent.publicKey))) return sent;
      throw new Refused(unauthorized("VAPID public key mismatch"));
    }
    if (keys?.serverKeyHash === undefined && !env.values.require_vapid) return undefined;
    throw new Refused(unauthorized("Missing VAPID public key"));
  });
  if (!presented.ok) return presented;
  if (presented.value === undefined) return { value: undefined };
  const origins = audiencesOf(originOf(call));
  try {
    return { value: await verifyVapid(presented.value, { origins, now: env.ctx.now() }) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal as VendorRefusal };
    throw error;
  }
}

/** Returns the origin that the client used: that of the endpoint, even behind a proxy. */
function originOf(call: IngressCall): string {
  const origin = `${call.tls ? "https" : "http"}://${call.headers.get("host") ?? call.local}`;
  return URL.canParse(origin) ? new URL(origin).origin : `http://${call.local}`;
}

/**
 * Returns the accepted audiences at an origin: either scheme, because a proxy may terminate TLS,
 * and also without the port, which the Java library omits.
 */
function audiencesOf(origin: string): readonly string[] {
  const { host, hostname } = new URL(origin);
  return ["http", "https"].flatMap((scheme) => [
    new URL(`${scheme}://${host}`).origin,
    `${scheme}://${hostname}`,
  ]);
}

/** Warns about an audience that no service on another port would accept (RFC 8292 section 2). */
function warningOf(vapid: Vapid | undefined, call: IngressCall): string | undefined {
  const { port } = new URL(originOf(call));
  if (vapid === undefined || port === "" || new URL(vapid.aud).port !== "") return undefined;
  return `The audience of the VAPID token lacks the port ${port} of the endpoint`;
}

/** `DELETE /m/{id}`: https://mozilla-services.github.io/autopush-rs/http.html#cancel-notification */
export function cancel(call: IngressCall, env: Env): Response {
  const { id = "" } = call.params;
  if (!isPush(id, env)) return refuse(REFUSALS.noMessage, { call, env });
  env.store.cancel(id);
  return new Response(null, { status: 204 });
}

/**
 * `GET /receipts/{id}`: a service pushes each receipt when the user agent acknowledges the message (RFC 8030 section
 * 6.3); 204 says that there is none so far.
 */
export function receipts(call: IngressCall, env: Env): Response {
  if (!isPush(call.params.id ?? "", env)) return refuse(REFUSALS.noMessage, { call, env });
  return new Response(null, { status: 204 });
}

function isPush(id: string, env: Env): boolean {
  const event = env.ctx.events.get(id);
  return event?.plugin === env.ctx.plugin && event.provider === "push3" && env.store.has(id);
}
