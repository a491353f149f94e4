/**
 * Responses of the Resend email API: https://resend.com/docs/api-reference/emails and .../errors
 */
import { vendorJson } from "../../../core/http/reply.ts";
import { compact } from "../../../core/compact.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import type { Address, Attachment, MailMessage } from "../model.ts";
import { encodeAttachmentId, encodeMessageId } from "./ids.ts";

/** A refusal, as its body; `statusCode` is also the HTTP status. */
export interface VendorRefusal {
  readonly statusCode: number;
  readonly name: string;
  readonly message: string;
}

/** Returns a refusal whose text is specific to the request. */
export function vendorRefusal(statusCode: number, name: string, message: string): VendorRefusal {
  return { statusCode, name, message };
}

/** Returns the refusal of an invalid value. */
export function validationError(message: string): VendorRefusal {
  return vendorRefusal(422, "validation_error", message);
}

/** Returns the refusal of a required field that is absent or empty. */
export function missingField(field: string): VendorRefusal {
  return vendorRefusal(422, "missing_required_field", `Missing \`${field}\` field.`);
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  missingKey: vendorRefusal(401, "missing_api_key", "Missing API key in the authorization header."),
  wrongKey: vendorRefusal(401, "validation_error", "API key is invalid"),
  noBody: validationError("Missing `html` or `text` field."),
  badJson: validationError("The request body is not valid JSON."),
  badId: vendorRefusal(422, "invalid_parameter", "The parameter must be a valid UUID."),
  badAttachment: vendorRefusal(
    422,
    "invalid_attachment",
    "Attachment must have either a `content` or `path`.",
  ),
  tooLarge: vendorRefusal(413, "validation_error", "The email exceeds the maximum size of 40MB."),
  unknownEmail: vendorRefusal(404, "not_found", "Email not found"),
  unknownAttachment: vendorRefusal(404, "not_found", "Attachment not found"),
  unknownTemplate: vendorRefusal(404, "not_found", "Template not found"),
  unknownDomain: vendorRefusal(404, "not_found", "Domain not found"),
  unknownKey: vendorRefusal(404, "not_found", "API key not found"),
  unknownSegment: vendorRefusal(404, "not_found", "Segment not found"),
  unknownContact: vendorRefusal(404, "not_found", "Contact not found"),
  unknownBroadcast: vendorRefusal(404, "not_found", "Broadcast not found"),
  badIdempotencyKey: vendorRefusal(
    400,
    "invalid_idempotency_key",
    "The key must be between 1-256 chars.",
  ),
  otherPayload: vendorRefusal(
    409,
    "invalid_idempotent_request",
    "Same idempotency key used with a different request payload.",
  ),
  inFlight: vendorRefusal(
    409,
    "concurrent_idempotent_requests",
    "Same idempotency key used while original request is still in progress.",
  ),
  method: vendorRefusal(
    405,
    "method_not_allowed",
    "This endpoint does not support the specified HTTP method.",
  ),
  busy: vendorRefusal(
    429,
    "rate_limit_exceeded",
    "Too many requests. Please limit the number of requests per second. Or contact support to increase rate limit.",
  ),
  unavailable: vendorRefusal(503, "application_error", "An unexpected error occurred."),
  internal: vendorRefusal(500, "application_error", "An unexpected error occurred."),
} as const satisfies Record<string, VendorRefusal>;

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal(refusal: Refusal): VendorRefusal {
  switch (refusal.kind) {
    case "too_large":
      return vendorRefusal(413, "validation_error", refusal.message);
    case "method_not_allowed":
      return REFUSALS.method;
    case "bad_encoding":
      return vendorRefusal(refusal.status, "validation_error", refusal.message);
    case "busy":
      return REFUSALS.busy;
    case "unavailable":
      return REFUSALS.unavailable;
    case "internal":
      return REFUSALS.internal;
  }
}

/** Returns a successful response. */
export function answer(body: unknown, status = 200): Response {
  return vendorJson(body, { status });
}

/** Returns a refusal in the vendor's form. */
export function refuse(refusal: VendorRefusal): Response {
  return vendorJson(refusal, { status: refusal.statusCode });
}

/** State of a message besides its capture. */
export interface Standing {
  readonly last_event: string;
  readonly scheduled_at: string | null;
}

/** `GET /emails/{id}`. */
export function toEmail(event: CapturedEvent<MailMessage>, standing: Standing) {
  const { payload: mail, meta } = event;
  return {
    object: "email",
    ...toHead(event),
    subject: mail.subject ?? null,
    html: mail.html ?? null,
    text: mail.text ?? null,
    bcc: toAddresses(mail.bcc),
    cc: toAddresses(mail.cc),
    reply_to: toAddresses(mail.reply_to),
    ...standing,
    tags: meta.tags ?? [],
    topic_id: meta.topic_id ?? null,
  };
}

/** One entry of `GET /emails`: the message without bodies and tags. */
export function toListEntry(event: CapturedEvent<MailMessage>, standing: Standing) {
  const { payload: mail } = event;
  return {
    ...toHead(event),
    subject: mail.subject ?? null,
    bcc: toAddresses(mail.bcc),
    cc: toAddresses(mail.cc),
    reply_to: toAddresses(mail.reply_to),
    ...standing,
  };
}

/** `GET /emails/{id}/attachments/{aid}` without its `object`. */
export function toAttachment(
  eventId: string,
  { index, attachment, base, expiresAt }: {
    index: number;
    attachment: Attachment;
    /** Address the content is served under, without a trailing slash. */
    base: string;
    expiresAt: Date;
  },
) {
  const id = encodeAttachmentId(eventId, index);
  return {
    id,
    ...compact({ filename: attachment.filename }),
    size: attachment.size,
    content_type: attachment.content_type ?? "application/octet-stream",
    content_disposition: attachment.inline ? "inline" : "attachment",
    ...compact({ content_id: attachment.content_id }),
    download_url: `${base}/emails/${encodeMessageId(eventId)}/attachments/${id}/content`,
    expires_at: expiresAt.toISOString(),
  };
}

function toHead(event: CapturedEvent<MailMessage>) {
  const id = encodeMessageId(event.id);
  return {
    id,
    message_id: ownMessageId(event.payload) ?? `<${id}@standin.invalid>`,
    to: toAddresses(event.payload.to),
    from: toAddress(event.payload.from),
    created_at: toTimestamp(event.received_at),
  };
}

function ownMessageId(mail: MailMessage): string | undefined {
  for (const [name, values] of Object.entries(mail.headers ?? {})) {
    if (name.toLowerCase() === "message-id") return values[0];
  }
  return undefined;
}

/** `2023-04-03 22:13:42.674981+00`: the vendor prints its database's timestamp. */
export function toTimestamp(date: Date): string {
  return date.toISOString().replace("T", " ").replace("Z", "000+00");
}

function toAddresses(addresses: readonly Address[] = []): string[] {
  return addresses.map(toAddress);
}

function toAddress({ name, email }: Address): string {
  return name === undefined ? email : `${name} <${email}>`;
}
