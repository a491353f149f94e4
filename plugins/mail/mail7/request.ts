/** Messages to send: https://developers.brevo.com/reference/sendtransacemail */
import { typeByExtension } from "@std/media-types/type-by-extension";
import type { JsonFields, JsonObject } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Result } from "../../../core/result.ts";
import { decodeAttachment, isAddress, overlayHeaders, toAddress } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { fail, readAddress, readAddresses, readBody, readItems, readTexts } from "./fields.ts";
import { invalid, missing, REFUSALS, type VendorRefusal } from "./reply.ts";

/** Maximum number of versions in a call, and of recipients in a version and in a call. */
const [MAX_VERSIONS, MAX_RECIPIENTS, MAX_TOTAL] = [1000, 99, 2000];

/** File name extensions that the vendor accepts. */
const EXTENSIONS = new Set(
  ("xlsx xls ods docx docm doc csv pdf txt gif jpg jpeg png tif tiff rtf bmp cgm css shtml html htm zip xml ppt pptx " +
    "tar ez ics mobi msg pub eps odt mp3 m4a m4v wma ogg flac wav aif aifc aiff mp4 mov avi mkv mpeg mpg wmv pkpass xlsm")
    .split(" "),
);

/** A message before rendering. */
export interface Version {
  /** Absent if the template has a sender. */
  readonly draft: Omit<MailDraft, "from"> & { readonly from?: Address };
  readonly params?: JsonObject;
  /** Its own template, or that of the call. */
  readonly templateId?: number;
}

/** A call that sends. */
export interface SendRequest {
  readonly versions: readonly Version[];
  /** Whether the messages came as `messageVersions`. */
  readonly isBatch: boolean;
  /** `tags scheduled_at batch_id sender_id remote_attachments`, if given. */
  readonly meta: JsonObject;
}

/** Reads `POST /v3/smtp/email`. */
export function readSend(call: IngressCall): Result<SendRequest, VendorRefusal> {
  return readBody(call, parseSend);
}

function parseSend(at: JsonFields): SendRequest {
  const templateId = at.integer("templateId");
  const sender = readSender(at, templateId);
  const { attachments, remote } = readAttachments(at);
  const common = { at, templateId, from: sender.from, attachments };
  const versions = readItems(at, "messageVersions", (item) => parseVersion(item, common));
  if (versions !== undefined && (versions.length === 0 || versions.length > MAX_VERSIONS)) {
    fail(invalid(`messageVersions must have 1 to ${MAX_VERSIONS} entries`));
  }
  const all = versions ?? [parseVersion(undefined, common)];
  const total = all.reduce((sum, { draft }) => sum + countOf(draft), 0);
  if (total > MAX_TOTAL) fail(invalid(`a call can have at most ${MAX_TOTAL} recipients`));
  const scheduled_at = at.text("scheduledAt");
  if (scheduled_at !== undefined && Number.isNaN(Date.parse(scheduled_at))) {
    fail(invalid("scheduledAt is not valid"));
  }
  return {
    versions: all,
    isBatch: versions !== undefined,
    meta: compact({
      tags: readTags(at),
      scheduled_at,
      batch_id: at.text("batchId"),
      sender_id: sender.id,
      remote_attachments: remote.length > 0 ? remote : undefined,
    }),
  };
}

/** A sender is an address, or the id of one that is only at the vendor. */
function readSender(
  at: JsonFields,
  templateId: number | undefined,
): { from?: Address; id?: number } {
  const sender = at.child("sender");
  if (sender === undefined) return templateId === undefined ? fail(missing("sender")) : {};
  const id = sender.integer("id");
  const email = sender.text("email");
  if (email === undefined && id !== undefined) return { from: { email: "" }, id };
  if (!isAddress(email ?? "", { publicDomain: true })) fail(REFUSALS.badSender);
  return { from: toAddress(email!, sender.text("name")), ...compact({ id }) };
}

/** Members of a version override those of the call. */
function parseVersion(
  item: JsonFields | undefined,
  { at, templateId, from, attachments }: {
    at: JsonFields;
    templateId: number | undefined;
    from: Address | undefined;
    attachments: readonly DraftAttachment[];
  },
): Version {
  const list = (name: string) => (item && readGiven(item, name)) ?? readGiven(at, name);
  const text = (name: string) => item?.text(name) ?? at.text(name) ?? "";
  // The vendor ignores the recipients of a call that has versions.
  const to = readGiven(item ?? at, "to") ?? fail(missing("to"));
  const replyTo = (item && readAddress(item, "replyTo")) ?? readAddress(at, "replyTo");
  const [subject, plain, html] = [text("subject"), text("textContent"), text("htmlContent")];
  if (templateId === undefined) {
    if (subject === "") fail(missing("subject"));
    if (plain === "" && html === "") fail(missing("htmlContent"));
    // A version replaces the content of the call; the vendor refuses a call that has none.
    if (!at.text("textContent") && !at.text("htmlContent")) fail(missing("htmlContent"));
  }
  const draft = {
    to,
    cc: list("cc") ?? [],
    bcc: list("bcc") ?? [],
    reply_to: replyTo === undefined ? [] : [replyTo],
    subject,
    text: plain,
    html,
    headers: overlayHeaders(
      readTexts(at, "headers") ?? [],
      (item && readTexts(item, "headers")) ?? [],
    ),
    attachments,
    ...compact({ from }),
  };
  if (countOf(draft) > MAX_RECIPIENTS) {
    fail(invalid(`a message can have at most ${MAX_RECIPIENTS} recipients`));
  }
  // In the same way, a version only replaces the template of the call.
  const own = templateId === undefined ? undefined : item?.integer("templateId") ?? templateId;
  return { draft, ...compact({ params: readParams(at, item), templateId: own }) };
}

/**
 * Reads a list of addresses. The vendor refuses an empty one, also of `cc` and `bcc`: github.com/getbrevo/brevo-node
 * issue 90, github.com/sendinblue/APIv3-go-library pull request 15.
 */
function readGiven(at: JsonFields, name: string): readonly Address[] | undefined {
  const addresses = readAddresses(at, name);
  return addresses?.length === 0 ? fail(missing(name)) : addresses;
}

function readParams(at: JsonFields, item: JsonFields | undefined): JsonObject | undefined {
  const [common, own] = [at.object("params"), item?.object("params")];
  return common === undefined && own === undefined ? undefined : { ...common, ...own };
}

function countOf({ to, cc, bcc }: Pick<MailDraft, "to" | "cc" | "bcc">): number {
  return to.length + cc.length + bcc.length;
}

function readTags(at: JsonFields): readonly string[] | undefined {
  return at.array("tags")?.map((tag) =>
    typeof tag === "string" ? tag : fail(invalid("tags is not valid"))
  );
}

/** Files by content, and by address, which is never fetched. */
function readAttachments(
  at: JsonFields,
): { attachments: readonly DraftAttachment[]; remote: readonly JsonObject[] } {
  const attachments: DraftAttachment[] = [];
  const remote: JsonObject[] = [];
  readItems(at, "attachment", (item) => {
    const [filename, url, content] = ["name", "url", "content"].map((name) => item.text(name));
    if (url) return void remote.push({ url, ...compact({ filename }) });
    if (!content) fail(missing("attachment content"));
    if (!filename) fail(missing("attachment name"));
    const ending = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
    if (!EXTENSIONS.has(ending)) fail(REFUSALS.badAttachment);
    const bytes = decodeAttachment(content) ??
      fail(invalid("attachment content is not valid base64"));
    const content_type = typeByExtension(ending);
    attachments.push({ bytes, filename, inline: false, ...compact({ content_type }) });
  });
  return { attachments, remote };
}
