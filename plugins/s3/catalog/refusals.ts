/** Errors of the catalog. */
import { S3Error } from "../errors.ts";
import type { Bucket } from "./bucket.ts";

/** Returns the error for a missing or deleted bucket. */
export function goneBucket(name: string): never {
  throw new S3Error("NoSuchBucket", `Cannot find bucket "${name}": create it first`);
}

/** Returns the error for a bucket that may not be deleted. */
export function notEmpty({ name, size, versionCount }: Bucket): never {
  const what = size > 0 ? `${size} objects` : `${versionCount} versions; delete each by its id`;
  throw new S3Error("BucketNotEmpty", `Cannot delete bucket "${name}": it holds ${what}`);
}

/** Returns the error for exceeding a limit. */
export function full(what: string, option: string): never {
  throw new S3Error(
    "ServiceUnavailable",
    `Cannot keep more ${what}: delete some, or raise ${option} under [plugins.s3.providers.http]`,
  );
}
