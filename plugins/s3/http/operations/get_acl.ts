import { aclReply } from "../acl.ts";
import type { Operation } from "../request.ts";
import { findObject, versionHeaders } from "../versions.ts";

/** GetBucketAcl: `GET /bucket?acl`. */
export const getBucketAcl: Operation = ({ catalog, target }) =>
  aclReply(catalog.bucket(target.bucket).acl);

/** GetObjectAcl: `GET /bucket/key?acl`. */
export const getObjectAcl: Operation = (request) => {
  const object = findObject(request);
  return aclReply(object.acl, versionHeaders(request, object));
};
