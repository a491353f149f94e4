/**
 * Requests without a body. S3 has an error for content where it reads none ("This request does not support content"),
 * and verifies the digest in a signature of any request; here the other digests are verified, too.
 *
 * @module
 */
import type { HttpCall } from "../../../core/http/call.ts";
import { S3Error } from "../errors.ts";
import { readText } from "./text_body.ts";
import type { OperationName } from "./operation_name.ts";
import type { S3Request } from "./request.ts";

/** SHA-256 of no bytes, as clients send it with such a request. */
const OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Operations without a body that are not named after such a method. */
const WITHOUT: ReadonlySet<OperationName> = new Set<OperationName>([
  "CopyObject",
  "CreateMultipartUpload",
  "UploadPartCopy",
]);

/**
 * Throws `UnexpectedContent` for the body of an operation that reads none, and the errors of digests for one that is
 * not that of no bytes. `digests` says whether a header field states one besides the signature.
 */
export async function refuseBody(
  request: S3Request,
  { operation, digests }: { readonly operation: OperationName; readonly digests: boolean },
): Promise<void> {
  if (!digests && !hasBody(request.call) && !statesOther(request.call)) return;
  try {
    await readText(request, { maxBytes: 0, code: "UnexpectedContent" });
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    throw new S3Error(error.code, `${error.message}: ${operation} has no body`, error.headers);
  }
}

/** Returns whether an operation reads no body. */
export function isBodiless(operation: OperationName): boolean {
  return WITHOUT.has(operation) ||
    (/^(Get|Head|List|Delete|Abort)/.test(operation) && operation !== "DeleteObjects");
}

function hasBody({ intake, request }: HttpCall): boolean {
  return intake === undefined ? request.body !== null : intake.size !== 0;
}

function statesOther({ headers }: HttpCall): boolean {
  const sha256 = headers.get("x-amz-content-sha256");
  if (sha256?.length === OF_NOTHING.length && sha256.toLowerCase() !== OF_NOTHING) return true;
  return headers.has("x-amz-decoded-content-length");
}
