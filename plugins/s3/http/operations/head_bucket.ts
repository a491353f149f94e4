import type { Bucket } from "../../catalog/bucket.ts";
import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";

const DEFAULT_REGION = "us-east-1";

/** Where a bucket is: one without a location constraint is in the first region of S3. */
export function regionOf({ region }: Bucket): string {
  return region === "" ? DEFAULT_REGION : region;
}

/** HeadBucket: `HEAD /bucket`. */
export const headBucket: Operation = ({ catalog, target }) => {
  return empty(200, { "x-amz-bucket-region": regionOf(catalog.bucket(target.bucket)) });
};
