/**
 * Calls that read inbound emails: https://resend.com/docs/api-reference/emails/list-received-emails
 */
import { sendBytes } from "../../../core/http/range.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { LINK_LIFETIME_MS } from "./fetch.ts";
import { isUuid } from "./ids.ts";
import type { Env } from "./options.ts";
import { cutList } from "./paging.ts";
import {
  bytesOfReceived,
  composeReceived,
  toReceivedAttachment,
  toReceivedEmail,
  toReceivedEntry,
} from "./received.ts";
import { answer, REFUSALS, refuse, type VendorRefusal } from "./reply.ts";
import { readHtmlFormat, readListQuery } from "./request.ts";
import type { ReceivedAttachment, ReceivedMail } from "./resources.ts";

/** `GET /emails/receiving`, newest first */
export function listReceived(call: IngressCall, env: Env): Response {
  const request = readListQuery(call.query);
  if (!request.ok) return refuse(request.refusal);
  const all = env.store.resources.received.list();
  const cut = cutList(all, request.value, cursorsOf(all));
  if (!cut.ok) return refuse(cut.refusal);
  const { items, more } = cut.value;
  return answer({ object: "list", has_more: more, data: items.map(toReceivedEntry) });
}

/** `GET /emails/receiving/{id}` */
export function getReceived(call: IngressCall, env: Env): Response {
  const found = findReceived(call, env);
  if (!found.ok) return refuse(found.refusal);
  const format = readHtmlFormat(call.query);
  if (!format.ok) return refuse(format.refusal);
  const raw = linkTo(`/emails/receiving/${found.value.id}/raw`, env);
  return answer(toReceivedEmail(found.value, { format: format.value, raw }));
}

/** `GET /emails/receiving/{id}/attachments`: all of them without a limit. */
export function listReceivedAttachments(call: IngressCall, env: Env): Response {
  const found = findReceived(call, env);
  if (!found.ok) return refuse(found.refusal);
  const request = readListQuery(call.query, Infinity);
  if (!request.ok) return refuse(request.refusal);
  const { attachments } = found.value;
  const cut = cutList(attachments, request.value, cursorsOf(attachments));
  if (!cut.ok) return refuse(cut.refusal);
  const { items, more } = cut.value;
  return answer({
    object: "list",
    has_more: more,
    data: items.map((one) => toReceivedAttachment(one, linkOf(found.value, one, env))),
  });
}

/** `GET /emails/receiving/{id}/attachments/{aid}` */
export function getReceivedAttachment(call: IngressCall, env: Env): Response {
  const found = findAttachment(call, env);
  if (!found.ok) return refuse(found.refusal);
  const { mail, attachment } = found.value;
  const link = linkOf(mail, attachment, env);
  return answer({ object: "attachment", ...toReceivedAttachment(attachment, link) });
}

/** The target of an attachment's `download_url`; like the vendor's signed links it needs no key. */
export async function getReceivedContent(call: IngressCall, env: Env): Promise<Response> {
  const found = findAttachment(call, env);
  if (!found.ok) return refuse(found.refusal);
  const { attachment } = found.value;
  return await sendBytes(bytesOfReceived(attachment), {
    headers: call.headers,
    disposition: "attachment",
    contentType: attachment.content_type,
    filename: attachment.filename,
  });
}

/** The target of `raw.download_url`. */
export async function getReceivedRaw(call: IngressCall, env: Env): Promise<Response> {
  const found = findReceived(call, env);
  if (!found.ok) return refuse(found.refusal);
  return await sendBytes(await composeReceived(found.value), {
    headers: call.headers,
    disposition: "attachment",
    contentType: "message/rfc822",
    filename: `${found.value.id}.eml`,
  });
}

function findReceived(call: IngressCall, env: Env): Result<ReceivedMail, VendorRefusal> {
  const id = call.params.id ?? "";
  if (!isUuid(id)) return failure(REFUSALS.badId);
  const mail = env.store.resources.received.get(id);
  return mail === undefined ? failure(REFUSALS.unknownEmail) : success(mail);
}

function findAttachment(
  call: IngressCall,
  env: Env,
): Result<{ mail: ReceivedMail; attachment: ReceivedAttachment }, VendorRefusal> {
  const found = findReceived(call, env);
  if (!found.ok) return found;
  const aid = call.params.aid ?? "";
  if (!isUuid(aid)) return failure(REFUSALS.badId);
  const attachment = found.value.attachments.find(({ id }) => id === aid);
  if (attachment === undefined) return failure(REFUSALS.unknownAttachment);
  return success({ mail: found.value, attachment });
}

function cursorsOf(items: readonly { readonly id: string }[]) {
  const place = (cursor: string): number | undefined => {
    const at = items.findIndex(({ id }) => id === cursor);
    return at < 0 ? undefined : at;
  };
  return {
    after: (cursor: string) => {
      const at = place(cursor);
      return at === undefined ? undefined : at + 1;
    },
    before: place,
  };
}

function linkOf(mail: ReceivedMail, { id }: ReceivedAttachment, env: Env) {
  return linkTo(`/emails/receiving/${mail.id}/attachments/${id}/content`, env);
}

function linkTo(path: string, { ctx }: Env): { download_url: string; expires_at: string } {
  return {
    download_url: `${ctx.ingressUrl()}${path}`,
    expires_at: new Date(ctx.now().getTime() + LINK_LIFETIME_MS).toISOString(),
  };
}
