/** What the catalog refuses, and why. */
import { S3Error } from "../errors.ts";
import type { Bucket } from "./bucket.ts";

/** For a bucket that is not there, or not there any more. */
export function goneBucket(name: string): never {
  throw new S3Error("NoSuchBucket", `Cannot find bucket "${name}": create it first`);
}

/** For a bucket that may not be deleted. */
export function notEmpty({ name, size, versionCount }: Bucket): never {
  const what = size > 0 ? `${size} objects` : `${versionCount} versions; delete each by its id`;
  throw new S3Error("BucketNotEmpty", `Cannot delete bucket "${name}": it holds ${what}`);
}

/** For one more than a limit allows. */
export function full(what: string, option: string): never {
  throw new S3Error(
    "ServiceUnavailable",
    `Cannot keep more ${what}: delete some, or raise ${option} under [plugins.s3.providers.http]`,
  );
}
