/**
 * Reads the body of `POST /v3/send` (Mailjet Send API v3,
 * https://dev.mailjet.com/email/reference/send-emails/): one message, or up to a hundred in
 * `Messages`. Its members are converted to v3.1, and parsed and checked as such.
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import { attempt, failure, Refused, type Result } from "../../../core/result.ts";
import { parseMailbox, splitMailboxes } from "../address_list.ts";
import { type Message, readMessage } from "./message.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import { type Entry, toEntry } from "./request.ts";

/** Maximum number of messages of one call. Each of `Recipients` gets a separate one. */
const MAX_MESSAGES = 100;

/** Members that v3.1 only renamed. */
const RENAMED: Readonly<Record<string, string>> = {
  subject: "Subject",
  "text-part": "TextPart",
  "html-part": "HTMLPart",
  "mj-campaign": "CustomCampaign",
  "mj-customid": "CustomID",
  "mj-eventpayload": "EventPayload",
  "mj-monitoringcategory": "MonitoringCategory",
};
/** `Mj-trackopen` and `Mj-trackclick`. */
const TRACKING = ["account_default", "disabled", "enabled"];

/** Converts a parsed body to messages; never throws. The first refusal refuses the whole call. */
export function readSendV3(body: unknown): Result<readonly Entry[], VendorRefusal> {
  if (!isJsonObject(body)) return failure(REFUSALS.malformed);
  return attempt(() => {
    const { messages } = lowerCased(body);
    const list = messages === undefined || messages === null ? [body] : messages;
    if (!Array.isArray(list)) throw new Refused(REFUSALS.wrongType("Messages", "array"));
    if (list.length === 0) throw new Refused(REFUSALS.emptyArray("Messages"));
    const entries: Entry[] = [];
    for (const message of list) {
      if (!isJsonObject(message)) throw new Refused(REFUSALS.malformed);
      for (const one of messagesOf(lowerCased(message))) {
        if (entries.length === MAX_MESSAGES) {
          throw new Refused(REFUSALS.tooMany("Recipients", MAX_MESSAGES));
        }
        entries.push(toEntry(one, { sandbox: false, strict: undefined }));
      }
    }
    return entries;
  });
}

/** The messages of an object: one for each of `Recipients`, who do not see each other, or one to all of `To`. */
function* messagesOf(given: JsonObject): Generator<Message> {
  if (!senderOf(given) && given["mj-templateid"] === undefined) {
    throw new Refused(REFUSALS.noSenderV3);
  }
  // Read once: all recipients share the attachments, which are then stored once.
  const name = toNumber(given["mj-templateid"]);
  const common = {
    ...readMessage(toV31(given), ""),
    ...(typeof name === "string" && name !== "" && { templateName: name }),
  };
  const { recipients } = given;
  if (recipients === undefined) {
    if (!given.to) throw new Refused(REFUSALS.noRecipientV3);
    yield { ...common, ...readMessage(lists(given), "") };
    return;
  }
  if (given.to || given.cc || given.bcc) throw new Refused(REFUSALS.mixedRecipientsV3);
  if (!Array.isArray(recipients)) throw new Refused(REFUSALS.wrongType("Recipients", "array"));
  if (recipients.length === 0) throw new Refused(REFUSALS.emptyArray("Recipients"));
  for (const recipient of recipients) {
    const { vars, ...to } = isJsonObject(recipient) ? lowerCased(recipient) : {};
    const variables = { ...readVars(given.vars), ...readVars(vars) };
    const own = { Variables: variables, To: [isJsonObject(recipient) ? to : recipient] };
    yield { ...common, ...readMessage(own, "") };
  }
}

/**
 * Address of the sender. `Sender: true` requests the account's default, which does not exist here.
 */
function senderOf({ fromemail, sender }: JsonObject): unknown {
  return fromemail || (typeof sender === "string" && sender.includes("@") ? sender : undefined);
}

/** Parses the mailboxes of a text: `Ann <a@example.com>, b@example.com`. */
function lists(given: JsonObject): JsonObject {
  return compact({ To: mailboxes(given.to), Cc: mailboxes(given.cc), Bcc: mailboxes(given.bcc) });
}

function mailboxes(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value === "" ? undefined : splitMailboxes(value).map(toMailbox);
}

/** Anything unparsable counts as an address, which is then refused. */
function toMailbox(text: string): JsonObject {
  const { email: Email, name: Name } = parseMailbox(text) ?? { email: text };
  return compact({ Email, Name });
}

function toV31(given: JsonObject): JsonObject {
  const { replyTo, fields } = splitHeaders(given.headers);
  const renamed = Object.entries(RENAMED).map(([name, own]) => [own, given[name]] as const);
  const reporting = given["mj-templateerrorreporting"];
  return compact({
    ...Object.fromEntries(renamed.filter(([, value]) => value !== undefined)),
    From: toFrom(given),
    // It is a property in v3.1, but an ordinary header field in v3.
    ReplyTo: typeof replyTo === "string" ? toMailbox(replyTo) : replyTo,
    Headers: fields,
    Variables: readVars(given.vars),
    Attachments: files(given.attachments),
    InlinedAttachments: files(given.inline_attachments),
    TemplateID: toTemplateId(given["mj-templateid"]),
    TemplateLanguage: toFlag(given["mj-templatelanguage"]),
    TemplateErrorReporting: typeof reporting === "string" ? toMailbox(reporting) : reporting,
    TemplateErrorDeliver: toFlag(given["mj-templateerrordeliver"]),
    Priority: toNumber(given["mj-prio"]),
    DeduplicateCampaign: toFlag(given["mj-deduplicatecampaign"]),
    TrackOpens: toTracking(given["mj-trackopen"]),
    TrackClicks: toTracking(given["mj-trackclick"]),
  });
}

/** `FromEmail` may have the name, too. */
function toFrom(given: JsonObject): JsonObject | undefined {
  const sender = senderOf(given);
  if (!sender) return undefined;
  const own = typeof sender === "string" ? toMailbox(sender) : { Email: sender };
  return compact({ ...own, Name: given.fromname ?? own.Name });
}

/** A text is the name of a template, unless it is a number. */
function toTemplateId(value: unknown): unknown {
  const id = toNumber(value);
  return typeof id === "string" ? undefined : id;
}

/** The field that is a property in v3.1, and the others as sent. */
function splitHeaders(value: unknown): { readonly replyTo?: unknown; readonly fields: unknown } {
  if (!isJsonObject(value)) return { fields: value };
  const isReply = ([name]: readonly [string, unknown]) => name.toLowerCase() === "reply-to";
  const members = Object.entries(value);
  return {
    replyTo: members.find(isReply)?.[1],
    fields: Object.fromEntries(members.filter((member) => !isReply(member))),
  };
}

/** Variables as an object, or as JSON text. */
function readVars(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string" || value === "") return {};
  try {
    const parsed = parseJson(value);
    if (isJsonObject(parsed)) return parsed;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  throw new Refused(REFUSALS.wrongType("Vars", "map"));
}

function files(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) => {
    if (!isJsonObject(item)) return item;
    const { filename: Filename, content: Base64Content, "content-type": ContentType } = lowerCased(
      item,
    );
    return compact({ Filename, Base64Content, ContentType });
  });
}

/** Clients send numbers as text, and flags as text or numbers. */
function toNumber(value: unknown): unknown {
  return typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
}

function toFlag(value: unknown): unknown {
  if (value === undefined) return undefined;
  const word = String(typeof value === "object" ? "" : value).toLowerCase();
  if (["true", "1", "yes", "deliver"].includes(word)) return true;
  return ["false", "0", "no", ""].includes(word) && typeof value !== "object" ? false : value;
}

function toTracking(value: unknown): unknown {
  const number = toNumber(value);
  return (typeof number === "number" ? TRACKING[number] : undefined) ?? value;
}

/** Names match in any case; `null` counts as absent. */
function lowerCased(members: JsonObject): JsonObject {
  const lower: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(members)) {
    if (member !== null) lower[name.toLowerCase()] = member;
  }
  return lower;
}
