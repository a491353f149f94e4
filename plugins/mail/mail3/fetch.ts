/** Calls that read messages, and two that change the responses; captured events never change. */
import { ApiError } from "../../../core/errors.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import { sendBlob } from "../../../core/http/range.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import type { Attachment, MailMessage } from "../model.ts";
import { decodeAttachmentId, decodeMessageId, encodeMessageId, isUuid } from "./ids.ts";
import type { Env } from "./options.ts";
import {
  answer,
  REFUSALS,
  refuse,
  type Standing,
  toAttachment,
  toEmail,
  toListEntry,
  validationError,
  type VendorRefusal,
} from "./reply.ts";
import { cutList } from "./paging.ts";
import { readBody, readListQuery, readUpdate } from "./request.ts";

/** Value of `provider` on the events of this provider. */
const PROVIDER = "mail3";

type MailEvent = CapturedEvent<MailMessage>;

/** The vendor's links to attachments live this long; ours do not expire. */
export const LINK_LIFETIME_MS = 60 * 60 * 1000;

/** `GET /emails/{id}` */
export function getEmail(call: IngressCall, env: Env): Response {
  const found = findEmail(call, env);
  return found.ok
    ? answer(toEmail(found.value, standing(found.value, env)))
    : refuse(found.refusal);
}

/** `GET /emails`, newest first: https://resend.com/docs/api-reference/pagination */
export function listEmails(call: IngressCall, env: Env): Response {
  const request = readListQuery(call.query);
  if (!request.ok) return refuse(request.refusal);
  const { plugin, events } = env.ctx;
  const held = events.list({ plugin, provider: PROVIDER, type: "mail.message" }) as MailEvent[];
  const cut = cutList(held, request.value, {
    // Ids sort by time, so a cursor still works after its event is gone.
    after: (id) => through(decodeMessageId(id), (eventId) => position(held, eventId, true)),
    before: (id) => through(decodeMessageId(id), (eventId) => position(held, eventId, false)),
  });
  if (!cut.ok) return refuse(cut.refusal);
  return answer({
    object: "list",
    has_more: cut.value.more,
    data: cut.value.items.map((event) => toListEntry(event, standing(event, env))),
  });
}

/** `PATCH /emails/{id}`: changes the time to send. */
export function updateEmail(call: IngressCall, env: Env): Response {
  const found = findEmail(call, env);
  if (!found.ok) return refuse(found.refusal);
  const scheduledAt = readBody(call, readUpdate);
  if (!scheduledAt.ok) return refuse(scheduledAt.refusal);
  if (env.store.change(found.value.id).canceled) {
    return refuse(validationError("A canceled email cannot be rescheduled."));
  }
  env.store.addChange(found.value.id, { scheduled_at: scheduledAt.value });
  return answer({ object: "email", id: encodeMessageId(found.value.id) });
}

/** `POST /emails/{id}/cancel`: the body is ignored. */
export function cancelEmail(call: IngressCall, env: Env): Response {
  const found = findEmail(call, env);
  if (!found.ok) return refuse(found.refusal);
  env.store.addChange(found.value.id, { canceled: true });
  return answer({ object: "email", id: encodeMessageId(found.value.id) });
}

/** `GET /emails/{id}/attachments` */
export function listAttachments(call: IngressCall, env: Env): Response {
  const found = findEmail(call, env);
  if (!found.ok) return refuse(found.refusal);
  const request = readListQuery(call.query, Infinity);
  if (!request.ok) return refuse(request.refusal);
  const event = found.value;
  const all = (event.payload.attachments ?? []).map((attachment, index) => ({ attachment, index }));
  const place = (id: string) => {
    const decoded = decodeAttachmentId(id);
    return decoded?.eventId === event.id ? decoded.index : undefined;
  };
  const cut = cutList(all, request.value, {
    after: (id) => through(place(id), (index) => index + 1),
    before: place,
  });
  if (!cut.ok) return refuse(cut.refusal);
  return answer({
    object: "list",
    has_more: cut.value.more,
    data: cut.value.items.map((item) => toAttachment(event.id, { ...item, ...links(env) })),
  });
}

/** `GET /emails/{id}/attachments/{aid}` */
export function getAttachment(call: IngressCall, env: Env): Response {
  const found = findAttachment(call, env);
  if (!found.ok) return refuse(found.refusal);
  const { eventId, attachment, index } = found.value;
  return answer({
    object: "attachment",
    ...toAttachment(eventId, { attachment, index, ...links(env) }),
  });
}

/** Returns the target of `download_url`; like the vendor's signed links it needs no key. */
export async function getContent(call: IngressCall, env: Env): Promise<Response> {
  const found = findAttachment(call, env);
  if (!found.ok) return refuse(found.refusal);
  const { blob, content_type, filename } = found.value.attachment;
  try {
    return await sendBlob(env.ctx.blobs, blob.id, {
      headers: call.headers,
      disposition: "attachment",
      contentType: content_type,
      filename,
    });
  } catch (error) {
    if (error instanceof ApiError) return refuse(REFUSALS.unknownAttachment);
    throw error;
  }
}

function links(env: Env): { base: string; expiresAt: Date } {
  return {
    base: env.ctx.ingressUrl(),
    expiresAt: new Date(env.ctx.now().getTime() + LINK_LIFETIME_MS),
  };
}

function findEmail(call: IngressCall, env: Env): Result<MailEvent, VendorRefusal> {
  const id = call.params.id ?? "";
  if (!isUuid(id)) return failure(REFUSALS.badId);
  const eventId = decodeMessageId(id);
  const event = eventId === undefined ? undefined : env.ctx.events.get(eventId);
  if (event?.plugin !== env.ctx.plugin || event.provider !== PROVIDER) {
    return failure(REFUSALS.unknownEmail);
  }
  return success(event as MailEvent);
}

function findAttachment(
  call: IngressCall,
  env: Env,
): Result<{ eventId: string; attachment: Attachment; index: number }, VendorRefusal> {
  const found = findEmail(call, env);
  if (!found.ok) return found;
  const aid = call.params.aid ?? "";
  if (!isUuid(aid)) return failure(REFUSALS.badId);
  const place = decodeAttachmentId(aid);
  const attachment = place?.eventId === found.value.id
    ? found.value.payload.attachments?.[place.index]
    : undefined;
  if (place === undefined || attachment === undefined) {
    return failure(REFUSALS.unknownAttachment);
  }
  return success({ eventId: found.value.id, attachment, index: place.index });
}

function standing(event: MailEvent, env: Env): Standing {
  const change = env.store.change(event.id);
  const scheduledAt = change.scheduled_at ?? event.meta.scheduled_at;
  const scheduled_at = typeof scheduledAt === "string" ? scheduledAt : null;
  // Natural language such as "in 1 min" cannot be compared with a date, so it stays scheduled.
  const due = scheduled_at === null || Date.parse(scheduled_at) <= env.ctx.now().getTime();
  const last_event = change.canceled
    ? "canceled"
    : due
    ? change.last_event ?? env.values.last_event
    : "scheduled";
  return { last_event, scheduled_at };
}

/** Index of the first event older than `eventId`; unless `strict`, of that event itself if it is held. */
function position(events: readonly MailEvent[], eventId: string, strict: boolean): number {
  const index = events.findIndex(({ id }) => strict ? id < eventId : id <= eventId);
  return index < 0 ? events.length : index;
}

function through<A, B>(value: A | undefined, map: (value: A) => B): B | undefined {
  return value === undefined ? undefined : map(value);
}
