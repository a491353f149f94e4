/** The HTML body of an email for a browser, with the pictures of the email: the frame then fetches nothing. */
import { encodeBase64 } from "@std/encoding/base64";
import type { BlobStore } from "../../core/blobs/blob.ts";
import { toMediaType } from "../../core/http/media_type.ts";
import { inSlices } from "../../core/time_slice.ts";
import { rewriteCids } from "./html.ts";
import { type Links, toInertHtml } from "./inert_html.ts";
import type { Attachment, MailMessage } from "./model.ts";

/**
 * Most characters of all pictures in one body, repetitions counted: more than a message of SMTP's default limit can
 * carry. Pictures beyond it are left out.
 */
const MAX_CHARS = 32 * 1024 * 1024;

/** Returns the body without anything that would contact another machine; with `pictures`, those of the email. */
export async function showHtml(
  html: string,
  mail: MailMessage,
  { links, pictures, blobs }: { links: Links; pictures: boolean; blobs: BlobStore },
): Promise<string> {
  const inert = await inSlices(toInertHtml(html, links));
  return pictures ? await withPictures(inert, mail, { blobs }) : inert;
}

/** Returns the body with `data:` URLs (RFC 2397) in place of the `cid:` URLs of the message's parts. */
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
  for (const cid of await wantedCids(html)) {
    const part = parts.get(cid);
    if (part === undefined || part.size > maxChars) continue;
    const bytes = await blobs.read(part.blob.id, 0, part.size);
    if (bytes !== undefined) urls.set(cid, toDataUrl(part, bytes));
  }
  let left = maxChars;
  return await inSlices(rewriteCids(html, (cid) => {
    const url = urls.get(cid);
    if (url === undefined || url.length > left) return undefined;
    left -= url.length;
    return url;
  }));
}

async function wantedCids(html: string): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  await inSlices(rewriteCids(html, (cid) => {
    wanted.add(cid);
    return undefined;
  }));
  return wanted;
}

function toDataUrl({ content_type: type }: Attachment, bytes: Uint8Array): string {
  const essence = toMediaType(type).split(";")[0]!.trim();
  return `data:${essence};base64,${encodeBase64(bytes)}`;
}
