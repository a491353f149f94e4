/** Requests of the Resend email API: https://resend.com/docs/api-reference/emails/send-email */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result } from "../../../core/result.ts";
import { parseMailbox } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { readAttachments } from "./content.ts";
import { attempt, fail, optionalText, toFields, wrongType } from "./fields.ts";
import { missingField, REFUSALS, validationError, type VendorRefusal } from "./reply.ts";

/** Addresses in `to`. */
const MAX_TO = 50;
/** Messages in a batch. */
const MAX_BATCH = 100;
/** `scheduled_at` in characters: it may be natural language, but no essay. */
const MAX_SCHEDULE = 256;
const TAG = /^[A-Za-z0-9_-]{1,256}$/;

/** One message as requested: what is captured, and what goes beside it. */
export interface EmailRequest {
  readonly draft: MailDraft;
  /** `tags topic_id template scheduled_at remote_attachments`, those that were given. */
  readonly meta: JsonObject;
}

/** The body of a call, read by `read` once it is JSON. */
export function readBody<T>(
  call: IngressCall,
  read: (body: unknown) => Result<T, VendorRefusal>,
): Result<T, VendorRefusal> {
  const json = readJson(call.body, call.headers.get("content-type"));
  return json.ok ? read(json.value) : failure(REFUSALS.badJson);
}

/** Reads the body of `POST /emails`, or one entry of a batch. Never throws. */
export function readEmail(body: unknown): Result<EmailRequest, VendorRefusal> {
  return attempt(() => parseEmail(body));
}

/** Reads the body of `POST /emails/batch` into its entries, each still unread. */
export function readBatch(body: unknown): Result<readonly unknown[], VendorRefusal> {
  return attempt(() => {
    if (!Array.isArray(body)) fail(validationError("The request body must be an `array`."));
    if (body.length === 0) fail(validationError("The batch must contain at least 1 email."));
    if (body.length > MAX_BATCH) {
      fail(validationError(`The batch must contain at most ${MAX_BATCH} emails.`));
    }
    return body;
  });
}

/** Reads the body of `PATCH /emails/{id}`: when to send. */
export function readUpdate(body: unknown): Result<string, VendorRefusal> {
  return attempt(() => {
    const scheduledAt = readSchedule(toFields(body));
    if (!scheduledAt) fail(missingField("scheduled_at"));
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
export function readListQuery(query: URLSearchParams): Result<ListRequest, VendorRefusal> {
  return attempt(() => {
    const text = query.get("limit") || "20";
    const limit = /^\d+$/.test(text) ? Number(text) : NaN;
    if (!(limit >= 1 && limit <= 100)) {
      fail(validationError("The `limit` field must be a number between 1 and 100."));
    }
    const [after, before] = [query.get("after") || undefined, query.get("before") || undefined];
    if (after !== undefined && before !== undefined) {
      fail(validationError("The `after` and `before` fields cannot be used together."));
    }
    return {
      limit,
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
    };
  });
}

function parseEmail(body: unknown): EmailRequest {
  const fields = toFields(body);
  const template = readTemplate(fields.template);
  const [from, to, subject] = [readFrom(fields), readTo(fields), optionalText(fields, "subject")];
  // A template may bring its own sender and subject.
  if (from === undefined && template === undefined) fail(missingField("from"));
  if (to.length === 0) fail(missingField("to"));
  if (!subject && template === undefined) fail(missingField("subject"));
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

function badMailbox(field: string): never {
  fail(validationError(
    `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or ` +
      "`Name <email@example.com>` format.",
  ));
}

function readSchedule(fields: JsonObject): string | undefined {
  const text = optionalText(fields, "scheduled_at", "scheduledAt");
  if ((text ?? "").length > MAX_SCHEDULE) {
    fail(
      validationError(`The \`scheduled_at\` field must have at most ${MAX_SCHEDULE} characters.`),
    );
  }
  return text || undefined;
}

function readFrom(fields: JsonObject): Address | undefined {
  const text = optionalText(fields, "from");
  if (!text) return undefined;
  return parseMailbox(text) ?? badMailbox("from");
}

function readTo(fields: JsonObject): readonly Address[] {
  const to = readMailboxes(fields, "to");
  if (to.length > MAX_TO) {
    fail(validationError(`The \`to\` field must contain at most ${MAX_TO} email addresses.`));
  }
  return to;
}

function readMailboxes(fields: JsonObject, name: string, alias = name): readonly Address[] {
  const value = fields[name] ?? fields[alias] ?? [];
  if (value === "") return [];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.map((text) => {
    if (typeof text !== "string") wrongType(name, "string");
    return parseMailbox(text) ?? badMailbox(name);
  });
}

function checkBodies(bodies: string, template: JsonObject | undefined): void {
  if (template === undefined) {
    if (bodies === "") fail(REFUSALS.noBody);
  } else if (bodies !== "") {
    fail(validationError(
      "The `template` field cannot be used together with the `html` or `text` field.",
    ));
  }
}

function readTemplate(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) wrongType("template", "object");
  if (!optionalText(value, "id")) fail(missingField("template.id"));
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

function readTags(value: unknown): readonly JsonObject[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) wrongType("tags", "array");
  return value.map((tag: unknown) => {
    if (!isJsonObject(tag)) wrongType("tags", "object");
    for (const part of ["name", "value"]) {
      const text = tag[part];
      if (text === undefined || text === null) fail(missingField(`tags.${part}`));
      if (typeof text !== "string") wrongType(`tags.${part}`, "string");
      if (!TAG.test(text)) {
        fail(validationError(
          "Tags should only contain ASCII letters, numbers, underscores, or dashes, and at most 256 of them.",
        ));
      }
    }
    return tag;
  });
}
