import type { Algorithm, ChecksumType } from "../../catalog/model.ts";
import { S3Error } from "../../errors.ts";
import { toAlgorithm } from "../checksums.ts";
import { encryptionHeaders } from "../encryption.ts";
import { readAbout } from "../headers.ts";
import { xml } from "../reply.ts";
import { checkKey, type Operation } from "../request.ts";

/** Algorithms with only one type of checksum (Amazon S3 user guide, "Checking object integrity"). */
const ONLY: { readonly [A in Algorithm]?: ChecksumType } = {
  crc64nvme: "FULL_OBJECT",
  sha1: "COMPOSITE",
  sha256: "COMPOSITE",
};

/** CreateMultipartUpload: `POST /bucket/key?uploads`. */
export const createUpload: Operation = async (request) => {
  const { catalog, target, call, env } = request;
  const bucket = catalog.bucket(target.bucket);
  checkKey(target.key, env.values.max_key_bytes);
  const about = readAbout(call.headers, { ...request, bucket });
  const named = call.headers.get("x-amz-checksum-algorithm");
  const algorithm = named === null ? undefined : toAlgorithm(named);
  const stated = readType(call.headers.get("x-amz-checksum-type"));
  const type = stated ?? (algorithm === "crc64nvme" ? "FULL_OBJECT" : "COMPOSITE");
  if (algorithm === undefined && stated !== undefined) {
    throw new S3Error(
      "InvalidRequest",
      `Cannot compute a ${stated} checksum: x-amz-checksum-type needs x-amz-checksum-algorithm`,
    );
  }
  if (algorithm !== undefined && ONLY[algorithm] !== undefined && ONLY[algorithm] !== type) {
    throw new S3Error("InvalidRequest", `Cannot compute a ${type} checksum with ${algorithm}`);
  }
  const upload = await catalog.uploads.create({
    ...about,
    bucket: bucket.name,
    key: target.key,
    ...(algorithm === undefined ? {} : { algorithm, checksumType: type }),
  });
  const headers: Record<string, string> = {
    ...encryptionHeaders(about.encryption, { isNew: true }),
    ...(algorithm === undefined
      ? {}
      : { "x-amz-checksum-algorithm": algorithm.toUpperCase(), "x-amz-checksum-type": type }),
  };
  return xml("InitiateMultipartUploadResult", [
    ["Bucket", bucket.name],
    ["Key", target.key],
    ["UploadId", upload.id],
  ], headers);
};

/** Returns the checksum type of a request. Throws `InvalidArgument`. */
export function readType(text: string | null): ChecksumType | undefined {
  if (text === null || text === "") return undefined;
  const type = text.toUpperCase();
  if (type === "FULL_OBJECT" || type === "COMPOSITE") return type;
  throw new S3Error(
    "InvalidArgument",
    `Cannot use x-amz-checksum-type "${text}": expected FULL_OBJECT or COMPOSITE`,
  );
}
