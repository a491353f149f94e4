import { tellObject } from "../../capture.ts";
import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";

/** DeleteObject: `DELETE /bucket/key`. A key that is not there is as good as deleted. */
export const deleteObject: Operation = async ({ catalog, target, actor }) => {
  const bucket = catalog.bucket(target.bucket);
  const object = await catalog.delete(bucket, target.key);
  if (object !== undefined) {
    tellObject(actor, object, { operation: "object.delete", bucket: bucket.name });
  }
  return empty(204);
};
