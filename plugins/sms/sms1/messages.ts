/** The message operations: create, list, fetch, update, delete, feedback; and the account they belong to. */
import { StoreFullError } from "../../../core/errors.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureSms } from "../capture.ts";
import type { SmsEvent } from "../views.ts";
import {
  addChange,
  answer,
  changeOf,
  findMessage,
  PROVIDER,
  readFields,
  refusal,
  type Sms1Env,
} from "./env.ts";
import { badParameter, FAULTS } from "./fault.ts";
import { readFilter } from "./filter.ts";
import { cutPage, readPage, toPage } from "./paging.ts";
import { accountOf, accountPath, messageSid, toAccount, toFeedback, toMessage } from "./reply.ts";
import { readCreate, readUpdate } from "./request.ts";
import { decodeMessageSid, encodeMessageSid } from "./sids.ts";

/** `POST Messages.json` */
export async function createMessage(call: IngressCall, env: Sms1Env): Promise<Response> {
  const form = await readFields(call);
  const request = form.ok ? readCreate(form.value) : form;
  if (!request.ok) return refusal(request.fault);
  const { draft, meta } = request.value;
  try {
    const event = await captureSms(env, draft, {
      raw: call.raw,
      meta: {
        ...meta,
        account_sid: call.params.account ?? "",
        ...presentedCredentials(call.headers),
      },
      metaFromId: (id) => ({ sid: encodeMessageSid(id, draft.media.length > 0) }),
    });
    return answer(toMessage(event, undefined), 201);
  } catch (error) {
    if (error instanceof StoreFullError) return refusal(FAULTS.fullStore);
    throw error;
  }
}

/** `GET Messages.json`, newest first */
export function listMessages(call: IngressCall, env: Sms1Env): Response {
  const page = readPage(call.query);
  if (!page.ok) return refusal(page.fault);
  const filter = readFilter(call.query);
  if (!filter.ok) return refusal(filter.fault);
  const { account = "" } = call.params;
  const { token } = page.value;
  if (token !== undefined && decodeMessageSid(token.sid) === undefined) {
    return refusal(badParameter("PageToken", "expected one from a page's links"));
  }
  const { plugin, events } = env.ctx;
  const all = events.list({ plugin, provider: PROVIDER, type: "sms.message" }, {
    match: (event) =>
      accountOf(event as SmsEvent) === account && !changeOf(env, event.id)?.deleted &&
      filter.value.matches(event as SmsEvent),
  }) as SmsEvent[];
  // Ids sort by time, so that a token still works when its own message is gone.
  const cut = cutPage(all, page.value, (sid, side) => {
    const eventId = decodeMessageSid(sid) ?? "";
    const at = all.findIndex(({ id }) => side === "after" ? id < eventId : id <= eventId);
    return at < 0 ? all.length : at;
  });
  return answer(toPage(cut, {
    key: "messages",
    path: `${accountPath(account)}/Messages.json`,
    kept: filter.value.kept,
    request: page.value,
    toRecord: (event) => toMessage(event, changeOf(env, event.id)),
    toSid: messageSid,
  }));
}

/** `GET Messages/{sid}.json` */
export function fetchMessage(call: IngressCall, env: Sms1Env): Response {
  const found = findMessage(call, env);
  if (!found.ok) return refusal(found.fault);
  return answer(toMessage(found.value, changeOf(env, found.value.id)));
}

/** `POST Messages/{sid}.json`: changes what the vendor surface says from now on. */
export async function updateMessage(call: IngressCall, env: Sms1Env): Promise<Response> {
  const found = findMessage(call, env);
  if (!found.ok) return refusal(found.fault);
  const form = await readFields(call);
  const update = form.ok ? readUpdate(form.value) : form;
  if (!update.ok) return refusal(update.fault);
  const { redacted, canceled } = update.value;
  const change = addChange(env, found.value.id, {
    ...(redacted ? { redacted } : {}),
    ...(canceled ? { canceled } : {}),
  });
  return answer(toMessage(found.value, change));
}

/** `DELETE Messages/{sid}.json`: gone from the vendor surface, still among what was captured. */
export function deleteMessage(call: IngressCall, env: Sms1Env): Response {
  const found = findMessage(call, env);
  if (!found.ok) return refusal(found.fault);
  addChange(env, found.value.id, { deleted: true });
  return answer(undefined, 204);
}

/** `POST Messages/{sid}/Feedback.json` */
export async function giveFeedback(call: IngressCall, env: Sms1Env): Promise<Response> {
  const found = findMessage(call, env);
  if (!found.ok) return refusal(found.fault);
  const form = await readFields(call);
  if (!form.ok) return refusal(form.fault);
  const outcome = form.value.first("Outcome") || "confirmed";
  if (outcome !== "confirmed" && outcome !== "unconfirmed") {
    return refusal(badParameter("Outcome", "expected confirmed or unconfirmed"));
  }
  return answer(toFeedback(found.value, { outcome, now: env.ctx.now() }), 201);
}

/** `GET Accounts/{sid}.json` */
export function fetchAccount(call: IngressCall, env: Sms1Env): Response {
  return answer(toAccount(call.params.account ?? "", env.ctx.now()));
}
