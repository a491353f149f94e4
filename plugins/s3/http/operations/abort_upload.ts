import { empty } from "../reply.ts";
import type { Operation } from "../request.ts";
import { findUpload } from "./upload_part.ts";

/** AbortMultipartUpload: `DELETE /bucket/key?uploadId=id`. */
export const abortUpload: Operation = async (request) => {
  await request.catalog.abort(findUpload(request));
  return empty(204);
};
