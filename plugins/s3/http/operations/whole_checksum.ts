/** The checksum of an object in parts: the computed one, and the one its sender states. */
import type { HeaderValues } from "../../../../core/http/call.ts";
import type { Algorithm, ChecksumType } from "../../catalog/model.ts";
import type { UploadStart } from "../../catalog/upload.ts";
import { S3Error } from "../../errors.ts";
import { algorithmsOf, isChecksum, readChecksums } from "../checksums.ts";
import { readType } from "./create_upload.ts";

/** How the checksum is computed; none without an algorithm. */
export interface ChecksumPlan {
  readonly algorithm: Algorithm | undefined;
  readonly type: ChecksumType;
  /** As stated by the sender; a composite one with or without `-<parts>` at the end. */
  readonly stated: string | undefined;
}

/** Default of S3 for an upload without an algorithm (Amazon S3 user guide, "Checking object integrity"). */
const DEFAULT: Algorithm = "crc64nvme";

/**
 * Reads the checksum of the whole from a completion. Throws `BadDigest` for an invalid value and for a type other than
 * the upload's; `InvalidRequest` for another algorithm.
 */
export function planChecksum(
  headers: HeaderValues,
  start: Pick<UploadStart, "algorithm" | "checksumType">,
): ChecksumPlan {
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
    `Cannot read ${algorithm} checksum "${stated}": it is not a ${type} checksum`,
  );
}

/** Throws `BadDigest` if the value, or the number of parts, differs from that of the bytes. */
export function checkStated({ algorithm, stated }: ChecksumPlan, actual: string): void {
  if (stated === undefined || stated === actual || stated === actual.replace(/-\d+$/, "")) return;
  throw new S3Error(
    "BadDigest",
    `Cannot complete: the ${algorithm} checksum is "${actual}", not "${stated}"`,
  );
}
