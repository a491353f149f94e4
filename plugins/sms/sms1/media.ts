/** The media of a message: list, description, bytes. */
import { ApiError } from "../../../core/errors.ts";
import { sendBlob } from "../../../core/http/range.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { SmsMedia } from "../model.ts";
import type { SmsEvent } from "../views.ts";
import { answer, findMessage, missing, refusal, type Sms1Env } from "./env.ts";
import type { Read } from "./fault.ts";
import { cutPage, readPage, toPage } from "./paging.ts";
import { accountOf, accountPath, messageSid, toMedia } from "./reply.ts";
import { decodeMediaSid, encodeMediaSid } from "./sids.ts";

/** `GET Messages/{sid}/Media.json` */
export function listMedia(call: IngressCall, env: Sms1Env): Response {
  const found = findMessage(call, env);
  if (!found.ok) return refusal(found.fault);
  const page = readPage(call.query);
  if (!page.ok) return refusal(page.fault);
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
export function fetchMedia(call: IngressCall, env: Sms1Env): Response {
  const found = findMedia(call, env);
  if (!found.ok) return refusal(found.fault);
  return answer(toMedia(found.value.event, found.value.index));
}

/** `GET Messages/{sid}/Media/{media}`: the bytes, or the way to the sender's link, which is not followed here. */
export async function getMediaBytes(call: IngressCall, env: Sms1Env): Promise<Response> {
  const found = findMedia(call, env);
  if (!found.ok) return refusal(found.fault);
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
    if (error instanceof ApiError) return refusal(missing(call).fault);
    throw error;
  }
}

interface FoundMedia {
  readonly event: SmsEvent;
  readonly index: number;
  readonly media: SmsMedia;
}

function findMedia(call: IngressCall, env: Sms1Env): Read<FoundMedia> {
  const found = findMessage(call, env);
  if (!found.ok) return found;
  const place = decodeMediaSid(call.params.media ?? "");
  if (place?.eventId !== found.value.id) return missing(call);
  const media = found.value.payload.media?.[place.index];
  if (media === undefined) return missing(call);
  return { ok: true, value: { event: found.value, index: place.index, media } };
}
