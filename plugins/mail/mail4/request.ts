/** Messages to send: https://postmarkapp.com/developer/api/email-api and .../templates-api */
import type { JsonFields, JsonObject } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import type { MailDraft } from "../capture.ts";
import { readAttachments, readHeaders, readMetadata } from "./content.ts";
import { fail, openFields, readMailboxes } from "./fields.ts";
import { invalidEmail, REFUSALS, vendorRefusal, wrongField } from "./refusals.ts";

const MAX_RECIPIENTS = 50;
const MAX_BATCH = 500;
const [MAX_FROM, MAX_SUBJECT, MAX_TAG] = [255, 2000, 1000];
const LINKS = ["None", "HtmlAndText", "HtmlOnly", "TextOnly"];

/** A message without its template. */
export interface EmailRequest {
  readonly draft: MailDraft;
  /** `To` as sent, which the response repeats. */
  readonly to: string;
  /** `tag metadata message_stream track_opens track_links`, if given. */
  readonly meta: JsonObject;
  readonly template?: TemplateUse;
  /** Values of placeholders in the message itself. */
  readonly inline?: JsonObject;
}

/** The template of a message. */
export interface TemplateUse {
  /** Takes precedence over the alias. */
  readonly id?: number;
  readonly alias?: string;
  readonly model: JsonObject;
}

/** Reads the body of `POST /email/batch` into its entries, each still unread. */
export function readBatch(body: unknown): readonly unknown[] {
  if (!Array.isArray(body)) fail(REFUSALS.badJson);
  if (body.length > MAX_BATCH) fail(REFUSALS.tooManyMessages);
  return body;
}

/** Reads the body of `POST /email/batchWithTemplates` into its entries. */
export function readTemplatedBatch(body: unknown): readonly unknown[] {
  return readBatch(openFields(body).array("Messages") ?? fail(wrongField("Messages")));
}

/**
 * Reads a message; `streams` are the streams besides the vendor's own; if empty, any stream exists.
 */
export function readEmail(
  body: unknown,
  { templated, streams }: { readonly templated: boolean; readonly streams: readonly string[] },
): EmailRequest {
  const at = openFields(body);
  checkStream(at.text("MessageStream") ?? "outbound", streams);
  const [from] = readMailboxes(at, "From");
  if (from === undefined || at.text("From")!.length > MAX_FROM) fail(REFUSALS.badFrom);
  const [to, cc, bcc] = [
    readMailboxes(at, "To"),
    readMailboxes(at, "Cc"),
    readMailboxes(at, "Bcc"),
  ];
  const reply_to = readMailboxes(at, "ReplyTo");
  const count = to.length + cc.length + bcc.length;
  if (count === 0) fail(REFUSALS.noRecipients);
  if (count > MAX_RECIPIENTS) fail(REFUSALS.tooManyRecipients);
  const content = ["Subject", "TextBody", "HtmlBody"].map((name) => at.text(name) ?? "");
  const [subject, text, html] = content as [string, string, string];
  const template = templated ? readTemplate(at, content) : undefined;
  if (!templated && text === "" && html === "") fail(REFUSALS.noBody);
  checkLength("Subject", subject, MAX_SUBJECT);
  return {
    draft: {
      from,
      to,
      cc,
      bcc,
      reply_to,
      subject,
      text,
      html,
      headers: readHeaders(at),
      attachments: readAttachments(at),
    },
    to: at.text("To") ?? "",
    meta: readMeta(at),
    ...compact({ template }),
  };
}

function checkStream(stream: string, streams: readonly string[]): void {
  if (stream === "inbound") fail(REFUSALS.inboundStream);
  if (streams.length === 0 || ["outbound", "broadcast", ...streams].includes(stream)) return;
  fail(vendorRefusal(1235, `The stream provided: '${stream}' does not exist on this server.`));
}

function readTemplate(at: JsonFields, content: readonly string[]): TemplateUse {
  const [id, alias] = [at.integer("TemplateId"), at.text("TemplateAlias") || undefined];
  if (id === undefined && alias === undefined) fail(REFUSALS.unknownTemplate);
  if (content.some((text) => text !== "")) fail(REFUSALS.mixedTemplate);
  return { ...compact({ id, alias }), model: at.object("TemplateModel") ?? fail(REFUSALS.noModel) };
}

function readMeta(at: JsonFields): JsonObject {
  const tag = at.text("Tag") || undefined;
  checkLength("Tag", tag ?? "", MAX_TAG);
  const track_links = at.text("TrackLinks") || undefined;
  if (track_links !== undefined && !LINKS.includes(track_links)) fail(wrongField("TrackLinks"));
  return compact({
    tag,
    metadata: readMetadata(at),
    message_stream: at.text("MessageStream"),
    track_opens: at.boolean("TrackOpens"),
    track_links,
    inline_css: at.boolean("InlineCss"),
  });
}

function checkLength(field: string, text: string, max: number): void {
  if (text.length > max) {
    fail(invalidEmail(`The '${field}' field can have at most ${max} characters.`));
  }
}
