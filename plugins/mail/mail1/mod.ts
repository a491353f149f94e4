/**
 * Mailjet Send API v3.1: `POST /v3.1/send`, and the message resource that the links of its answers point to.
 *
 * @module
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeJson } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { CapturedEvent } from "../../../core/events/event.ts";
import { matchesSecret, presentedCredentials, readBasic } from "../../../core/http/auth.ts";
import { defineOptions, optionalText, type Values } from "../../../core/options/spec.ts";
import {
  type Endpoint,
  type IngressCall,
  ingressProvider,
  type ProviderEnv,
  type Refusal,
  type Snippet,
} from "../../../core/plugin.ts";
import { captureMail, type MailState, type StoredAttachments } from "../capture.ts";
import type { MailMessage } from "../model.ts";
import { Fault } from "./fault.ts";
import {
  acceptedEntry,
  entriesReply,
  faultyEntry,
  messageReply,
  plainRefusal,
  type RecipientIds,
  refusal,
  restRefusal,
  SANDBOX_IDS,
} from "./reply.ts";
import { type Entry, readSend, type SendCall } from "./request.ts";

const OPTIONS = defineOptions({
  api_key: optionalText("API key that clients must present; any is accepted without it", {
    secret: true,
  }),
  secret_key: optionalText("Secret key that clients must present; any is accepted without it", {
    secret: true,
  }),
});

type Env = ProviderEnv<typeof OPTIONS, MailState>;

const RESOURCE = "/v3/REST/message";
/** Entries of the vendor's error table that fit what core refuses. */
const REFUSAL_CODES: Partial<Record<Refusal["kind"], string>> = {
  too_large: "mj-0011",
  bad_encoding: "mj-0002",
};

/** The first of the HTTP mail providers. */
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
      handle: (call, env) => send(call, env),
    },
    {
      method: "GET",
      path: `${RESOURCE}/{id}`,
      about: "Look at a message by the MessageID of an answer",
      handle: (call, env) => lookUp(call, env),
    },
  ],
  refuse,
  snippets,
});

async function send(call: IngressCall, env: Env): Promise<Response> {
  const newId = env.ctx.uuid;
  if (!isAdmitted(call, env.values)) return refusal(Fault.unauthorized(), { newId });
  let request: SendCall;
  try {
    request = readSend(decodeJson(call.body, call.headers.get("content-type")));
  } catch (error) {
    if (error instanceof WireError) return refusal(Fault.malformed(), { newId });
    throw error;
  }
  if (request.kind === "refused") return refusal(request.fault, { newId });
  const results: Recorded[] = [];
  const shared: Shared = { call, env, sandbox: request.sandbox, stored: new Map() };
  for (const entry of request.entries) results.push(await record(entry, shared));
  noteFailures(results, shared);
  return entriesReply(results.map((result) => result.body), { newId });
}

interface Shared {
  readonly call: IngressCall;
  readonly env: Env;
  readonly sandbox: boolean;
  readonly stored: StoredAttachments;
}

interface Recorded {
  readonly faults: readonly Fault[];
  readonly body: Readonly<Record<string, unknown>>;
}

async function record(entry: Entry, { call, env, sandbox, stored }: Shared): Promise<Recorded> {
  if (entry.kind === "faulty") return failed(entry.faults, env);
  const { draft } = entry;
  const count = draft.to.length + draft.cc.length + draft.bcc.length;
  const ids = Array.from({ length: count }, () => sandbox ? SANDBOX_IDS : newRecipientIds(env));
  const meta = {
    ...entry.meta,
    ...(sandbox ? {} : {
      message_ids: ids.map(({ id }) => id),
      message_uuids: ids.map(({ uuid }) => uuid),
    }),
    ...presentedCredentials(call.headers),
  };
  try {
    await captureMail(env, draft, { raw: call.raw, meta, whenFull: "reject", stored });
  } catch (error) {
    if (error instanceof StoreFullError) return failed([Fault.storeFull(error.message)], env);
    throw error;
  }
  const href = (id: number) => `${env.ctx.ingressUrl()}${RESOURCE}/${id}`;
  const { to, cc, bcc } = draft;
  return {
    faults: [],
    body: acceptedEntry({ customId: entry.customId, to, cc, bcc, ids, href }),
  };
}

function failed(faults: readonly Fault[], { ctx }: Env): Recorded {
  return { faults, body: faultyEntry(faults, { newId: ctx.uuid }) };
}

/** Core notes calls that made no event at all; of the others, only we know that a part was refused. */
function noteFailures(results: readonly Recorded[], { call, env }: Shared): void {
  const faulty = results.flatMap(({ faults }, index) => faults.length === 0 ? [] : [index]);
  if (faulty.length === 0 || faulty.length === results.length) return;
  const first = faulty[0]!;
  const fault = results[first]!.faults[0]!;
  env.reject({
    peer: call.peer,
    method: call.method,
    path: call.target,
    status: 400,
    reason: `${faulty.length} of ${results.length} messages were refused; ` +
      `the first is Messages[${first}]: ${fault.code} ${fault.message}`,
    headers: call.rawHeaders,
    raw: call.raw.body,
  });
}

function isAdmitted(call: IngressCall, values: Values<typeof OPTIONS>): boolean {
  const { api_key, secret_key } = values;
  const given = readBasic(call.headers.get("authorization"));
  return (api_key === undefined || matchesSecret(given?.username, api_key)) &&
    (secret_key === undefined || matchesSecret(given?.password, secret_key));
}

/** 16 digits, the first a 1: 48 random bits, taken from the UUID. */
function newRecipientIds({ ctx }: Env): RecipientIds {
  const uuid = ctx.uuid();
  return { uuid, id: 10 ** 15 + parseInt(uuid.replaceAll("-", "").slice(0, 12), 16) };
}

function lookUp(call: IngressCall, env: Env): Response {
  if (!isAdmitted(call, env.values)) {
    return restRefusal(401, "API key authentication/authorization failure.");
  }
  const id = Number(call.params.id);
  const indexOf = (event: CapturedEvent): number => {
    const ids = event.meta.message_ids;
    return Array.isArray(ids) ? ids.indexOf(id) : -1;
  };
  const [event] = env.ctx.events.list(
    { plugin: env.ctx.plugin, provider: "mail1", type: "mail.message" },
    { limit: 1, match: (candidate) => indexOf(candidate) >= 0 },
  );
  if (event === undefined) return restRefusal(404, "Object not found");
  const mail = event as CapturedEvent<MailMessage>;
  const index = indexOf(mail);
  const { to = [], cc = [], bcc = [] } = mail.payload;
  const uuids = mail.meta.message_uuids;
  return messageReply(mail, {
    ids: { id, uuid: Array.isArray(uuids) ? String(uuids[index]) : "" },
    address: [...to, ...cc, ...bcc][index]?.email ?? "",
    showAddress: isTrue(call.query.get("ShowContactAlt")),
    showSubject: isTrue(call.query.get("ShowSubject")),
  });
}

function isTrue(value: string | null): boolean {
  return value === "1" || value?.toLowerCase() === "true";
}

function refuse(call: IngressCall, about: Refusal, { ctx }: Env): Response {
  const headers: HeadersInit = about.allow === undefined ? {} : { Allow: about.allow.join(", ") };
  // https://dev.mailjet.com/email/reference/overview/errors/ knows 429 for "later", and no 503.
  const status = about.kind === "busy" ? 429 : about.status;
  if (call.path.startsWith(RESOURCE)) return restRefusal(status, about.message, headers);
  const code = REFUSAL_CODES[about.kind];
  return plainRefusal(status, about.message, {
    newId: ctx.uuid,
    headers,
    ...(code === undefined ? {} : { code }),
  });
}

function snippets(at: Endpoint, values: Values<typeof OPTIONS>): readonly Snippet[] {
  const user = values.api_key === undefined ? "key" : "<api_key>";
  const password = values.secret_key === undefined ? "secret" : "<secret_key>";
  return [
    {
      title: "Send one message with curl",
      lang: "sh",
      code: `curl -sS -u '${user}:${password}' ${at.url}/v3.1/send \\
  -H 'Content-Type: application/json' \\
  -d '{"Messages":[{"From":{"Email":"pilot@example.com"},"To":[{"Email":"passenger@example.com"}],"Subject":"Hello","TextPart":"Hello from curl"}]}'`,
    },
    {
      title: "Point the Node SDK here",
      lang: "js",
      code: `import Mailjet from "node-mailjet";

Mailjet.Request.protocol = "http://";
const mailjet = new Mailjet({
  apiKey: "${user}",
  apiSecret: "${password}",
  config: { host: "${new URL(at.url).host}" },
});
await mailjet.post("send", { version: "v3.1" }).request({
  Messages: [{
    From: { Email: "pilot@example.com" },
    To: [{ Email: "passenger@example.com" }],
    Subject: "Hello",
    TextPart: "Hello from Node",
  }],
});`,
    },
    {
      title: "Point the Python SDK here",
      lang: "python",
      code: `from mailjet_rest import Client

mailjet = Client(auth=("${user}", "${password}"), version="v3.1", api_url="${at.url}/")
mailjet.send.create(data={"Messages": [{
    "From": {"Email": "pilot@example.com"},
    "To": [{"Email": "passenger@example.com"}],
    "Subject": "Hello",
    "TextPart": "Hello from Python",
}]})`,
    },
  ];
}
