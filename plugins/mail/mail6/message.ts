/** A message to send, from either API: https://docs.aws.amazon.com/ses/latest/dg/quotas.html */
import { decodeFieldText } from "../../../core/codec/mime/header.ts";
import { Warnings } from "../../../core/codec/mime/warnings.ts";
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { Refused } from "../../../core/result.ts";
import { parseMailbox, toAddress } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { invalid, REFUSALS, type VendorRefusal } from "./refusals.ts";

const MAX_RECIPIENTS = 50;

/** Recipients as given. */
export interface Destination {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
}

/** A message as requested. */
export interface Message {
  /** Empty for a raw message. */
  readonly from: string;
  readonly destination: Destination;
  readonly replyTo: readonly string[];
  readonly content: Content;
  /** `configuration_set email_tags feedback_to`, if given. */
  readonly meta: JsonObject;
}

/** The three kinds of content. */
export type Content =
  | {
    readonly kind: "simple";
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly headers: MailDraft["headers"];
    readonly attachments: readonly DraftAttachment[];
  }
  | { readonly kind: "raw"; readonly bytes: Uint8Array }
  | {
    readonly kind: "template";
    /** Empty for an inline template. */
    readonly name: string;
    readonly inline?: { readonly subject: string; readonly text: string; readonly html: string };
    readonly data: JsonObject;
    readonly headers: MailDraft["headers"];
    readonly attachments: readonly DraftAttachment[];
  };

/** Stops parsing with a refusal. */
export function fail(refusal: VendorRefusal): never {
  throw new Refused(refusal);
}

/**
 * Reads an address whose name may be in encoded words (RFC 2047). A domain beyond ASCII must be in Punycode
 * (https://docs.aws.amazon.com/ses/latest/APIReference/API_Destination.html); a local part beyond ASCII is accepted,
 * whatever that page says (github.com/18F/identity-idp/pull/7380).
 */
export function readAddress(text: string): Address {
  const mailbox = parseMailbox(text) ?? fail(invalid(faultOf(text)));
  const domain = mailbox.email.slice(mailbox.email.lastIndexOf("@"));
  if (/\P{ASCII}/u.test(domain)) fail(invalid("Domain contains illegal character"));
  return mailbox.name === undefined
    ? mailbox
    : toAddress(mailbox.email, decodeFieldText(mailbox.name, new Warnings()));
}

function faultOf(text: string): string {
  if (!text.includes("@")) return "Missing final '@domain'";
  return /[\s\p{Cc}]/u.test(text.replace(/^.*</, "").replace(/>$/, "").split("@")[0]!)
    ? "Local address contains control or whitespace"
    : "Domain contains illegal character";
}

/** Reads the recipients of a message. */
export function readRecipients(
  { to, cc, bcc }: Destination,
): { to: readonly Address[]; cc: readonly Address[]; bcc: readonly Address[] } {
  if (to.length + cc.length + bcc.length > MAX_RECIPIENTS) fail(REFUSALS.tooManyRecipients);
  return {
    to: to.map(readAddress),
    cc: cc.map(readAddress),
    bcc: bcc.map(readAddress),
  };
}

/** Most characters of the name or value of a tag. */
const MAX_TAG = 255;

/** What a name or a value of a tag may be. */
interface TagRule {
  readonly form: RegExp;
  /** The allowed characters besides letters and digits, as the vendor lists them. */
  readonly others: string;
}

/**
 * The vendor accepts more than its API page allows: `.` and `@` in values, and two names with a colon
 * (https://docs.aws.amazon.com/ses/latest/dg/monitor-using-event-publishing.html). That page has no texts for refusals,
 * so rules and texts are those that LocalStack's tests recorded from the vendor
 * (github.com/localstack/localstack/pull/8639 and /11284).
 */
const TAG_RULES: Readonly<Record<"name" | "value", TagRule>> = {
  name: { form: /^(?:[\w-]+|ses:feedback-id-[ab])$/, others: "'_',  '-'" },
  value: { form: /^[\w.@-]+$/, others: "'_',  '-' , '.', '@'" },
};

/** Reads the tags of a message. */
export function toTags(
  pairs: readonly (readonly [name: string, value: string])[],
): Readonly<Record<string, string>> {
  for (const [name, value] of pairs) {
    checkTag("name", name);
    checkTag("value", value);
  }
  return Object.fromEntries(pairs);
}

function checkTag(what: "name" | "value", text: string): void {
  const { form, others } = TAG_RULES[what];
  if (text === "") fail(invalid(`The tag ${what} must be specified.`));
  const kind = what === "name" ? "Tag name" : "Tag value";
  if (text.length > MAX_TAG) fail(invalid(`${kind} cannot exceed ${MAX_TAG} characters.`));
  if (!form.test(text)) {
    fail(invalid(
      `Invalid tag ${what} <${text}>: only alphanumeric ASCII characters, ${others} are allowed.`,
    ));
  }
}

/** Parses the values of a template, which are JSON inside a text. */
export function readTemplateData(text: string | undefined): JsonObject {
  if (text === undefined || text === "") return {};
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : fail(REFUSALS.badTemplateData);
  } catch (error) {
    if (error instanceof WireError) fail(REFUSALS.badTemplateData);
    throw error;
  }
}
