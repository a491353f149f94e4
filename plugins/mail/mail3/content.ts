/** Attachments of a message, as bytes or as a link: https://resend.com/docs/dashboard/emails/attachments */
import { typeByExtension } from "@std/media-types/type-by-extension";
import type { JsonFields, JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { compact } from "../../../core/compact.ts";
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment } from "../capture.ts";
import { fail, openFields, wrongType } from "./fields.ts";
import { REFUSALS, vendorRefusal } from "./reply.ts";

/** Message with attachments in base64, in characters: the vendor's 40 MB. */
const MAX_ENCODED = 40 * 1024 * 1024;

export interface Attachments {
  readonly attachments: readonly DraftAttachment[];
  /** Attachments given as a URL, which is never fetched. */
  readonly remote: readonly JsonObject[];
}

/** Reads `attachments`; `encodedSoFar` is the size of the bodies, in characters. */
export function readAttachments(at: JsonFields, encodedSoFar: number): Attachments {
  const attachments: DraftAttachment[] = [];
  const remote: JsonObject[] = [];
  let encoded = encodedSoFar;
  for (const value of at.array("attachments") ?? []) {
    if (!isJsonObject(value)) wrongType("attachments", "object");
    const item = openFields(value);
    const about = describeAttachment(item);
    const content = item.value("content");
    if (content === undefined) {
      remote.push({ path: item.text("path") || fail(REFUSALS.badAttachment), ...about });
      continue;
    }
    const bytes = toBytes(content);
    encoded += Math.ceil(bytes.length / 3) * 4;
    if (encoded > MAX_ENCODED) fail(REFUSALS.tooLarge);
    attachments.push({
      bytes,
      inline: about.content_id !== undefined,
      ...about,
      ...compact({ content_type: about.content_type ?? typeByName(about.filename) }),
    });
  }
  return { attachments, remote };
}

function describeAttachment(
  item: JsonFields,
): Pick<DraftAttachment, "filename" | "content_type" | "content_id"> {
  return compact({
    filename: item.text("filename") || undefined,
    content_type: item.text("content_type") || undefined,
    content_id: bareContentId(item.text("content_id") ?? "") || undefined,
  });
}

/** Base64 text, an array of byte values, or the JSON form of a Node.js Buffer. */
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

/** Media type by file extension, as the vendor fills it in; `undefined` without a file name. */
function typeByName(filename: string | undefined): string | undefined {
  const ending = /\.([^./\\]+)$/.exec(filename ?? "")?.[1];
  if (ending === undefined) return filename ? "application/octet-stream" : undefined;
  return typeByExtension(ending) ?? "application/octet-stream";
}
