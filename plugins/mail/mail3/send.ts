/** POST /emails and POST /emails/batch, each at most once per idempotency key. */
import { encodeHex } from "@std/encoding/hex";
import { compact } from "../../../core/compact.ts";
import { StoreFullError } from "../../../core/errors.ts";
import { loadTextOfHtml, type TextOfHtml } from "../../../core/extract/load.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import { nameEvents } from "../../../core/http/answer.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { TimeSlice } from "../../../core/time_slice.ts";
import { captureMail } from "../capture.ts";
import { rawOfWritten, WrittenMessages } from "../written.ts";
import { encodeMessageId } from "./ids.ts";
import type { Env } from "./options.ts";
import { applyTemplate } from "./rendering.ts";
import {
  answer,
  REFUSALS,
  refuse,
  validationError,
  type VendorRefusal,
  vendorRefusal,
} from "./reply.ts";
import { type EmailRequest, readBatch, readBody, readEmail, readEntry } from "./request.ts";
import type { KeptAnswer } from "./store.ts";

/** `POST /emails`: https://resend.com/docs/api-reference/emails/send-email */
export function sendEmail(call: IngressCall, env: Env): Promise<Response> {
  return once(call, env, async () => {
    const textOf = await textOfTemplates(env);
    const request = readBody(call, (body) => readOutgoing(readEmail(body), env, textOf));
    if (!request.ok) return request;
    const written = new WrittenMessages(env);
    const id = await capture(call, env, { email: request.value(), written });
    return success({ body: { id: encodeMessageId(id) }, eventIds: [id] });
  });
}

/** `POST /emails/batch`: https://resend.com/docs/api-reference/emails/send-batch-emails */
export function sendBatch(call: IngressCall, env: Env): Promise<Response> {
  return once(call, env, async () => {
    const mode = call.headers.get("x-batch-validation") ?? "strict";
    if (mode !== "strict" && mode !== "permissive") {
      return failure(validationError(
        "The `x-batch-validation` header must be `strict` or `permissive`.",
      ));
    }
    const entries = readBody(call, readBatch);
    if (!entries.ok) return entries;
    const textOf = await textOfTemplates(env);
    const requests: Result<() => EmailRequest, VendorRefusal>[] = [];
    const slice = new TimeSlice();
    for (const entry of entries.value) {
      if (slice.over) await slice.yieldToEventLoop();
      requests.push(readOutgoing(readEntry(entry), env, textOf));
    }
    const errors = requests.flatMap((request, index) =>
      request.ok ? [] : [{ index, message: request.refusal.message, refusal: request.refusal }]
    );
    if (mode === "strict" && errors[0] !== undefined) return failure(errors[0].refusal);
    const eventIds = await captureBatch(call, env, requests);
    if (errors.length > 0) noteFailures(env, errors);
    return success({
      eventIds,
      body: {
        data: eventIds.map((id) => ({ id: encodeMessageId(id) })),
        ...(errors.length > 0 && {
          errors: errors.map(({ index, message }) => ({ index, message })),
        }),
      },
    });
  });
}

/** Only emails of stored templates get their text from the HTML. */
async function textOfTemplates({ store }: Env): Promise<TextOfHtml> {
  return store.resources.templates.list().length === 0 ? () => "" : await loadTextOfHtml();
}

/**
 * Returns a function that renders the template of an email. All emails of a batch are
 * checked before the first is captured, but not held, because those of a long template are much
 * longer than the call.
 */
function readOutgoing(
  request: Result<EmailRequest, VendorRefusal>,
  { store }: Env,
  textOf: TextOfHtml,
): Result<() => EmailRequest, VendorRefusal> {
  if (!request.ok) return request;
  const templates = store.resources.templates.list();
  const write = (): EmailRequest => applyTemplate(request.value, templates, textOf);
  const tried = attempt<EmailRequest, VendorRefusal>(write);
  return tried.ok ? success(write) : tried;
}

/** Runs `work`, or repeats its first response: https://resend.com/docs/dashboard/emails/idempotency-keys */
async function once(
  call: IngressCall,
  env: Env,
  work: () => Promise<Result<KeptAnswer, VendorRefusal>>,
): Promise<Response> {
  const header = call.headers.get("idempotency-key");
  if (header !== null && (header === "" || header.length > 256)) {
    return refuse(REFUSALS.badIdempotencyKey);
  }
  // The vendor keeps keys per account, and an API key identifies one.
  const account = call.headers.get("authorization") ?? "";
  const key = header && await digest(new TextEncoder().encode(`${account}\n${header}`));
  const { store } = env;
  if (key !== null) {
    const verdict = store.claim(key, `${call.path} ${await digest(call.body)}`, env.ctx.now());
    if (verdict.kind === "in_flight") return refuse(REFUSALS.inFlight);
    if (verdict.kind === "other_payload") return refuse(REFUSALS.otherPayload);
    if (verdict.kind === "replay") return replay(verdict.answer, env);
  }
  let done = false;
  try {
    const result = await work();
    if (!result.ok) return refuse(result.refusal);
    // A key is kept only for stored messages.
    await env.settled();
    if (key !== null) store.keep(key, result.value);
    done = true;
    return answer(result.value.body);
  } catch (error) {
    if (error instanceof StoreFullError) {
      return refuse(vendorRefusal(413, "validation_error", error.message));
    }
    throw error;
  } finally {
    if (key !== null && !done) store.forget(key);
  }
}

/** Nothing is captured, so core names no event: the response names the events of the first request. */
function replay({ body, eventIds }: KeptAnswer, env: Env): Response {
  const response = answer(body);
  nameEvents(response.headers, eventIds.map((id) => env.ctx.eventUrl(id)));
  return response;
}

async function digest(bytes: Uint8Array): Promise<string> {
  return encodeHex(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
}

async function captureBatch(
  call: IngressCall,
  env: Env,
  requests: readonly Result<() => EmailRequest, VendorRefusal>[],
): Promise<string[]> {
  const eventIds: string[] = [];
  const written = new WrittenMessages(env);
  const slice = new TimeSlice();
  for (const [index, request] of requests.entries()) {
    if (!request.ok) continue;
    if (slice.over) await slice.yieldToEventLoop();
    try {
      eventIds.push(await capture(call, env, { email: request.value(), index, written }));
    } catch (error) {
      if (!(error instanceof StoreFullError) || eventIds.length === 0) throw error;
      // Events are never removed again, so the error says how far the batch got.
      throw new StoreFullError(
        `Captured ${eventIds.length} of ${requests.length} emails: ${error.message}`,
      );
    }
  }
  return eventIds;
}

async function capture(
  call: IngressCall,
  env: Env,
  { email, index, written }: { email: EmailRequest; index?: number; written: WrittenMessages },
): Promise<string> {
  const key = call.headers.get("idempotency-key");
  const isWritten = email.meta.template !== undefined;
  if (isWritten) await written.add(email.draft);
  const event = await captureMail(env, email.draft, {
    raw: isWritten ? rawOfWritten(call.raw) : call.raw,
    whenFull: "reject",
    meta: {
      ...email.meta,
      ...(key !== null && { idempotency_key: key }),
      ...compact({ batch_index: index }),
      ...presentedCredentials(call.headers),
    },
  });
  return event.id;
}

/** A permissive batch answers 200, which core does not record. */
function noteFailures(
  env: Env,
  errors: readonly { index: number; message: string }[],
): void {
  env.reject({
    status: 200,
    reason: errors.map(({ index, message }) => `Entry ${index}: ${message}`).join(" "),
  });
}
