import { tellBucket } from "../../capture.ts";
import { isBucketName } from "../../codec/names.ts";
import { childText, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../body.ts";
import { checkChildren } from "../documents.ts";
import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";

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
