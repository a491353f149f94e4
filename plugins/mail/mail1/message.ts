/**
 * Types of the properties of a message (Send API v3.1, "Message JSON properties"). Names match in
 * any case, as at the vendor; `null` counts as absent. Parsers throw `Refused` for a wrong type.
 */
import { type FieldRules, JsonFields, type JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import { Refused } from "../../../core/result.ts";
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import { REFUSALS } from "./refusals.ts";

/** `{Email, Name}`, not checked beyond its types. */
export interface Mailbox {
  readonly email?: string;
  readonly name?: string;
}

/** A member of `Attachments` or `InlinedAttachments`: as given, and decoded. */
export interface File {
  readonly contentType: string | undefined;
  readonly filename: string | undefined;
  readonly base64Content: string | undefined;
  /** The same object in every message that takes the file from `Globals`, so that it is stored once. */
  readonly draft: DraftAttachment;
}

/** Maximum number of members of `Headers` or `Variables`: those of `Globals` are copied into every message. */
const MAX_MEMBERS = 10_000;

/** The vendor's spelling and the type, by our name. */
const PROPERTIES = {
  from: ["From", readMailbox],
  sender: ["Sender", readMailbox],
  replyTo: ["ReplyTo", readMailbox],
  templateErrorReporting: ["TemplateErrorReporting", readMailbox],
  to: ["To", readMailboxes],
  cc: ["Cc", readMailboxes],
  bcc: ["Bcc", readMailboxes],
  subject: ["Subject", readText],
  textPart: ["TextPart", readText],
  htmlPart: ["HTMLPart", readText],
  templateId: ["TemplateID", readInteger],
  templateLanguage: ["TemplateLanguage", readBoolean],
  templateErrorDeliver: ["TemplateErrorDeliver", readBoolean],
  attachments: ["Attachments", readFiles],
  inlinedAttachments: ["InlinedAttachments", readInlinedFiles],
  priority: ["Priority", readInteger],
  customCampaign: ["CustomCampaign", readText],
  deduplicateCampaign: ["DeduplicateCampaign", readBoolean],
  monitoringCategory: ["MonitoringCategory", readText],
  customId: ["CustomID", readText],
  // Documented as text, but some clients send an object.
  eventPayload: ["EventPayload", readAnything],
  statisticsContactsListId: ["StatisticsContactsListID", readInteger],
  trackOpens: ["TrackOpens", readText],
  trackClicks: ["TrackClicks", readText],
  urlTags: ["URLTags", readText],
  headers: ["Headers", readHeaders],
  variables: ["Variables", readMap],
} as const;

type Properties = typeof PROPERTIES;

/** A message whose properties have their types, and are otherwise unchecked. */
export type Message =
  & { readonly [K in keyof Properties]?: Exclude<ReturnType<Properties[K][1]>, undefined> }
  & {
    /** In place of the id, over v3 only. */
    readonly templateName?: string;
  };

/** Returns the id of the template of a message, or its name. */
export function templateOf({ templateId, templateName }: Message): number | string | undefined {
  return templateId ?? templateName;
}

const BY_NAME: ReadonlyMap<string, keyof Properties> = new Map(
  Object.entries(PROPERTIES).map(([key, [name]]) => [
    name.toLowerCase(),
    key as keyof Properties,
  ]),
);

const TYPES: Readonly<Record<string, string>> = { integer: "int", boolean: "bool" };

const RULES: FieldRules = {
  report: mismatch,
  wrongType: (expected) => TYPES[expected] ?? expected,
  spell: (_members, name) => name.toLowerCase(),
};

/** Returns the members of an object whose own path is `path`. */
export function openFields(members: JsonObject, path = ""): JsonFields {
  return new JsonFields(lowerCased(members), RULES, undefined, path);
}

/** Reads a member of `Messages`, or `Globals`. */
export function readMessage(value: unknown, path: string): Message {
  if (!isJsonObject(value)) mismatch(path, path);
  const at = openFields(value, path);
  const message: { -readonly [K in keyof Message]: unknown } = {};
  for (const name of at.names) {
    const key = BY_NAME.get(name);
    if (key === undefined) continue;
    const [spelled, read] = PROPERTIES[key];
    message[key] = read(at, spelled);
  }
  return message as Message;
}

/** Reads a boolean, or its name as text: the vendor's own examples send `"true"`. */
export function readFlag(at: JsonFields, name: string): boolean | undefined {
  const value = at.value(name);
  const word = typeof value === "string" ? value.toLowerCase() : "";
  return word === "true" || word === "false" ? word === "true" : at.boolean(name);
}

/** Members by lower-case name; those that are `null` are omitted, and of two spellings the later wins. */
function lowerCased(members: JsonObject): JsonObject {
  const lower: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(members)) {
    // No property is named by a number, and such names would come first.
    if (member !== null && !/^\d+$/.test(name)) lower[name.toLowerCase()] = member;
  }
  return lower;
}

function mismatch(path: string, expected: string): never {
  throw new Refused(REFUSALS.wrongType(path, expected));
}

function readAnything(at: JsonFields, name: string): unknown {
  return at.value(name);
}

function readText(at: JsonFields, name: string): string | undefined {
  return at.text(name);
}

function readInteger(at: JsonFields, name: string): number | undefined {
  return at.integer(name);
}

function readBoolean(at: JsonFields, name: string): boolean | undefined {
  return at.boolean(name);
}

function readMailbox(at: JsonFields, name: string): Mailbox {
  return toMailbox(open(at, name, { value: at.value(name), type: "emailIn" }));
}

function readMailboxes(at: JsonFields, name: string): readonly Mailbox[] | undefined {
  return at.array(name, "array of emails")
    ?.map((value) => toMailbox(open(at, name, { value, type: "emailIn" })));
}

function toMailbox(at: JsonFields): Mailbox {
  return compact({ email: at.text("Email"), name: at.text("Name") });
}

/** Opens an object in a member, or in the list there: the vendor's paths omit positions. */
function open(
  at: JsonFields,
  name: string,
  { value, type }: { readonly value: unknown; readonly type: string },
): JsonFields {
  return isJsonObject(value) ? at.within(name, lowerCased(value)) : mismatch(at.path(name), type);
}

function readFiles(at: JsonFields, name: string, inline = false): readonly File[] | undefined {
  return at.array(name, "array of attachments")
    ?.map((value) => readFile(open(at, name, { value, type: "attachment" }), inline));
}

function readInlinedFiles(at: JsonFields, name: string): readonly File[] | undefined {
  return readFiles(at, name, true);
}

function readFile(at: JsonFields, inline: boolean): File {
  const contentType = at.text("ContentType");
  const filename = at.text("Filename");
  const base64Content = at.text("Base64Content");
  const bytes = decodeAttachment(base64Content ?? "") ??
    mismatch(at.path("Base64Content"), "base64 string");
  // Without a content id the HTML part names an inlined file by its file name.
  const contentId = at.text("ContentID") ?? (inline ? filename : undefined);
  const draft: DraftAttachment = {
    bytes,
    inline,
    ...(filename ? { filename } : {}),
    ...(contentType ? { content_type: contentType } : {}),
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
  };
  return { contentType, filename, base64Content, draft };
}

/** An empty array is an empty map, as PHP writes it. */
function readMap(at: JsonFields, name: string): JsonObject | undefined {
  const value = at.value(name);
  if (Array.isArray(value) && value.length === 0) return {};
  const members = at.object(name, "map");
  if (members !== undefined && Object.keys(members).length > MAX_MEMBERS) {
    throw new Refused(REFUSALS.tooMany(at.path(name), MAX_MEMBERS));
  }
  return members;
}

function readHeaders(at: JsonFields, name: string): MailDraft["headers"] | undefined {
  const members = readMap(at, name);
  return members &&
    Object.entries(members).map(([field, text]) =>
      typeof text === "string" ? [field, text] : mismatch(at.path(name), "string")
    );
}
