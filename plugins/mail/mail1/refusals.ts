import type { Refusal } from "../../../core/plugin.ts";

/** One entry of the vendor's error table (Send API v3.1, "Send API errors"). */
export interface VendorRefusal {
  readonly status: number;
  /** Absent without an entry in the table. */
  readonly code?: string;
  readonly message: string;
  /** Paths of the properties concerned. */
  readonly relatedTo: readonly string[];
}

function refusal(code: string, message: string, ...relatedTo: readonly string[]): VendorRefusal {
  return { status: 400, code, message, relatedTo };
}

export const REFUSALS = {
  malformed: refusal("mj-0002", "Malformed JSON, please review the syntax and properties types."),
  /** Absent, or null. */
  missing: (path: string) => refusal("mj-0003", "Missing mandatory property.", path),
  /** `expected` in the vendor's terms: `emailIn`, `string`. */
  wrongType: (path: string, expected: string) =>
    refusal("mj-0004", `Type mismatch. Expected type "${expected}".`, path),
  notAllowed(
    path: string,
    { value, allowed }: { readonly value: unknown; readonly allowed: readonly unknown[] },
  ) {
    const words = allowed.join(", ");
    return refusal("mj-0005", `Value "${value}" is invalid. Allowed values are: ${words}.`, path);
  },
  /** `max` in characters. */
  tooLong: (path: string, max: number) =>
    refusal("mj-0006", `Characters limit exceeded for the property. Max allowed - ${max}.`, path),
  emptyArray: (path: string) =>
    refusal("mj-0007", "An empty array is not allowed for the property.", path),
  tooMany: (path: string, max: number) =>
    refusal("mj-0008", `Elements limit exceeded for the property. Max allowed - ${max}.`, path),
  /** `maxBytes` is a whole number of mebibytes. */
  tooLarge(maxBytes: number, ...relatedTo: readonly string[]) {
    const size = Math.floor(maxBytes / 1024 ** 2);
    return refusal("mj-0011", `Input payload must be less than ${size}MB.`, ...relatedTo);
  },
  emptyText: (path: string) =>
    refusal("mj-0012", "An empty string is not allowed for the property.", path),
  badAddress: (path: string, text: string) =>
    refusal("mj-0013", `"${text}" is an invalid email address.`, path),
  unauthorized: {
    ...refusal(
      "mj-0015",
      "API key authentication/authorization failure. You may be unauthorized to access the API or your API key may be expired. Visit API keys management section to check your keys.",
    ),
    status: 401,
  },
  // Those of v3 have no codes. The first one is on record: https://github.com/mailjet/mailjet-apiv3-php/issues/246
  noSenderV3: {
    status: 400,
    message: "At least FromEmail or Sender must be provided",
    relatedTo: [],
  },
  noRecipientV3: {
    status: 400,
    message: 'Missing "To" or "Recipients" property',
    relatedTo: [],
  },
  mixedRecipientsV3: {
    status: 400,
    message: "Recipients cannot be provided together with To, Cc or Bcc",
    relatedTo: [],
  },
  noContent: refusal(
    "send-0003",
    'At least "HTMLPart", "TextPart" or "TemplateID" must be provided.',
    "HTMLPart",
    "TextPart",
    "TemplateID",
  ),
  twoContents: refusal(
    "send-0004",
    '"HTMLPart" cannot be provided with a template that has HTML.',
    "HTMLPart",
    "TemplateID",
  ),
  unknownTemplate: (id: number | string) =>
    refusal("send-0010", `Template ID "${id}" doesn't exist for your account.`, "TemplateID"),
  reservedHeader: (name: string) =>
    refusal(
      "send-0011",
      `Header "${name}" cannot be customized. Please use the dedicated message property to set this header.`,
      `Headers["${name}"]`,
    ),
  deduplicationWithoutCampaign: refusal(
    "send-0012",
    '"DeduplicateCampaign" cannot be set to true without "CustomCampaign".',
    "CustomCampaign",
    "DeduplicateCampaign",
  ),
  tooManyRecipients: (max: number) =>
    refusal(
      "send-0015",
      `Recipients limit exceeded. Max allowed - ${max}.`,
      "To",
      "CC",
      "Bcc",
    ),
  noTemplateLanguage: refusal(
    "send-0016",
    '"TemplateLanguage" must be provided with "TemplateErrorReporting" or "TemplateErrorDeliver".',
    "TemplateLanguage",
  ),
  /** Not a code of the vendor, which has no such limit: the store of attachments is full. */
  storeFull: (detail: string) => ({
    ...refusal("capacity-exceeded", detail, "Attachments", "InlinedAttachments"),
    status: 507,
  }),
} as const;

const CODES: Partial<Record<Refusal["kind"], string>> = {
  too_large: "mj-0011",
  bad_encoding: "mj-0002",
};

/** Returns a refusal of core, with a code if the vendor's error table has one. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  const code = CODES[kind];
  return {
    // https://dev.mailjet.com/email/reference/overview/errors/ has 429 for "try later", and no 503.
    status: kind === "busy" ? 429 : status,
    ...(code === undefined ? {} : { code }),
    message,
    relatedTo: [],
  };
}
