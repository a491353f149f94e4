/**
 * Refusals of the Postmark API: https://postmarkapp.com/developer/api/overview#error-codes. That
 * page describes each code briefly; messages that clients or libraries quote are verbatim, the
 * others follow its wording.
 */
import type { Refusal } from "../../../core/plugin.ts";

/** A refusal, as its body, and the HTTP status. */
export interface VendorRefusal {
  readonly status: number;
  readonly ErrorCode: number;
  readonly Message: string;
  /** Of several messages, by field. */
  readonly Errors?: Readonly<Record<string, readonly Omit<VendorRefusal, "status">[]>>;
}

/** Returns a refusal whose text is specific to the request. */
export function vendorRefusal(ErrorCode: number, Message: string, status = 422): VendorRefusal {
  return { status, ErrorCode, Message };
}

/** Returns the refusal of an invalid message. */
export function invalidEmail(message: string): VendorRefusal {
  return vendorRefusal(300, message);
}

/** Returns the refusal of a member of another type. */
export function wrongField(name: string): VendorRefusal {
  return vendorRefusal(403, `Invalid request field(s): '${name}'.`);
}

/** Returns the refusal of recipients that bounced before; clients parse the addresses in it. */
export function inactive(addresses: readonly string[]): VendorRefusal {
  return vendorRefusal(
    406,
    "You tried to send to recipient(s) that have been marked as inactive. " +
      `Found inactive addresses: ${addresses.join(", ")}. ` +
      "Inactive recipients are ones that have generated a hard bounce, a spam complaint, " +
      "or a manual suppression.",
  );
}

/** Field that a message names, such as `To`. */
const FIELD = /'([A-Za-z]+)'/;

/**
 * Returns the refusal of a bulk request. The page of the API shows none: this is the form that its
 * callers read, with the code 11.
 */
export function manyFaults(faults: readonly VendorRefusal[]): VendorRefusal {
  const errors: Record<string, Omit<VendorRefusal, "status">[]> = {};
  for (const { status: _, ...fault } of faults) {
    const field = fault.Message === REFUSALS.noRecipients.Message
      ? "To"
      : FIELD.exec(fault.Message)?.[1] ?? "Messages";
    (errors[field] ??= []).push(fault);
  }
  return {
    ...vendorRefusal(11, "Multiple errors occurred. Inspect the Errors property."),
    Errors: errors,
  };
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  missingToken: vendorRefusal(
    10,
    "No Account or Server API tokens were supplied in the HTTP headers. Please add a header for either " +
      "X-Postmark-Server-Token or X-Postmark-Account-Token.",
    401,
  ),
  wrongToken: vendorRefusal(
    10,
    "The Server Token you provided in the X-Postmark-Server-Token request header was invalid. " +
      "Please verify that you are using a valid token.",
    401,
  ),
  badJson: vendorRefusal(402, "Invalid JSON."),
  badFrom: invalidEmail("Invalid 'From' value."),
  noRecipients: invalidEmail("Zero recipients specified"),
  tooManyRecipients: invalidEmail("A message can have at most 50 recipients in To, Cc and Bcc."),
  noBody: invalidEmail("Provide either email TextBody or HtmlBody or both."),
  tooManyMessages: vendorRefusal(
    410,
    "You may only send up to 500 messages in a single batched request.",
  ),
  badAttachmentType: vendorRefusal(411, "Attachment file type not allowed."),
  inboundStream: vendorRefusal(1236, "Sending is not supported for this stream type."),
  tooLarge: vendorRefusal(300, "The request is larger than 10 MB.", 413),
  unknownTemplate: vendorRefusal(
    1101,
    "The Template's 'Alias' associated with this request is not valid or was not found.",
  ),
  unknownTemplateId: vendorRefusal(
    1101,
    "The 'TemplateId' associated with this request is not valid or was not found.",
  ),
  noModel: vendorRefusal(1120, "A 'TemplateModel' is required."),
  mixedTemplate: vendorRefusal(
    1123,
    "A message with a template cannot have a 'Subject', 'HtmlBody' or 'TextBody'.",
  ),
  unknownMessage: vendorRefusal(701, "This message was not found."),
  rateLimit: vendorRefusal(429, "Rate limit exceeded", 429),
  maintenance: vendorRefusal(
    100,
    "The Postmark API is offline for maintenance. Please try again later.",
    503,
  ),
  internal: vendorRefusal(0, "Internal Server Error", 500),
  method: vendorRefusal(0, "The requested resource does not support this HTTP method.", 405),
} as const satisfies Record<string, VendorRefusal>;

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal(refusal: Refusal): VendorRefusal {
  switch (refusal.kind) {
    case "too_large":
      return vendorRefusal(300, refusal.message, 413);
    case "method_not_allowed":
      return REFUSALS.method;
    case "bad_encoding":
      return vendorRefusal(402, refusal.message, refusal.status);
    case "busy":
      return REFUSALS.rateLimit;
    case "unavailable":
      return REFUSALS.maintenance;
    case "internal":
      return REFUSALS.internal;
  }
}
