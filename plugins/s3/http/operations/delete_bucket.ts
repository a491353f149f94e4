import { tellBucket } from "../../capture.ts";
import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";

/** DeleteBucket: `DELETE /bucket`. Open multipart uploads do not keep it. */
export const deleteBucket: Operation = async ({ catalog, target, actor }) => {
  await catalog.deleteBucket(catalog.bucket(target.bucket));
  tellBucket(actor, "bucket.delete", target.bucket);
  return empty(204);
};
