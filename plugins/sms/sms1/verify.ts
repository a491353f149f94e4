/**
 * Verify, version 2: https://www.twilio.com/docs/verify/api/verification and
 * https://www.twilio.com/docs/verify/api/verification-check. The message with the code is captured
 * for every channel.
 */
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { FormFields } from "../../../core/codec/form.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { captureSms } from "../capture.ts";
import { accountOfCall } from "./account.ts";
import type { Env } from "./options.ts";
import { answer, notFound, refuse, type VendorRefusal } from "./reply.ts";
import { readFields } from "./request.ts";
import { findService, toInstant } from "./services.ts";
import type { Service, Verification } from "./store.ts";

/** Validity of a code, during which it is not replaced. */
const LIFETIME_MS = 10 * 60_000;
/** https://www.twilio.com/docs/verify/api/rate-limits-and-timeouts */
const MAX_SENDS = 5;
const MAX_CHECKS = 5;
/** Channels for codes; `auto` starts with a text message. */
const CHANNELS = ["sms", "call", "email", "whatsapp", "rcs", "auto"];

const NUMBER = /^\+[1-9]\d{6,14}$/;
const ADDRESS = /^[^\s@]{1,128}@[^\s@]{1,190}$/;
const CODE = /^[0-9a-zA-Z]{4,10}$/;

/** https://www.twilio.com/docs/api/errors/60200 */
function invalid(name: string, value = ""): VendorRefusal {
  const shown = value === "" ? "" : `: ${value.slice(0, 64)}`;
  return { status: 400, code: 60200, message: `Invalid parameter \`${name}\`${shown}` };
}

const REFUSALS = {
  sends: { status: 429, code: 60203, message: "Max send attempts reached" },
  checks: { status: 429, code: 60202, message: "Max check attempts reached" },
} as const satisfies Record<string, VendorRefusal>;

/** Parameters of a new verification. */
interface Start {
  readonly to: string;
  readonly channel: string;
  readonly code: string | undefined;
  readonly name: string | undefined;
}

/** `POST /v2/Services/{service}/Verifications` */
export async function startVerification(call: IngressCall, env: Env): Promise<Response> {
  const service = findService("verify", call, env);
  if (service === undefined) return refuse(notFound(call.path));
  const form = await readFields(call);
  const start = form.ok ? readStart(form.value) : form;
  if (!start.ok) return refuse(start.refusal);
  const { to, channel, code, name } = start.value;
  const now = env.ctx.now();
  const before = pending(env.store.verification(service.sid, to), now);
  if (before !== undefined && before.sent.length >= MAX_SENDS) return refuse(REFUSALS.sends);
  const verification: Verification = {
    ...(before ?? {
      sid: `VE${uuidHex(env)}`,
      service: service.sid,
      account: accountOfCall(call),
      to,
      status: "pending",
      checks: 0,
      created: now,
    }),
    channel,
    code: code ?? before?.code ?? randomCode(Number(service.fields.code_length)),
    sent: [...before?.sent ?? [], { at: now, channel, sid: `VL${uuidHex(env)}` }],
    updated: now,
  };
  // Saved first: an application may read the code and check it before this response arrives.
  env.store.saveVerification(verification);
  await captureCode(call, env, { verification, name: name ?? service.name });
  return answer(toVerification(verification), 201);
}

async function captureCode(
  call: IngressCall,
  env: Env,
  { verification, name }: { verification: Verification; name: string },
): Promise<void> {
  const { to, channel, code, sid, service, account } = verification;
  await captureSms(env, {
    to: channel === "whatsapp" ? `whatsapp:${to}` : to,
    messaging_service: service,
    body: `Your ${name} verification code is: ${code}`,
    media: [],
  }, {
    raw: call.raw,
    meta: {
      account_sid: account,
      verification_sid: sid,
      verification_code: code,
      channel,
      ...presentedCredentials(call.headers),
    },
  });
}

/** `GET /v2/Services/{service}/Verifications/{name}`: by its id or by its address */
export function fetchVerification(call: IngressCall, env: Env): Response {
  const found = findVerification(call, env);
  return found === undefined ? refuse(notFound(call.path)) : answer(toVerification(found));
}

/** `POST /v2/Services/{service}/Verifications/{name}`: approves or cancels it */
export async function updateVerification(call: IngressCall, env: Env): Promise<Response> {
  const found = findVerification(call, env);
  if (found === undefined) return refuse(notFound(call.path));
  const form = await readFields(call);
  if (!form.ok) return refuse(form.refusal);
  const status = form.value.first("Status") ?? "";
  if (status !== "approved" && status !== "canceled") return refuse(invalid("Status", status));
  const changed = { ...found, status, updated: env.ctx.now() } as const;
  env.store.saveVerification(changed);
  return answer(toVerification(changed));
}

/** `POST /v2/Services/{service}/VerificationCheck` */
export async function checkVerification(call: IngressCall, env: Env): Promise<Response> {
  const service = findService("verify", call, env);
  if (service === undefined) return refuse(notFound(call.path));
  const form = await readFields(call);
  if (!form.ok) return refuse(form.refusal);
  const to = form.value.first("To")?.trim();
  const name = form.value.first("VerificationSid")?.trim() || to;
  const code = form.value.first("Code")?.trim() ?? "";
  if (!name) return refuse(invalid("To"));
  if (!CODE.test(code)) return refuse(invalid("Code", code));
  const now = env.ctx.now();
  const found = pending(env.store.verification(service.sid, name), now);
  // The vendor drops approved, canceled and expired verifications.
  if (found === undefined) return refuse(notFound(call.path.replace(/^\/+v2/, "")));
  if (found.checks >= MAX_CHECKS) return refuse(REFUSALS.checks);
  const isRight = found.code === code;
  const changed: Verification = {
    ...found,
    ...(isRight ? { status: "approved" } : { checks: found.checks + 1 }),
    updated: now,
  };
  env.store.saveVerification(changed);
  return answer(toCheck(changed), 200);
}

function readStart(form: FormFields): Result<Start, VendorRefusal> {
  const channel = form.first("Channel")?.trim().toLowerCase() ?? "";
  const to = form.first("To")?.trim() ?? "";
  if (!CHANNELS.includes(channel)) return failure(invalid("Channel", channel));
  if (!(channel === "email" ? ADDRESS : NUMBER).test(to)) return failure(invalid("To", to));
  const code = form.first("CustomCode")?.trim() || undefined;
  if (code !== undefined && !CODE.test(code)) return failure(invalid("CustomCode", code));
  const name = form.first("CustomFriendlyName")?.trim().slice(0, 64) || undefined;
  return success({ to, channel: channel === "auto" ? "sms" : channel, code, name });
}

function findVerification(call: IngressCall, env: Env): Verification | undefined {
  const service: Service | undefined = findService("verify", call, env);
  if (service === undefined) return undefined;
  const found = env.store.verification(service.sid, call.params.name ?? "");
  return pending(found, env.ctx.now());
}

/** Returns a pending verification. */
function pending(found: Verification | undefined, now: Date): Verification | undefined {
  const isOver = found?.status !== "pending" ||
    now.getTime() - found.created.getTime() >= LIFETIME_MS;
  return isOver ? undefined : found;
}

function uuidHex({ ctx }: Env): string {
  return ctx.uuid().replaceAll("-", "");
}

/** Returns uniformly distributed digits. */
function randomCode(length: number): string {
  let code = "";
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(16))) {
      if (byte < 250 && code.length < length) code += byte % 10;
    }
  }
  return code;
}

function toCommon(verification: Verification): Record<string, unknown> {
  const { sid, service, account, to, channel, status } = verification;
  return {
    sid,
    service_sid: service,
    account_sid: account,
    to,
    channel,
    status,
    valid: status === "approved",
    date_created: toInstant(verification.created),
    date_updated: toInstant(verification.updated),
    amount: null,
    payee: null,
  };
}

function toVerification(verification: Verification): Record<string, unknown> {
  const { sid, service, sent } = verification;
  return {
    ...toCommon(verification),
    lookup: {},
    send_code_attempts: sent.map(({ at, channel, sid }) => ({
      attempt_sid: sid,
      channel,
      time: toInstant(at),
    })),
    sna: null,
    url: `https://verify.twilio.com/v2/Services/${service}/Verifications/${sid}`,
  };
}

function toCheck(verification: Verification): Record<string, unknown> {
  return { ...toCommon(verification), sna_attempts_error_codes: [] };
}
