/** Responses of SendGrid v3 Mail Send. Pure. */
import { vendorJson } from "../../../core/http/reply.ts";
import type { Violation } from "../../../core/codec/json_fields.ts";
import { type Refusal, ShortAnswer } from "../../../core/plugin.ts";

/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  /** The members of `errors`; `field` is empty for the request as a whole. */
  readonly violations: readonly Violation[];
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  unauthorized: whole(401, "The provided authorization grant is invalid, expired, or revoked"),
  badRequest: whole(400, "Bad Request"),
  notJson: whole(415, "Content-Type should be application/json."),
  tooLarge: whole(413, "payload too large"),
  tooMany: whole(429, "too many requests"),
  unknownTemplate: whole(404, "Template not found"),
  unknownVersion: whole(404, "Version not found"),
  unknownContact: whole(404, "Contact not found"),
  method: whole(405, "POST method allowed only"),
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** Returns a refusal of the request as a whole. */
export function whole(status: number, message: string): VendorRefusal {
  return { status, violations: [{ field: "", message }] };
}

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  switch (kind) {
    case "too_large":
      return REFUSALS.tooLarge;
    case "method_not_allowed":
      return REFUSALS.method;
    case "bad_encoding":
      return whole(status, "Bad Request");
    case "busy":
      return REFUSALS.tooMany;
    case "unavailable":
    case "internal":
      return whole(status, message);
  }
}

/** Returns a response without body: 202 when queued, 200 when only checked in sandbox mode. */
export function answer(messageId: string, options: { readonly sandbox: boolean }): ShortAnswer {
  return new ShortAnswer(options.sandbox ? 200 : 202, [
    ["content-type", "text/plain; charset=utf-8"],
    ["x-message-id", messageId],
  ]);
}

/** `{"errors":[{"message","field","help"}]}`. */
export function refuse(
  { status, violations }: VendorRefusal,
  headers: HeadersInit = {},
): Response {
  const errors = violations.map(({ field, message }) => ({
    message,
    field: field === "" ? null : field,
    help: helpFor(field),
  }));
  return vendorJson({ errors }, { status, headers });
}

const ERRORS_PAGE = "http://sendgrid.com/docs/API_Reference/Web_API_v3/Mail/errors.html";

/** Link to the section of the vendor's error page about a property, or `null` without one. */
export function helpFor(field: string): string | null {
  if (field === "") return null;
  if (field === "personalizations") return `${ERRORS_PAGE}#-Personalizations-Errors`;
  // A repeated recipient is reported on its personalization.
  if (/^personalizations\.\d+$/.test(field)) return `${ERRORS_PAGE}#message.recipient-errors`;
  const section = field.replace(/\.\d+/g, "").replace(/\.email$/, "");
  return `${ERRORS_PAGE}#message.${section}`;
}
