/**
 * `content` and `attachments` of a Mail Send request (SendGrid v3).
 *
 * @module
 */
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment } from "../capture.ts";
import type { Report } from "./violation.ts";

const NO_CONTENT =
  "Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.";
const NO_VALUE = "The content value must be a string at least one character in length.";
const NO_TYPE = "Your content type must be a string with length of at least one character.";
const BAD_ORDER =
  "Following RFC 1341, section 7.2, if either text/html or text/plain are to be sent in your email: the plain text content needs to be first, followed by the html content, followed by any other content.";
const NO_ATTACHMENT = "The attachment content must be a string at least one character in length.";
const NO_ATTACHMENT_TYPE =
  "The attachment type must be a string and at least one character in length.";

/** The bodies of a message; types other than the two are attachments to us. */
export interface Content {
  readonly text: string;
  readonly html: string;
  readonly others: readonly DraftAttachment[];
}

interface Block {
  readonly type: string;
  readonly value: string;
}

/** Reads `content`, which may be absent only with a template. */
export function readContent(
  value: unknown,
  report: Report,
  options: { readonly hasTemplate: boolean },
): Content {
  const items = report.array(value, "content");
  const absent = value === undefined || value === null || items?.length === 0;
  if (absent && !options.hasTemplate) report.add("content", NO_CONTENT);
  const blocks = (items ?? [])
    .map((item, index) => readBlock(item, `content.${index}`, report))
    .filter((block) => block !== undefined);
  const ranks = blocks.map(({ type }) => rank(type));
  if (ranks.some((own, index) => own < (ranks[index - 1] ?? 0))) report.add("content", BAD_ORDER);
  const text = blocks.find(({ type }) => type.toLowerCase() === "text/plain");
  const html = blocks.find(({ type }) => type.toLowerCase() === "text/html");
  return {
    text: text?.value ?? "",
    html: html?.value ?? "",
    others: blocks.filter((block) => block !== text && block !== html).map((block) => ({
      bytes: new TextEncoder().encode(block.value),
      content_type: block.type,
      inline: false,
    })),
  };
}

/** Reads `attachments`. */
export function readAttachments(value: unknown, report: Report): readonly DraftAttachment[] {
  return (report.array(value, "attachments") ?? [])
    .map((item, index) => readAttachment(item, `attachments.${index}`, report))
    .filter((attachment) => attachment !== undefined);
}

function readBlock(value: unknown, field: string, report: Report): Block | undefined {
  const members = report.object(value ?? {}, field);
  if (members === undefined) return undefined;
  const type = report.text(members.type ?? "", `${field}.type`, NO_TYPE);
  if (type === "") report.add(`${field}.type`, NO_TYPE);
  if (type !== undefined && /[;\r\n]/.test(type)) {
    report.add(`${field}.type`, "The content type cannot contain ';', or CRLF characters.");
  }
  const text = report.text(members.value ?? "", `${field}.value`, NO_VALUE);
  if (text === "") report.add(`${field}.value`, NO_VALUE);
  return type === undefined || text === undefined ? undefined : { type, value: text };
}

/** Plain text, then AMP and HTML in either order, then the rest. */
function rank(type: string): number {
  switch (type.toLowerCase()) {
    case "text/plain":
      return 0;
    case "text/x-amp-html":
    case "text/html":
      return 1;
    default:
      return 2;
  }
}

function readAttachment(
  value: unknown,
  field: string,
  report: Report,
): DraftAttachment | undefined {
  const members = report.object(value ?? {}, field);
  if (members === undefined) return undefined;
  const bytes = readBytes(members.content, `${field}.content`, report);
  const filename = readFilename(members.filename, `${field}.filename`, report);
  const type = report.text(members.type, `${field}.type`, NO_ATTACHMENT_TYPE);
  if (type === "") report.add(`${field}.type`, NO_ATTACHMENT_TYPE);
  if (type !== undefined && /[;\r\n]/.test(type)) {
    report.add(`${field}.type`, "The attachment type cannot contain ';', or CRLF characters.");
  }
  const disposition = report.text(members.disposition ?? "attachment", `${field}.disposition`);
  if (disposition !== undefined && disposition !== "inline" && disposition !== "attachment") {
    report.add(
      `${field}.disposition`,
      `The disposition of your attachment can be either "inline" or "attachment". You provided "${disposition}".`,
    );
  }
  // The Node SDK leaves the name in camel case on the wire.
  const contentId = readContentId(
    members.content_id ?? members.contentId,
    `${field}.content_id`,
    report,
  );
  return bytes && {
    bytes,
    inline: disposition === "inline",
    ...(filename ? { filename } : {}),
    ...(type ? { content_type: type } : {}),
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
  };
}

function readBytes(value: unknown, field: string, report: Report): Uint8Array | undefined {
  const content = report.text(value ?? "", field, NO_ATTACHMENT);
  if (content === undefined) return undefined;
  if (content === "") {
    report.add(field, NO_ATTACHMENT);
    return undefined;
  }
  const bytes = decodeAttachment(content);
  if (bytes === undefined) report.add(field, "The attachment content must be base64 encoded.");
  return bytes;
}

function readFilename(value: unknown, field: string, report: Report): string | undefined {
  const filename = report.text(
    value ?? "",
    field,
    "The filename of your attachment must be a string.",
  );
  if (filename === "") report.add(field, "The attachment filename is required.");
  if (filename !== undefined && /[\r\n]/.test(filename)) {
    report.add(field, "The filename of your attachment cannot contain CRLF characters.");
  }
  return filename;
}

function readContentId(value: unknown, field: string, report: Report): string | undefined {
  const id = report.text(value, field, "The content ID of your attachment must be a string.");
  if (id !== undefined && /[\r\n]/.test(id)) {
    report.add(field, "The content ID of your attachment cannot contain CRLF characters.");
  }
  return id;
}
