/**
 * Responses of a push service: RFC 8030 sections 5 and 5.1; refusals as Mozilla or Google write
 * them.
 */
import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";
import { phraseOf, type VendorRefusal } from "./refusals.ts";

const MORE = "https://mozilla-services.github.io/autopush-rs/errors.html";

/** 201 with the address of the message; 202 with that of the receipts, if they are requested. */
export function answer(
  { origin, id, ttl, receipt }: {
    /** Origin of the request. */
    readonly origin: string;
    /** Id of the message. */
    readonly id: string;
    /** Seconds that the message is kept. */
    readonly ttl: number;
    /** Whether a receipt is requested. */
    readonly receipt: boolean;
  },
): Response {
  const headers = new Headers({ location: `${origin}/m/${id}`, ttl: String(ttl) });
  if (receipt) {
    headers.set("link", `<${origin}/receipts/${id}>; rel="urn:ietf:params:push:receipt"`);
  }
  return new Response(null, { status: receipt ? 202 : 201, headers });
}

/** Refuses a call in the words of the service of its path. */
export function refuse(
  refusal: VendorRefusal,
  { call, env }: { readonly call: Pick<IngressCall, "path">; readonly env: Pick<Env, "reject"> },
): Response {
  const isGoogle = /^\/(fcm|wp)\//.test(call.path);
  const { status, text } = isGoogle && refusal.google !== undefined
    ? refusal.google
    : { status: refusal.status, text: refusal.message };
  env.reject({ status, reason: `Answered ${status}: ${refusal.message}` });
  if (isGoogle) {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return textResponse(`${text}\n`, { status, headers });
  }
  const { errno, message } = refusal;
  const body = { code: status, errno, error: phraseOf(status), message, more_info: MORE };
  const headers = new Headers();
  if (status === 410) headers.set("cache-control", "max-age=86400");
  return vendorJson(body, { status, headers });
}
