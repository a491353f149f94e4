/** Attachments, metadata and headers: https://postmarkapp.com/developer/user-guide/send-email-with-api */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import { bareContentId, decodeAttachment } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import { fail, readObjects, readTexts } from "./fields.ts";
import { invalidEmail, REFUSALS } from "./refusals.ts";

/** File name extensions that the vendor refuses. */
const FORBIDDEN = new Set(
  ("vbs exe bin bat chm com cpl crt hlp hta inf ins isp jse lnk mdb pcd pif reg scr sct shs vbe vba wsf wsh wsl " +
    "msc msi msp mst").split(" "),
);
/** Limits of `Metadata`: https://postmarkapp.com/support/article/1125-custom-metadata-faq */
const [MAX_METADATA, MAX_KEY, MAX_VALUE] = [10, 20, 80];

/** Reads `Attachments`. */
export function readAttachments(at: JsonFields): readonly DraftAttachment[] {
  return readObjects(at, "Attachments").map((item) => {
    const filename = item.text("Name") || fail(invalidEmail("An attachment has no 'Name'."));
    const ending = /\.([^.]*)$/.exec(filename)?.[1]?.toLowerCase();
    if (ending !== undefined && FORBIDDEN.has(ending)) fail(REFUSALS.badAttachmentType);
    const bytes = decodeAttachment(item.text("Content") ?? "") ??
      fail(invalidEmail(`The 'Content' of attachment '${filename}' is not base64.`));
    const content_id = bareContentId((item.text("ContentID") ?? "").replace(/^cid:/i, ""));
    return {
      bytes,
      filename,
      inline: content_id !== "",
      ...compact({
        content_type: item.text("ContentType") || undefined,
        content_id: content_id || undefined,
      }),
    };
  });
}

/** Reads `Headers`. */
export function readHeaders(at: JsonFields): MailDraft["headers"] {
  return readObjects(at, "Headers").map((item) => [
    item.text("Name") || fail(invalidEmail("A header has no 'Name'.")),
    item.text("Value") ?? "",
  ]);
}

/** Reads `Metadata`. */
export function readMetadata(at: JsonFields): Readonly<Record<string, string>> | undefined {
  if (at.value("Metadata") === undefined) return undefined;
  const metadata = readTexts(at, "Metadata");
  const names = Object.keys(metadata);
  const broken = names.length > MAX_METADATA
    ? `at most ${MAX_METADATA} fields are allowed`
    : new Set(names.map((name) => name.toLowerCase())).size < names.length
    ? "the names of two fields differ in case only"
    : names.some((name) => name.length > MAX_KEY)
    ? `the name of a field can have at most ${MAX_KEY} characters`
    : Object.values(metadata).some((value) => value.length > MAX_VALUE)
    ? `a value can have at most ${MAX_VALUE} characters`
    : undefined;
  if (broken !== undefined) fail(invalidEmail(`Invalid metadata content: ${broken}.`));
  return metadata;
}
