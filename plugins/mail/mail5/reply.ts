/** Responses of the Mailgun API: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
import { textResponse, vendorJson } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { Template, TemplateVersion } from "./store.ts";

/** A refusal: its status and the message of its body. */
export interface VendorRefusal {
  readonly status: number;
  readonly message: string;
  /** Whether the message is the whole body. */
  readonly plain?: boolean;
}

/** Returns a refusal whose text is specific to the request. */
export function vendorRefusal(status: number, message: string): VendorRefusal {
  return { status, message };
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  // The vendor's gateway, in front of the API, answers in plain text.
  forbidden: { status: 401, message: "Forbidden", plain: true },
  noBody: vendorRefusal(
    400,
    "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified",
  ),
  twoBodies: vendorRefusal(400, "Only one parameters 'html' or 'template' is allowed"),
  tooManyOptions: vendorRefusal(
    400,
    "Send options (parameters starting with o:, h:, or v:) are limited to 16KB total",
  ),
  noMime: vendorRefusal(400, "message parameter is missing"),
  badVariables: vendorRefusal(400, "'recipient-variables' parameter is not a valid JSON"),
  badTemplateVariables: vendorRefusal(400, "'t:variables' parameter is not a valid JSON"),
  badDate: vendorRefusal(400, "'o:deliverytime' parameter is not a valid RFC-2822 date"),
  tooManyRecipients: vendorRefusal(400, "to parameter can have at most 1000 recipients"),
  badForm: vendorRefusal(400, "The request body is not a valid form"),
  tooLarge: vendorRefusal(413, "Message size limit exceeded: 25MB"),
  unknownTemplate: vendorRefusal(404, "template not found"),
  unknownVersion: vendorRefusal(404, "template version not found"),
  unknownMessage: vendorRefusal(404, "Message not found"),
  method: vendorRefusal(405, "Method not allowed"),
  busy: vendorRefusal(429, "Too many requests, please try again later."),
  internal: vendorRefusal(500, "Internal Server Error"),
  unavailable: vendorRefusal(503, "Service Unavailable"),
} as const satisfies Record<string, VendorRefusal>;

/** Returns the refusal of a missing parameter. */
export function missing(name: string): VendorRefusal {
  return vendorRefusal(400, `${name} parameter is missing`);
}

/** Returns the refusal of a parameter that is not an address. */
export function badAddress(name: string): VendorRefusal {
  return vendorRefusal(
    400,
    `${name} parameter is not a valid address. please check documentation`,
  );
}

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal(refusal: Refusal): VendorRefusal {
  switch (refusal.kind) {
    case "too_large":
    case "bad_encoding":
      return vendorRefusal(refusal.status, refusal.message);
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
export function answer(body: unknown): Response {
  return vendorJson(body);
}

/** Returns a refusal in the vendor's form. */
export function refuse({ status, message, plain }: VendorRefusal): Response {
  return plain === true ? textResponse(message, { status }) : vendorJson({ message }, { status });
}

/** A template; `active` is its version in use. */
export function toTemplate(template: Template, version?: TemplateVersion) {
  const { id, name, description, createdAt, createdBy } = template;
  return {
    name,
    description,
    createdAt: createdAt.toUTCString().replace("GMT", "UTC"),
    createdBy,
    id,
    ...(version !== undefined && { version: toVersion(version) }),
  };
}

/** A version; without its content in lists. */
export function toVersion(version: TemplateVersion, short = false) {
  const { tag, template, comment, active, createdAt, id, headers } = version;
  return {
    tag,
    ...(!short && { template, headers }),
    engine: "handlebars",
    mjml: "",
    createdAt: createdAt.toUTCString().replace("GMT", "UTC"),
    comment,
    active,
    id,
  };
}
