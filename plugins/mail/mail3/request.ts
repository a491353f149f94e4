/** Requests of the Resend email API: https://resend.com/docs/api-reference/emails/send-email */
import type { JsonFields, JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { parseMailbox } from "../address_list.ts";
import type { MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { readAttachments } from "./content.ts";
import { fail, openFields, readFields, wrongType } from "./fields.ts";
import type { HtmlFormat } from "./received.ts";
import { missingField, REFUSALS, validationError, type VendorRefusal } from "./reply.ts";

/** Addresses in `to`. */
const MAX_TO = 50;
/** Messages in a batch. */
const MAX_BATCH = 100;
/** Maximum length of `scheduled_at`, in characters; it may be natural language. */
const MAX_SCHEDULE = 256;
const TAG = /^[A-Za-z0-9_-]{1,256}$/;

export interface EmailRequest {
  readonly draft: MailDraft;
  /** `tags topic_id template scheduled_at remote_attachments`, if given. */
  readonly meta: JsonObject;
}

/** Parses the body of a call as JSON, and passes it to `read`. */
export function readBody<T>(
  call: IngressCall,
  read: (body: unknown) => Result<T, VendorRefusal>,
): Result<T, VendorRefusal> {
  const json = readJson(call.body, call.headers.get("content-type"));
  return json.ok ? read(json.value) : failure(REFUSALS.badJson);
}

/** Reads the body of `POST /emails`. Never throws. */
export function readEmail(body: unknown): Result<EmailRequest, VendorRefusal> {
  return attempt(() => parseEmail(body));
}

/**
 * Reads an entry of a batch. Never throws. The vendor accepts attachments there, and sends the email without them:
 * https://resend.com/docs/dashboard/emails/attachments and github.com/resend/resend-node issue 409.
 */
export function readEntry(body: unknown): Result<EmailRequest, VendorRefusal> {
  return attempt(() => {
    const { draft, meta } = parseEmail(body);
    const { remote_attachments: remote = [], ...rest } = meta;
    const count = draft.attachments.length + (remote as readonly unknown[]).length;
    if (count === 0) return { draft, meta };
    return {
      draft: { ...draft, attachments: [] },
      meta: {
        ...rest,
        parse_warnings: [`Resend sends no attachments in a batch: ${count} left out`],
      },
    };
  });
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

/** Reads the time to send from the body of `PATCH /emails/{id}`. */
export function readUpdate(body: unknown): Result<string, VendorRefusal> {
  return attempt(() => {
    return readSchedule(readFields(body)) ?? fail(missingField("scheduled_at"));
  });
}

/** A page of a list; the cursors are ids. */
export interface ListRequest {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

/**
 * Reads the query of a list call: https://resend.com/docs/api-reference/pagination. Without a limit, a list of
 * attachments has all of them: https://resend.com/docs/api-reference/emails/list-received-email-attachments
 */
export function readListQuery(
  query: URLSearchParams,
  fallback = 20,
): Result<ListRequest, VendorRefusal> {
  return attempt(() => {
    const text = query.get("limit") || undefined;
    const limit = text === undefined ? fallback : /^\d+$/.test(text) ? Number(text) : NaN;
    if (text !== undefined && !(limit >= 1 && limit <= 100)) {
      fail(validationError("The `limit` field must be a number between 1 and 100."));
    }
    const after = query.get("after") || undefined;
    const before = query.get("before") || undefined;
    if (after !== undefined && before !== undefined) {
      fail(validationError("The `after` and `before` fields cannot be used together."));
    }
    return { limit, ...compact({ after, before }) };
  });
}

/** Reads the form of inline images. */
export function readHtmlFormat(query: URLSearchParams): Result<HtmlFormat, VendorRefusal> {
  const given = query.get("html_format") || "data_uri";
  if (given === "data_uri" || given === "cid") return success(given);
  return failure(validationError("The `html_format` field must be `data_uri` or `cid`."));
}

function parseEmail(body: unknown): EmailRequest {
  const at = readFields(body);
  const template = readTemplate(at);
  const [from, to, subject] = [readFrom(at), readTo(at), at.text("subject")];
  // A template may bring its own sender and subject.
  if (from === undefined && template === undefined) fail(missingField("from"));
  if (to.length === 0) fail(missingField("to"));
  if (!subject && template === undefined) fail(missingField("subject"));
  const [text, html] = [at.text("text") ?? "", at.text("html") ?? ""];
  checkBodies(text + html, template);
  const { attachments, remote } = readAttachments(at, text.length + html.length);
  const draft = {
    from: from ?? { email: "" },
    to,
    cc: readMailboxes(at, "cc"),
    bcc: readMailboxes(at, "bcc"),
    reply_to: readMailboxes(at, "reply_to"),
    subject: subject ?? "",
    text,
    html,
    headers: readHeaders(at),
    attachments,
  };
  const meta = compact({
    tags: readTags(at),
    topic_id: at.text("topic_id"),
    template,
    scheduled_at: readSchedule(at),
    remote_attachments: remote.length > 0 ? remote : undefined,
  });
  return { draft, meta };
}

function badMailbox(field: string): never {
  fail(validationError(
    `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or ` +
      "`Name <email@example.com>` format.",
  ));
}

/** Parses the time to send, kept as written. */
export function readSchedule(at: JsonFields): string | undefined {
  const text = at.text("scheduled_at") ?? "";
  if (text.length > MAX_SCHEDULE) {
    fail(
      validationError(`The \`scheduled_at\` field must have at most ${MAX_SCHEDULE} characters.`),
    );
  }
  return text || undefined;
}

/** Reads the sender. */
export function readFrom(at: JsonFields): Address | undefined {
  const text = at.text("from");
  return text ? parseMailbox(text) ?? badMailbox("from") : undefined;
}

function readTo(at: JsonFields): readonly Address[] {
  const to = readMailboxes(at, "to");
  if (to.length > MAX_TO) {
    fail(validationError(`The \`to\` field must contain at most ${MAX_TO} email addresses.`));
  }
  return to;
}

/** Reads an address or a list of them. */
export function readMailboxes(at: JsonFields, name: string): readonly Address[] {
  const value = at.value(name) ?? "";
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

function readTemplate(at: JsonFields): JsonObject | undefined {
  const template = at.object("template");
  if (template !== undefined && !openFields(template).text("id")) fail(missingField("template.id"));
  return template;
}

function readHeaders(at: JsonFields): MailDraft["headers"] {
  return Object.entries(at.object("headers") ?? {}).map(([name, text]) => {
    // The vendor does not accept numbers here either.
    if (typeof text !== "string") wrongType("headers", "string");
    return [name, text];
  });
}

function readTags(at: JsonFields): readonly unknown[] | undefined {
  const tags = at.array("tags");
  for (const tag of tags ?? []) {
    if (!isJsonObject(tag)) wrongType("tags", "object");
    for (const part of ["name", "value"]) {
      const text = at.within("tags", tag).text(part) ?? fail(missingField(`tags.${part}`));
      if (!TAG.test(text)) {
        fail(validationError(
          "Tags should only contain ASCII letters, numbers, underscores, or dashes, and at most 256 of them.",
        ));
      }
    }
  }
  return tags;
}
