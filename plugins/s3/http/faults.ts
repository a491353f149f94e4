/** What can go wrong with S3, in the words of its API reference. */
import { CORE_OUTCOMES, toDisturbance } from "../../../core/faults/outcome.ts";
import { untilAborted } from "../../../core/faults/pause.ts";
import type { HttpCall } from "../../../core/http/call.ts";
import type { Fault, FaultOutcome, FaultSubject, ProviderFaults } from "../../../core/plugin.ts";
import { type S3Code, S3Error } from "../errors.ts";
import type { OperationName } from "./operation_name.ts";
import type { S3Request } from "./request.ts";

/** An outcome that is an error answer. */
interface ErrorOutcome extends FaultOutcome {
  readonly code: S3Code;
  readonly message: string;
}

function outcome(id: string, code: S3Code, message: string): ErrorOutcome {
  return {
    id,
    about: `${code}: ${message}`,
    source: "https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html",
    code,
    message,
  };
}

/** Outcomes of every operation. */
export const FAULTS: ProviderFaults<ErrorOutcome> = {
  phases: {
    operation: "Any operation, before its body is read: payload has operation, bucket and key",
  },
  outcomes: [
    outcome("slow_down", "SlowDown", "Please reduce your request rate."),
    outcome(
      "internal_error",
      "InternalError",
      "We encountered an internal error. Please try again.",
    ),
    outcome("unavailable", "ServiceUnavailable", "Service is unable to handle request."),
    outcome(
      "request_timeout",
      "RequestTimeout",
      "Your socket connection to the server was not read from or written to within the timeout period.",
    ),
    outcome("access_denied", "AccessDenied", "Access Denied"),
  ],
};

/** The error of a fault, which has a record of its own. */
export class FaultError extends S3Error {
  override name = "FaultError";
}

/** What rules are held against. */
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

/** Answers as a fault wants it; throws `FaultError` for the vendor's errors. */
export async function answerFault(
  fault: Fault,
  { call, run, stopping }: {
    call: HttpCall;
    run: () => Response | Promise<Response>;
    stopping: AbortSignal;
  },
): Promise<Response> {
  if (fault.captures === true) {
    const response = await run();
    response.headers.set("connection", "close");
    call.disturb(toDisturbance(fault));
    return response;
  }
  if (fault.after) await (await run()).body?.cancel();
  const own = FAULTS.outcomes.find(({ id }) => id === fault.outcome);
  if (own !== undefined) throw new FaultError(own.code, own.message);
  const isHanging = fault.outcome === CORE_OUTCOMES.hang.id;
  if (isHanging) await untilAborted(AbortSignal.any([call.gone, stopping]));
  call.disturb(toDisturbance(fault));
  await untilAborted(call.gone);
  // Nobody is left to take it.
  return new Response(null, { status: 503 });
}
