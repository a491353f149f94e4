/**
 * Types of the properties of a message (Send API v3.1, "Message JSON properties"). Names are matched in any case, as
 * the vendor does; `null` counts as absent.
 *
 * @module
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment } from "../capture.ts";
import { CallRefused, REFUSALS } from "./refusals.ts";

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

/** A message whose properties have their types; nothing else is known of it. */
export interface Message {
  readonly from?: Mailbox;
  readonly sender?: Mailbox;
  readonly replyTo?: Mailbox;
  readonly templateErrorReporting?: Mailbox;
  readonly to?: readonly Mailbox[];
  readonly cc?: readonly Mailbox[];
  readonly bcc?: readonly Mailbox[];
  readonly subject?: string;
  readonly textPart?: string;
  readonly htmlPart?: string;
  readonly templateId?: number;
  readonly templateLanguage?: boolean;
  readonly templateErrorDeliver?: boolean;
  readonly attachments?: readonly File[];
  readonly inlinedAttachments?: readonly File[];
  readonly priority?: number;
  readonly customCampaign?: string;
  readonly deduplicateCampaign?: boolean;
  readonly monitoringCategory?: string;
  readonly customId?: string;
  /** Text, though some clients send an object. */
  readonly eventPayload?: unknown;
  readonly statisticsContactsListId?: number;
  readonly trackOpens?: string;
  readonly trackClicks?: string;
  readonly urlTags?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Most members of `Headers` or `Variables`: those of `Globals` are copied into every message. */
const MAX_MEMBERS = 10_000;

type Reader<T> = (value: unknown, path: string) => T;

/** Vendor's spelling, our name, type. */
const PROPERTIES: { readonly [K in keyof Message]-?: readonly [string, Reader<Message[K]>] } = {
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
  attachments: ["Attachments", (value, path) => readFiles(value, { path, inline: false })],
  inlinedAttachments: [
    "InlinedAttachments",
    (value, path) => readFiles(value, { path, inline: true }),
  ],
  priority: ["Priority", readInteger],
  customCampaign: ["CustomCampaign", readText],
  deduplicateCampaign: ["DeduplicateCampaign", readBoolean],
  monitoringCategory: ["MonitoringCategory", readText],
  customId: ["CustomID", readText],
  eventPayload: ["EventPayload", (value) => value],
  statisticsContactsListId: ["StatisticsContactsListID", readInteger],
  trackOpens: ["TrackOpens", readText],
  trackClicks: ["TrackClicks", readText],
  urlTags: ["URLTags", readText],
  headers: ["Headers", readHeaders],
  variables: ["Variables", readMap],
};

const BY_NAME: ReadonlyMap<string, readonly [keyof Message, string, Reader<unknown>]> = new Map(
  (Object.keys(PROPERTIES) as (keyof Message)[]).map((key) => {
    const [name, read] = PROPERTIES[key];
    return [name.toLowerCase(), [key, name, read]];
  }),
);

/** Properties by lower-case name; those that are `null` are left out, and of two spellings the later wins. */
export function readProperties(
  value: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, unknown> {
  const properties = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value)) {
    // No property is named by a number, and a map of many such names is slow: see `mapKey()`.
    if (member !== null && !/^\d+$/.test(name)) properties.set(name.toLowerCase(), member);
  }
  return properties;
}

/** A member of `Messages`, or `Globals`. Throws `CallRefused`. */
export function readMessage(value: unknown, path: string): Message {
  if (!isJsonObject(value)) throw CallRefused.wrongType(path, path);
  const message: Partial<Record<keyof Message, unknown>> = {};
  for (const [name, member] of readProperties(value)) {
    const property = BY_NAME.get(name);
    if (property === undefined) continue;
    const [key, spelled, read] = property;
    message[key] = read(member, `${path}.${spelled}`);
  }
  return message as Message;
}

/** A boolean, or its name as text: the vendor's own examples send `"true"`. Throws `CallRefused`. */
export function readFlag(value: unknown, path: string): boolean | undefined {
  if (value === undefined || typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (word !== "true" && word !== "false") throw CallRefused.wrongType(path, "bool");
  return word === "true";
}

function readText(value: unknown, path: string): string {
  if (typeof value !== "string") throw CallRefused.wrongType(path, "string");
  return value;
}

function readInteger(value: unknown, path: string): number {
  if (!Number.isInteger(value)) throw CallRefused.wrongType(path, "int");
  return value as number;
}

function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== "boolean") throw CallRefused.wrongType(path, "bool");
  return value;
}

function readMailbox(value: unknown, path: string): Mailbox {
  if (!isJsonObject(value)) throw CallRefused.wrongType(path, "emailIn");
  const properties = readProperties(value);
  const email = properties.get("email");
  const name = properties.get("name");
  return {
    ...(email === undefined ? {} : { email: readText(email, `${path}.Email`) }),
    ...(name === undefined ? {} : { name: readText(name, `${path}.Name`) }),
  };
}

function readMailboxes(value: unknown, path: string): readonly Mailbox[] {
  if (!Array.isArray(value)) throw CallRefused.wrongType(path, "array of emails");
  return value.map((item) => readMailbox(item, path));
}

interface FilePlace {
  readonly path: string;
  readonly inline: boolean;
}

function readFiles(value: unknown, place: FilePlace): readonly File[] {
  if (!Array.isArray(value)) throw CallRefused.wrongType(place.path, "array of attachments");
  return value.map((item) => readFile(item, place));
}

function readFile(value: unknown, { path, inline }: FilePlace): File {
  if (!isJsonObject(value)) throw CallRefused.wrongType(path, "attachment");
  const properties = readProperties(value);
  const text = (name: string): string | undefined => {
    const member = properties.get(name.toLowerCase());
    return member === undefined ? undefined : readText(member, `${path}.${name}`);
  };
  const contentType = text("ContentType");
  const filename = text("Filename");
  const base64Content = text("Base64Content");
  const bytes = decodeAttachment(base64Content ?? "");
  if (bytes === undefined) throw CallRefused.wrongType(`${path}.Base64Content`, "base64 string");
  // Without a content id the HTML part names an inlined file by its file name.
  const contentId = text("ContentID") ?? (inline ? filename : undefined);
  const draft: DraftAttachment = {
    bytes,
    inline,
    ...(filename ? { filename } : {}),
    ...(contentType ? { content_type: contentType } : {}),
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
  };
  return { contentType, filename, base64Content, draft };
}

/** An empty array is an empty map: PHP writes it so. */
function readMap(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isJsonObject(value)) throw CallRefused.wrongType(path, "map");
  if (Object.keys(value).length > MAX_MEMBERS) {
    throw new CallRefused(REFUSALS.tooMany(path, MAX_MEMBERS));
  }
  return value;
}

function readHeaders(value: unknown, path: string): readonly (readonly [string, string])[] {
  return Object.entries(readMap(value, path)).map(([name, text]) => [name, readText(text, path)]);
}
