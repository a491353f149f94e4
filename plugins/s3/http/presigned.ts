/**
 * Header fields in the query of a presigned URL: signers move `x-amz-*` there, so that a page needs only the URL.
 *
 * @module
 */
import type { HeaderValues, HttpCall } from "../../../core/http/call.ts";
import { S3Error } from "../errors.ts";
import { setText } from "./header_text.ts";

/** Parameters of the signature, which is never verified. */
const SIGNATURE: ReadonlySet<string> = new Set([
  "x-amz-algorithm",
  "x-amz-content-sha256",
  "x-amz-credential",
  "x-amz-date",
  "x-amz-expires",
  "x-amz-region-set",
  "x-amz-s3session-token",
  "x-amz-security-token",
  "x-amz-signature",
  "x-amz-signedheaders",
  "x-amz-user-agent",
]);

/**
 * S3 ignores checksums there (github.com/aws/aws-sdk/issues/480): since 2025 the SDK for JavaScript puts that of an
 * empty body into every URL.
 */
const IGNORED = /^x-amz-(checksum|sdk-checksum)-/;

/** S3 ignores it there (github.com/aws/aws-sdk-go-v2/pull/1017). */
const DROPPED = "x-amz-tagging";

/**
 * Returns the request with the header fields of its query; a field in both is taken from the header. Throws
 * `NotImplemented` for tags, which S3 would ignore, and `InvalidArgument` for invalid field values.
 */
export function withHoisted(call: HttpCall, query: URLSearchParams): HttpCall {
  const hoisted: [string, string][] = [];
  for (const [spelled, value] of query) {
    const name = spelled.toLowerCase();
    if (name.startsWith("x-amz-") && !SIGNATURE.has(name) && !IGNORED.test(name)) {
      hoisted.push([name, value]);
    }
  }
  if (hoisted.length === 0) return call;
  const headers = new Headers();
  for (const [name, value] of hoisted) {
    if (name === DROPPED && !call.headers.has(name)) {
      throw new S3Error(
        "NotImplemented",
        `Cannot accept ${name} in the query: S3 ignores it there; send it as a header field ` +
          "(unhoistableHeaders of the SDK for JavaScript)",
      );
    }
    setText(headers, name, { value, from: name });
  }
  for (const [name, value] of call.headers) headers.set(name, value);
  return withHeaders(call, headers);
}

function withHeaders(call: HttpCall, headers: HeaderValues): HttpCall {
  const { intake, method, target, path, search, rawHeaders, version, tls, gone } = call;
  const { clientCertificate, peer, local } = call;
  return {
    get request() {
      return call.request;
    },
    intake,
    method,
    target,
    path,
    search,
    headers,
    rawHeaders,
    version,
    tls,
    clientCertificate,
    peer,
    local,
    gone,
    disturb: (what) => call.disturb(what),
  };
}
