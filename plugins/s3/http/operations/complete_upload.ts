import { compact } from "../../../../core/compact.ts";
import { tellObject } from "../../capture.ts";
import type { Completion, StoredObject, UploadPart } from "../../catalog/model.ts";
import type { Upload } from "../../catalog/upload.ts";
import type { Conditions } from "../../codec/conditions.ts";
import { S3Error } from "../../errors.ts";
import { algorithmsOf, checksumElements } from "../checksums.ts";
import { checkPartKey, checkUploadKey } from "../customer_key.ts";
import { encryptionHeaders } from "../encryption.ts";
import { checkWhole } from "../limits.ts";
import { quote, xml } from "../reply.ts";
import { locationOf, type Operation, readConditions, type S3Request } from "../request.ts";
import { newVersionHeaders } from "../versions.ts";
import { assemble, composeEtag } from "./assemble.ts";
import { findParts, readPartList } from "./part_list.ts";
import { checkWrite } from "./put_object.ts";
import { checkStated, planChecksum } from "./whole_checksum.ts";

/** CompleteMultipartUpload: `POST /bucket/key?uploadId=id`. A repeated request gets the same response. */
export const completeUpload: Operation = async (request) => {
  const { catalog, target, query, call } = request;
  const id = query.get("uploadId") ?? "";
  for (;;) {
    catalog.bucket(target.bucket);
    const done = catalog.uploads.completion(id);
    if (done?.bucket === target.bucket && done.key === target.key) {
      await checkRepeated(request, done);
      return toReply(request, done);
    }
    const upload = catalog.uploads.get(id, target);
    // With a checksum, S3 needs the key to compute that of the whole object (API reference, CompleteMultipartUpload).
    const check = upload.start.algorithm === undefined ? checkUploadKey : checkPartKey;
    check(call.headers, upload.start.encryption);
    if (upload.completing === undefined) return await completeFirst(request, upload);
    // This request then checks for itself, whether that one succeeded or not.
    await upload.completing.catch(() => {});
  }
};

async function completeFirst(request: S3Request, upload: Upload): Promise<Response> {
  upload.completing = upload.during(() => complete(request, upload));
  try {
    return toReply(request, await upload.completing);
  } finally {
    upload.completing = undefined;
  }
}

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
  const parts = findParts(upload, await readPartList(request));
  checkWrite(conditions, bucket.get(target.key));
  const size = checkSizes(request, parts);
  catalog.checkRoom(bucket, target.key);
  const object = await assemble(catalog, upload, { parts, plan });
  const { etag, checksums, checksumType, encryption } = object;
  const place = { bucket: bucket.name, key: target.key };
  const completion: Completion = {
    ...place,
    etag,
    checksums,
    checksumType,
    size,
    conditions: writeConditions(conditions),
    ...compact({ encryption }),
  };
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

/** Returns the size of the whole. */
function checkSizes(request: S3Request, parts: readonly UploadPart[]): number {
  const { min_part_bytes: least } = request.env.values;
  const small = parts.slice(0, -1).find((part) => part.size < least);
  if (small !== undefined) {
    throw new S3Error(
      "EntityTooSmall",
      `Cannot complete: part ${small.number} has ${small.size} bytes, all but the last need ${least}`,
    );
  }
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  checkWhole(request, size);
  checkStatedSize(request, size);
  return size;
}

function checkStatedSize({ call }: S3Request, size: number): void {
  const stated = call.headers.get("x-amz-mp-object-size");
  if (stated === null || Number(stated) === size) return;
  throw new S3Error(
    "InvalidRequest",
    `Cannot complete: the parts have ${size} bytes, x-amz-mp-object-size is ${stated}`,
  );
}

/**
 * Throws if a repeated request asks for anything but what was done: other parts, another checksum or size, or a
 * condition that the first one did not have and that does not hold now.
 */
async function checkRepeated(request: S3Request, done: Completion): Promise<void> {
  const { catalog, target, call } = request;
  checkUploadKey(call.headers, done.encryption);
  const [algorithm] = algorithmsOf(done.checksums);
  const plan = planChecksum(call.headers, {
    ...compact({ algorithm }),
    checksumType: done.checksumType,
  });
  const list = await readPartList(request);
  if (composeEtag(list.map(({ etag }) => etag ?? "")) !== done.etag) {
    throw new S3Error(
      "InvalidPart",
      "Cannot complete again: the upload was completed with other parts",
    );
  }
  checkStated(plan, algorithm === undefined ? "none" : done.checksums[algorithm]!);
  if (done.size !== undefined) checkStatedSize(request, done.size);
  const conditions = readConditions(call.headers);
  if (writeConditions(conditions) === done.conditions) return;
  checkWrite(conditions, catalog.bucket(target.bucket).get(target.key));
}

/** Returns the conditions of a write as one text, to compare them. */
function writeConditions({ match, noneMatch }: Conditions): string {
  return JSON.stringify([match, noneMatch]);
}
