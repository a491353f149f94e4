/**
 * Addresses and `personalizations` of a Mail Send request (SendGrid v3): each personalization is one message.
 *
 * @module
 */
import { isAddress, toAddress } from "../address_list.ts";
import type { Address } from "../model.ts";
import type { Report } from "./violation.ts";

/** Most personalizations of a request, and most recipients over all of them. */
const MAX_PERSONALIZATIONS = 1000;
const MAX_RECIPIENTS = 1000;
/** How far ahead a message may be scheduled, in seconds. */
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

/** What one personalization says; what it leaves out comes from the request. */
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

/** Reads `personalizations`. Empty when there is nothing to send to, which was noted then. */
export function readPersonalizations(
  value: unknown,
  report: Report,
  nowMs: number,
): readonly Personalization[] {
  const items = report.array(value, "personalizations");
  if (items === undefined || items.length === 0) {
    if (items !== undefined || value === undefined || value === null) {
      report.add(
        "personalizations",
        "The personalizations field is required and must have at least one personalization.",
      );
    }
    return [];
  }
  if (items.length > MAX_PERSONALIZATIONS) {
    report.add(
      "personalizations",
      `The personalization block is limited to ${MAX_PERSONALIZATIONS} personalizations per API request. You have provided ${items.length} personalizations. Please consider splitting this into multiple requests and resending your request.`,
    );
    return [];
  }
  if (countRecipients(items) > MAX_RECIPIENTS) {
    report.add(
      "personalizations",
      `There is a limit of ${MAX_RECIPIENTS} total recipients (to + cc + bcc) per request.`,
    );
    return [];
  }
  return items.map((item, index) =>
    readPersonalization(item, { report, nowMs, field: `personalizations.${index}` })
  );
}

/** A sender. `undefined` when it is absent or was noted. */
export function readFrom(value: unknown, field: string, report: Report): Address | undefined {
  if (value === undefined || value === null) return undefined;
  return readAddress(value, {
    report,
    field,
    missing: NO_FROM,
    invalid: "The from email does not contain a valid address.",
  });
}

/** Notes that the request has no sender. */
export function noteNoFrom(report: Report): void {
  report.add("from.email", NO_FROM);
}

/** `reply_to`, or the members of `reply_to_list`. */
export function readReplyTo(
  body: Readonly<Record<string, unknown>>,
  report: Report,
): readonly Address[] {
  const single = body.reply_to ?? undefined;
  const list = report.array(body.reply_to_list, "reply_to_list");
  if (single !== undefined && list !== undefined) {
    report.add(
      "reply_to_list",
      "The reply_to and reply_to_list parameters cannot be used together.",
    );
  }
  if (list !== undefined && list.length > MAX_RECIPIENTS) {
    report.add("reply_to_list", `There is a limit of ${MAX_RECIPIENTS} reply_to_list addresses.`);
    return [];
  }
  const read = (value: unknown, name: string, field: string) =>
    readAddress(value, {
      report,
      field,
      missing:
        `The ${name} object, when used, must at least have an email parameter and may also contain a name parameter.`,
      invalid: `The ${name} email does not contain a valid address.`,
    });
  return [
    ...(single === undefined ? [] : [read(single, "reply_to", "reply_to")]),
    ...(list ?? []).map((item, index) => read(item, "reply_to_list", `reply_to_list.${index}`)),
  ].filter((address) => address !== undefined);
}

/** A subject at either level. */
export function readSubject(value: unknown, field: string, report: Report): string | undefined {
  const subject = report.text(value, field, NO_SUBJECT);
  if (subject === "") report.add(field, NO_SUBJECT);
  return subject;
}

/** Header fields at either level. */
export function readHeaders(
  value: unknown,
  field: string,
  report: Report,
): Readonly<Record<string, string>> | undefined {
  const headers = report.texts(value, field, "The header values must be strings.");
  for (const name of Object.keys(headers ?? {})) {
    if (!/^[\x21-\x7e]+$/.test(name)) {
      report.add(field, "Header keys cannot contain non-ASCII characters or empty spaces.");
    }
    if (RESERVED_HEADERS.has(name.toLowerCase())) {
      report.add(field, "Header can not be one of the reserved keys.");
    }
  }
  return headers;
}

/** A time to send at, at either level, in seconds. */
export function readSendAt(
  value: unknown,
  field: string,
  about: { readonly report: Report; readonly nowMs: number },
): number | undefined {
  const seconds = about.report.integer(
    value,
    field,
    "The send_at parameter is expecting a UNIX timestamp as an integer. We will send immediately if you include a send_at timestamp that is in the past.",
  );
  if (seconds !== undefined && seconds - about.nowMs / 1000 > MAX_DELAY_SECONDS) {
    about.report.add(field, "Scheduling more than 72 hours in advance is forbidden.");
  }
  return seconds;
}

/** Custom arguments at either level. */
export function readCustomArgs(
  value: unknown,
  field: string,
  report: Report,
): Readonly<Record<string, string>> | undefined {
  return report.texts(value, field, "All values of custom arguments object must be strings.");
}

/** Substitutions, or sections, at either level. */
export function readSubstitutions(
  value: unknown,
  field: string,
  report: Report,
): Readonly<Record<string, string>> | undefined {
  return report.texts(
    value,
    field,
    "The substitution values must be an object of key/value pairs, where the values are all strings.",
  );
}

const NOTHING: Personalization = {
  to: [],
  cc: [],
  bcc: [],
  from: undefined,
  subject: undefined,
  headers: undefined,
  substitutions: undefined,
  dynamicTemplateData: undefined,
  customArgs: undefined,
  sendAt: undefined,
};

interface Place {
  readonly report: Report;
  readonly field: string;
  readonly nowMs: number;
}

function readPersonalization(value: unknown, { report, field, nowMs }: Place): Personalization {
  const members = report.object(value ?? {}, field);
  if (members === undefined) return NOTHING;
  if ((members.to ?? undefined) === undefined) report.add(`${field}.to`, NO_TO);
  const to = readRecipients(members, "to", { report, field });
  const cc = readRecipients(members, "cc", { report, field });
  const bcc = readRecipients(members, "bcc", { report, field });
  noteRepeated({ to, cc, bcc }, field, report);
  return {
    to,
    cc,
    bcc,
    from: readFrom(members.from, `${field}.from`, report),
    subject: readSubject(members.subject, `${field}.subject`, report),
    headers: readHeaders(members.headers, `${field}.headers`, report),
    substitutions: readSubstitutions(members.substitutions, `${field}.substitutions`, report),
    dynamicTemplateData: report.map(
      members.dynamic_template_data,
      `${field}.dynamic_template_data`,
    ),
    customArgs: readCustomArgs(members.custom_args, `${field}.custom_args`, report),
    sendAt: readSendAt(members.send_at, `${field}.send_at`, { report, nowMs }),
  };
}

function readRecipients(
  members: Readonly<Record<string, unknown>>,
  name: "to" | "cc" | "bcc",
  { report, field }: Omit<Place, "nowMs">,
): readonly Address[] {
  const path = `${field}.${name}`;
  const items = report.array(members[name], path);
  if (items === undefined) return [];
  if (items.length === 0) {
    report.add(
      path,
      name === "to"
        ? NO_TO
        : `The ${name} array, when used, must at least have an email parameter with a valid email address and it may also contain a name parameter. ${EXAMPLE}`,
    );
  }
  return items
    .map((item, index) =>
      readAddress(item, {
        report,
        field: `${path}.${index}`,
        missing: "Does not contain a valid address.",
        invalid: "Does not contain a valid address.",
      })
    )
    .filter((address) => address !== undefined);
}

function readAddress(
  value: unknown,
  about: {
    readonly report: Report;
    readonly field: string;
    readonly missing: string;
    readonly invalid: string;
  },
): Address | undefined {
  const { report, field } = about;
  const members = report.object(value ?? {}, field);
  if (members === undefined) return undefined;
  const name = report.text(members.name, `${field}.name`);
  if ((members.email ?? "") === "") {
    report.add(`${field}.email`, about.missing);
    return undefined;
  }
  const email = report.text(members.email, `${field}.email`);
  if (email === undefined) return undefined;
  if (!isAddress(email)) {
    report.add(`${field}.email`, about.invalid);
    return undefined;
  }
  return toAddress(email, name);
}

function noteRepeated(
  lists: Readonly<Record<"to" | "cc" | "bcc", readonly Address[]>>,
  field: string,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const name of ["to", "cc", "bcc"] as const) {
    for (const { email } of lists[name]) {
      const key = email.toLowerCase();
      if (seen.has(key)) {
        report.add(
          field,
          `Each email address in the personalization block should be unique between to, cc, and bcc. We found the first duplicate instance of [${email}] in the ${field}.${name} field.`,
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
    for (const list of [to, cc, bcc]) count += Array.isArray(list) ? list.length : 0;
  }
  return count;
}
