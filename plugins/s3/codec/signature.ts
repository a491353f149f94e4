/**
 * The signer of a request, read but never verified: Signature Version 4 in `Authorization` or the query, Version 2 in
 * either (Amazon S3 API reference, "Authenticating Requests").
 *
 * @module
 */
import { compact } from "../../../core/compact.ts";

/** The claims of a signature about its sender. */
export interface Signer {
  readonly auth: "header" | "presigned" | "none";
  readonly accessKey?: string;
  readonly region?: string;
}

/** Reads the signature of a request. */
export function readSigner(authorization: string | null, query: URLSearchParams): Signer {
  if (authorization !== null) {
    const v4 = /Credential=([^,\s]+)/.exec(authorization)?.[1];
    if (v4 !== undefined) return { auth: "header", ...readScope(v4) };
    const v2 = /^AWS ([^:\s]+):/.exec(authorization)?.[1];
    return { auth: "header", ...compact({ accessKey: v2 }) };
  }
  const scope = query.get("X-Amz-Credential");
  if (scope !== null) return { auth: "presigned", ...readScope(scope) };
  const accessKey = query.get("AWSAccessKeyId");
  return accessKey === null ? { auth: "none" } : { auth: "presigned", accessKey };
}

/** `key/date/region/s3/aws4_request`; the key itself may contain slashes. */
function readScope(scope: string): Pick<Signer, "accessKey" | "region"> {
  const parts = scope.split("/");
  const region = parts.at(-3);
  return {
    accessKey: parts.length > 4 ? parts.slice(0, -4).join("/") : scope,
    ...(parts.length > 4 && region !== undefined && region !== "" ? { region } : {}),
  };
}
