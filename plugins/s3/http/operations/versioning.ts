/** Versioning of a bucket (Amazon S3 user guide, "Using versioning in S3 buckets"). */
import { VERSIONING } from "../../catalog/model.ts";
import { hasLocks } from "../../catalog/lock.ts";
import { childText } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../text_body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation } from "../request.ts";
import { checkShape, type Shape } from "../shapes.ts";

/** GetBucketVersioning: `GET /bucket?versioning`. Empty: versioning was never enabled. */
export const getBucketVersioning: Operation = ({ catalog, target }) =>
  xml("VersioningConfiguration", [["Status", catalog.bucket(target.bucket).versioning]]);

const CONFIGURATION: Shape = {
  Status: { words: VERSIONING },
  MfaDelete: { words: ["Enabled", "Disabled"] },
};

/** PutBucketVersioning: `PUT /bucket?versioning`. */
export const putBucketVersioning: Operation = async (request) => {
  const { catalog, target } = request;
  const bucket = catalog.bucket(target.bucket);
  const root = await readXmlBody(request);
  if (root?.name !== "VersioningConfiguration") {
    throw new S3Error("MalformedXML", "Cannot put versioning: expected VersioningConfiguration");
  }
  checkShape(root, CONFIGURATION);
  const status = VERSIONING.find((one) => one === childText(root, "Status")?.trim());
  if (status === undefined) {
    throw new S3Error(
      "IllegalVersioningConfigurationException",
      `Cannot put versioning without a Status: expected ${VERSIONING.join(" or ")}`,
    );
  }
  const checkLocks = (): void => {
    if (status === "Enabled" || !hasLocks(bucket)) return;
    throw new S3Error(
      "InvalidBucketState",
      "An Object Lock configuration is present on this bucket, so the versioning state cannot be changed.",
    );
  };
  checkLocks();
  if (childText(root, "MfaDelete")?.trim() === "Enabled") {
    throw new S3Error("NotImplemented", "Cannot accept MfaDelete Enabled: it is not supported");
  }
  await catalog.setVersioning(bucket, status, checkLocks);
  return empty(200);
};
