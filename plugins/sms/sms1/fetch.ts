/** Reads and changes messages, their media, and the account they belong to. */
import { ApiError } from "../../../core/errors.ts";
import { sendBlob } from "../../../core/http/range.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import type { SmsMedia } from "../model.ts";
import type { SmsEvent } from "../views.ts";
import { decodeMediaSid, decodeMessageSid, encodeMediaSid } from "./ids.ts";
import type { Env } from "./options.ts";
import { cutPage, readFilter, readPage, toPage } from "./paging.ts";
import {
  accountOf,
  accountPath,
  answer,
  badParameter,
  messageSid,
  notFound,
  REFUSALS,
  refuse,
  toAccount,
  toFeedback,
  toMedia,
  toMessage,
  type VendorRefusal,
} from "./reply.ts";
import { readFields, readUpdate } from "./request.ts";

/** Value of `provider` on the events of this provider. */
const PROVIDER = "sms1";

/** `GET Messages.json`, newest first */
export function listMessages(call: IngressCall, env: Env): Response {
  const page = readPage(call.query);
  if (!page.ok) return refuse(page.refusal);
  const filter = readFilter(call.query);
  if (!filter.ok) return refuse(filter.refusal);
  const { account = "" } = call.params;
  const { token } = page.value;
  if (token !== undefined && decodeMessageSid(token.sid) === undefined) {
    return refuse(badParameter("PageToken", "expected one from a page's links"));
  }
  const { plugin, events } = env.ctx;
  const all = events.list({ plugin, provider: PROVIDER, type: "sms.message" }, {
    match: (event) =>
      accountOf(event as SmsEvent) === account && event.meta.verification_sid === undefined &&
      !env.store.change(event.id)?.deleted &&
      filter.value.matches(event as SmsEvent),
  }) as SmsEvent[];
  // Ids sort by time, so a token still works after its message is gone.
  const cut = cutPage(all, page.value, (sid, side) => {
    const eventId = decodeMessageSid(sid) ?? "";
    const at = all.findIndex(({ id }) => side === "after" ? id < eventId : id <= eventId);
    return at < 0 ? all.length : at;
  });
  const now = env.ctx.now();
  return answer(toPage(cut, {
    key: "messages",
    path: `${accountPath(account)}/Messages.json`,
    kept: filter.value.kept,
    request: page.value,
    toRecord: (event) => toMessage(event, env.store.change(event.id), now),
    toSid: messageSid,
  }));
}

/** `GET Messages/{sid}.json` */
export function fetchMessage(call: IngressCall, env: Env): Response {
  const found = findMessage(call, env);
  if (!found.ok) return refuse(found.refusal);
  return answer(toMessage(found.value, env.store.change(found.value.id), env.ctx.now()));
}

/** `POST Messages/{sid}.json`: changes the message as reported by the API from now on. */
export async function updateMessage(call: IngressCall, env: Env): Promise<Response> {
  const found = findMessage(call, env);
  if (!found.ok) return refuse(found.refusal);
  const form = await readFields(call);
  const update = form.ok ? readUpdate(form.value) : form;
  if (!update.ok) return refuse(update.refusal);
  const { redacted, canceled } = update.value;
  const earlier = env.store.change(found.value.id);
  // A message counts as waiting until a later state is reported to the application.
  if (canceled && earlier?.status !== undefined && !earlier.canceled) {
    return refuse(REFUSALS.notCancelable);
  }
  const change = env.store.addChange(found.value.id, {
    ...(redacted && { redacted }),
    ...(canceled && { canceled }),
    at: env.ctx.now(),
  });
  if (canceled && !earlier?.canceled) env.canceled(found.value);
  return answer(toMessage(found.value, change, env.ctx.now()));
}

/**
 * `DELETE Messages/{sid}.json`: removes the message from the vendor's API; the captured event
 * stays.
 */
export function deleteMessage(call: IngressCall, env: Env): Response {
  const found = findMessage(call, env);
  if (!found.ok) return refuse(found.refusal);
  env.store.addChange(found.value.id, { deleted: true, at: env.ctx.now() });
  return answer(undefined, 204);
}

/** `POST Messages/{sid}/Feedback.json` */
export async function giveFeedback(call: IngressCall, env: Env): Promise<Response> {
  const found = findMessage(call, env);
  if (!found.ok) return refuse(found.refusal);
  const form = await readFields(call);
  if (!form.ok) return refuse(form.refusal);
  const outcome = form.value.first("Outcome") || "confirmed";
  if (outcome !== "confirmed" && outcome !== "unconfirmed") {
    return refuse(badParameter("Outcome", "expected confirmed or unconfirmed"));
  }
  return answer(toFeedback(found.value, { outcome, now: env.ctx.now() }), 201);
}

/** `GET Accounts/{sid}.json` */
export function fetchAccount(call: IngressCall, env: Env): Response {
  return answer(toAccount(call.params.account ?? "", env.ctx.now()));
}

/** `GET Messages/{sid}/Media.json` */
export function listMedia(call: IngressCall, env: Env): Response {
  const found = findMessage(call, env);
  if (!found.ok) return refuse(found.refusal);
  const page = readPage(call.query);
  if (!page.ok) return refuse(page.refusal);
  const event = found.value;
  const all = (event.payload.media ?? []).map((_, index) => index);
  const cut = cutPage(all, page.value, (sid, side) => {
    const index = decodeMediaSid(sid)?.index ?? all.length;
    return Math.min(side === "after" ? index + 1 : index, all.length);
  });
  return answer(toPage(cut, {
    key: "media_list",
    path: `${accountPath(accountOf(event))}/Messages/${messageSid(event)}/Media.json`,
    kept: [],
    request: page.value,
    toRecord: (index) => toMedia(event, index),
    toSid: (index) => encodeMediaSid(event.id, index),
  }));
}

/** `GET Messages/{sid}/Media/{media}.json` */
export function fetchMedia(call: IngressCall, env: Env): Response {
  const found = findMedia(call, env);
  if (!found.ok) return refuse(found.refusal);
  return answer(toMedia(found.value.event, found.value.index));
}

/** `GET Messages/{sid}/Media/{media}`: the bytes, or a redirect to the sender's link. */
export async function getMediaBytes(call: IngressCall, env: Env): Promise<Response> {
  const found = findMedia(call, env);
  if (!found.ok) return refuse(found.refusal);
  const { blob, url, content_type, filename } = found.value.media;
  if (blob === undefined) {
    return new Response(null, { status: 302, headers: { location: new URL(url ?? "").href } });
  }
  try {
    return await sendBlob(env.ctx.blobs, blob.id, {
      headers: call.headers,
      contentType: content_type,
      filename,
      disposition: "inline",
    });
  } catch (error) {
    if (error instanceof ApiError) return refuse(missing(call));
    throw error;
  }
}

function findMedia(
  call: IngressCall,
  env: Env,
): Result<{ event: SmsEvent; index: number; media: SmsMedia }, VendorRefusal> {
  const found = findMessage(call, env);
  if (!found.ok) return found;
  const place = decodeMediaSid(call.params.media ?? "");
  if (place?.eventId !== found.value.id) return failure(missing(call));
  const media = found.value.payload.media?.[place.index];
  if (media === undefined) return failure(missing(call));
  return success({ event: found.value, index: place.index, media });
}

/** Returns the message that the path names: of this account, and not deleted. */
function findMessage(call: IngressCall, env: Env): Result<SmsEvent, VendorRefusal> {
  const { account = "", sid = "" } = call.params;
  const eventId = decodeMessageSid(sid);
  const event = eventId === undefined ? undefined : env.ctx.events.get(eventId);
  if (event?.plugin !== env.ctx.plugin || event.provider !== PROVIDER) {
    return failure(missing(call));
  }
  const found = event as SmsEvent;
  if (messageSid(found) !== sid || accountOf(found) !== account) return failure(missing(call));
  if (env.store.change(found.id)?.deleted) return failure(missing(call));
  return success(found);
}

function missing(call: IngressCall): VendorRefusal {
  return notFound(call.path);
}
