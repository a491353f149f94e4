/** The pictures that a mail carries, put into its HTML body: the frame that shows it then needs to fetch nothing. */
import { encodeBase64 } from "@std/encoding/base64";
import type { BlobStore } from "../../core/blobs/blob.ts";
import { toMediaType } from "../../core/http/media_type.ts";
import { rewriteCids } from "./html.ts";
import type { Attachment, MailMessage } from "./model.ts";

/**
 * Most characters that the pictures of one body may take, each counted as often as it is shown: more than a message of
 * SMTP's default limit can carry. A picture beyond that is left out.
 */
const MAX_CHARS = 32 * 1024 * 1024;

/** The HTML body with `data:` URLs (RFC 2397) in place of the `cid:` URLs of the parts that the message has. */
export async function withPictures(
  html: string,
  { attachments = [] }: Pick<MailMessage, "attachments">,
  { blobs, maxChars = MAX_CHARS }: { blobs: Pick<BlobStore, "read">; maxChars?: number },
): Promise<string> {
  const parts = new Map<string, Attachment>();
  for (const part of attachments) {
    if (part.content_id !== undefined && !parts.has(part.content_id)) {
      parts.set(part.content_id, part);
    }
  }
  const urls = new Map<string, string>();
  for (const cid of wantedCids(html)) {
    const part = parts.get(cid);
    if (part === undefined || part.size > maxChars) continue;
    const bytes = await blobs.read(part.blob.id, 0, part.size);
    if (bytes !== undefined) urls.set(cid, toDataUrl(part, bytes));
  }
  let left = maxChars;
  return rewriteCids(html, (cid) => {
    const url = urls.get(cid);
    if (url === undefined || url.length > left) return undefined;
    left -= url.length;
    return url;
  });
}

function wantedCids(html: string): ReadonlySet<string> {
  const wanted = new Set<string>();
  rewriteCids(html, (cid) => {
    wanted.add(cid);
    return undefined;
  });
  return wanted;
}

function toDataUrl({ content_type: type }: Attachment, bytes: Uint8Array): string {
  const essence = toMediaType(type).split(";")[0]!.trim();
  return `data:${essence};base64,${encodeBase64(bytes)}`;
}
