/** http: the Amazon S3 REST API, path style. */
import { ConfigError, LogWriteError } from "../../../core/errors.ts";
import type { HttpCall } from "../../../core/http/call.ts";
import { textResponse } from "../../../core/http/reply.ts";
import { httpProvider, reasonFor, type RefusedHead } from "../../../core/plugin.ts";
import type { S3State } from "../capture.ts";
import { isBucketName } from "../codec/names.ts";
import { type S3Code, S3Error } from "../errors.ts";
import { admitPage, admitsPage, preflight } from "./cors.ts";
import { answerFault, FaultError, FAULTS, subjectOf } from "./faults.ts";
import { checkFields } from "./fields.ts";
import { isBodiless, refuseBody } from "./no_body.ts";
import { isTopic } from "./notification_targets.ts";
import { OPTIONS } from "./options.ts";
import { errorReply, finish } from "./reply.ts";
import { bucketOfHost, readRequest, type S3Env } from "./request.ts";
import { findOperation } from "./router.ts";
import { snippets } from "./snippets.ts";

/** The object store on its port. */
export const http = httpProvider<S3State, typeof OPTIONS>({
  id: "http",
  title: "Amazon S3",
  shortTitle: "S3",
  aliases: ["amazon-s3"],
  about: "An object store that accepts every request of the S3 REST API, path style",
  flagPrefix: "s3",
  options: OPTIONS,
  portOption: "port",
  snippets,
  faults: FAULTS,
  patience: (values) => ({
    headMs: values.read_header_timeout * 1000,
    bodyMs: values.read_timeout * 1000,
    writeMs: values.write_timeout * 1000,
    keepAliveMs: values.idle_timeout * 1000,
    stopMs: values.shutdown_timeout * 1000,
  }),
  maxHeadBytes: (values) => values.max_header_bytes,
  refuseHead,
  admits: admitsPage,
  callbacks: {
    setting: "s3",
    webhook: "Receiver of event notifications for every ARN without its own address",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
  async open(env) {
    const { values, state, state: { catalog } } = env;
    if (env.ctx.callsBack === true && values.notification_targets.some(({ arn }) => isTopic(arn))) {
      const { openSigner } = await import("./sns.ts");
      state.signer = await openSigner(env.ctx);
    }
    state.announce = (event) => env.announce(event);
    catalog.limit({
      maxBuckets: values.max_buckets,
      maxObjects: values.max_objects,
      maxUploads: values.max_active_uploads,
      maxParts: values.max_parts,
    });
    for (const name of values.buckets) checkName(name, values.max_bucket_bytes);
    await catalog.setPermanentBuckets(values.buckets);
    return { handle: answer };
  },
});

function checkName(name: string, maxBytes: number): void {
  if (isBucketName(name, maxBytes)) return;
  throw new ConfigError(
    `Cannot create bucket "${name}" of [plugins.s3.providers.http] buckets: expected 3 to ` +
      `${maxBytes} of a-z, 0-9, . and -, a letter or digit at both ends, and no IP address`,
  );
}

async function answer(call: HttpCall, env: S3Env): Promise<Response> {
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

function toRequestId(uuid: string): string {
  return uuid.replaceAll("-", "").slice(0, 16).toUpperCase();
}

/** The vendor's codes for refusals of core: heads, and a full log. */
const HEAD_CODES: Readonly<Record<number, S3Code>> = {
  403: "AccessForbidden",
  408: "RequestTimeout",
  431: "RequestHeaderSectionTooLarge",
  501: "NotImplemented",
  503: "SlowDown",
};

function refuseHead({ status, reason }: RefusedHead): Response {
  const requestId = toRequestId(crypto.randomUUID());
  // Of the pages that core refuses, allows those named by a bucket or --s3-cors-origins.
  const more = status === 403
    ? ", one of --s3-cors-origins, or one of the bucket's CORS rules"
    : "";
  const error = new S3Error(HEAD_CODES[status] ?? "BadRequest", `${reason}${more}`);
  return finish(errorReply(error, { method: "", resource: "", requestId }), requestId);
}
