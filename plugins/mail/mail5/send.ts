/** The calls that send: https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages */
import { compact } from "../../../core/compact.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { loadTextOfHtml } from "../../../core/extract/load.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { inSlices, TimeSlice } from "../../../core/time_slice.ts";
import { overlayHeaders } from "../address_list.ts";
import { captureMail, type MailDraft, type StoredAttachments } from "../capture.ts";
import { draftFromMime } from "../from_mime.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { domainOf } from "./account.ts";
import { encodeMessageId } from "./ids.ts";
import type { Env } from "./options.ts";
import { type Copy, toCopies } from "./rendering.ts";
import { answer, REFUSALS, refuse, type VendorRefusal, vendorRefusal } from "./reply.ts";
import { readForm, readMime, readSend, type SendRequest } from "./request.ts";
import { type TemplateVersion, versionOf } from "./store.ts";

/** A message to capture. */
interface Outgoing {
  readonly draft: MailDraft;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Renders a message. Throws `Refused`. */
type Writing = () => Outgoing;

/** `POST /v3/{domain}/messages` */
export async function sendMessage(call: IngressCall, env: Env): Promise<Response> {
  return record(await readCopies(call, env), { call, env });
}

/** `POST /v3/{domain}/messages.mime` */
export async function sendMime(call: IngressCall, env: Env): Promise<Response> {
  return record(await readMessage(call, env), { call, env });
}

/** Yields the messages of a call, one at a time; none for a refused call. */
export async function draftsOf(call: IngressCall, env: Env): Promise<Iterable<MailDraft>> {
  const read = await (call.path.endsWith(".mime") ? readMessage(call, env) : readCopies(call, env));
  return draftsIn(read.ok ? read.value : []);
}

function* draftsIn(messages: readonly Writing[]): Iterable<MailDraft> {
  for (const write of messages) {
    const written = attempt<Outgoing, VendorRefusal>(write);
    if (written.ok) yield written.value.draft;
  }
}

async function readCopies(
  call: IngressCall,
  env: Env,
): Promise<Result<readonly Writing[], VendorRefusal>> {
  const form = await readForm(call);
  const request = form.ok ? readSend(form.value) : form;
  return request.ok ? write(request.value, call, env) : request;
}

async function write(
  request: SendRequest,
  call: IngressCall,
  env: Env,
): Promise<Result<readonly Writing[], VendorRefusal>> {
  const { meta, template, recipientVariables, envelope } = request;
  const version = findVersion(request, call, env);
  if (!version.ok) return version;
  const textOf = template?.text ? await loadTextOfHtml() : undefined;
  const copies = attempt<readonly (() => Copy)[], VendorRefusal>(() =>
    toCopies(request, version.value, textOf)
  );
  if (!copies.ok) return copies;
  const isBatch = recipientVariables !== undefined;
  return success(copies.value.map((write, index) => () => {
    const { draft, variables, notes } = write();
    const recipients = isBatch ? envelope?.slice(index, index + 1) : envelope;
    const about = {
      ...meta,
      ...notes,
      ...compact({ template, rcpt_to: recipients?.map(({ email }) => email) }),
      ...(Object.keys(variables).length > 0 && { variables }),
      ...(isBatch && { batch_index: index }),
    };
    return { draft, meta: about };
  }));
}

/**
 * Returns the version of the template; `undefined` for a template that exists only at the vendor.
 */
function findVersion(
  { template: use }: SendRequest,
  call: IngressCall,
  env: Env,
): Result<TemplateVersion | undefined, VendorRefusal> {
  if (use === undefined) return success(undefined);
  const template = env.store.template(domainOf(call), use.name);
  if (template === undefined) {
    return env.values.templates === "any" ? success(undefined) : failure(REFUSALS.unknownTemplate);
  }
  const version = versionOf(template, use.version);
  return version === undefined ? failure(REFUSALS.unknownVersion) : success(version);
}

/** Recipients are in the header of the message; `to` is the envelope. */
async function readMessage(
  call: IngressCall,
  env: Env,
): Promise<Result<readonly Writing[], VendorRefusal>> {
  const form = await readForm(call);
  const request = form.ok ? readMime(form.value) : form;
  if (!request.ok) return request;
  const { to, message, headers, replyTo, ...options } = request.value;
  const parsed = await inSlices(draftFromMime(message, { mailFrom: "", rcptTo: [] }));
  const draft = {
    ...parsed.draft,
    headers: overlayHeaders(parsed.draft.headers, headers),
    reply_to: replyTo.length > 0 ? replyTo : parsed.draft.reply_to,
  };
  const told = parsed.warnings.length > 0 && { parse_warnings: parsed.warnings };
  const meta = { ...options.meta, mime: true, ...told };
  return write({ ...options, draft, envelope: to, meta }, call, env);
}

async function record(
  outgoing: Result<readonly Writing[], VendorRefusal>,
  { call, env }: { call: IngressCall; env: Env },
): Promise<Response> {
  if (!outgoing.ok) return refuse(outgoing.refusal);
  const domain = domainOf(call);
  const at = env.ctx.now();
  const stored: StoredAttachments = new Map();
  let id: string | undefined;
  const messages = new WrittenMessages(env);
  const slice = new TimeSlice();
  for (const write of outgoing.value) {
    const written = attempt<Outgoing, VendorRefusal>(write);
    if (!written.ok) return refuse(written.refusal);
    if (slice.over) await slice.yieldToEventLoop();
    const { draft, meta } = written.value;
    const isWritten = outgoing.value.length > 1 || meta.template !== undefined;
    const own = ownMessageId(draft);
    const first = (eventId: string) => own ?? encodeMessageId({ eventId, at, domain });
    try {
      if (isWritten) await messages.add(draft);
      const event = await captureMail(env, draft, {
        raw: isWritten ? rawOfWritten(call.raw) : call.raw,
        whenFull: "reject",
        stored,
        meta: {
          ...meta,
          domain,
          ...(id !== undefined && { message_id: id }),
          ...presentedCredentials(call.headers),
        },
        ...(id === undefined && { metaFromId: (id: string) => ({ message_id: first(id) }) }),
      });
      id ??= first(event.id);
    } catch (error) {
      if (error instanceof StoreFullError) return refuse(vendorRefusal(413, error.message));
      throw error;
    }
  }
  return answer({ id: id ?? "", message: "Queued. Thank you." });
}

/** `h:Message-Id`, or that of a raw message. */
function ownMessageId({ headers }: MailDraft): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === "message-id")?.[1];
}
