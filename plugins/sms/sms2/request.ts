/**
 * Parameters of `Publish` and `PublishBatch`, as a form (https://docs.aws.amazon.com/sns/latest/api/API_Publish.html).
 * Pure. Lists are numbered from 1: `PublishBatchRequestEntries.member.1.Id`.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm, type FormFields } from "../../../core/codec/form.ts";
import { compact } from "../../../core/compact.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { attempt, Refused, type Result } from "../../../core/result.ts";
import type { SmsDraft } from "../capture.ts";
import {
  badAttribute,
  badAttributeName,
  invalid,
  missing,
  REFUSALS,
  unknownAction,
  type VendorRefusal,
} from "./refusals.ts";

/** Supported actions. */
export const ACTIONS = [
  "Publish",
  "PublishBatch",
  "CreateTopic",
  "CheckIfPhoneNumberIsOptedOut",
] as const;
export type Action = typeof ACTIONS[number];

/** A message to publish. */
export interface Publication {
  readonly draft: SmsDraft;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether it goes to a topic that keeps the order. */
  readonly fifo: boolean;
}

/** An entry of a batch. */
export interface Entry {
  readonly id: string;
  readonly publication: Result<Publication, VendorRefusal>;
}

const NUMBER = /^\+?[1-9]\d{5,14}$/;
const TOPIC = /^arn:aws[a-z-]*:sns:[a-z0-9-]{1,32}:\d{12}:[\w/.-]{1,512}$/;
const TOPIC_NAME = /^(?=.{1,256}$)[\w-]+(\.fifo)?$/;
const ENTRY_ID = /^[\w-]{1,80}$/;
const MAX_ENTRIES = 10;
/** Maximum number of parsed entries, one more than allowed. */
const MAX_READ = 100;
const MAX_ATTRIBUTES = 100;
/**
 * Attributes of a message to a number:
 * https://docs.aws.amazon.com/sns/latest/dg/sms_sending-overview.html
 */
const MAX_SMS_CHARACTERS = 1600;
const MAX_BYTES = 262_144;
/** The vendor accepts one character more than its page states (github.com/getmoto/moto/issues/1503). */
const MAX_SUBJECT = 100;
/**
 * Names, types and values of attributes: https://docs.aws.amazon.com/sns/latest/dg/sns-message-attributes.html. A type
 * may have a label of its own, such as `Number.int`.
 */
const ATTRIBUTE_NAME = /^(?!\.)(?!.*\.\.)(?!.*\.$)[\w.-]{1,256}$/;
const ATTRIBUTE_TYPE = /^(String|Number|Binary)(\..+)?$/;

/** Parses the form of a call, and its action. */
export function readAction(
  body: Uint8Array,
): Result<{ readonly action: Action; readonly form: FormFields }, VendorRefusal> {
  return attempt(() => {
    const form = readForm(body);
    const action = form.first("Action") || fail(REFUSALS.noAction);
    const known = ACTIONS.find((name) => name === action) ?? fail(unknownAction(action));
    return { action: known, form };
  });
}

/** Reads the message of `Publish`. */
export function readPublish(form: FormFields): Result<Publication, VendorRefusal> {
  return attempt(() => readPublication(form, ""));
}

/** Parses the messages of `PublishBatch`; invalid ones do not affect the others. */
export function readBatch(form: FormFields): Result<readonly Entry[], VendorRefusal> {
  return attempt(() => {
    if (!form.first("TopicArn")) fail(missing("topicArn"));
    const names = new Set(form.pairs.map(([name]) => /^.*?\.member\.\d+\./.exec(name)?.[0] ?? ""));
    const entries: Entry[] = [];
    for (let i = 1; i <= MAX_READ; i++) {
      const prefix = `PublishBatchRequestEntries.member.${i}.`;
      if (!names.has(prefix)) break;
      const id = form.first(`${prefix}Id`) ?? "";
      if (!ENTRY_ID.test(id)) fail(REFUSALS.badId);
      entries.push({ id, publication: attempt(() => readPublication(form, prefix)) });
    }
    if (entries.length === 0) fail(REFUSALS.emptyBatch);
    if (entries.length > MAX_ENTRIES) fail(REFUSALS.largeBatch);
    if (new Set(entries.map(({ id }) => id)).size < entries.length) fail(REFUSALS.sameIds);
    return entries;
  });
}

/** Reads the name of `CreateTopic`. */
export function readTopicName(form: FormFields): Result<string, VendorRefusal> {
  return attempt(() => {
    const name = form.first("Name") ?? fail(missing("name"));
    return TOPIC_NAME.test(name) ? name : fail(invalid("Topic Name"));
  });
}

/** Reads the number of `CheckIfPhoneNumberIsOptedOut`. */
export function readNumber(form: FormFields): Result<string, VendorRefusal> {
  return attempt(() => {
    const number = form.first("phoneNumber") ?? fail(missing("phoneNumber"));
    return NUMBER.test(number)
      ? number
      : fail(invalid(`PhoneNumber Reason: input incorrectly formatted`));
  });
}

function readForm(body: Uint8Array): FormFields {
  try {
    return decodeForm(body);
  } catch (error) {
    if (error instanceof WireError) return fail(REFUSALS.badForm);
    throw error;
  }
}

function readPublication(form: FormFields, prefix: string): Publication {
  const text = (name: string) => form.first(`${prefix}${name}`) || undefined;
  const topic = form.first("TopicArn") || undefined;
  const target = form.first("TargetArn") || undefined;
  const number = prefix === "" ? text("PhoneNumber") : undefined;
  const arn = topic ?? target;
  const to = readTarget([topic, target, number]);
  const attributes = readAttributes(form, prefix);
  const message = form.first(`${prefix}Message`) ?? fail(missing("message"));
  const body = text("MessageStructure") === "json" ? readStructured(message) : message;
  if (body === "") fail(REFUSALS.noMessage);
  const subject = readSubject(text("Subject"));
  const isLong = arn === undefined
    ? body.length > MAX_SMS_CHARACTERS && [...body].length > MAX_SMS_CHARACTERS
    : new TextEncoder().encode(message).length > MAX_BYTES;
  if (isLong) fail(REFUSALS.longMessage);
  const fifo = arn?.endsWith(".fifo") === true;
  if (fifo && text("MessageGroupId") === undefined) fail(REFUSALS.noGroup);
  const from = attributes["AWS.SNS.SMS.SenderID"] ?? attributes["AWS.MM.SMS.OriginationNumber"];
  return {
    draft: { to, from, body, media: [] },
    fifo,
    meta: compact({
      topic_arn: topic,
      target_arn: target,
      subject,
      message_structure: text("MessageStructure"),
      structured_message: body === message ? undefined : message,
      message_group_id: text("MessageGroupId"),
      message_deduplication_id: text("MessageDeduplicationId"),
      sms_type: attributes["AWS.SNS.SMS.SMSType"],
      message_attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
    }),
  };
}

/** https://docs.aws.amazon.com/sns/latest/api/API_Publish.html: no line breaks and no control characters. */
function readSubject(subject: string | undefined): string | undefined {
  const isValid = subject === undefined ||
    (subject.length <= MAX_SUBJECT && !/\p{Cc}/u.test(subject));
  return isValid ? subject : fail(REFUSALS.badSubject);
}

/** A message has exactly one target. */
function readTarget([topic, target, number]: readonly (string | undefined)[]): string {
  const given = [topic, target, number].filter((value) => value !== undefined);
  if (given.length === 0) fail(REFUSALS.noTarget);
  if (given.length > 1) {
    fail(invalid("Both TopicArn/TargetArn and PhoneNumber Reason: only one target is allowed"));
  }
  if (number !== undefined) {
    const plain = number.replace(/[\s().-]/g, "");
    return NUMBER.test(plain)
      ? plain
      : fail(invalid(`PhoneNumber Reason: ${number.slice(0, 64)} is not valid to publish to`));
  }
  const arn = given[0]!;
  const name = topic === undefined ? "TargetArn" : "TopicArn";
  if (!arn.startsWith("arn:")) {
    fail(invalid(`${name} Reason: ${arn.slice(0, 64)} does not start with arn`));
  }
  if (!TOPIC.test(arn)) fail(invalid(`${name} Reason: An ARN must have at least 6 elements`));
  return arn;
}

/** Attributes of a message; bytes stay in base64. */
function readAttributes(form: FormFields, prefix: string): Record<string, string> {
  const found: [string, string][] = [];
  for (let i = 1; i <= MAX_ATTRIBUTES; i++) {
    const at = `${prefix}MessageAttributes.entry.${i}.`;
    const name = form.first(`${at}Name`);
    if (name === undefined) break;
    if (!ATTRIBUTE_NAME.test(name)) fail(badAttributeName(name));
    const type = form.first(`${at}Value.DataType`) ??
      fail(missing(`messageAttributes.${name}.member.dataType`));
    found.push([name, readValue(form, `${at}Value.`, { name, type })]);
  }
  return Object.fromEntries(found);
}

/** The value is in the member of its type, and the vendor accepts no empty one. */
function readValue(
  form: FormFields,
  at: string,
  { name, type }: { readonly name: string; readonly type: string },
): string {
  const kind = ATTRIBUTE_TYPE.exec(type)?.[1] ?? fail(badAttribute(
    name,
    "has an invalid message attribute type, the set of supported type prefixes is Binary, Number, and String.",
  ));
  const member = kind === "Binary" ? "Binary" : "String";
  const value = form.first(`${at}${member}Value`);
  const other = form.first(`${at}${member === "Binary" ? "String" : "Binary"}Value`);
  if (value === undefined && other !== undefined) {
    fail(badAttribute(name, `with type '${type}' must use field '${member}'.`));
  }
  return value || fail(badAttribute(
    name,
    `must contain non-empty message attribute value for message attribute type '${type}'.`,
  ));
}

/** Returns the SMS text from an object with a text per protocol. */
function readStructured(message: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(message);
  } catch {
    fail(REFUSALS.badJson);
  }
  if (!isJsonObject(parsed) || typeof parsed.default !== "string") return fail(REFUSALS.noDefault);
  return typeof parsed.sms === "string" ? parsed.sms : parsed.default;
}

function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}
