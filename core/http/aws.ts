/** Shared by the AWS services: their regions, and how clients sign. */
import type { HeaderValues } from "./call.ts";

/** https://docs.aws.amazon.com/general/latest/gr/rande.html */
const REGIONS =
  ("af-south-1 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 " +
    "ap-southeast-3 ap-southeast-5 ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-west-1 " +
    "eu-west-2 eu-west-3 il-central-1 me-central-1 me-south-1 sa-east-1 us-east-1 us-east-2 us-gov-east-1 " +
    "us-gov-west-1 us-west-1 us-west-2").split(" ");

/** Returns the hosts of a service in every region, such as `sns.eu-west-1.amazonaws.com`. */
export function regionalHosts(service: string): readonly string[] {
  return REGIONS.map((region) => `${service}.${region}.amazonaws.com`);
}

/** Scope of a signature. */
export interface SigningScope {
  readonly accessKey: string;
  readonly region: string;
  readonly service: string;
}

const SCOPE = /Credential=([^/,\s]{1,128})\/[^/,\s]*\/([^/,\s]{1,64})\/([^/,\s]{1,64})\//;

/**
 * Reads the scope of a signature, which is not verified; `undefined` for an unsigned request.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signingScope(headers: Pick<HeaderValues, "get">): SigningScope | undefined {
  const scope = SCOPE.exec(headers.get("authorization") ?? "");
  if (scope === null) return undefined;
  return { accessKey: scope[1]!, region: scope[2]!, service: scope[3]! };
}
