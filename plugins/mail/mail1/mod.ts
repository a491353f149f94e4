/** Mailjet Send API v3.1: `POST /v3.1/send`, and the message resource that the links of its answers point to. */
import { readJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import { matchesSecret, presentedCredentials, readBasic } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider } from "../../../core/plugin.ts";
import { failure } from "../../../core/result.ts";
import { captureMail, type MailState, type StoredAttachments } from "../capture.ts";
import type { MailMessage } from "../model.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { REFUSALS, toVendorRefusal, type VendorRefusal } from "./refusals.ts";
import {
  acceptedEntry,
  answerEntries,
  answerMessage,
  type RecipientIds,
  refuse,
  refuseAt,
  refusedEntry,
  refuseRest,
  RESOURCE,
  SANDBOX_IDS,
} from "./reply.ts";
import { type Entry, readSend } from "./request.ts";
import { snippets } from "./snippets.ts";

/** The provider that stands in for Mailjet. */
export const mail1 = ingressProvider<MailState, typeof OPTIONS>({
  id: "mail1",
  title: "Mailjet Send API v3.1",
  shortTitle: "Mailjet",
  about: "Takes POST /v3.1/send as Mailjet does; every entry of Messages becomes one message",
  vendorHosts: ["api.mailjet.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/v3.1/send",
      about: "Send up to 50 messages",
      handle: send,
    },
    {
      method: "GET",
      path: `${RESOURCE}/{id}`,
      about: "Look at a message by the MessageID of an answer",
      handle: lookUp,
    },
  ],
  authorize,
  refuse(call, refusal, env) {
    return refuseAt(call.path, toVendorRefusal(refusal), { newId: env.ctx.uuid });
  },
  snippets,
  faults: FAULTS,
});

function authorize(call: IngressCall, env: Env): Response | undefined {
  const { api_key, secret_key } = env.values;
  const given = readBasic(call.headers.get("authorization"));
  const good = (api_key === undefined || matchesSecret(given?.username, api_key)) &&
    (secret_key === undefined || matchesSecret(given?.password, secret_key));
  if (good) return undefined;
  return call.path.startsWith(RESOURCE)
    ? refuseRest(401, "API key authentication/authorization failure.")
    : refuse(REFUSALS.unauthorized, { newId: env.ctx.uuid });
}

async function send(call: IngressCall, env: Env): Promise<Response> {
  const json = readJson(call.body, call.headers.get("content-type"));
  const request = json.ok ? readSend(json.value) : failure(REFUSALS.malformed);
  if (!request.ok) return refuse(request.refusal, { newId: env.ctx.uuid });
  const { sandbox, entries } = request.value;
  const results: Recorded[] = [];
  const shared: Shared = { call, env, sandbox, stored: new Map() };
  for (const entry of entries) results.push(await record(entry, shared));
  noteFailures(results, shared);
  return answerEntries(results.map((result) => result.body), { newId: env.ctx.uuid });
}

interface Shared {
  readonly call: IngressCall;
  readonly env: Env;
  readonly sandbox: boolean;
  readonly stored: StoredAttachments;
}

interface Recorded {
  readonly refusals: readonly VendorRefusal[];
  readonly body: Readonly<Record<string, unknown>>;
}

async function record(entry: Entry, { call, env, sandbox, stored }: Shared): Promise<Recorded> {
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
    await captureMail(env, draft, { raw: call.raw, meta, whenFull: "reject", stored });
  } catch (error) {
    if (error instanceof StoreFullError) return failed([REFUSALS.storeFull(error.message)], env);
    throw error;
  }
  const href = (id: number) => `${env.ctx.ingressUrl()}${RESOURCE}/${id}`;
  const { to, cc, bcc } = draft;
  return { refusals: [], body: acceptedEntry({ customId, to, cc, bcc, ids, href }) };
}

function failed(refusals: readonly VendorRefusal[], { ctx }: Env): Recorded {
  return { refusals, body: refusedEntry(refusals, { newId: ctx.uuid }) };
}

/** Core notes calls without any event; a call that was refused in part is noted here. */
function noteFailures(results: readonly Recorded[], { call, env }: Shared): void {
  const refused = results.flatMap(({ refusals }, index) => refusals.length === 0 ? [] : [index]);
  if (refused.length === 0 || refused.length === results.length) return;
  const first = refused[0]!;
  const refusal = results[first]!.refusals[0]!;
  env.reject({
    peer: call.peer,
    method: call.method,
    path: call.target,
    status: 400,
    reason: `${refused.length} of ${results.length} messages were refused; ` +
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

function lookUp(call: IngressCall, env: Env): Response {
  const id = Number(call.params.id);
  const indexOf = (event: CapturedEvent): number => {
    const ids = event.meta.message_ids;
    return Array.isArray(ids) ? ids.indexOf(id) : -1;
  };
  const [event] = env.ctx.events.list(
    { plugin: env.ctx.plugin, provider: "mail1", type: "mail.message" },
    { limit: 1, match: (candidate) => indexOf(candidate) >= 0 },
  );
  if (event === undefined) return refuseRest(404, "Object not found");
  const mail = event as CapturedEvent<MailMessage>;
  const index = indexOf(mail);
  const { to = [], cc = [], bcc = [] } = mail.payload;
  const uuids = mail.meta.message_uuids;
  return answerMessage(mail, {
    ids: { id, uuid: Array.isArray(uuids) ? String(uuids[index]) : "" },
    address: [...to, ...cc, ...bcc][index]?.email ?? "",
    showAddress: isTrue(call.query.get("ShowContactAlt")),
    showSubject: isTrue(call.query.get("ShowSubject")),
  });
}

function isTrue(value: string | null): boolean {
  return value === "1" || value?.toLowerCase() === "true";
}
