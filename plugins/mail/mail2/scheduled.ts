/**
 * Batches of scheduled messages:
 * https://www.twilio.com/docs/sendgrid/api-reference/cancel-scheduled-sends. An event never changes,
 * so messages of a cancelled batch stay. Refusals are as quoted in
 * https://github.com/sendgrid/docs/pull/1276, https://github.com/sendgrid/docs/pull/1285 and
 * https://github.com/sendgrid/sendgrid-nodejs/issues/1245.
 */
import type { JsonFields } from "../../../core/codec/json_fields.ts";
import { vendorJson } from "../../../core/http/reply.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import type { Env } from "./options.ts";
import { refuse } from "./reply.ts";
import { accountOf, answerJson, answerNothing, readObject, saveOrRefuse } from "./resources.ts";
import type { Batch } from "./store.ts";

const STATUSES = ["cancel", "pause"] as const;

const INVALID = "invalid batch id";

/** `POST /v3/mail/batch` */
export function createBatch(call: IngressCall, env: Env): Response {
  const batch_id = btoa(env.ctx.uuid().replaceAll("-", "")).slice(0, 32);
  return saveOrRefuse(() => {
    env.store.saveBatch(accountOf(call), { id: batch_id });
    return answerJson({ batch_id }, 201);
  });
}

/** `GET /v3/mail/batch/{batch_id}` */
export function getBatch(call: IngressCall, env: Env): Response {
  const batch = find(call, env);
  return batch === undefined ? refuseWith(400, INVALID) : answerJson({ batch_id: batch.id });
}

/** `POST /v3/user/scheduled_sends` */
export function stopBatch(call: IngressCall, env: Env): Response {
  const read = readObject(
    call,
    (at) => ({ id: at.text("batch_id") ?? "", status: readStatus(at) }),
  );
  if (!read.ok) return refuse(read.refusal);
  const { id, status } = read.value;
  const batch = env.store.batch(accountOf(call), id);
  if (batch === undefined) return refuseWith(400, INVALID, "batch_id");
  if (batch.status !== undefined) {
    return refuseWith(400, "a status for this batch id exists, try PATCH to update the status");
  }
  return saveOrRefuse(() => {
    env.store.saveBatch(accountOf(call), { id, status });
    return answerJson({ batch_id: id, status }, 201);
  });
}

/** `GET /v3/user/scheduled_sends`: only those with a status. */
export function listStopped(call: IngressCall, env: Env): Response {
  return answerJson(env.store.batches(accountOf(call)).flatMap(toStopped));
}

/** `GET /v3/user/scheduled_sends/{batch_id}` */
export function getStopped(call: IngressCall, env: Env): Response {
  const batch = find(call, env);
  return answerJson(batch === undefined ? [] : toStopped(batch));
}

/** `PATCH /v3/user/scheduled_sends/{batch_id}` */
export function updateStopped(call: IngressCall, env: Env): Response {
  const read = readObject(call, readStatus);
  if (!read.ok) return refuse(read.refusal);
  return change(call, env, read.value);
}

/** `DELETE /v3/user/scheduled_sends/{batch_id}` */
export function resumeBatch(call: IngressCall, env: Env): Response {
  return change(call, env, undefined);
}

function change(call: IngressCall, env: Env, status: Batch["status"]): Response {
  const batch = find(call, env);
  if (batch?.status === undefined) return refuseWith(404, "batch id not found");
  return saveOrRefuse(() => {
    const changed: Batch = status === undefined ? { id: batch.id } : { id: batch.id, status };
    env.store.saveBatch(accountOf(call), changed);
    return answerNothing();
  });
}

function find(call: IngressCall, { store }: Env): Batch | undefined {
  return store.batch(accountOf(call), call.params.batch_id ?? "");
}

function toStopped({ id, status }: Batch) {
  return status === undefined ? [] : [{ batch_id: id, status }];
}

function readStatus(at: JsonFields): "cancel" | "pause" {
  const text = at.text("status");
  const status = STATUSES.find((one) => one === text);
  if (status === undefined) at.report("status", "status must be either cancel or pause");
  return status ?? "cancel";
}

function refuseWith(status: number, message: string, field: string | null = null): Response {
  return vendorJson({ errors: [{ field, message }] }, { status });
}
