/** Media links: type and file name are read from the link, which is never fetched. */
import { decodeBase64 } from "@std/encoding/base64";
import type { DraftMedia } from "../capture.ts";

/** Media types that the vendor accepts, by file extension (twilio.com/docs/messaging/guides/accepted-mime-types). */
const TYPES: Readonly<Record<string, string>> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  bmp: "image/bmp",
  tif: "image/tiff",
  tiff: "image/tiff",
  mp3: "audio/mpeg",
  ogg: "audio/ogg",
  wav: "audio/wav",
  amr: "audio/amr",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  mov: "video/quicktime",
  webm: "video/webm",
  "3gp": "video/3gpp",
  vcf: "text/vcard",
  csv: "text/csv",
  txt: "text/plain",
  rtf: "application/rtf",
  ics: "text/calendar",
  pdf: "application/pdf",
};

/**
 * Reads one media link. The bytes of a `data:` link (RFC 2397) are stored. `undefined` unless it is an absolute `http`,
 * `https` or `data` link.
 */
export function readMediaLink(link: string): DraftMedia | undefined {
  if (/^data:/i.test(link)) return readDataLink(link);
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined;
  const filename = decode(new URL(link).pathname.split("/").at(-1) ?? "") ?? "";
  const dot = filename.lastIndexOf(".");
  const type = dot < 0 ? undefined : TYPES[filename.slice(dot + 1).toLowerCase()];
  return {
    url: link,
    ...(type === undefined ? {} : { content_type: type }),
    ...(dot > 0 ? { filename } : {}),
  };
}

/** `data:[<media type>][;base64],<data>` */
function readDataLink(link: string): DraftMedia | undefined {
  const comma = link.indexOf(",");
  if (comma < 0) return undefined;
  const head = link.slice("data:".length, comma);
  const base64 = /;\s*base64\s*$/i.exec(head);
  const type = (base64 === null ? head : head.slice(0, base64.index)).trim();
  const data = decode(link.slice(comma + 1));
  if (data === undefined) return undefined;
  const content_type = type === "" || type.startsWith(";") ? `text/plain${type}` : type;
  if (base64 === null) return { bytes: new TextEncoder().encode(data), content_type };
  try {
    return { bytes: decodeBase64(data.replace(/\s+/g, "")), content_type };
  } catch {
    return undefined;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
