/**
 * Responses of Vonage. The SMS API answers 200 with a status in the body
 * (https://developer.vonage.com/en/api-errors/sms), the Messages API as RFC 7807 says
 * (https://developer.vonage.com/en/api-errors/messages).
 */
import { vendorJson } from "../../../core/http/reply.ts";
import type { IngressCall, Refusal } from "../../../core/plugin.ts";

/** A refusal, in the terms of both APIs. */
export interface VendorRefusal {
  /** `status` of the SMS API, and its `error-text`. */
  readonly sms: readonly [status: number, text: string];
  /** Status of the Messages API, the end of `type`, `title` and `detail`. */
  readonly messages: readonly [status: number, type: string, title: string, detail: string];
  /** Invalid members, with the reason. */
  readonly members?: readonly (readonly [name: string, reason: string])[];
}

const INVALID = [
  422,
  "messages#1150",
  "Invalid params",
  "The value of one or more parameters is invalid.",
] as const;

/** Returns the refusal of a missing parameter. */
export function missing(name: string): VendorRefusal {
  return { sms: [2, `Missing ${name} param`], messages: INVALID, members: [[name, "is required"]] };
}

/** Returns the refusal of an invalid parameter. */
export function invalid(name: string, reason: string): VendorRefusal {
  return { sms: [3, `${name} ${reason}`], messages: INVALID, members: [[name, reason]] };
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  credentials: {
    sms: [4, "Bad Credentials"],
    messages: [401, "#unauthorized", "Unauthorized", "You did not provide correct credentials."],
  },
  rate: {
    sms: [1, "Throughput Rate Exceeded - please wait [ 1000 ] and retry"],
    messages: [429, "#throttled", "Rate Limit Hit", "Please wait, then retry your request"],
  },
  barred: {
    sms: [7, "Number barred"],
    messages: [422, "messages#1160", "Non-Whitelisted Destination", "The number is barred."],
  },
  noCredit: {
    sms: [9, "Quota Exceeded - rejected"],
    messages: [
      402,
      "#low-balance",
      "Low balance",
      "This request could not be performed due to your account balance being low.",
    ],
  },
  badBody: {
    sms: [3, "The body cannot be read"],
    messages: [400, "messages#1050", "Invalid request", "The request body is not valid JSON."],
  },
  internal: {
    sms: [5, "Internal Error"],
    messages: [
      500,
      "messages#1000",
      "Internal error",
      "There was an error processing your request",
    ],
  },
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  if (kind === "busy") return REFUSALS.rate;
  if (kind === "internal") return REFUSALS.internal;
  return { sms: [5, message], messages: [status, "#invalid-params", "Invalid request", message] };
}

/** Returns whether a call is one of the SMS API. */
export function isSmsApi({ path }: Pick<IngressCall, "path">): boolean {
  return path.replace(/^\/+/, "/") === "/sms/json";
}

/** Returns a refusal in the form of the API that was called. */
export function refuse(
  { sms, messages, members }: VendorRefusal,
  { call, requestId }: { readonly call: Pick<IngressCall, "path">; readonly requestId: string },
): Response {
  if (isSmsApi(call)) {
    const [status, text] = sms;
    return vendorJson({
      "message-count": "1",
      messages: [{ status: String(status), "error-text": text }],
    });
  }
  const [status, type, title, detail] = messages;
  const body = {
    type: `https://developer.vonage.com/api-errors${type.startsWith("#") ? "" : "/"}${type}`,
    title,
    detail,
    instance: requestId.replaceAll("-", ""),
    ...(members && {
      invalid_parameters: members.map(([name, reason]) => ({ name, reason })),
    }),
  };
  return vendorJson(body, { status, headers: { "content-type": "application/problem+json" } });
}

/** Returns the response of the SMS API: one entry for each part of the message. */
export function answerSms(to: string, ids: readonly string[]): Response {
  return vendorJson({
    "message-count": String(ids.length),
    messages: ids.map((id) => ({
      to,
      "message-id": id,
      status: "0",
      "remaining-balance": "10.00000000",
      "message-price": "0.00000000",
      network: "00101",
    })),
  });
}

/** Returns the response of the Messages API. */
export function answerMessage(message_uuid: string): Response {
  return vendorJson({ message_uuid }, { status: 202 });
}
