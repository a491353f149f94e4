/**
 * One message to many recipients, each with values of their own:
 * https://postmarkapp.com/developer/api/bulk-email
 */
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { StoreFullError } from "../../../core/errors.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import type { MailDraft } from "../capture.ts";
import { WrittenMessages } from "../written.ts";
import { tokenOf } from "./account.ts";
import { readAttachments } from "./content.ts";
import { fail, openFields, readBody } from "./fields.ts";
import type { Env } from "./options.ts";
import { manyFaults, REFUSALS, type VendorRefusal, vendorRefusal, wrongField } from "./refusals.ts";
import { answer, refuse, toBulk, toBulkStatus } from "./reply.ts";
import { type EmailRequest, readEmail } from "./request.ts";
import { fill, record } from "./send.ts";

/** Maximum number of refused messages that a refusal names. */
const MAX_FAULTS = 100;

interface Bulk {
  /** As sent, with placeholders. */
  readonly subject: string;
  /** Returns the message for one member of `Messages`. Throws `Refused`. */
  readonly readings: readonly (() => EmailRequest)[];
}

/** `POST /email/bulk`: one invalid message refuses all of them. */
export async function sendBulk(call: IngressCall, env: Env): Promise<Response> {
  const bulk = readBulk(call, env);
  if (!bulk.ok) return refuse(bulk.refusal);
  const { subject, readings } = bulk.value;
  const about = { id: env.ctx.uuid(), subject, total: readings.length, at: env.ctx.now() };
  try {
    const faults = await check(readings, { call, env });
    if (faults.length > 0) return refuse(manyFaults(faults));
    env.store.saveBulk(tokenOf(call), about);
  } catch (error) {
    if (error instanceof StoreFullError) return refuse(vendorRefusal(300, error.message, 413));
    throw error;
  }
  const shared = { call, env, stored: new Map(), written: new WrittenMessages(env) };
  const slice = new TimeSlice();
  for (const [index, read] of readings.entries()) {
    if (slice.over) await slice.yieldToEventLoop();
    const request = attempt<EmailRequest, VendorRefusal>(read);
    const sent = await record(request, { ...shared, index, bulk: about.id });
    if (!sent.ok) return refuse(sent.refusal);
  }
  return answer(toBulk(about));
}

/** Renders every message without keeping it. Returns the refusals, each once. */
async function check(
  readings: Bulk["readings"],
  { call, env }: { readonly call: IngressCall; readonly env: Env },
): Promise<readonly VendorRefusal[]> {
  const slice = new TimeSlice();
  const written = new WrittenMessages(env);
  const faults = new Map<string, VendorRefusal>();
  for (const read of readings) {
    if (slice.over) await slice.yieldToEventLoop();
    const request = attempt<EmailRequest, VendorRefusal>(read);
    const filled = request.ok ? fill(request.value, { call, env }) : request;
    if (filled.ok) await written.add(filled.value.draft);
    else faults.set(filled.refusal.Message, filled.refusal);
    if (faults.size === MAX_FAULTS) break;
  }
  return [...faults.values()];
}

/** `GET /email/bulk/{id}` */
export function getBulk(call: IngressCall, { store }: Env): Response {
  const bulk = store.bulk(tokenOf(call), (call.params.id ?? "").toLowerCase());
  return bulk === undefined ? refuse(REFUSALS.unknownMessage) : answer(toBulkStatus(bulk));
}

/** Yields the valid messages of a call, one at a time. */
export function* bulkDraftsOf(call: IngressCall, env: Env): Iterable<MailDraft> {
  const bulk = readBulk(call, env);
  for (const read of bulk.ok ? bulk.value.readings : []) {
    const request = attempt<EmailRequest, VendorRefusal>(read);
    const filled = request.ok ? fill(request.value, { call, env }) : request;
    if (filled.ok) yield filled.value.draft;
  }
}

/** Reads a call; its messages are still unread, because there may be many. */
function readBulk(
  call: Pick<IngressCall, "body" | "headers">,
  { values: { streams } }: Pick<Env, "values">,
): Result<Bulk, VendorRefusal> {
  const read = readBody(call, (body) => {
    const at = openFields(body);
    const messages = at.array("Messages") ?? [];
    if (messages.length === 0) fail(REFUSALS.noRecipients);
    const { Attachments: _, Messages: __, ...common } = body as JsonObject;
    return { common, messages, attachments: readAttachments(at) };
  });
  if (!read.ok) return failure(read.refusal);
  const { common, messages, attachments } = read.value;
  const templated = [common.TemplateId, common.TemplateAlias].some((one) => one ?? false);
  const readings = messages.map((message) => () => {
    const { own, model } = split(message);
    const request = readEmail(merge(common, own, model), { templated, streams });
    // Decoded and stored once for all of them.
    const draft = { ...request.draft, attachments };
    return { ...request, draft, ...(!templated && { inline: model }) };
  });
  return success({ subject: typeof common.Subject === "string" ? common.Subject : "", readings });
}

function split(message: unknown): { readonly own: JsonObject; readonly model: JsonObject } {
  if (!isJsonObject(message)) fail(wrongField("Messages"));
  const { To, Cc, Bcc, Metadata, Headers, TemplateModel } = message;
  const model = TemplateModel ?? {};
  if (!isJsonObject(model)) fail(wrongField("TemplateModel"));
  return { own: { To, Cc, Bcc, Metadata, Headers }, model };
}

/** Metadata and header fields of a recipient are added to those of the call, and replace them. */
function merge(common: JsonObject, own: JsonObject, TemplateModel: JsonObject): JsonObject {
  const [headers, more] = [common.Headers, own.Headers];
  const [metadata, extra] = [common.Metadata, own.Metadata];
  return {
    MessageStream: "broadcast",
    ...common,
    ...own,
    TemplateModel,
    Headers: Array.isArray(headers) && Array.isArray(more)
      ? [...headers.filter((one) => !more.some((other) => isSameName(one, other))), ...more]
      : more ?? headers,
    Metadata: isJsonObject(metadata) && isJsonObject(extra)
      ? { ...metadata, ...extra }
      : extra ?? metadata,
  };
}

function isSameName(one: unknown, other: unknown): boolean {
  const [name, own] = [one, other].map((header) =>
    isJsonObject(header) ? String(header.Name).toLowerCase() : ""
  );
  return name === own;
}
