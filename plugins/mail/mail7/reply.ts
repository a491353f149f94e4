/** Responses of the Brevo API: https://developers.brevo.com/reference/sendtransacemail */
import { vendorJson } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import type { MailMessage } from "../model.ts";
import { encodeUuid } from "./ids.ts";
import type { Template } from "./store.ts";

/** A refusal: its status, and the code and message of its body. */
export interface VendorRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Returns a refusal whose text is specific to the request. */
export function vendorRefusal(status: number, code: string, message: string): VendorRefusal {
  return { status, code, message };
}

/** Returns the refusal of an invalid value. */
export function invalid(message: string): VendorRefusal {
  return vendorRefusal(400, "invalid_parameter", message);
}

/** Returns the refusal of an incomplete request. */
export function missing(name: string): VendorRefusal {
  return vendorRefusal(400, "missing_parameter", `${name} is missing`);
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  wrongKey: vendorRefusal(401, "unauthorized", "Key not found"),
  badJson: vendorRefusal(400, "bad_request", "Input must be a valid JSON object"),
  badSender: invalid("valid sender email required"),
  badAttachment: invalid("Unsupported file format of attachment"),
  unknownTemplate: vendorRefusal(404, "document_not_found", "Template ID does not exist"),
  activeTemplate: vendorRefusal(400, "not_acceptable", "You cannot delete an active template"),
  unknownEmail: vendorRefusal(404, "document_not_found", "Email does not exist"),
  noCredits: vendorRefusal(
    402,
    "not_enough_credits",
    "You don't have enough credits to send this email",
  ),
  permission: vendorRefusal(
    403,
    "permission_denied",
    "Unable to send email. Your SMTP account is not yet activated. Please contact us to request activation",
  ),
  busy: vendorRefusal(
    429,
    "too_many_requests",
    "API rate limit exceeded. Please retry after some time.",
  ),
  method: vendorRefusal(405, "method_not_allowed", "Invalid request method"),
  internal: vendorRefusal(500, "internal_server_error", "Internal server error"),
  unavailable: vendorRefusal(503, "service_unavailable", "The service is not available"),
} as const satisfies Record<string, VendorRefusal>;

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal(refusal: Refusal): VendorRefusal {
  switch (refusal.kind) {
    case "too_large":
    case "bad_encoding":
      return vendorRefusal(refusal.status, "bad_request", refusal.message);
    case "method_not_allowed":
      return REFUSALS.method;
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
  return body === undefined ? new Response(null, { status }) : vendorJson(body, { status });
}

/** Returns a refusal in the vendor's form. */
export function refuse({ status, code, message }: VendorRefusal): Response {
  return vendorJson({ code, message }, { status });
}

/** A template: https://developers.brevo.com/reference/getsmtptemplates */
export function toTemplate(template: Template) {
  const { id, name, subject, html, sender, replyTo, tag, isActive, createdAt } = template;
  return {
    id,
    name,
    subject,
    isActive,
    testSent: false,
    sender: { id: 1, name: sender?.name ?? "", email: sender?.email ?? "" },
    replyTo: replyTo?.email ?? sender?.email ?? "",
    toField: "",
    tag,
    htmlContent: html,
    createdAt: createdAt.toISOString(),
    modifiedAt: template.modifiedAt.toISOString(),
    doiTemplate: false,
  };
}

/** One entry of `GET /v3/smtp/emails`: https://developers.brevo.com/reference/gettransacemailslist */
export function toEmail({ id, payload: mail, meta, received_at }: CapturedEvent<MailMessage>) {
  return {
    email: mail.to?.[0]?.email ?? "",
    subject: mail.subject ?? "",
    ...(meta.template_id !== undefined && { templateId: meta.template_id }),
    messageId: meta.message_id,
    uuid: encodeUuid(id),
    date: received_at.toISOString(),
    from: mail.from.email,
    tags: meta.tags ?? [],
  };
}

/** One email with its content: https://developers.brevo.com/reference/gettransacemailcontent */
export function toContent(event: CapturedEvent<MailMessage>) {
  const { email, subject, date, ...rest } = toEmail(event);
  const { text, html, attachments = [] } = event.payload;
  return {
    email,
    subject,
    ...("templateId" in rest && { templateId: rest.templateId }),
    date,
    events: ["sent", "delivered"].map((name) => ({ name, time: date })),
    body: html ?? text ?? "",
    attachmentCount: attachments.length,
  };
}

/** `GET /v3/account`: https://developers.brevo.com/reference/getaccount */
export function toAccount() {
  return {
    organization_id: "standin",
    user_id: 1,
    enterprise: false,
    email: "standin@example.com",
    firstName: "Stand",
    lastName: "In",
    companyName: "Standin",
    address: { street: "", city: "", zipCode: "", country: "" },
    plan: [{ type: "subscription", creditsType: "sendLimit", credits: 300 }],
    relay: {
      enabled: true,
      data: { userName: "standin@example.com", relay: "smtp-relay.brevo.com", port: 587 },
    },
    marketingAutomation: { enabled: false },
  };
}
