import { compact } from "../../../../core/compact.ts";
import type { HeaderValues } from "../../../../core/http/call.ts";
import { tellObject } from "../../capture.ts";
import type { Algorithm, Checksums, StoredObject } from "../../catalog/model.ts";
import { S3Error } from "../../errors.ts";
import { readAcl } from "../acl.ts";
import { checksumElements, toAlgorithm } from "../checksums.ts";
import { Hasher } from "../hashing.ts";
import { ENCRYPTION_FIELD, encryptionHeaders, readEncryption } from "../encryption.ts";
import { readLock } from "../lock.ts";
import { copyContentHeaders, readAbout } from "../headers.ts";
import { expirationHeaders } from "../expiration.ts";
import { quote, xml, xmlDate } from "../reply.ts";
import { checkKey, type Operation, readConditions, type S3Request } from "../request.ts";
import { readTagging } from "../tags.ts";
import { newVersionHeaders } from "../versions.ts";
import { checkWrite } from "./put_object.ts";
import { type CopySource, findSource } from "./source.ts";

/** CopyObject: `PUT /bucket/key` with `x-amz-copy-source`. The copy shares the bytes of its source. */
export const copyObject: Operation = async (request) => {
  const { catalog, target, call, env, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  checkKey(target.key, env.values.max_key_bytes);
  const source = findSource(request);
  const replaced = readDirective(request, source);
  const conditions = readConditions(call.headers);
  checkWrite(conditions, bucket.get(target.key));
  const { headers, metadata } = replaced ? readAbout(call.headers, { ...request, bucket }) : {
    headers: copyContentHeaders(source.object.headers, call.headers),
    metadata: source.object.metadata,
  };
  // The ACL of the source is not copied.
  const acl = readAcl(call.headers, "object");
  const tags = readTags(request, source);
  const encryption = readEncryption(call.headers, bucket);
  const digests = await rehash(request, source.object);
  // No await from here to the new object: the source's bytes cannot be removed in between.
  const blob = catalog.share(source.object);
  const object: StoredObject = {
    headers,
    metadata,
    ...acl,
    ...tags,
    ...encryption,
    ...readLock(call.headers, { bucket, now: catalog.now() }),
    key: target.key,
    size: source.object.size,
    modified: catalog.now(),
    blob,
    checksumType: "FULL_OBJECT",
    ...digests,
  };
  const kept = await catalog.put(bucket, object, {
    check: (old) => checkWrite(conditions, old),
    isShared: true,
  });
  tellObject(actor, kept, {
    operation: "object.copy",
    bucket: bucket.name,
    source: {
      bucket: source.target.bucket,
      key: source.target.key,
      ...compact({ version_id: source.object.version?.id }),
    },
  });
  return xml("CopyObjectResult", [
    ["LastModified", xmlDate(object.modified)],
    ["ETag", quote(object.etag)],
    ...checksumElements(object.checksums),
  ], {
    ...source.headers,
    ...newVersionHeaders(kept.version?.id),
    ...expirationHeaders(bucket, kept),
    ...encryptionHeaders(kept.encryption, { isNew: true }),
  });
};

/**
 * Returns whether headers and metadata come from the request. Throws for a copy onto itself that changes nothing; a
 * copy of an earlier version restores it.
 */
function readDirective({ call, catalog, target }: S3Request, source: CopySource): boolean {
  const replaces = isReplace(call.headers, "x-amz-metadata-directive");
  const same = source.target.bucket === target.bucket && source.target.key === target.key &&
    source.object === catalog.findBucket(target.bucket)?.get(target.key);
  if (same && !replaces && !changesMore(call.headers)) {
    throw new S3Error(
      "InvalidRequest",
      "Cannot copy an object onto itself without changing its metadata, storage class, website redirect location " +
        "or encryption: set x-amz-metadata-directive to REPLACE",
    );
  }
  return replaces;
}

/** Returns whether a copy differs from its source in another way (API reference, CopyObject). */
function changesMore(headers: HeaderValues): boolean {
  return [...headers].some(([name]) =>
    name.startsWith(ENCRYPTION_FIELD) || name === "x-amz-storage-class" ||
    name === "x-amz-website-redirect-location"
  );
}

/** Tags come from the source unless the request says otherwise. */
function readTags({ call }: S3Request, { object }: CopySource): Pick<StoredObject, "tags"> {
  const stated = readTagging(call.headers);
  if (isReplace(call.headers, "x-amz-tagging-directive")) return stated;
  if (stated.tags === undefined) return compact({ tags: object.tags });
  throw new S3Error(
    "InvalidArgument",
    "Cannot accept x-amz-tagging of a copy that keeps its tags: set x-amz-tagging-directive to REPLACE",
  );
}

function isReplace(headers: HeaderValues, name: string): boolean {
  const directive = headers.get(name)?.toUpperCase() ?? "COPY";
  if (directive === "COPY" || directive === "REPLACE") return directive === "REPLACE";
  throw new S3Error(
    "InvalidArgument",
    `Cannot use ${name} "${directive}": expected COPY or REPLACE`,
  );
}

/**
 * A copy has no parts, even of an object in parts; the request may choose a checksum different from
 * the source's.
 */
async function rehash(
  { catalog, call }: S3Request,
  source: StoredObject,
): Promise<{ etag: string; checksums: Checksums }> {
  const asked = call.headers.get("x-amz-checksum-algorithm");
  const algorithm: Algorithm | undefined = asked === null ? undefined : toAlgorithm(asked);
  const known = algorithm === undefined || source.checksums[algorithm] !== undefined;
  if (known && source.parts === undefined) {
    const { etag, checksums } = source;
    return {
      etag,
      checksums: algorithm === undefined ? checksums : { [algorithm]: checksums[algorithm]! },
    };
  }
  const hasher = new Hasher(algorithm === undefined ? [] : [algorithm]);
  const opened = await catalog.blobs.open(source.blob.id);
  for await (const chunk of opened?.body ?? []) hasher.update(chunk);
  const digests = hasher.finish();
  return {
    etag: digests.get("md5")!.toHex(),
    checksums: algorithm === undefined ? {} : {
      [algorithm]: digests.get(algorithm)!.toBase64(),
    },
  };
}
