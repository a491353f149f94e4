/**
 * Refusals of Amazon SES, in the terms of both of its APIs:
 * https://docs.aws.amazon.com/ses/latest/APIReference/CommonErrors.html and
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/CommonErrors.html
 */
import type { Refusal } from "../../../core/plugin.ts";

/** A refusal: the code and status of each API, and the text. */
export interface VendorRefusal {
  readonly v1: readonly [code: string, status: number];
  readonly v2: readonly [code: string, status: number];
  readonly message: string;
  /** Status of an entry in a response to a bulk call of version 2; in version 1 without underscores. */
  readonly bulk?: string;
}

/** Returns the refusal of an invalid value. */
export function invalid(message: string): VendorRefusal {
  return {
    v1: ["InvalidParameterValue", 400],
    v2: ["BadRequestException", 400],
    message,
    bulk: "INVALID_PARAMETER",
  };
}

/** Returns the refusal of an incomplete request. */
export function missing(name: string): VendorRefusal {
  return {
    v1: ["ValidationError", 400],
    v2: ["BadRequestException", 400],
    message: `1 validation error detected: Value null at '${name}' failed to satisfy constraint: ` +
      "Member must not be null",
    bulk: "INVALID_PARAMETER",
  };
}

/** Returns the refusal of a message. */
export function rejected(message: string): VendorRefusal {
  return {
    v1: ["MessageRejected", 400],
    v2: ["MessageRejected", 400],
    message,
    bulk: "MESSAGE_REJECTED",
  };
}

/** Returns the refusal of unverified senders. */
export function notVerified(
  identities: readonly string[],
  region: string,
): VendorRefusal {
  return rejected(
    "Email address is not verified. The following identities failed the check in region " +
      `${region.toUpperCase()}: ${identities.join(", ")}`,
  );
}

/** Returns the refusal of an unknown template. */
export function unknownTemplate(name: string): VendorRefusal {
  return {
    v1: ["TemplateDoesNotExist", 400],
    v2: ["NotFoundException", 404],
    message: `Template ${name} does not exist.`,
    bulk: "TEMPLATE_NOT_FOUND",
  };
}

/** Returns the refusal of a name that is already in use. */
export function exists(what: string): VendorRefusal {
  return {
    v1: ["AlreadyExists", 400],
    v2: ["AlreadyExistsException", 400],
    message: `${what} already exists.`,
  };
}

/** Returns the refusal of an unknown identity. */
export function unknownIdentity(name: string): VendorRefusal {
  return {
    v1: ["InvalidParameterValue", 400],
    v2: ["NotFoundException", 404],
    message: `Email identity ${name} does not exist.`,
  };
}

/** Returns the refusal of a template that cannot be parsed. */
export function invalidTemplate(message: string): VendorRefusal {
  return { v1: ["InvalidTemplate", 400], v2: ["BadRequestException", 400], message };
}

/** Returns the refusal of an operation that SES lacks. */
export function unknownAction(action: string): VendorRefusal {
  return {
    v1: ["InvalidAction", 400],
    v2: ["UnknownOperationException", 404],
    message: `Could not find operation ${action} for version 2010-12-01`,
  };
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  unsigned: {
    v1: ["MissingAuthenticationToken", 403],
    v2: ["MissingAuthenticationTokenException", 403],
    message: "Missing Authentication Token",
  },
  wrongKey: {
    v1: ["InvalidClientTokenId", 403],
    v2: ["UnrecognizedClientException", 403],
    message: "The security token included in the request is invalid.",
  },
  badJson: {
    v1: ["MalformedInput", 400],
    v2: ["SerializationException", 400],
    message: "The request body is not valid.",
  },
  noAction: {
    v1: ["MissingAction", 400],
    v2: ["BadRequestException", 400],
    message: "The request must contain the parameter Action.",
  },
  noRecipients: rejected("Empty required header 'To'."),
  tooManyRecipients: invalid("Recipient count exceeds 50."),
  tooManyEntries: invalid("Number of destinations exceeds 50."),
  badTemplateData: {
    v1: ["InvalidRenderingParameter", 400],
    v2: ["BadRequestException", 400],
    message: "Template data is not a valid JSON object.",
    bulk: "INVALID_PARAMETER",
  },
  rate: {
    v1: ["Throttling", 400],
    v2: ["TooManyRequestsException", 429],
    message: "Maximum sending rate exceeded.",
    bulk: "ACCOUNT_THROTTLED",
  },
  quota: {
    v1: ["Throttling", 400],
    v2: ["LimitExceededException", 400],
    message: "Daily message quota exceeded.",
    bulk: "ACCOUNT_DAILY_QUOTA_EXCEEDED",
  },
  paused: {
    v1: ["AccountSendingPausedException", 400],
    v2: ["SendingPausedException", 400],
    message: "Email sending has been disabled for your account.",
    bulk: "ACCOUNT_SENDING_PAUSED",
  },
  method: {
    v1: ["InvalidAction", 405],
    v2: ["UnknownOperationException", 405],
    message: "The HTTP method is not supported here.",
  },
  internal: {
    v1: ["InternalFailure", 500],
    v2: ["InternalServiceErrorException", 500],
    message: "The request processing has failed because of an unknown error.",
  },
  unavailable: {
    v1: ["ServiceUnavailable", 503],
    v2: ["ServiceUnavailableException", 503],
    message: "The request has failed due to a temporary failure of the server.",
  },
} as const satisfies Record<string, VendorRefusal>;

/** Returns the refusal of a message that does not fit in the store. */
export function tooLarge(message: string): VendorRefusal {
  return { v1: ["InvalidParameterValue", 400], v2: ["BadRequestException", 400], message };
}

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal(refusal: Refusal): VendorRefusal {
  switch (refusal.kind) {
    case "too_large":
      return {
        v1: ["RequestEntityTooLarge", 413],
        v2: ["RequestEntityTooLargeException", 413],
        message: refusal.message,
      };
    case "bad_encoding":
      return {
        v1: ["MalformedInput", refusal.status],
        v2: ["SerializationException", refusal.status],
        message: refusal.message,
      };
    case "method_not_allowed":
      return REFUSALS.method;
    case "busy":
      return REFUSALS.rate;
    case "unavailable":
      return REFUSALS.unavailable;
    case "internal":
      return REFUSALS.internal;
  }
}
