/** The calls that send: https://postmarkapp.com/developer/api/email-api */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { captureMail, type MailDraft, type StoredAttachments } from "../capture.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { tokenOf } from "./account.ts";
import { readBody } from "./fields.ts";
import type { Env } from "./options.ts";
import { REFUSALS, type VendorRefusal, vendorRefusal } from "./refusals.ts";
import { renderTemplate } from "./rendering.ts";
import { answer, refuse, toRefused, toSent } from "./reply.ts";
import {
  type EmailRequest,
  readBatch,
  readEmail,
  readTemplatedBatch,
  type TemplateUse,
} from "./request.ts";
import type { Store, Template } from "./store.ts";

/** Largest request with one message. */
const MAX_SINGLE_BYTES = 10 * 1024 * 1024;
/** Token of test requests, which are checked but not sent. */
const TEST_TOKEN = "POSTMARK_API_TEST";

/** `POST /email` and `POST /email/withTemplate`. */
export async function sendEmail(call: IngressCall, env: Env): Promise<Response> {
  const requests = readEmails(call, env);
  if (!requests.ok) return refuse(requests.refusal);
  const [request] = requests.value;
  const sent = await record(request!, {
    call,
    env,
    stored: new Map(),
    written: new WrittenMessages(env),
  });
  return sent.ok ? answer(sent.value) : refuse(sent.refusal);
}

/**
 * `POST /email/batch` and `POST /email/batchWithTemplates`: each message is accepted or refused
 * independently.
 */
export async function sendBatch(call: IngressCall, env: Env): Promise<Response> {
  const requests = readEmails(call, env);
  if (!requests.ok) return refuse(requests.refusal);
  const entries: unknown[] = [];
  const faults: string[] = [];
  const stored: StoredAttachments = new Map();
  const written = new WrittenMessages(env);
  const slice = new TimeSlice();
  for (const [index, request] of requests.value.entries()) {
    if (slice.over) await slice.yieldToEventLoop();
    const sent = await record(request, { call, env, stored, written, index });
    entries.push(sent.ok ? sent.value : toRefused(sent.refusal));
    if (!sent.ok) {
      faults.push(`Entry ${index}: ${sent.refusal.ErrorCode} ${sent.refusal.Message}`);
    }
  }
  // The response is 200, which core does not record.
  if (faults.length > 0) env.reject({ status: 200, reason: faults.join(" ") });
  return answer(entries);
}

/** Yields the valid messages of a call, one at a time, with rendered templates. */
export function* draftsOf(call: IngressCall, env: Env): Iterable<MailDraft> {
  const requests = readEmails(call, env);
  if (!requests.ok) return;
  for (const request of requests.value) {
    const filled = request.ok ? fill(request.value, { call, env }) : request;
    if (filled.ok) yield filled.value.draft;
  }
}

/**
 * Parses the messages of a call: one, or those of a batch. Templates are not rendered yet, because
 * a batch of a long template is much longer than the call.
 */
export function readEmails(
  call: IngressCall,
  env: Env,
): Result<readonly Result<EmailRequest, VendorRefusal>[], VendorRefusal> {
  const path = call.path.toLowerCase();
  const templated = path.includes("template");
  const read = (body: unknown) =>
    attempt<EmailRequest, VendorRefusal>(() =>
      readEmail(body, { templated, streams: env.values.streams })
    );
  if (path.includes("/batch")) {
    const entries = readBody(call, templated ? readTemplatedBatch : readBatch);
    return entries.ok ? success(entries.value.map(read)) : entries;
  }
  if (call.body.length > MAX_SINGLE_BYTES) return failure(REFUSALS.tooLarge);
  const single = readBody(call, (body) => [read(body)]);
  if (!single.ok) return single;
  const [email] = single.value;
  return email!.ok ? single : email!;
}

/**
 * Renders the template of a message. Templates that exist only at the vendor are unknown here, and
 * left out.
 */
export function fill(
  request: EmailRequest,
  { call, env }: { call: IngressCall; env: Env },
): Result<EmailRequest, VendorRefusal> {
  const { template: use, inline, draft } = request;
  if (inline !== undefined) return render(request, { template: draft, model: inline });
  if (use === undefined) return success(request);
  const token = tokenOf(call);
  const template = findTemplate(env.store, token, use);
  if (template === undefined || template.type === "Layout") {
    if (env.values.templates === "any" && template === undefined) return success(request);
    return failure(use.id === undefined ? REFUSALS.unknownTemplate : REFUSALS.unknownTemplateId);
  }
  const layout = template.layout === null ? undefined : env.store.template(token, template.layout);
  return render(request, { template, layout, model: use.model });
}

function render(
  request: EmailRequest,
  { template, layout, model }: {
    template: Pick<Template, "subject" | "html" | "text">;
    layout?: Template | undefined;
    model: JsonObject;
  },
): Result<EmailRequest, VendorRefusal> {
  const rendered = renderTemplate(template, layout, model);
  if (!rendered.ok) return rendered;
  const { rendered: written, notes } = rendered.value;
  return success({
    ...request,
    draft: { ...request.draft, ...written } satisfies MailDraft,
    meta: { ...request.meta, ...notes },
  });
}

function findTemplate(
  store: Store,
  token: string,
  { id, alias }: TemplateUse,
): Template | undefined {
  return id !== undefined ? store.template(token, id) : store.template(token, alias ?? "");
}

/** Captures a message. */
export async function record(
  request: Result<EmailRequest, VendorRefusal>,
  { call, env, stored, written, index, bulk }: {
    call: IngressCall;
    env: Env;
    stored: StoredAttachments;
    written: WrittenMessages;
    index?: number;
    /** Id of a bulk request. */
    bulk?: string;
  },
): Promise<Result<ReturnType<typeof toSent>, VendorRefusal>> {
  const filled = request.ok ? fill(request.value, { call, env }) : request;
  if (!filled.ok) return filled;
  const { draft, to, meta, template, inline } = filled.value;
  const isWritten = template !== undefined || inline !== undefined;
  const token = tokenOf(call);
  const test = token === TEST_TOKEN;
  try {
    if (isWritten) await written.add(draft);
    const event = await captureMail(env, draft, {
      raw: isWritten ? rawOfWritten(call.raw) : call.raw,
      whenFull: "reject",
      stored,
      meta: {
        ...meta,
        ...compact({
          template,
          template_model: inline,
          bulk_id: bulk,
          batch_index: index,
          test: test || undefined,
        }),
        ...(token !== "" && { server_token: token }),
      },
    });
    return success(toSent({ eventId: event.id, to, at: event.received_at, test }));
  } catch (error) {
    if (error instanceof StoreFullError) return failure(vendorRefusal(300, error.message, 413));
    throw error;
  }
}
