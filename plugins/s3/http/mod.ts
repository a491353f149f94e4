/** http: the Amazon S3 REST API, path style. */
import { ConfigError } from "../../../core/errors.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { httpProvider, type RefusedHead } from "../../../core/plugin.ts";
import type { S3State } from "../capture.ts";
import { isBucketName } from "../codec/names.ts";
import { type S3Code, S3Error } from "../errors.ts";
import { admitsPage } from "./cors.ts";
import { FAULTS } from "./faults.ts";
import { isTopic } from "./notification_targets.ts";
import { OPTIONS } from "./options.ts";
import { errorReply, finish, toRequestId } from "./reply.ts";
import { snippets } from "./snippets.ts";

const answer = onDemand(() => import("./serve.ts"))("answer");

/** The object store on its port. */
export const http = httpProvider<S3State, typeof OPTIONS>({
  id: "http",
  title: "Amazon S3",
  shortTitle: "S3",
  aliases: ["amazon-s3"],
  about: "An object store with the S3 REST API; URLs are path-style unless a domain is set",
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
    return { handle: async (call, env) => await answer(call, env) };
  },
});

function checkName(name: string, maxBytes: number): void {
  if (isBucketName(name, maxBytes)) return;
  throw new ConfigError(
    `Cannot create bucket "${name}" of [plugins.s3.providers.http] buckets: expected 3 to ` +
      `${maxBytes} of a-z, 0-9, . and -, a letter or digit at both ends, and no IP address`,
  );
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
