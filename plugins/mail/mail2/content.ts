/** `content` and `attachments` of a Mail Send request (SendGrid v3). */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment } from "../capture.ts";

const NO_CONTENT =
  "Unless a valid template_id is provided, the content parameter is required. There must be at least one defined content block. We typically suggest both text/plain and text/html blocks are included, but only one block is required.";
const NO_VALUE = "The content value must be a string at least one character in length.";
const NO_TYPE = "Your content type must be a string with length of at least one character.";
const BAD_ORDER =
  "Following RFC 1341, section 7.2, if either text/html or text/plain are to be sent in your email: the plain text content needs to be first, followed by the html content, followed by any other content.";
const NO_ATTACHMENT = "The attachment content must be a string at least one character in length.";
const NO_ATTACHMENT_TYPE =
  "The attachment type must be a string and at least one character in length.";

/** The bodies of a message; other types become attachments. */
export interface Content {
  readonly text: string;
  readonly html: string;
  readonly others: readonly DraftAttachment[];
}

interface Block {
  readonly type: string;
  readonly value: string;
}

/** Parses `content`, which may be absent only with a template. */
export function readContent(
  request: JsonFields,
  options: { readonly hasTemplate: boolean },
): Content {
  const items = request.array("content");
  const isAbsent = items === undefined
    ? request.value("content") === undefined
    : items.length === 0;
  if (isAbsent && !options.hasTemplate) request.report("content", NO_CONTENT);
  let text: string | undefined;
  let html: string | undefined;
  let others: DraftAttachment[] | undefined;
  let before = 0;
  let isInOrder = true;
  const count = items?.length ?? 0;
  for (let i = 0; i < count; i++) {
    const block = readBlock(request, i);
    if (block === undefined) continue;
    const type = block.type.toLowerCase();
    const own = rank(type);
    isInOrder &&= own >= before;
    before = own;
    if (text === undefined && type === "text/plain") text = block.value;
    else if (html === undefined && type === "text/html") html = block.value;
    else (others ??= []).push(toAttachment(block));
  }
  if (!isInOrder) request.report("content", BAD_ORDER);
  return { text: text ?? "", html: html ?? "", others: others ?? NOTHING };
}

const NOTHING: readonly never[] = [];

/** Reads `attachments`. */
export function readAttachments(request: JsonFields): readonly DraftAttachment[] {
  const items = request.array("attachments");
  if (items === undefined) return NOTHING;
  return items.map((_, index) => readAttachment(request.item("attachments", index)))
    .filter((attachment) => attachment !== undefined);
}

function readBlock(request: JsonFields, index: number): Block | undefined {
  const at = request.item("content", index);
  if (at === undefined) return undefined;
  const type = at.textOrEmpty("type", NO_TYPE);
  if (type === "") at.report("type", NO_TYPE);
  if (type !== undefined && breaks(type)) {
    at.report("type", "The content type cannot contain ';', or CRLF characters.");
  }
  const value = at.textOrEmpty("value", NO_VALUE);
  if (value === "") at.report("value", NO_VALUE);
  return type === undefined || value === undefined ? undefined : { type, value };
}

/** Characters that no content type may contain. */
const BREAKS = /[;\r\n]/;
/**
 * The only parameter accepted: calendars open no invitation without it (github.com/sendgrid/sendgrid-php/issues/250).
 */
const INVITATION = /^text\/calendar; *method=REQUEST;?$/i;

function breaks(type: string): boolean {
  return BREAKS.test(type) && !INVITATION.test(type);
}

const encoder = new TextEncoder();

function toAttachment({ type, value }: Block): DraftAttachment {
  return { bytes: encoder.encode(value), content_type: type, inline: false };
}

/** Order of a type in lower case: plain text, then AMP and HTML in either order, then the rest. */
function rank(type: string): number {
  switch (type) {
    case "text/plain":
      return 0;
    case "text/x-amp-html":
    case "text/html":
      return 1;
    default:
      return 2;
  }
}

function readAttachment(at: JsonFields | undefined): DraftAttachment | undefined {
  if (at === undefined) return undefined;
  const bytes = readBytes(at);
  const filename = readFilename(at);
  const type = at.text("type", NO_ATTACHMENT_TYPE);
  if (type === "") at.report("type", NO_ATTACHMENT_TYPE);
  if (type !== undefined && breaks(type)) {
    at.report("type", "The attachment type cannot contain ';', or CRLF characters.");
  }
  const disposition = at.value("disposition") === undefined ? "attachment" : at.text("disposition");
  if (disposition !== undefined && disposition !== "inline" && disposition !== "attachment") {
    at.report(
      "disposition",
      `The disposition of your attachment can be either "inline" or "attachment". You provided "${disposition}".`,
    );
  }
  const contentId = readContentId(at);
  return bytes && {
    bytes,
    inline: disposition === "inline",
    ...(filename ? { filename } : {}),
    ...(type ? { content_type: type } : {}),
    ...(contentId ? { content_id: bareContentId(contentId) } : {}),
  };
}

function readBytes(at: JsonFields): Uint8Array | undefined {
  const content = at.textOrEmpty("content", NO_ATTACHMENT);
  if (content === undefined) return undefined;
  if (content === "") {
    at.report("content", NO_ATTACHMENT);
    return undefined;
  }
  const bytes = decodeAttachment(content);
  if (bytes === undefined) at.report("content", "The attachment content must be base64 encoded.");
  return bytes;
}

function readFilename(at: JsonFields): string | undefined {
  const filename = at.textOrEmpty(
    "filename",
    "The filename of your attachment must be a string.",
  );
  if (filename === "") at.report("filename", "The attachment filename is required.");
  if (filename !== undefined && /[\r\n]/.test(filename)) {
    at.report("filename", "The filename of your attachment cannot contain CRLF characters.");
  }
  return filename;
}

/** The Node SDK sends the name in camel case; faults of either are reported under the vendor's name. */
function readContentId(at: JsonFields): string | undefined {
  const name = at.value("content_id") === undefined ? "contentId" : "content_id";
  const id = at.value(name);
  if (id === undefined) return undefined;
  if (typeof id !== "string") {
    at.report("content_id", "The content ID of your attachment must be a string.");
    return undefined;
  }
  if (/[\r\n]/.test(id)) {
    at.report("content_id", "The content ID of your attachment cannot contain CRLF characters.");
  }
  return id;
}
