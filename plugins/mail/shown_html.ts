/** The HTML body of a mail as a browser is to show it. */
import type { BlobStore } from "../../core/blobs/blob.ts";
import { type Links, toInertHtml } from "./inert_html.ts";
import type { MailMessage } from "./model.ts";
import { withPictures } from "./pictures.ts";

/** The body without what would reach another machine, and with the pictures that the message carries if wanted. */
export async function showHtml(
  html: string,
  mail: MailMessage,
  { links, pictures, blobs }: { links: Links; pictures: boolean; blobs: BlobStore },
): Promise<string> {
  const inert = toInertHtml(html, links);
  return pictures ? await withPictures(inert, mail, { blobs }) : inert;
}
