/** Answers a request. */
import { LogWriteError } from "../../../core/errors.ts";
import type { HttpCall } from "../../../core/http/call.ts";
import { textResponse } from "../../../core/http/reply.ts";
import { reasonFor } from "../../../core/plugin.ts";
import { S3Error } from "../errors.ts";
import { admitPage, preflight } from "./cors.ts";
import { answerFault, FaultError, subjectOf } from "./faults.ts";
import { checkFields } from "./fields.ts";
import { isBodiless, refuseBody } from "./no_body.ts";
import { errorReply, finish, toRequestId } from "./reply.ts";
import { bucketOfHost, readRequest, type S3Env } from "./request.ts";
import { findOperation } from "./router.ts";

export async function answer(call: HttpCall, env: S3Env): Promise<Response> {
  const certificate = findCertificate(call, env);
  if (certificate !== undefined) return certificate;
  const requestId = toRequestId(env.ctx.uuid());
  const response = finish(await operate(call, env, requestId), requestId);
  admitPage(response.headers, call, env);
  // The platform sends no "100 Continue" for an empty body; botocore then mistakes the response for one and waits.
  if (call.headers.has("expect") && isEmpty(call)) {
    response.headers.set("connection", "close");
  }
  return response;
}

/** Returns the certificate that verifies SNS messages, and notes the URL at which clients find it. */
function findCertificate(call: HttpCall, env: S3Env): Response | undefined {
  const { state, state: { signer } } = env;
  if (signer === undefined || bucketOfHost(call, env) !== undefined) return undefined;
  state.origin = `${call.tls ? "https" : "http"}://${call.headers.get("host") ?? call.local}`;
  const isRead = call.method === "GET" || call.method === "HEAD";
  if (!isRead || call.path !== signer.path) return undefined;
  const init = { headers: { "content-type": "application/x-pem-file" } };
  return call.method === "HEAD" ? new Response(null, init) : textResponse(signer.certificate, init);
}

function isEmpty({ headers }: HttpCall): boolean {
  const length = headers.get("content-length");
  return length === "0" || (length === null && !headers.has("transfer-encoding"));
}

async function operate(call: HttpCall, env: S3Env, requestId: string): Promise<Response> {
  try {
    await env.state.catalog.current();
    if (call.method === "OPTIONS") return preflight(call, env);
    const request = readRequest(call, env, requestId);
    const [name, run] = findOperation(request);
    const digests = checkFields(request.call.headers, name);
    if (isBodiless(name)) await refuseBody(request, { operation: name, digests });
    const asked = env.fault("capture", () => [subjectOf(request, name)], call);
    const fault = asked === undefined ? undefined : await asked;
    if (fault === undefined) return await run(request);
    if (!fault.after && fault.captures === undefined) {
      env.reject({ reason: reasonFor(fault) });
    }
    return await answerFault(fault, { request, run, stopping: env.ctx.signal });
  } catch (thrown) {
    // The state that instances share cannot be read or changed now.
    const error = thrown instanceof LogWriteError
      ? new S3Error("SlowDown", thrown.message)
      : thrown;
    const about = { method: call.method, resource: call.path, requestId };
    if (error instanceof S3Error) {
      if (!(error instanceof FaultError)) {
        env.reject({ status: error.status, reason: `${error.code}: ${error.message}` });
      }
      return errorReply(error, about);
    }
    env.ctx.log.error("Cannot answer an S3 request", { target: call.target, error });
    return errorReply(new S3Error("InternalError", "Cannot answer: an unexpected error"), about);
  }
}
