/** Refusals of Amazon SNS: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html#API_Publish_Errors */
import type { Refusal } from "../../../core/plugin.ts";

/** Maximum length of the name of an attribute. */
const MAX_NAME = 256;

/** A refusal; its type, sender or receiver, follows from the status. */
export interface VendorRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Returns the refusal of a parameter. */
export function invalid(message: string): VendorRefusal {
  return { status: 400, code: "InvalidParameter", message: `Invalid parameter: ${message}` };
}

/** Returns the refusal of a missing required parameter. */
export function missing(name: string): VendorRefusal {
  return {
    status: 400,
    code: "ValidationError",
    message: `1 validation error detected: Value null at '${name}' failed to satisfy constraint: ` +
      "Member must not be null",
  };
}

/**
 * Returns the refusal of an attribute of a message. The API page has no texts: they are those that LocalStack's tests
 * recorded from the vendor (github.com/localstack/localstack/pull/6938 and /11857).
 */
export function badAttribute(name: string, fault: string): VendorRefusal {
  return badValue(`The message attribute '${name.slice(0, MAX_NAME)}' ${fault}`);
}

/** Returns the refusal of a name that no attribute may have. */
export function badAttributeName(name: string): VendorRefusal {
  if (name.length > MAX_NAME) {
    return badValue("Length of message attribute name must be less than 256 bytes.");
  }
  if (name.startsWith(".")) {
    return badValue("Invalid message attribute name starting with character '.' was found.");
  }
  if (name.endsWith(".")) {
    return badValue("Invalid message attribute name ending with character '.' was found.");
  }
  const wrong = /[^\w.-]/u.exec(name)?.[0];
  if (wrong === undefined) {
    return badValue("Message attribute name can not have successive '.' character.");
  }
  const code = wrong.codePointAt(0)!.toString(16).toUpperCase();
  return badValue(
    `Invalid non-alphanumeric character '#x${code}' was found in the message attribute name. ` +
      "Can only include alphanumeric characters, hyphens, underscores, or dots.",
  );
}

function badValue(message: string): VendorRefusal {
  return { status: 400, code: "ParameterValueInvalid", message };
}

/** Returns the refusal of an operation that SNS lacks. */
export function unknownAction(action: string): VendorRefusal {
  return {
    status: 400,
    code: "InvalidAction",
    message: `Could not find operation ${action.slice(0, 64)} for version 2010-03-31`,
  };
}

function refusal(code: string, message: string, status = 400): VendorRefusal {
  return { status, code, message };
}

/** Refusals with fixed texts. */
export const REFUSALS = {
  unsigned: refusal("MissingAuthenticationToken", "Request is missing Authentication Token", 403),
  wrongKey: refusal(
    "InvalidClientTokenId",
    "The security token included in the request is invalid.",
    403,
  ),
  badForm: refusal("MalformedInput", "The request body is not a valid form."),
  noAction: refusal("MissingAction", "The request must contain the parameter Action."),
  noTarget: invalid("TopicArn or TargetArn Reason: no value for required parameter"),
  noMessage: invalid("Empty message"),
  badSubject: invalid("Subject"),
  longMessage: invalid("Message too long"),
  noDefault: invalid("Message Structure - No default entry in JSON message body"),
  badJson: invalid("Message Structure - JSON message body failed to parse"),
  noGroup: invalid("The MessageGroupId parameter is required for FIFO topics"),
  noTopic: refusal("NotFound", "Topic does not exist", 404),
  emptyBatch: refusal("EmptyBatchRequest", "The batch request doesn't contain any entries."),
  largeBatch: refusal(
    "TooManyEntriesInBatchRequest",
    "The batch request contains more entries than permissible.",
  ),
  sameIds: refusal(
    "BatchEntryIdsNotDistinct",
    "Two or more batch entries in the request have the same Id.",
  ),
  badId: refusal(
    "InvalidBatchEntryId",
    "The Id of a batch entry in a batch request doesn't abide by the specification.",
  ),
  throttled: refusal("Throttling", "Rate exceeded"),
  denied: refusal("AuthorizationError", "User is not authorized to perform: SNS:Publish", 403),
  internal: refusal("InternalError", "An internal error occurred.", 500),
  unavailable: refusal("ServiceUnavailable", "Service Unavailable", 503),
} as const satisfies Readonly<Record<string, VendorRefusal>>;

/** Returns the refusal of a number that has opted out. */
export function optedOut(number: string): VendorRefusal {
  return refusal("OptedOut", `The phone number ${number} is opted out of receiving messages`, 403);
}

/** Returns a refusal of core, in the vendor's terms. */
export function toVendorRefusal({ kind, status, message }: Refusal): VendorRefusal {
  if (kind === "busy") return REFUSALS.throttled;
  if (kind === "internal") return REFUSALS.internal;
  if (kind === "unavailable") return REFUSALS.unavailable;
  if (kind === "too_large") return { status: 413, code: "RequestEntityTooLarge", message };
  return { status, code: kind === "bad_encoding" ? "MalformedInput" : "InvalidAction", message };
}
