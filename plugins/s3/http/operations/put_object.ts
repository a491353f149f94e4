import { tellObject } from "../../capture.ts";
import type { StoredObject } from "../../catalog/model.ts";
import { type Conditions, matchesTag } from "../../codec/conditions.ts";
import { S3Error } from "../../errors.ts";
import { receiveBody } from "../body.ts";
import { checksumHeaders } from "../checksums.ts";
import { encryptionHeaders } from "../encryption.ts";
import { expirationHeaders } from "../expiration.ts";
import { readAbout } from "../headers.ts";
import { empty, quote } from "../reply.ts";
import { checkKey, type Operation, readConditions } from "../request.ts";
import { readType } from "./create_upload.ts";
import { newVersionHeaders } from "../versions.ts";

/** PutObject: `PUT /bucket/key`. It takes effect at the end of the body. */
export const putObject: Operation = async (request) => {
  const { catalog, target, call, env, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  checkKey(target.key, env.values.max_key_bytes);
  const conditions = readConditions(call.headers);
  checkWrite(conditions, bucket.get(target.key));
  if (readType(call.headers.get("x-amz-checksum-type")) === "COMPOSITE") {
    throw new S3Error(
      "InvalidRequest",
      "Cannot use x-amz-checksum-type COMPOSITE: an object put as a whole has no parts",
    );
  }
  const about = readAbout(call.headers, { ...request, bucket });
  catalog.checkRoom(bucket, target.key);
  const { blob, md5, checksums } = await receiveBody(request, {
    // An object that stays as an earlier version frees no space.
    replaces: bucket.versioning === undefined ? bucket.get(target.key)?.size : undefined,
  });
  const object: StoredObject = {
    ...about,
    key: target.key,
    size: blob.size,
    etag: md5.toHex(),
    modified: catalog.now(),
    blob,
    checksums,
    checksumType: "FULL_OBJECT",
  };
  const kept = await catalog.put(bucket, object, {
    check: (old) => checkWrite(conditions, old),
  });
  tellObject(actor, kept, { operation: "object.put", bucket: bucket.name });
  return empty(200, {
    etag: quote(object.etag),
    ...checksumHeaders(object.checksums, object.checksumType),
    ...encryptionHeaders(object.encryption, { isNew: true }),
    ...newVersionHeaders(kept.version?.id),
    ...expirationHeaders(bucket, kept),
  });
};

/** Conditional writes: throws if the key does not hold what the client expects. */
export function checkWrite(conditions: Conditions, old: StoredObject | undefined): void {
  const { match, noneMatch } = conditions;
  if (match !== null && old === undefined) {
    throw new S3Error("NoSuchKey", "Cannot write under If-Match: no object has this key");
  }
  if (match !== null && !matchesTag(match, old!.etag)) {
    throw new S3Error("PreconditionFailed", `Cannot write: If-Match requires ${match}`);
  }
  if (noneMatch !== null && old !== undefined && matchesTag(noneMatch, old.etag)) {
    throw new S3Error(
      "PreconditionFailed",
      "Cannot write: If-None-Match forbids the existing object",
    );
  }
}
