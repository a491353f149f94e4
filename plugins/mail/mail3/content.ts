/** Attachments of a message, as bytes or as a link: https://resend.com/docs/dashboard/emails/attachments */
import { typeByExtension } from "@std/media-types/type-by-extension";
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment } from "../capture.ts";
import { fail, optionalText, wrongType } from "./fields.ts";
import { REFUSALS, type VendorRefusal, vendorRefusal } from "./reply.ts";

/** Message with attachments in base64, in characters: the vendor's 40 MB. */
const MAX_ENCODED = 40 * 1024 * 1024;

/** What a message has attached. */
export interface Attachments {
  readonly attachments: readonly DraftAttachment[];
  /** Those given as a URL, which is never fetched. */
  readonly remote: readonly JsonObject[];
}

/** Reads `attachments`; `encodedSoFar` is the size of the bodies, in characters. */
export function readAttachments(value: unknown, encodedSoFar: number): Attachments {
  if (value === undefined || value === null) return { attachments: [], remote: [] };
  if (!Array.isArray(value)) wrongType("attachments", "array");
  const attachments: DraftAttachment[] = [];
  const remote: JsonObject[] = [];
  let encoded = encodedSoFar;
  for (const item of value as readonly unknown[]) {
    if (!isJsonObject(item)) wrongType("attachments", "object");
    const about = describeAttachment(item);
    const content = item.content ?? undefined;
    if (content === undefined) {
      const path = optionalText(item, "path");
      if (!path) fail(REFUSALS.badAttachment);
      remote.push({ path, ...about });
      continue;
    }
    const bytes = toBytes(content);
    encoded += Math.ceil(bytes.length / 3) * 4;
    if (encoded > MAX_ENCODED) fail(tooLarge());
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

function tooLarge(): VendorRefusal {
  return vendorRefusal(413, "validation_error", "The email exceeds the maximum size of 40MB.");
}

interface AttachmentAbout {
  readonly filename?: string;
  readonly content_type?: string;
  readonly content_id?: string;
}

function describeAttachment(item: JsonObject): AttachmentAbout {
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
  fail(vendorRefusal(422, "invalid_attachment", `The \`content\` of an attachment ${expected}.`));
}

/** Media type by the ending of a file name, as the vendor fills it in; `undefined` for a name without one. */
function typeByName(filename: string | undefined): string | undefined {
  const ending = /\.([^./\\]+)$/.exec(filename ?? "")?.[1];
  if (ending === undefined) return filename ? "application/octet-stream" : undefined;
  return typeByExtension(ending) ?? "application/octet-stream";
}
