/**
 * Broadcasts to the contacts of a segment:
 * https://resend.com/docs/api-reference/broadcasts/create-broadcast
 */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { loadTextOfHtml } from "../../../core/extract/load.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt } from "../../../core/result.ts";
import { captureMail, formatAddress } from "../capture.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import {
  answerList,
  required,
  saveOrRefuse,
  saveOrRetryLater,
  withBody,
  withResource,
} from "./calls.ts";
import { fail, readFields } from "./fields.ts";
import type { Env } from "./options.ts";
import { personalize } from "./rendering.ts";
import { answer, missingField, REFUSALS, refuse, toTimestamp, validationError } from "./reply.ts";
import { readBody, readFrom, readMailboxes, readSchedule } from "./request.ts";
import type { Broadcast, Contact } from "./resources.ts";

/** `POST /broadcasts`: a draft, or with `send` one that is sent. */
export async function createBroadcast(call: IngressCall, env: Env): Promise<Response> {
  const read = readBody(call, (body) =>
    attempt(() => {
      const at = readFields(body);
      const isSent = at.boolean("send") ?? false;
      const schedule = readSchedule(at);
      if (schedule !== undefined && !isSent) {
        fail(validationError("The `scheduled_at` field can only be used when `send` is `true`."));
      }
      const draft = readDraft(at, env, newDraft(env));
      if (draft.segmentId === "") fail(missingField("segment_id"));
      required(at, "from");
      required(at, "subject");
      if (isSent && !hasContent(draft)) fail(REFUSALS.noBody);
      return { draft, isSent, schedule };
    }));
  if (!read.ok) return refuse(read.refusal);
  const { draft, isSent, schedule } = read.value;
  return await saveOrRetryLater(async () => {
    env.store.resources.broadcasts.save(draft);
    if (isSent) await deliver(call, env, { broadcast: draft, schedule });
    return answer({ id: draft.id }, 201);
  });
}

/** `GET /broadcasts` */
export function listBroadcasts(call: IngressCall, env: Env): Response {
  return answerList(call, env.store.resources.broadcasts.list(), toListEntry);
}

/** `GET /broadcasts/{id}` */
export function getBroadcast(call: IngressCall, env: Env): Response {
  return withBroadcast(call, env, (broadcast) => answer(toBroadcast(broadcast)));
}

/** `PATCH /broadcasts/{id}`: only a draft can be changed. */
export function updateBroadcast(call: IngressCall, env: Env): Response {
  return withBroadcast(
    call,
    env,
    (broadcast) =>
      wrongStatus(broadcast, ["draft"]) ?? withBody(call, (at) => {
        const changed = readDraft(at, env, broadcast);
        env.store.resources.broadcasts.save(changed);
        return answer({ object: "broadcast", id: changed.id });
      }),
  );
}

/** `POST /broadcasts/{id}/send` */
export async function sendBroadcast(call: IngressCall, env: Env): Promise<Response> {
  const found = env.store.resources.broadcasts.get(call.params.id ?? "");
  if (found === undefined) return withBroadcast(call, env, () => answer({}));
  const wrong = wrongStatus(found, ["draft"]);
  if (wrong !== undefined) return wrong;
  if (!hasContent(found)) return refuse(REFUSALS.noBody);
  // Clients send no body, or one with the time.
  const schedule = call.body.length === 0
    ? undefined
    : readBody(call, (body) => attempt(() => readSchedule(readFields(body))));
  if (schedule?.ok === false) return refuse(schedule.refusal);
  return await saveOrRetryLater(async () => {
    await deliver(call, env, { broadcast: found, schedule: schedule?.value });
    return answer({ id: found.id });
  });
}

/** `POST /broadcasts/{id}/cancel`: a scheduled one becomes a draft again. Captured emails stay. */
export function cancelBroadcast(call: IngressCall, env: Env): Response {
  return withBroadcast(call, env, (broadcast) => {
    const wrong = wrongStatus(broadcast, ["scheduled"]);
    if (wrong !== undefined) return wrong;
    env.store.resources.broadcasts.save({ ...broadcast, status: "draft", scheduledAt: null });
    return answer({ object: "broadcast", id: broadcast.id });
  });
}

/** `POST /broadcasts/{id}/duplicate`: a draft with the same content. */
export function duplicateBroadcast(call: IngressCall, env: Env): Response {
  return withBroadcast(call, env, (broadcast) => {
    const { id, createdAt, status, scheduledAt, sentAt } = newDraft(env);
    const copy = { ...broadcast, id, createdAt, status, scheduledAt, sentAt };
    env.store.resources.broadcasts.save(copy);
    return answer({ object: "broadcast", id }, 201);
  });
}

/** `DELETE /broadcasts/{id}`: a draft, or one that is scheduled. */
export function deleteBroadcast(call: IngressCall, env: Env): Response {
  return withBroadcast(call, env, (broadcast) => {
    const wrong = wrongStatus(broadcast, ["draft", "scheduled"]);
    if (wrong !== undefined) return wrong;
    env.store.resources.broadcasts.remove(broadcast.id);
    return answer({ object: "broadcast", id: broadcast.id, deleted: true });
  });
}

/**
 * Captures the email for each subscribed contact, at once even if it is scheduled, like a single
 * email.
 */
async function deliver(
  call: IngressCall,
  env: Env,
  { broadcast, schedule }: { broadcast: Broadcast; schedule: string | undefined },
): Promise<void> {
  const { segments, contacts, broadcasts } = env.store.resources;
  const { id, segmentId } = broadcast;
  const isKnown = segments.get(segmentId) !== undefined;
  const members: readonly (Contact | undefined)[] = isKnown
    ? contacts.list().filter((contact) =>
      contact.segments.includes(segmentId) && !contact.unsubscribed
    )
    : [undefined];
  const meta = compact({
    broadcast_id: id,
    broadcast_name: broadcast.name || undefined,
    segment_id: segmentId,
    topic_id: broadcast.topicId ?? undefined,
    preview_text: broadcast.previewText ?? undefined,
    scheduled_at: schedule,
    parse_warnings: isKnown ? undefined : [`the segment "${segmentId}" is not known here`],
    ...presentedCredentials(call.headers),
  });
  const textOf = await loadTextOfHtml();
  const written = new WrittenMessages(env);
  for (const contact of members) {
    const draft = personalize(broadcast, contact, textOf);
    await written.add(draft);
    await captureMail(env, draft, { raw: rawOfWritten(call.raw), meta, whenFull: "reject" });
  }
  broadcasts.save({
    ...broadcast,
    status: schedule === undefined ? "sent" : "scheduled",
    scheduledAt: schedule ?? null,
    sentAt: schedule === undefined ? env.ctx.now() : null,
  });
}

function newDraft({ ctx }: Env): Broadcast {
  return {
    id: ctx.uuid(),
    createdAt: ctx.now(),
    name: "",
    segmentId: "",
    from: { email: "" },
    subject: "",
    replyTo: [],
    previewText: null,
    html: null,
    text: null,
    topicId: null,
    status: "draft",
    scheduledAt: null,
    sentAt: null,
  };
}

/** Merges the members of a body over the existing ones. */
function readDraft(at: JsonFields, env: Env, before: Broadcast): Broadcast {
  const segmentId = at.text("segment_id") || at.text("audience_id") || before.segmentId;
  const { segments } = env.store.resources;
  // Segments created in the vendor's dashboard are unknown here.
  if (segmentId !== "" && segments.list().length > 0 && segments.get(segmentId) === undefined) {
    fail(REFUSALS.unknownSegment);
  }
  const replyTo = readMailboxes(at, "reply_to");
  return {
    ...before,
    segmentId,
    name: at.text("name") ?? before.name,
    from: readFrom(at) ?? before.from,
    subject: at.text("subject") || before.subject,
    replyTo: replyTo.length > 0 ? replyTo : before.replyTo,
    previewText: at.text("preview_text") ?? before.previewText,
    html: at.text("html") ?? before.html,
    text: at.text("text") ?? before.text,
    topicId: at.text("topic_id") ?? before.topicId,
  };
}

function hasContent({ html, text }: Broadcast): boolean {
  return Boolean(html || text);
}

/** Returns the refusal of a call that requires another status. */
function wrongStatus(
  { status }: Broadcast,
  good: readonly Broadcast["status"][],
): Response | undefined {
  if (good.includes(status)) return undefined;
  const needed = good.join(" or ");
  return refuse(
    validationError(`This call needs a broadcast with the status ${needed}; it has ${status}.`),
  );
}

function withBroadcast(
  call: IngressCall,
  env: Env,
  work: (broadcast: Broadcast) => Response,
): Response {
  const from = env.store.resources.broadcasts;
  return withResource(
    call,
    { from, unknown: REFUSALS.unknownBroadcast },
    (broadcast) => saveOrRefuse(() => work(broadcast)),
  );
}

function toListEntry({ id, name, segmentId, status, createdAt, scheduledAt, sentAt }: Broadcast) {
  return {
    id,
    name,
    audience_id: segmentId,
    segment_id: segmentId,
    status,
    created_at: toTimestamp(createdAt),
    scheduled_at: scheduledAt,
    sent_at: sentAt === null ? null : toTimestamp(sentAt),
  };
}

function toBroadcast(broadcast: Broadcast) {
  const { replyTo } = broadcast;
  return {
    object: "broadcast",
    ...toListEntry(broadcast),
    from: formatAddress(broadcast.from),
    subject: broadcast.subject,
    reply_to: replyTo.length === 0 ? null : replyTo.map(formatAddress),
    preview_text: broadcast.previewText,
    html: broadcast.html,
    text: broadcast.text,
    topic_id: broadcast.topicId,
  };
}
