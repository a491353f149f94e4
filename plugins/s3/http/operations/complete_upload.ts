import { compact } from "../../../../core/compact.ts";
import { tellObject } from "../../capture.ts";
import type { Completion, StoredObject, UploadPart } from "../../catalog/model.ts";
import type { Upload } from "../../catalog/upload.ts";
import { S3Error } from "../../errors.ts";
import { checksumElements } from "../checksums.ts";
import { checkPartKey, checkUploadKey } from "../customer_key.ts";
import { encryptionHeaders } from "../encryption.ts";
import { checkWhole } from "../limits.ts";
import { quote, xml } from "../reply.ts";
import { locationOf, type Operation, readConditions, type S3Request } from "../request.ts";
import { newVersionHeaders } from "../versions.ts";
import { assemble } from "./assemble.ts";
import { readParts } from "./part_list.ts";
import { checkWrite } from "./put_object.ts";
import { planChecksum } from "./whole_checksum.ts";

/** CompleteMultipartUpload: `POST /bucket/key?uploadId=id`. A repeated request gets the same answer. */
export const completeUpload: Operation = async (request) => {
  const { catalog, target, query, call } = request;
  catalog.bucket(target.bucket);
  const id = query.get("uploadId") ?? "";
  const done = catalog.uploads.completion(id);
  if (done?.bucket === target.bucket && done.key === target.key) {
    checkUploadKey(call.headers, done.encryption);
    return toReply(request, done);
  }
  const upload = catalog.uploads.get(id, target);
  // With a checksum, S3 needs the key to make that of the whole (API reference, CompleteMultipartUpload).
  const check = upload.start.algorithm === undefined ? checkUploadKey : checkPartKey;
  check(call.headers, upload.start.encryption);
  upload.completing ??= upload.during(() => complete(request, upload));
  try {
    return toReply(request, await upload.completing);
  } finally {
    upload.completing = undefined;
  }
};

function toReply({ call, env }: S3Request, done: Completion): Response {
  const checksums = checksumElements(done.checksums);
  return xml("CompleteMultipartUploadResult", [
    ["Location", locationOf(call, env, done)],
    ["Bucket", done.bucket],
    ["Key", done.key],
    ["ETag", quote(done.etag)],
    ...checksums,
    ["ChecksumType", checksums.length > 0 ? done.checksumType : undefined],
  ], {
    ...newVersionHeaders(done.versionId),
    ...encryptionHeaders(done.encryption),
  });
}

async function complete(request: S3Request, upload: Upload): Promise<Completion> {
  const { catalog, target, call, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  const conditions = readConditions(call.headers);
  const plan = planChecksum(call.headers, upload.start);
  const parts = await readParts(request, upload);
  checkWrite(conditions, bucket.get(target.key));
  checkSizes(request, parts);
  catalog.checkRoom(bucket, target.key);
  const object = await assemble(catalog, upload, { parts, plan });
  const { etag, checksums, checksumType, encryption } = object;
  const place = { bucket: bucket.name, key: target.key };
  const completion = { ...place, etag, checksums, checksumType, ...compact({ encryption }) };
  const check = (old: StoredObject | undefined): void => checkWrite(conditions, old);
  const kept = await catalog.complete(upload, { bucket, object, completion, check });
  tellObject(actor, kept, {
    operation: "object.put",
    bucket: bucket.name,
    upload_id: upload.id,
    parts: parts.length,
  });
  return { ...completion, ...compact({ versionId: kept.version?.id }) };
}

function checkSizes(request: S3Request, parts: readonly UploadPart[]): void {
  const { env, call } = request;
  const { min_part_bytes: least } = env.values;
  const small = parts.slice(0, -1).find((part) => part.size < least);
  if (small !== undefined) {
    throw new S3Error(
      "EntityTooSmall",
      `Cannot complete: part ${small.number} has ${small.size} bytes, all but the last need ${least}`,
    );
  }
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  checkWhole(request, size);
  const stated = call.headers.get("x-amz-mp-object-size");
  if (stated !== null && Number(stated) !== size) {
    throw new S3Error(
      "InvalidRequest",
      `Cannot complete: the parts have ${size} bytes, x-amz-mp-object-size is ${stated}`,
    );
  }
}
