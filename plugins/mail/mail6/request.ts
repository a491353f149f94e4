/** Messages of version 2: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
import { type FieldRules, JsonFields } from "../../../core/codec/json_fields.ts";
import { isJsonObject, readJson } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result } from "../../../core/result.ts";
import { bareContentId, decodeAttachment, overlayHeaders } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import {
  type Content,
  type Destination,
  fail,
  type Message,
  readTemplateData,
  toTags,
} from "./message.ts";
import { invalid, missing, REFUSALS, type VendorRefusal } from "./refusals.ts";

/** Entries of a bulk call. */
const MAX_ENTRIES = 50;

const RULES: FieldRules = {
  report: (path, message) => fail(invalid(`${message} (at ${path})`)),
  wrongType: (expected) => `Expected a value of type ${expected}`,
};

/** Parses the body of a call as JSON and passes it to `read`, which may stop by `fail`. */
export function readBody<T>(
  { body, headers }: Pick<IngressCall, "body" | "headers">,
  read: (at: JsonFields) => T,
): Result<T, VendorRefusal> {
  if (body.length === 0) return attempt(() => read(new JsonFields({}, RULES)));
  const json = readJson(body, headers.get("content-type"));
  if (!json.ok || !isJsonObject(json.value)) return failure(REFUSALS.badJson);
  const members = json.value;
  return attempt(() => read(new JsonFields(members, RULES)));
}

/** Reads `POST /v2/email/outbound-emails`. */
export function readEmail(at: JsonFields): Message {
  const content = at.child("Content") ?? fail(missing("content"));
  return {
    ...readHead(at, "EmailTags"),
    destination: readDestination(at.child("Destination")),
    content: readContent(content),
  };
}

/** Reads `POST /v2/email/outbound-bulk-emails`. */
export function readBulk(at: JsonFields): readonly Message[] {
  const head = readHead(at, "DefaultEmailTags");
  const template = at.child("DefaultContent")?.child("Template") ?? fail(missing("defaultContent"));
  const common = readTemplate(template);
  const entries = at.array("BulkEmailEntries") ?? fail(missing("bulkEmailEntries"));
  if (entries.length > MAX_ENTRIES) fail(REFUSALS.tooManyEntries);
  return entries.map((_, index) => {
    const entry = at.item("BulkEmailEntries", index)!;
    const own = entry.child("ReplacementEmailContent")?.child("ReplacementTemplate");
    const data = readTemplateData(own?.text("ReplacementTemplateData"));
    const tags = readTags(entry, "ReplacementTags");
    return {
      ...head,
      meta: { ...head.meta, ...compact({ email_tags: tags }) },
      destination: readDestination(entry.child("Destination")),
      content: {
        ...common,
        data: { ...common.data, ...data },
        // https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_BulkEmailEntry.html
        headers: overlayHeaders(common.headers, readHeaders(entry, "ReplacementHeaders")),
      },
    };
  });
}

function readHead(at: JsonFields, tags: string): Pick<Message, "from" | "replyTo" | "meta"> {
  return {
    from: at.text("FromEmailAddress") ?? "",
    replyTo: readTexts(at, "ReplyToAddresses"),
    meta: compact({
      configuration_set: at.text("ConfigurationSetName"),
      email_tags: readTags(at, tags),
      feedback_to: at.text("FeedbackForwardingEmailAddress"),
      list_management: at.object("ListManagementOptions"),
      tenant: at.text("TenantName"),
    }),
  };
}

function readDestination(at: JsonFields | undefined): Destination {
  if (at === undefined) return { to: [], cc: [], bcc: [] };
  return {
    to: readTexts(at, "ToAddresses"),
    cc: readTexts(at, "CcAddresses"),
    bcc: readTexts(at, "BccAddresses"),
  };
}

function readContent(at: JsonFields): Content {
  const [simple, raw, template] = [at.child("Simple"), at.child("Raw"), at.child("Template")];
  if ([simple, raw, template].filter((one) => one !== undefined).length !== 1) {
    fail(invalid("Exactly one of Simple, Raw and Template must be given."));
  }
  if (raw !== undefined) return { kind: "raw", bytes: readBytes(raw, "Data") };
  if (template !== undefined) return readTemplate(template);
  return readSimple(simple!);
}

function readSimple(at: JsonFields): Content {
  const body = at.child("Body") ?? fail(missing("content.simple.body"));
  const part = (name: string) => body.child(name)?.text("Data");
  const [text, html] = [part("Text"), part("Html")];
  if (text === undefined && html === undefined) fail(missing("content.simple.body.text"));
  const subject = at.child("Subject")?.text("Data") ?? fail(missing("content.simple.subject"));
  return {
    kind: "simple",
    subject,
    text: text ?? "",
    html: html ?? "",
    headers: readHeaders(at, "Headers"),
    attachments: readAttachments(at),
  };
}

function readTemplate(at: JsonFields): Extract<Content, { kind: "template" }> {
  const content = at.child("TemplateContent");
  const arn = at.text("TemplateArn");
  const name = at.text("TemplateName") || arn?.slice(arn.lastIndexOf("/") + 1) || "";
  if (name === "" && content === undefined) fail(missing("content.template.templateName"));
  const inline = content && {
    subject: content.text("Subject") ?? "",
    text: content.text("Text") ?? "",
    html: content.text("Html") ?? "",
  };
  return {
    kind: "template",
    name,
    ...compact({ inline }),
    data: readTemplateData(at.text("TemplateData")),
    headers: readHeaders(at, "Headers"),
    attachments: readAttachments(at),
  };
}

function readHeaders(at: JsonFields, name: string): MailDraft["headers"] {
  return (at.array(name) ?? []).map((_, index) => {
    const item = at.item(name, index)!;
    return [item.text("Name") ?? fail(missing(name)), item.text("Value") ?? ""];
  });
}

function readTags(at: JsonFields, name: string): Readonly<Record<string, string>> | undefined {
  const tags = at.array(name)?.map((_, index) => {
    const item = at.item(name, index)!;
    return [item.text("Name") ?? "", item.text("Value") ?? ""] as const;
  });
  return tags && toTags(tags);
}

function readAttachments(at: JsonFields): readonly DraftAttachment[] {
  return (at.array("Attachments") ?? []).map((_, index) => {
    const item = at.item("Attachments", index)!;
    const content_id = bareContentId(item.text("ContentId") ?? "");
    return {
      bytes: readBytes(item, "RawContent"),
      filename: item.text("FileName") ?? fail(missing("attachments.fileName")),
      inline: item.text("ContentDisposition") === "INLINE",
      ...compact({
        content_type: item.text("ContentType") || undefined,
        content_id: content_id || undefined,
      }),
    };
  });
}

function readBytes(at: JsonFields, name: string): Uint8Array {
  const text = at.text(name) ?? fail(missing(at.path(name)));
  return decodeAttachment(text) ?? fail(invalid(`${at.path(name)} is not base64`));
}

function readTexts(at: JsonFields, name: string): readonly string[] {
  return (at.array(name) ?? []).map((item) => {
    if (typeof item === "string") return item;
    at.reportType(name, "string", item);
    return "";
  });
}
