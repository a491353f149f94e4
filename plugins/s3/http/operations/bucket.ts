import { tellBucket } from "../../capture.ts";
import type { Bucket } from "../../catalog/bucket.ts";
import { isBucketName } from "../../codec/names.ts";
import { childText, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../body.ts";
import { checkChildren } from "../documents.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";

const DEFAULT_REGION = "us-east-1";

/** CreateBucket: `PUT /bucket`. One that exists is answered as made, as us-east-1 does for its owner. */
export const createBucket: Operation = async (request) => {
  const { catalog, target, env, actor } = request;
  if (!isBucketName(target.bucket, env.values.max_bucket_bytes)) {
    throw new S3Error(
      "InvalidBucketName",
      `Cannot name a bucket "${target.bucket}": expected 3 to ${env.values.max_bucket_bytes} of ` +
        "a-z, 0-9, . and -, a letter or digit at both ends, and no IP address",
    );
  }
  const region = readRegion(await readXmlBody(request));
  if (catalog.createBucket(target.bucket, region === undefined ? {} : { region })) {
    await catalog.settled();
    tellBucket(actor, "bucket.create", target.bucket);
  }
  return empty(200, { location: `/${target.bucket}` });
};

function readRegion(body: XmlNode | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (body.name !== "CreateBucketConfiguration") {
    throw new S3Error(
      "MalformedXML",
      `Cannot create a bucket by ${body.name}: expected a CreateBucketConfiguration document`,
    );
  }
  // The others are of directory buckets, and tags.
  checkChildren(body, { known: ["LocationConstraint"], leftOut: ["Bucket", "Location", "Tags"] });
  return childText(body, "LocationConstraint")?.trim();
}

/** Where a bucket is: one without a location constraint is in the first region of S3. */
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

/** GetBucketVersioning: `GET /bucket?versioning`. Empty: versioning was never switched on. */
export const getBucketVersioning: Operation = ({ catalog, target }) => {
  catalog.bucket(target.bucket);
  return xml("VersioningConfiguration", []);
};

/** DeleteBucket: `DELETE /bucket`. Open multipart uploads do not keep it. */
export const deleteBucket: Operation = async ({ catalog, target, actor }) => {
  await catalog.deleteBucket(catalog.bucket(target.bucket));
  tellBucket(actor, "bucket.delete", target.bucket);
  return empty(204);
};
