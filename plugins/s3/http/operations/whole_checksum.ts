/** The checksum of an object that came in parts: which one it gets, and what its sender states of it. */
import type { HeaderValues } from "../../../../core/http/call.ts";
import type { Algorithm, ChecksumType } from "../../catalog/model.ts";
import type { UploadStart } from "../../catalog/upload.ts";
import { S3Error } from "../../errors.ts";
import { algorithmsOf, isChecksum, readChecksums } from "../checksums.ts";
import { readType } from "./create_upload.ts";

/** How the checksum is made; without an algorithm none is. */
export interface ChecksumPlan {
  readonly algorithm: Algorithm | undefined;
  readonly type: ChecksumType;
  /** As its sender has it; of a composite one with or without `-<parts>` behind it. */
  readonly stated: string | undefined;
}

/** What S3 makes of an upload that names no algorithm (Amazon S3 user guide, "Checking object integrity"). */
const DEFAULT: Algorithm = "crc64nvme";

/**
 * Reads what a completion states of the whole. Throws `BadDigest` for a value that can be none, and for another type
 * than the upload began with; `InvalidRequest` for another algorithm.
 */
export function planChecksum(headers: HeaderValues, start: UploadStart): ChecksumPlan {
  const checksums = readChecksums(headers);
  const named = algorithmsOf(checksums);
  const algorithm = start.algorithm ?? named.find((name) => name === DEFAULT);
  const other = named.find((name) => name !== algorithm);
  if (other !== undefined) {
    throw new S3Error(
      "InvalidRequest",
      `Cannot complete with a ${other} checksum: the upload began with ${
        start.algorithm ?? "no algorithm"
      }`,
    );
  }
  const type = start.checksumType ?? "FULL_OBJECT";
  checkType(headers, type);
  const stated = algorithm === undefined ? undefined : checksums[algorithm];
  if (algorithm !== undefined && stated !== undefined) checkForm(algorithm, stated, type);
  return { algorithm, type, stated };
}

function checkType(headers: HeaderValues, type: ChecksumType): void {
  const stated = readType(headers.get("x-amz-checksum-type"));
  if (stated === undefined || stated === type) return;
  throw new S3Error(
    "BadDigest",
    `Cannot complete with a ${stated} checksum: that of the upload is ${type}`,
  );
}

function checkForm(algorithm: Algorithm, stated: string, type: ChecksumType): void {
  const digest = type === "COMPOSITE" ? stated.replace(/-[1-9]\d*$/, "") : stated;
  if (isChecksum(algorithm, digest)) return;
  throw new S3Error(
    "BadDigest",
    `Cannot read ${algorithm} checksum "${stated}": it is no ${type} checksum`,
  );
}

/** Throws `BadDigest` for another value than that of the bytes, or another number of parts. */
export function checkStated({ algorithm, stated }: ChecksumPlan, actual: string): void {
  if (stated === undefined || stated === actual || stated === actual.replace(/-\d+$/, "")) return;
  throw new S3Error(
    "BadDigest",
    `Cannot complete: the ${algorithm} checksum is "${actual}", not "${stated}"`,
  );
}
