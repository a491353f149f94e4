/** The call that sends: https://developers.brevo.com/reference/sendtransacemail */
import { compact } from "../../../core/compact.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { captureMail, type MailDraft, type StoredAttachments } from "../capture.ts";
import { parseJinja } from "../jinja.ts";
import { type Node, TemplateError } from "../template.ts";
import { type TemplateNotes, TemplateUse } from "../template_use.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { keyOf } from "./account.ts";
import { encodeMessageId } from "./ids.ts";
import type { Env } from "./options.ts";
import { answer, REFUSALS, refuse, type VendorRefusal, vendorRefusal } from "./reply.ts";
import { readSend, type SendRequest, type Version } from "./request.ts";
import type { Template } from "./store.ts";

/** Contacts, and links such as `{{ unsubscribe }}`, which only the vendor knows. */
const OWN = /^(?!params\.)/;

/** A message to capture. */
interface Outgoing {
  readonly draft: MailDraft;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** `POST /v3/smtp/email` */
export async function sendEmail(call: IngressCall, env: Env): Promise<Response> {
  const request = readSend(call);
  if (!request.ok) return refuse(request.refusal);
  const outgoing = toOutgoing(request.value, { call, env });
  if (!outgoing.ok) return refuse(outgoing.refusal);
  const at = env.ctx.now();
  const stored: StoredAttachments = new Map();
  const ids: string[] = [];
  const { isBatch, meta: about, versions } = request.value;
  const isWritten = isBatch || versions[0]?.templateId !== undefined ||
    versions[0]?.params !== undefined;
  const written = new WrittenMessages(env);
  const slice = new TimeSlice();
  for (const write of outgoing.value) {
    const { draft, meta } = write();
    if (slice.over) await slice.yieldToEventLoop();
    try {
      if (isWritten) await written.add(draft);
      const event = await captureMail(env, draft, {
        raw: isWritten ? rawOfWritten(call.raw) : call.raw,
        whenFull: "reject",
        stored,
        meta,
        metaFromId: (id) => ({ message_id: encodeMessageId(id, at) }),
      });
      ids.push(encodeMessageId(event.id, at));
    } catch (error) {
      if (error instanceof StoreFullError) {
        return refuse(vendorRefusal(413, "bad_request", error.message));
      }
      throw error;
    }
  }
  const status = about.scheduled_at === undefined ? 201 : 202;
  return answer(isBatch ? { messageIds: ids } : { messageId: ids[0] }, status);
}

/** Yields the messages of a call, one at a time; none for a refused call. */
export function* draftsOf(call: IngressCall, env: Env): Iterable<MailDraft> {
  const request = readSend(call);
  const outgoing = request.ok ? toOutgoing(request.value, { call, env }) : request;
  if (outgoing.ok) { for (const write of outgoing.value) yield write().draft; }
}

function toOutgoing(
  { versions, isBatch, meta }: SendRequest,
  { call, env }: { call: IngressCall; env: Env },
): Result<readonly (() => Outgoing)[], VendorRefusal> {
  const key = keyOf(call);
  const templateOf = (id: number | undefined) =>
    id === undefined ? undefined : env.store.template(key, id);
  const isUnknown = (id: number | undefined) =>
    id !== undefined && templateOf(id)?.isActive !== true;
  if (env.values.templates === "known" && versions.some((one) => isUnknown(one.templateId))) {
    return failure(REFUSALS.unknownTemplate);
  }
  const parse = [latest(parseJinja), latest(parseJinja), latest(parseJinja)] as const;
  // Rendered one at a time: a thousand versions of a long template are much longer than the call.
  return success(versions.map((version, index) => () => {
    const { templateId, params } = version;
    const { draft, failure, notes } = write(version, { template: templateOf(templateId), parse });
    return {
      draft,
      meta: {
        ...compact({ template_id: templateId }),
        ...meta,
        ...compact({ params, rendering_failure: failure }),
        ...notes,
        ...(isBatch && { batch_index: index }),
        ...(key !== "" && { api_key: key }),
      },
    };
  }));
}

type Parse = (source: string) => readonly Node[];

/** Keeps the latest result: most versions have the same texts. */
function latest(parse: Parse): Parse {
  let kept: { readonly source: string; readonly nodes: readonly Node[] } | undefined;
  return (source) => {
    if (kept?.source !== source) kept = { source, nodes: parse(source) };
    return kept.nodes;
  };
}

/** Renders a message: the template replaces its content, but not its subject. */
function write(
  { draft, params }: Version,
  { template, parse }: {
    readonly template: Template | undefined;
    readonly parse: readonly [subject: Parse, text: Parse, html: Parse];
  },
): { draft: MailDraft; failure?: string; notes?: TemplateNotes } {
  const { reply_to } = draft;
  const whole = {
    ...draft,
    from: draft.from ?? template?.sender ?? { email: "" },
    reply_to: reply_to.length > 0 || template?.replyTo === undefined
      ? reply_to
      : [template.replyTo],
    ...(template !== undefined && {
      subject: draft.subject || template.subject,
      html: template.html,
      text: "",
    }),
  };
  if (template === undefined && params === undefined) return { draft: whole };
  const model = { params: params ?? {}, contact: { EMAIL: draft.to[0]?.email ?? "" } };
  const use = new TemplateUse(OWN);
  const put = (source: string, at: 0 | 1 | 2) => use.render(parse[at](source), model);
  try {
    const [subject, text, html] = [put(whole.subject, 0), put(whole.text, 1), put(whole.html, 2)];
    return {
      draft: { ...whole, subject, text, html },
      notes: use.notes(params, "params"),
    };
  } catch (error) {
    // The vendor accepts the message nevertheless.
    if (error instanceof TemplateError) return { draft: whole, failure: error.message };
    throw error;
  }
}
