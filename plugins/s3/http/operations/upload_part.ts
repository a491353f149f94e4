import type { Upload } from "../../catalog/upload.ts";
import { receiveBody } from "../body.ts";
import { checksumHeaders } from "../checksums.ts";
import { checkPartKey } from "../customer_key.ts";
import { encryptionHeaders } from "../encryption.ts";
import { partLimit } from "../limits.ts";
import { empty, quote } from "../reply.ts";
import { type Operation, readPartNumber, type S3Request } from "../request.ts";

/** UploadPart: `PUT /bucket/key?partNumber=n&uploadId=id`. A repeated number replaces the part. */
export const uploadPart: Operation = async (request) => {
  const { catalog, query, call } = request;
  const upload = findUpload(request);
  const { encryption } = upload.start;
  checkPartKey(call.headers, encryption);
  const number = readPartNumber(query);
  catalog.uploads.checkPartRoom(upload, number);
  return await upload.during(async () => {
    const { blob, md5, checksums } = await receiveBody(request, {
      also: upload.start.algorithm,
      limit: partLimit(request, upload, number),
    });
    const etag = md5.toHex();
    const modified = catalog.now();
    await catalog.uploads.putPart(upload, {
      number,
      size: blob.size,
      etag,
      modified,
      blob,
      checksums,
    });
    const { "x-amz-checksum-type": _, ...fields } = checksumHeaders(checksums, "FULL_OBJECT");
    return empty(200, { etag: quote(etag), ...fields, ...encryptionHeaders(encryption) });
  });
};

/** Returns the requested upload. Throws `NoSuchBucket` and `NoSuchUpload`. */
export function findUpload({ catalog, target, query }: S3Request): Upload {
  catalog.bucket(target.bucket);
  return catalog.uploads.get(query.get("uploadId") ?? "", target);
}
