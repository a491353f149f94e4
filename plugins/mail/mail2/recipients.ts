/** Addresses and `personalizations` of a Mail Send request (SendGrid v3): each personalization is one message. */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { isAddress, toAddress } from "../address_list.ts";
import type { Address } from "../model.ts";
import { readMap, readTexts } from "./fields.ts";

/** Maximum number of personalizations of a request, and most recipients over all of them. */
const MAX_PERSONALIZATIONS = 1000;
const MAX_RECIPIENTS = 1000;
/** Maximum time until a scheduled message, in seconds. */
const MAX_DELAY_SECONDS = 72 * 60 * 60;

const EXAMPLE =
  'e.g. {"email": "example@example.com"} or {"email": "example@example.com", "name": "Example Recipient"}.';
const NO_FROM =
  'The from object must be provided for every email send. It is an object that requires the email parameter, but may also contain a name parameter.  e.g. {"email" : "example@example.com"}  or {"email" : "example@example.com", "name" : "Example Recipient"}.';
const NO_SUBJECT = "The subject of your email must be a string at least one character in length.";
const NO_TO =
  "The to array is required for all personalization objects, and must have at least one email object with a valid email address.";

/** Header fields that only the vendor sets. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "x-sg-id",
  "x-sg-eid",
  "received",
  "dkim-signature",
  "content-type",
  "content-transfer-encoding",
  "to",
  "from",
  "subject",
  "reply-to",
  "cc",
  "bcc",
]);

/** One personalization; members it leaves out come from the request. */
export interface Personalization {
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly from: Address | undefined;
  readonly subject: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly substitutions: Readonly<Record<string, string>> | undefined;
  readonly dynamicTemplateData: Readonly<Record<string, unknown>> | undefined;
  readonly customArgs: Readonly<Record<string, string>> | undefined;
  readonly sendAt: number | undefined;
}

/** Reads `personalizations`; empty after a fault, which was reported. */
export function readPersonalizations(
  request: JsonFields,
  nowMs: number,
): readonly Personalization[] {
  const items = request.array("personalizations");
  if (items === undefined || items.length === 0) {
    if (items !== undefined || request.value("personalizations") === undefined) {
      request.report(
        "personalizations",
        "The personalizations field is required and must have at least one personalization.",
      );
    }
    return [];
  }
  if (items.length > MAX_PERSONALIZATIONS) {
    request.report(
      "personalizations",
      `The personalization block is limited to ${MAX_PERSONALIZATIONS} personalizations per API request. You have provided ${items.length} personalizations. Please consider splitting this into multiple requests and resending your request.`,
    );
    return [];
  }
  if (countRecipients(items) > MAX_RECIPIENTS) {
    request.report(
      "personalizations",
      `There is a limit of ${MAX_RECIPIENTS} total recipients (to + cc + bcc) per request.`,
    );
    return [];
  }
  return items.map((_, index) =>
    readPersonalization(request.item("personalizations", index), nowMs)
  );
}

interface AddressWords {
  /** For an object without an address. */
  readonly missing: string;
  /** For an invalid address. */
  readonly invalid: string;
}

const FROM: AddressWords = {
  missing: NO_FROM,
  invalid: "The from email does not contain a valid address.",
};
const RECIPIENT: AddressWords = {
  missing: "Does not contain a valid address.",
  invalid: "Does not contain a valid address.",
};

/** Reads a sender; `undefined` if absent or reported. */
export function readFrom(at: JsonFields): Address | undefined {
  return readAddress(at.child("from"), FROM);
}

/** Reports that the request has no sender. */
export function noteNoFrom(request: JsonFields): void {
  request.report("from.email", NO_FROM);
}

/** `reply_to`, or the members of `reply_to_list`. */
export function readReplyTo(request: JsonFields): readonly Address[] {
  const hasSingle = request.value("reply_to") !== undefined;
  const list = request.array("reply_to_list");
  if (!hasSingle && list === undefined) return NO_ADDRESSES;
  if (hasSingle && list !== undefined) {
    request.report(
      "reply_to_list",
      "The reply_to and reply_to_list parameters cannot be used together.",
    );
  }
  if (list !== undefined && list.length > MAX_RECIPIENTS) {
    request.report(
      "reply_to_list",
      `There is a limit of ${MAX_RECIPIENTS} reply_to_list addresses.`,
    );
    return NO_ADDRESSES;
  }
  const single = readAddress(request.child("reply_to"), replyToWords("reply_to"));
  const words = replyToWords("reply_to_list");
  return [
    single,
    ...(list ?? []).map((_, index) => readAddress(request.item("reply_to_list", index), words)),
  ].filter((address) => address !== undefined);
}

function replyToWords(name: string): AddressWords {
  return {
    missing:
      `The ${name} object, when used, must at least have an email parameter and may also contain a name parameter.`,
    invalid: `The ${name} email does not contain a valid address.`,
  };
}

/** Reads a subject at either level. */
export function readSubject(at: JsonFields): string | undefined {
  const subject = at.text("subject", NO_SUBJECT);
  if (subject === "") at.report("subject", NO_SUBJECT);
  return subject;
}

/** Header fields at either level. */
export function readHeaders(at: JsonFields): Readonly<Record<string, string>> | undefined {
  const headers = readTexts(at, "headers", "The header values must be strings.");
  if (headers === undefined) return undefined;
  for (const name of Object.keys(headers)) {
    if (!/^[\x21-\x7e]+$/.test(name)) {
      at.report("headers", "Header keys cannot contain non-ASCII characters or empty spaces.");
    }
    if (RESERVED_HEADERS.has(name.toLowerCase())) {
      at.report("headers", "Header can not be one of the reserved keys.");
    }
  }
  return headers;
}

/** Reads a send time at either level, in seconds. */
export function readSendAt(at: JsonFields, nowMs: number): number | undefined {
  const seconds = at.integer(
    "send_at",
    "The send_at parameter is expecting a UNIX timestamp as an integer. We will send immediately if you include a send_at timestamp that is in the past.",
  );
  if (seconds !== undefined && seconds - nowMs / 1000 > MAX_DELAY_SECONDS) {
    at.report("send_at", "Scheduling more than 72 hours in advance is forbidden.");
  }
  return seconds;
}

/** Custom arguments at either level. */
export function readCustomArgs(at: JsonFields): Readonly<Record<string, string>> | undefined {
  return readTexts(at, "custom_args", "All values of custom arguments object must be strings.");
}

/** Substitutions at either level. */
export function readSubstitutions(at: JsonFields): Readonly<Record<string, string>> | undefined {
  return readTexts(
    at,
    "substitutions",
    "The substitution values must be an object of key/value pairs, where the values are all strings.",
  );
}

const NO_ADDRESSES: readonly Address[] = [];

const NOTHING: Personalization = {
  to: NO_ADDRESSES,
  cc: NO_ADDRESSES,
  bcc: NO_ADDRESSES,
  from: undefined,
  subject: undefined,
  headers: undefined,
  substitutions: undefined,
  dynamicTemplateData: undefined,
  customArgs: undefined,
  sendAt: undefined,
};

function readPersonalization(at: JsonFields | undefined, nowMs: number): Personalization {
  if (at === undefined) return NOTHING;
  if (at.value("to") === undefined) at.report("to", NO_TO);
  const to = readRecipients(at, "to");
  const cc = readRecipients(at, "cc");
  const bcc = readRecipients(at, "bcc");
  noteRepeated({ to, cc, bcc }, at);
  return {
    to,
    cc,
    bcc,
    from: readFrom(at),
    subject: readSubject(at),
    headers: readHeaders(at),
    substitutions: readSubstitutions(at),
    dynamicTemplateData: readMap(at, "dynamic_template_data"),
    customArgs: readCustomArgs(at),
    sendAt: readSendAt(at, nowMs),
  };
}

function readRecipients(at: JsonFields, name: "to" | "cc" | "bcc"): readonly Address[] {
  const items = at.array(name);
  if (items === undefined) return NO_ADDRESSES;
  if (items.length === 0) {
    at.report(
      name,
      name === "to"
        ? NO_TO
        : `The ${name} array, when used, must at least have an email parameter with a valid email address and it may also contain a name parameter. ${EXAMPLE}`,
    );
  }
  return items.map((_, index) => readAddress(at.item(name, index), RECIPIENT))
    .filter((address) => address !== undefined);
}

function readAddress(at: JsonFields | undefined, words: AddressWords): Address | undefined {
  if (at === undefined) return undefined;
  const name = at.text("name");
  if ((at.value("email") ?? "") === "") {
    at.report("email", words.missing);
    return undefined;
  }
  const email = at.text("email");
  if (email === undefined) return undefined;
  if (!isAddress(email)) {
    at.report("email", words.invalid);
    return undefined;
  }
  return toAddress(email, name);
}

function noteRepeated(
  lists: Readonly<Record<"to" | "cc" | "bcc", readonly Address[]>>,
  at: JsonFields,
): void {
  if (lists.to.length + lists.cc.length + lists.bcc.length < 2) return;
  const seen = new Set<string>();
  for (const name of ["to", "cc", "bcc"] as const) {
    for (const { email } of lists[name]) {
      const key = email.toLowerCase();
      if (seen.has(key)) {
        at.report(
          "",
          `Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [${email}] in the ${at.path()}.${name} field.`,
        );
        return;
      }
      seen.add(key);
    }
  }
}

function countRecipients(items: readonly unknown[]): number {
  let count = 0;
  for (const item of items) {
    const { to, cc, bcc } = (item ?? {}) as Readonly<Record<string, unknown>>;
    count += lengthOf(to) + lengthOf(cc) + lengthOf(bcc);
  }
  return count;
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}
