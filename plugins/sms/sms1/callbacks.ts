/** Status callbacks and incoming messages: https://www.twilio.com/docs/usage/webhooks/messaging-webhooks */
import { formFields } from "../../../core/codec/form.ts";
import { compact } from "../../../core/compact.ts";
import { defineOptions, integer, text } from "../../../core/options/spec.ts";
import { type CapturedEvent, defineCallbacks, type OutgoingCall } from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import type { SmsEvent } from "../views.ts";
import { answered, captureIncoming, incoming, readIncoming } from "./incoming.ts";
import type { OPTIONS } from "./options.ts";
import { accountOf, messageSid, UNDELIVERED } from "./reply.ts";
import { signForm } from "./signature.ts";
import type { Reported, Store } from "./store.ts";
import { accountSidOf, type Context, type Fields, toCall, tokenOf } from "./vendor_call.ts";

const INBOUND_PAGE =
  "https://www.twilio.com/docs/messaging/guides/webhook-request#parameters-in-twilios-request-to-your-application";
const OVERRIDES = "https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides";
const CHANGES_PAGE =
  "https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks";
/** Time until each state, in milliseconds; the vendor documents none. */
const AFTER_MS = { queued: 0, sent: 1000, delivered: 3000 } as const;
/** Retries that an address can request. */
const MAX_RETRIES = 5;

const failing = (code: number) => ({
  params: defineOptions({
    error_code: integer("ErrorCode from the vendor's list", code, { min: 10_000, max: 99_999 }),
  }),
});
const status = (label: string, about: string) => ({ label, about, source: CHANGES_PAGE });

export const CALLBACKS = defineCallbacks<typeof OPTIONS, SmsState, Store>({
  // The vendor allows an address to change this in its fragment: `#rc=3&rp=all`.
  schedule: {
    delaysMs: Array.from({ length: MAX_RETRIES }, () => 0),
    timeoutMs: 15_000,
    source: OVERRIDES,
    again(answer, { url }, attempts) {
      const { retries, policy } = overridesOf(url);
      if (attempts > retries) return false;
      if (answer === undefined) return /^(ct|rt|all)$/.test(policy);
      if (policy === "4xx") return answer.status >= 400 && answer.status < 500;
      return (policy === "5xx" || policy === "all") && answer.status >= 500;
    },
  },
  kinds: {
    queued: status(
      "Queued",
      "The messaging service has chosen a sender, and the message is queued",
    ),
    sent: status("Sent", "The message was handed to the carrier"),
    delivered: status("Deliver", "The carrier confirmed the delivery"),
    undelivered: {
      ...status("Undeliver", "The carrier did not deliver the message"),
      ...failing(30003),
    },
    canceled: status("Cancel", "The scheduled message was canceled in time"),
    failed: { ...status("Fail", "The message could not be sent"), ...failing(30008) },
    reply: {
      label: "Reply",
      about: "An incoming message from the recipient; the response of the application is captured",
      source: INBOUND_PAGE,
      params: defineOptions({ body: text("Text of the reply", "STOP") }),
    },
  },
  applies: (name, event) => isOutbound(event) && (!ofService(name) || hasService(event)),
  async make({ event, name, with: params }, context) {
    const sms = event as SmsEvent;
    if (!isOutbound(event)) {
      throw new RangeError(`Cannot send "${name}": the message is inbound, not outbound`);
    }
    if (name === "reply") {
      const { payload: { from, to } } = sms;
      const given = { From: to, To: from ?? "", Body: String(params.body) };
      return [incoming(given, context, await captureIncoming(given, context))];
    }
    const url = statusUrlOf(sms, context);
    if (url === undefined) {
      throw new RangeError(
        `Cannot send "${name}": the message has no StatusCallback; send one, or set ` +
          "[callbacks.webhooks] sms1 (--callbacks-webhook-sms1)",
      );
    }
    return [statusCall(sms, { url, status: name as Reported, code: params.error_code })];
  },
  // The initial state of a message is not reported: CHANGES_PAGE.
  afterCapture(event, context) {
    const sms = event as SmsEvent;
    const url = statusUrlOf(sms, context);
    if (!isOutbound(event) || isCode(sms) || url === undefined) return [];
    const undelivered = sms.meta[UNDELIVERED];
    const last = undelivered === undefined ? "delivered" : "undelivered";
    const waitMs = waitOf(sms);
    return [
      ...(hasService(event)
        ? [statusCall(sms, { url, status: "queued", afterMs: waitMs + AFTER_MS.queued })]
        : []),
      statusCall(sms, { url, status: "sent", afterMs: waitMs + AFTER_MS.sent }),
      statusCall(sms, {
        url,
        status: last,
        code: undelivered,
        afterMs: waitMs + AFTER_MS.delivered,
      }),
    ];
  },
  afterCancel(event, context) {
    const sms = event as SmsEvent;
    const url = statusUrlOf(sms, context);
    return url === undefined ? [] : [statusCall(sms, { url, status: "canceled" })];
  },
  began({ note }, eventId, { env }) {
    if (eventId === undefined || note?.status === undefined) return;
    env.store.addChange(eventId, {
      status: note.status as Reported,
      ...compact({ error_code: note.error_code as number | undefined }),
      at: env.ctx.now(),
    });
  },
  inbound: {
    about: "An incoming message; the TwiML of the response is captured as messages",
    source: INBOUND_PAGE,
    example: { From: "+14155550100", To: "+14155550199", Body: "Where is my order?" },
    async make(payload, context) {
      const given = readIncoming(payload);
      const event = await captureIncoming(given, context);
      return { calls: [incoming(given, context, event)], event };
    },
  },
  sign({ url, note }, _about, context) {
    const fields = (note?.fields ?? []) as Fields;
    return [["X-Twilio-Signature", signForm(signedUrl(url), fields, tokenOf(context))]];
  },
  keys: (context) => [
    { name: "Account SID", value: accountSidOf(context) },
    { name: "Auth token", value: tokenOf(context) },
  ],
  answered,
});

function isOutbound({ type, payload }: CapturedEvent): boolean {
  return type === "sms.message" && (payload as SmsEvent["payload"]).direction === "outbound";
}

/** The vendor sends no callbacks for Verify codes. */
function isCode({ meta }: SmsEvent): boolean {
  return meta.verification_sid !== undefined;
}

function hasService({ payload }: CapturedEvent): boolean {
  return (payload as SmsEvent["payload"]).messaging_service !== undefined;
}

/** Without a service, a message begins as queued, and cannot be canceled. */
function ofService(name: string): boolean {
  return name === "queued" || name === "canceled";
}

/** Returns how long a scheduled message waits, in milliseconds. */
function waitOf({ payload, meta, received_at }: SmsEvent): number {
  if (payload.status !== "scheduled") return 0;
  return Math.max(0, Date.parse(String(meta.send_at)) - received_at.getTime());
}

/**
 * The address of a message takes precedence over that of its service:
 * https://www.twilio.com/docs/messaging/guides/track-outbound-message-status
 */
function statusUrlOf(
  { meta, payload }: SmsEvent,
  { webhook, env }: Context,
): string | undefined {
  const service = env.store.service("messaging", payload.messaging_service ?? "");
  return [meta.status_callback, service?.fields.status_callback].find(isAddress) ?? webhook;
}

function isAddress(given: unknown): given is string {
  return typeof given === "string" && given !== "";
}

function statusCall(
  event: SmsEvent,
  { url, status, code, afterMs }: {
    url: string;
    status: Reported;
    code?: unknown;
    afterMs?: number;
  },
): OutgoingCall {
  const sid = messageSid(event);
  const { from, to, messaging_service } = event.payload;
  const fields: Fields = [
    ...(code === undefined ? [] : [["ErrorCode", String(code)] as [string, string]]),
    ...(messaging_service === undefined
      ? []
      : [["MessagingServiceSid", messaging_service] as [string, string]]),
    ["SmsSid", sid],
    ["SmsStatus", status],
    ["MessageStatus", status],
    ["To", to],
    ["MessageSid", sid],
    ["AccountSid", accountOf(event)],
    ...(from === undefined ? [] : [["From", from] as [string, string]]),
    ["ApiVersion", "2010-04-01"],
  ];
  return toCall(status, { url, fields, afterMs, note: { status, error_code: code } });
}

/** The URL as the application sees it: without a fragment, and with a path. */
function signedUrl(url: string): string {
  return url.replace(/#.*$/s, "").replace(/^(https?:\/\/[^/?]+)(?=\?|$)/i, "$1/");
}

/** Retries in the fragment of an address; by default one, after a failed connection. */
function overridesOf(url: string): { retries: number; policy: string } {
  const given = formFields([...new URLSearchParams(/#(.*)$/s.exec(url)?.[1] ?? "")]);
  const retries = Number(given.first("rc") ?? 1);
  return {
    retries: Number.isInteger(retries) && retries >= 0 ? Math.min(retries, MAX_RETRIES) : 1,
    policy: given.first("rp") ?? "ct",
  };
}
