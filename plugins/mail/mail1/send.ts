/** Sends over the Send API v3.1 and v3. */
import { readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import { type IngressCall, reasonFor } from "../../../core/plugin.ts";
import { failure } from "../../../core/result.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { captureMail, type StoredAttachments } from "../capture.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { failingEntry } from "./faults.ts";
import type { Env } from "./options.ts";
import { applyTemplate } from "./rendering.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import {
  acceptedEntry,
  answerEntries,
  answerV3,
  type RecipientIds,
  refuse,
  refusedEntry,
  refuseV3,
  RESOURCE,
  SANDBOX_IDS,
  type SentV3,
} from "./reply.ts";
import { type Entry, readSend } from "./request.ts";
import { readSendV3 } from "./request_v3.ts";
import { keyOf } from "./rest.ts";

/** `POST /v3.1/send` */
export async function send(call: IngressCall, env: Env): Promise<Response> {
  const json = readJson(call.body, call.headers.get("content-type"));
  const request = json.ok ? readSend(json.value) : failure(REFUSALS.malformed);
  if (!request.ok) return refuse(request.refusal, { newId: env.ctx.uuid });
  const { sandbox } = request.value;
  const about = { store: env.store, key: keyOf(call) };
  const apply = (entry: Entry): Entry => applyTemplate(entry, about);
  const isFaulty = call.fault !== undefined;
  const entries = isFaulty ? request.value.entries.map(apply) : request.value.entries;
  const results: Recorded[] = [];
  const written = new WrittenMessages(env);
  const shared: Shared = { call, env, sandbox, stored: new Map(), written };
  const failing = failingEntry(call.fault, entries);
  const slice = new TimeSlice();
  for (const entry of entries) {
    if (slice.over) await slice.yieldToEventLoop();
    const isFailing = entry === failing?.entry;
    // Rendered one at a time: the messages of a long template are much longer than the call.
    const result = isFailing && !call.fault?.after
      ? undefined
      : await record(isFaulty ? entry : apply(entry), shared);
    results.push(result === undefined || isFailing ? failed([failing!.refusal], env) : result);
  }
  noteFailures(results, shared);
  const bodies = results.map((result) => result.body);
  return answerEntries(bodies, { newId: env.ctx.uuid, ...(failing && { status: 200 }) });
}

/** `POST /v3/send`: one refused message refuses the call, and the response names each recipient. */
export async function sendV3(call: IngressCall, env: Env): Promise<Response> {
  const json = readJson(call.body, call.headers.get("content-type"));
  const request = json.ok ? readSendV3(json.value) : failure(REFUSALS.malformed);
  if (!request.ok) return refuseV3(request.refusal);
  const about = { store: env.store, key: keyOf(call), overrides: true };
  const apply = (entry: Entry): Entry => applyTemplate(entry, about);
  const failing = failingEntry(call.fault, request.value);
  if (failing !== undefined && !call.fault?.after) return refuseV3(failing.refusal);
  // All are checked before the first is captured, but not held, because those of a long template
  // are much longer than the call.
  for (const entry of request.value) {
    const checked = apply(entry);
    if (!checked.ok) return refuseV3(checked.refusal[0]!);
  }
  const written = new WrittenMessages(env);
  const shared: Shared = { call, env, sandbox: false, stored: new Map(), written };
  const sent: SentV3[] = [];
  for (const entry of request.value) {
    const { refusals, recipients = [] } = await record(apply(entry), shared);
    if (refusals[0] !== undefined) return refuseV3(refusals[0]);
    for (const recipient of recipients) sent.push(recipient);
  }
  return failing === undefined ? answerV3(sent) : refuseV3(failing.refusal);
}

interface Shared {
  readonly call: IngressCall;
  readonly env: Env;
  readonly sandbox: boolean;
  readonly stored: StoredAttachments;
  readonly written: WrittenMessages;
}

interface Recorded {
  readonly refusals: readonly VendorRefusal[];
  readonly body: Readonly<Record<string, unknown>>;
  /** Recipients of an accepted message, with their ids. */
  readonly recipients?: readonly SentV3[];
}

async function record(
  entry: Entry,
  { call, env, sandbox, stored, written }: Shared,
): Promise<Recorded> {
  if (!entry.ok) return failed(entry.refusal, env);
  const { draft, customId } = entry.value;
  const count = draft.to.length + draft.cc.length + draft.bcc.length;
  const ids = Array.from({ length: count }, () => sandbox ? SANDBOX_IDS : newRecipientIds(env));
  const meta = {
    ...entry.value.meta,
    ...(!sandbox && {
      message_ids: ids.map(({ id }) => id),
      message_uuids: ids.map(({ uuid }) => uuid),
    }),
    ...presentedCredentials(call.headers),
  };
  try {
    const isWritten = entry.value.meta.template_id !== undefined;
    if (isWritten) await written.add(draft);
    const raw = isWritten ? rawOfWritten(call.raw) : call.raw;
    await captureMail(env, draft, { raw, meta, whenFull: "reject", stored });
  } catch (error) {
    if (error instanceof StoreFullError) return failed([REFUSALS.storeFull(error.message)], env);
    throw error;
  }
  const href = (id: number) => `${env.ctx.ingressUrl()}${RESOURCE}/${id}`;
  const { to, cc, bcc } = draft;
  return {
    refusals: [],
    body: acceptedEntry({ customId, to, cc, bcc, ids, href }),
    recipients: [...to, ...cc, ...bcc].map(({ email }, at) => ({ email, ...ids[at]! })),
  };
}

function failed(refusals: readonly VendorRefusal[], { ctx }: Env): Recorded {
  return { refusals, body: refusedEntry(refusals, { newId: ctx.uuid }) };
}

/** Core records calls without any event; a partly refused call is recorded here. */
function noteFailures(results: readonly Recorded[], { call, env }: Shared): void {
  const refused = results.flatMap(({ refusals }, index) => refusals.length === 0 ? [] : [index]);
  if (refused.length === 0 || refused.length === results.length) return;
  const first = refused[0]!;
  const refusal = results[first]!.refusals[0]!;
  const { fault } = call;
  // With `after`, everything is captured.
  if (fault?.after) return;
  env.reject({
    peer: call.peer,
    method: call.method,
    path: call.target,
    status: fault === undefined ? 400 : 200,
    reason: fault !== undefined
      ? reasonFor(fault)
      : `${refused.length} of ${results.length} messages were refused; ` +
        `the first is Messages[${first}]: ${refusal.code} ${refusal.message}`,
    headers: call.rawHeaders,
    raw: call.raw.body,
  });
}

/** 16 digits, the first a 1: 48 random bits, taken from the UUID. */
function newRecipientIds({ ctx }: Env): RecipientIds {
  const uuid = ctx.uuid();
  return { uuid, id: 10 ** 15 + parseInt(uuid.replaceAll("-", "").slice(0, 12), 16) };
}
