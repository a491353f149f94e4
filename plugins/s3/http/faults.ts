/** Faults of S3, in its own terms. */
import { CORE_OUTCOMES, toDisturbance } from "../../../core/faults/outcome.ts";
import { untilAborted } from "../../../core/faults/pause.ts";
import {
  type Fault,
  type FaultOutcome,
  type FaultSubject,
  type ProviderFaults,
  reasonFor,
} from "../../../core/plugin.ts";
import { type S3Code, S3Error } from "../errors.ts";
import type { OperationName } from "./operation_name.ts";
import type { Operation, S3Env, S3Request } from "./request.ts";

/** An outcome with its error. */
interface ErrorOutcome extends FaultOutcome {
  readonly code: S3Code;
  readonly message: string;
}

const API = "https://docs.aws.amazon.com/AmazonS3/latest/API";

function outcome(
  id: string,
  code: S3Code,
  { message, source = `${API}/ErrorResponses.html` }: { message: string; source?: string },
): ErrorOutcome {
  return { id, about: `${code}: ${message}`, source, code, message };
}

/** Outcomes of every operation. */
export const FAULTS: ProviderFaults<ErrorOutcome> = {
  phases: {
    capture: "Any operation, before its body is read: payload has operation, bucket and key",
  },
  outcomes: [
    outcome("slow_down", "SlowDown", {
      message: "Please reduce your request rate.",
      source:
        "https://aws.amazon.com/premiumsupport/knowledge-center/s3-resolve-503-slowdown-throttling/",
    }),
    outcome("internal_error", "InternalError", {
      message: "We encountered an internal error. Please try again.",
      source: `${API}/API_CompleteMultipartUpload.html`,
    }),
    // No source quotes a response: the page's description of the code.
    outcome("unavailable", "ServiceUnavailable", {
      message: "Service is unable to handle request.",
    }),
    outcome("request_timeout", "RequestTimeout", {
      message:
        "Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed.",
      source: "https://github.com/aws/aws-sdk-go-v2/issues/2657",
    }),
    outcome("access_denied", "AccessDenied", { message: "Access Denied" }),
  ],
};

/** The error of a fault that is already recorded in the journal. */
export class FaultError extends S3Error {
  override name = "FaultError";
}

/** Returns the properties that conditions of rules match. */
export function subjectOf({ call, target }: S3Request, operation: OperationName): FaultSubject {
  const { peer, method, rawHeaders } = call;
  return {
    payload: { operation, bucket: target.bucket, key: target.key },
    raw: {
      transport: "http",
      text: true,
      body: new Uint8Array(),
      peer_addr: peer,
      method,
      path: call.target,
      headers: rawHeaders,
    },
  };
}

/** Runs an operation; its events name the fault, or a record does if there are none. */
async function carryOut(
  fault: Fault,
  request: S3Request,
  run: Operation,
): Promise<Response> {
  const { env } = request;
  let isCaptured = false;
  const capture: S3Env["capture"] = (event) => {
    isCaptured = true;
    return env.capture({ ...event, meta: { ...event.meta, fault: fault.name } });
  };
  const actor = { ...request.actor, capture };
  try {
    return await run({ ...request, env: { ...env, capture }, actor });
  } finally {
    if (!isCaptured) env.reject({ reason: reasonFor(fault) });
  }
}

/** Answers according to the fault; throws `FaultError` for the vendor's errors. */
export async function answerFault(
  fault: Fault,
  { request, run, stopping }: {
    request: S3Request;
    run: Operation;
    stopping: AbortSignal;
  },
): Promise<Response> {
  const { call } = request;
  const runMarked = (): Promise<Response> => carryOut(fault, request, run);
  if (fault.captures === true) {
    const response = await runMarked();
    response.headers.set("connection", "close");
    call.disturb(toDisturbance(fault));
    return response;
  }
  if (fault.after) await (await runMarked()).body?.cancel();
  const own = FAULTS.outcomes.find(({ id }) => id === fault.outcome);
  if (own !== undefined) throw new FaultError(own.code, own.message);
  const isHanging = fault.outcome === CORE_OUTCOMES.hang.id;
  if (isHanging) await untilAborted(AbortSignal.any([call.gone, stopping]));
  call.disturb(toDisturbance(fault));
  await untilAborted(call.gone);
  // The client has disconnected.
  return new Response(null, { status: 503 });
}
