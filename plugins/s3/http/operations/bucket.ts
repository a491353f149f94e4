import { compact } from "../../../../core/compact.ts";
import type { HeaderValues } from "../../../../core/http/call.ts";
import { tellBucket } from "../../capture.ts";
import type { Bucket } from "../../catalog/bucket.ts";
import type { NewBucket } from "../../catalog/options.ts";
import { hasLocks } from "../../catalog/lock.ts";
import { writeSetting } from "../../catalog/settings.ts";
import { isBucketName } from "../../codec/names.ts";
import { LOCATION_CONSTRAINTS } from "../../codec/regions.ts";
import { childText, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readAcl } from "../acl.ts";
import { readXmlBody } from "../text_body.ts";
import { checkChildren } from "../documents.ts";
import { LOCK_ENABLED } from "../lock.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";

const DEFAULT_REGION = "us-east-1";

/**
 * CreateBucket: `PUT /bucket`. An existing bucket gets the same response, as in us-east-1 for its owner, and takes the
 * ACL of the request. Its region stays, because clients that ensure a bucket exists name theirs.
 */
export const createBucket: Operation = async (request) => {
  const { call, catalog, target, env, actor } = request;
  if (!isBucketName(target.bucket, env.values.max_bucket_bytes)) {
    throw new S3Error(
      "InvalidBucketName",
      `Cannot name a bucket "${target.bucket}": expected 3 to ${env.values.max_bucket_bytes} of ` +
        "a-z, 0-9, . and -, a letter or digit at both ends, and no IP address",
    );
  }
  const { acl } = readAcl(call.headers, "bucket");
  const region = readRegion(await readXmlBody(request), env.values.regions);
  const ownership = readOwnership(call.headers);
  const locks = call.headers.get("x-amz-bucket-object-lock-enabled")?.toLowerCase() === "true";
  const old = catalog.findBucket(target.bucket);
  const other = old === undefined ? undefined : findOther(old, { locks, ownership });
  if (other !== undefined) {
    throw new S3Error(
      "BucketAlreadyOwnedByYou",
      `Cannot create bucket "${target.bucket}" with ${other}: it already exists without it`,
    );
  }
  const settings = compact({
    "object-lock": locks ? LOCK_ENABLED : undefined,
    ownershipControls: ownership,
  });
  const about: NewBucket = {
    ...compact({ region }),
    acl,
    ...(locks ? { versioning: "Enabled" } : {}),
    settings,
  };
  if (await catalog.createBucket(target.bucket, about)) {
    tellBucket(actor, { name: target.bucket, acl }, "bucket.create");
  }
  return empty(200, { location: `/${target.bucket}` });
};

/** Returns what a request asks for and the existing bucket lacks. */
function findOther(
  old: Bucket,
  { locks, ownership }: {
    readonly locks: boolean;
    readonly ownership: string | undefined;
  },
): string | undefined {
  if (locks && !hasLocks(old)) return "object lock";
  const isOwned = ownership === undefined || ownership === old.settings.get("ownershipControls");
  return isOwned ? undefined : "this object ownership";
}

/** As PutBucketOwnershipControls would store it. */
function readOwnership(headers: HeaderValues): string | undefined {
  const text = headers.get("x-amz-object-ownership");
  if (text === null) return undefined;
  const rule = {
    name: "Rule",
    text: "",
    children: [{ name: "ObjectOwnership", text, children: [] }],
  };
  return writeSetting({ name: "OwnershipControls", text: "", children: [rule] });
}

/** Returns the region that a request names. Throws `InvalidLocationConstraint` for one that is neither in S3 nor in `more`. */
function readRegion(body: XmlNode | undefined, more: readonly string[]): string | undefined {
  if (body === undefined) return undefined;
  if (body.name !== "CreateBucketConfiguration") {
    throw new S3Error(
      "MalformedXML",
      `Cannot create a bucket by ${body.name}: expected a CreateBucketConfiguration document`,
    );
  }
  // The others are for directory buckets, and tags.
  checkChildren(body, { known: ["LocationConstraint"], leftOut: ["Bucket", "Location", "Tags"] });
  const region = childText(body, "LocationConstraint")?.trim();
  // S3 also refuses us-east-1, but s3fs sends it.
  if (!region || region === DEFAULT_REGION) return region;
  if (LOCATION_CONSTRAINTS.has(region) || more.includes(region)) return region;
  throw new S3Error(
    "InvalidLocationConstraint",
    `The specified location-constraint is not valid: "${region}" is neither an AWS region nor in the setting regions`,
  );
}

/** Returns the region of a bucket: without a location constraint, the first region of S3. */
export function regionOf({ region }: Bucket): string {
  return region === "" ? DEFAULT_REGION : region;
}

/** HeadBucket: `HEAD /bucket`. */
export const headBucket: Operation = ({ catalog, target }) => {
  return empty(200, { "x-amz-bucket-region": regionOf(catalog.bucket(target.bucket)) });
};

/** GetBucketLocation: `GET /bucket?location`; empty for us-east-1. */
export const getBucketLocation: Operation = ({ catalog, target }) =>
  xml("LocationConstraint", catalog.bucket(target.bucket).region);

/** DeleteBucket: `DELETE /bucket`. Open multipart uploads do not prevent it. */
export const deleteBucket: Operation = async ({ catalog, target, actor }) => {
  const bucket = catalog.bucket(target.bucket);
  await catalog.deleteBucket(bucket);
  tellBucket(actor, bucket, "bucket.delete");
  return empty(204);
};
