/** Requests of the Resend email API: https://resend.com/docs/api-reference/emails/send-email */
import { typeByExtension } from "@std/media-types/type-by-extension";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { bareContentId, decodeAttachment, parseMailbox } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { ERRORS, missingField, validationError, type VendorError, vendorError } from "./reply.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Addresses in `to`. */
const MAX_TO = 50;
/** Messages in a batch. */
const MAX_BATCH = 100;
/** Message with attachments in base64, in characters: the vendor's 40 MB. */
const MAX_ENCODED = 40 * 1024 * 1024;
/** `scheduled_at` in characters: it may be natural language, but no essay. */
const MAX_SCHEDULE = 256;
const TAG = /^[A-Za-z0-9_-]{1,256}$/;

/** One message as requested: what is captured, and what goes beside it. */
export interface EmailRequest {
  readonly draft: MailDraft;
  /** `tags topic_id template scheduled_at remote_attachments`, those that were given. */
  readonly meta: Fields;
}

/** A result, or the vendor's refusal. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: VendorError };

/** Reads the body of `POST /emails`, or one entry of a batch. Never throws. */
export function readEmail(body: unknown): Read<EmailRequest> {
  return attempt(() => parseEmail(body));
}

/** Reads the body of `POST /emails/batch` into its entries, each still unread. */
export function readBatch(body: unknown): Read<readonly unknown[]> {
  return attempt(() => {
    if (!Array.isArray(body)) refuse(validationError("The request body must be an `array`."));
    if (body.length === 0) refuse(validationError("The batch must contain at least 1 email."));
    if (body.length > MAX_BATCH) {
      refuse(validationError(`The batch must contain at most ${MAX_BATCH} emails.`));
    }
    return body;
  });
}

/** Reads the body of `PATCH /emails/{id}`: when to send. */
export function readUpdate(body: unknown): Read<string> {
  return attempt(() => {
    const scheduledAt = readSchedule(toFields(body));
    if (!scheduledAt) refuse(missingField("scheduled_at"));
    return scheduledAt;
  });
}

/** How a list is cut; the cursors are message ids. */
export interface ListRequest {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

/** Reads the query of a list call: https://resend.com/docs/api-reference/pagination */
export function readListQuery(query: URLSearchParams): Read<ListRequest> {
  return attempt(() => {
    const text = query.get("limit") || "20";
    const limit = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(limit >= 1 && limit <= 100)) {
      refuse(validationError("The `limit` field must be a number between 1 and 100."));
    }
    const [after, before] = [query.get("after") || undefined, query.get("before") || undefined];
    if (after !== undefined && before !== undefined) {
      refuse(validationError("The `after` and `before` fields cannot be used together."));
    }
    return {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
    };
  });
}

/** Leaves the reader with a refusal; never seen outside this file. */
class Refused extends Error {
  constructor(readonly error: VendorError) {
    super(error.message);
  }
}

function refuse(error: VendorError): never {
  throw new Refused(error);
}

function attempt<T>(read: () => T): Read<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.error };
    throw error;
  }
}

function parseEmail(body: unknown): EmailRequest {
  const fields = toFields(body);
  const template = readTemplate(fields.template);
  const [from, to, subject] = [readFrom(fields), readTo(fields), optionalText(fields, "subject")];
  // A template may bring its own sender and subject.
  if (from === undefined && template === undefined) refuse(missingField("from"));
  if (to.length === 0) refuse(missingField("to"));
  if (!subject && template === undefined) refuse(missingField("subject"));
  const [text, html] = [optionalText(fields, "text") ?? "", optionalText(fields, "html") ?? ""];
  checkBodies(text + html, template);
  const { attachments, remote } = readAttachments(fields.attachments, text.length + html.length);
  const draft = {
    from: from ?? { email: "" },
    to,
    cc: readMailboxes(fields, "cc"),
    bcc: readMailboxes(fields, "bcc"),
    reply_to: readMailboxes(fields, "reply_to", "replyTo"),
    subject: subject ?? "",
    text,
    html,
    headers: readHeaders(fields.headers),
    attachments,
  };
  const meta = {
    tags: readTags(fields.tags),
    topic_id: optionalText(fields, "topic_id"),
    template,
    scheduled_at: readSchedule(fields),
    remote_attachments: remote.length > 0 ? remote : undefined,
  };
  return {
    draft,
    meta: Object.fromEntries(Object.entries(meta).filter(([, value]) => value !== undefined)),
  };
}

function toFields(body: unknown): Fields {
  if (!isJsonObject(body)) refuse(validationError("The request body must be an `object`."));
  return body;
}

function wrongType(field: string, type: "array" | "object" | "string"): never {
  const article = type === "string" ? "a" : "an";
  refuse(validationError(`The \`${field}\` field must be ${article} \`${type}\`.`));
}

function badMailbox(field: string): never {
  refuse(validationError(
    `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or ` +
      "`Name <email@example.com>` format.",
  ));
}

/** `null` counts as absent: clients in languages without optional fields send it. */
function optionalText(fields: Fields, name: string, alias = name): string | undefined {
  const value = fields[name] ?? fields[alias] ?? undefined;
  if (value !== undefined && typeof value !== "string") wrongType(name, "string");
  return value;
}

function readSchedule(fields: Fields): string | undefined {
  const text = optionalText(fields, "scheduled_at", "scheduledAt");
  if ((text ?? "").length > MAX_SCHEDULE) {
    refuse(
      validationError(`The \`scheduled_at\` field must have at most ${MAX_SCHEDULE} characters.`),
    );
  }
  return text || undefined;
}

function readFrom(fields: Fields): Address | undefined {
  const text = optionalText(fields, "from");
  if (!text) return undefined;
  return parseMailbox(text) ?? badMailbox("from");
}

function readTo(fields: Fields): readonly Address[] {
  const to = readMailboxes(fields, "to");
  if (to.length > MAX_TO) {
    refuse(validationError(`The \`to\` field must contain at most ${MAX_TO} email addresses.`));
  }
  return to;
}

function readMailboxes(fields: Fields, name: string, alias = name): readonly Address[] {
  const value = fields[name] ?? fields[alias] ?? [];
  if (value === "") return [];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.map((text) => {
    if (typeof text !== "string") wrongType(name, "string");
    return parseMailbox(text) ?? badMailbox(name);
  });
}

function checkBodies(bodies: string, template: Fields | undefined): void {
  if (template === undefined) {
    if (bodies === "") refuse(ERRORS.noBody);
  } else if (bodies !== "") {
    refuse(validationError(
      "The `template` field cannot be used together with the `html` or `text` field.",
    ));
  }
}

function readTemplate(value: unknown): Fields | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) wrongType("template", "object");
  if (!optionalText(value, "id")) refuse(missingField("template.id"));
  return value;
}

function readHeaders(value: unknown): MailDraft["headers"] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) wrongType("headers", "object");
  return Object.entries(value).map(([name, text]) => {
    // The vendor takes no numbers here either.
    if (typeof text !== "string") wrongType("headers", "string");
    return [name, text] as const;
  });
}

function readTags(value: unknown): readonly Fields[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) wrongType("tags", "array");
  return value.map((tag: unknown) => {
    if (!isJsonObject(tag)) wrongType("tags", "object");
    for (const part of ["name", "value"]) {
      const text = tag[part];
      if (text === undefined || text === null) refuse(missingField(`tags.${part}`));
      if (typeof text !== "string") wrongType(`tags.${part}`, "string");
      if (!TAG.test(text)) {
        refuse(validationError(
          "Tags should only contain ASCII letters, numbers, underscores, or dashes, and at most 256 of them.",
        ));
      }
    }
    return tag;
  });
}

interface Attachments {
  readonly attachments: readonly DraftAttachment[];
  /** Those given as a URL, which is never fetched. */
  readonly remote: readonly Fields[];
}

function readAttachments(value: unknown, encodedSoFar: number): Attachments {
  if (value === undefined || value === null) return { attachments: [], remote: [] };
  if (!Array.isArray(value)) wrongType("attachments", "array");
  const attachments: DraftAttachment[] = [];
  const remote: Fields[] = [];
  let encoded = encodedSoFar;
  for (const item of value as readonly unknown[]) {
    if (!isJsonObject(item)) wrongType("attachments", "object");
    const about = describeAttachment(item);
    const content = item.content ?? undefined;
    if (content === undefined) {
      const path = optionalText(item, "path");
      if (!path) refuse(ERRORS.badAttachment);
      remote.push({ path, ...about });
      continue;
    }
    const bytes = toBytes(content);
    encoded += Math.ceil(bytes.length / 3) * 4;
    if (encoded > MAX_ENCODED) refuse(tooLarge());
    const { filename, content_type, content_id } = about;
    const type = content_type ?? typeByName(filename);
    attachments.push({
      bytes,
      inline: content_id !== undefined,
      ...(filename ? { filename } : {}),
      ...(type ? { content_type: type } : {}),
      ...(content_id ? { content_id } : {}),
    });
  }
  return { attachments, remote };
}

function tooLarge(): VendorError {
  return vendorError(413, "validation_error", "The email exceeds the maximum size of 40MB.");
}

interface AttachmentAbout {
  readonly filename?: string;
  readonly content_type?: string;
  readonly content_id?: string;
}

function describeAttachment(item: Fields): AttachmentAbout {
  const filename = optionalText(item, "filename");
  const type = optionalText(item, "content_type", "contentType");
  const given = ["content_id", "contentId", "inline_content_id"].find((name) =>
    (item[name] ?? undefined) !== undefined
  );
  const contentId = given && bareContentId(optionalText(item, given) ?? "");
  return {
    ...(filename ? { filename } : {}),
    ...(type ? { content_type: type } : {}),
    ...(contentId ? { content_id: contentId } : {}),
  };
}

/** Base64 text, an array of byte values, or what `JSON.stringify` makes of a Node.js Buffer. */
function toBytes(content: unknown): Uint8Array {
  if (typeof content === "string") {
    return decodeAttachment(content) ?? badContent("must be base64");
  }
  const values = isJsonObject(content) && content.type === "Buffer" ? content.data : content;
  if (!Array.isArray(values)) badContent("must be base64 or an array of bytes");
  for (const value of values) {
    if (!Number.isInteger(value) || value < 0 || value > 255) {
      badContent("must be an array of numbers from 0 to 255");
    }
  }
  return Uint8Array.from(values);
}

function badContent(expected: string): never {
  refuse(vendorError(422, "invalid_attachment", `The \`content\` of an attachment ${expected}.`));
}

/** Media type by the ending of a file name, as the vendor fills it in; `undefined` for a name without one. */
function typeByName(filename: string | undefined): string | undefined {
  const ending = /\.([^./\\]+)$/.exec(filename ?? "")?.[1];
  if (ending === undefined) return filename ? "application/octet-stream" : undefined;
  return typeByExtension(ending) ?? "application/octet-stream";
}
