/**
 * Signer of a call: the scope of its signature
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 */
import { signingScope } from "../../../core/http/aws.ts";
import type { CallHead } from "../../../core/plugin.ts";

/** Signer of a call. Signatures are not verified. */
export interface Signer {
  /** Empty for a call that is not signed. */
  readonly accessKey: string;
  readonly region: string;
}

/** Of version 3, which some libraries still use. */
const V3 = /AWSAccessKeyId=([^,\s]{1,128})/;

/** Reads the signer of a call. */
export function signerOf({ headers }: Pick<CallHead, "headers">): Signer {
  const scope = signingScope(headers);
  if (scope !== undefined) return { accessKey: scope.accessKey, region: scope.region };
  const v3 = V3.exec(headers.get("x-amzn-authorization") ?? "");
  return { accessKey: v3?.[1] ?? "", region: "us-east-1" };
}

/** Returns whether a call is signed for SES. */
export function isForSes({ headers }: Pick<CallHead, "headers">): boolean {
  return signingScope(headers)?.service === "ses" ||
    headers.has("x-amzn-authorization");
}

/** Key of a signer's stored data. */
export function accountOf(call: Pick<CallHead, "headers">): string {
  const { accessKey, region } = signerOf(call);
  return `${accessKey}/${region}`;
}
