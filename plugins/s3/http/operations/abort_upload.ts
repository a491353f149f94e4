import { isSameSecond } from "../../codec/conditions.ts";
import { S3Error } from "../../errors.ts";
import { empty } from "../reply.ts";
import { type Operation, readDate } from "../request.ts";
import { findUpload } from "./upload_part.ts";

const INITIATED = "x-amz-if-match-initiated-time";

/** AbortMultipartUpload: `DELETE /bucket/key?uploadId=id`. A condition selects the upload begun at that second. */
export const abortUpload: Operation = async (request) => {
  const upload = findUpload(request);
  const asked = readDate(INITIATED, request.call.headers.get(INITIATED));
  if (asked !== undefined && !isSameSecond(asked, upload.initiated)) {
    throw new S3Error("PreconditionFailed", `Cannot abort: ${INITIATED} is not that of the upload`);
  }
  await request.catalog.uploads.abort(upload);
  return empty(204);
};
