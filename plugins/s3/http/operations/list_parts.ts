import type { XmlElement } from "../../codec/xml.ts";
import { checksumElements } from "../checksums.ts";
import { checkUploadKey } from "../customer_key.ts";
import { storageClassOf } from "../headers.ts";
import { OWNER, quote, xml, xmlDate } from "../reply.ts";
import { type Operation, readCount } from "../request.ts";
import { findUpload } from "./upload_part.ts";

const MAX_PARTS = 1000;

/** ListParts: `GET /bucket/key?uploadId=id`. */
export const listParts: Operation = (request) => {
  const { query, target, call } = request;
  const upload = findUpload(request);
  const { algorithm, checksumType, encryption } = upload.start;
  checkUploadKey(call.headers, encryption);
  const most = Math.min(readCount(query, "max-parts", MAX_PARTS), MAX_PARTS);
  const marker = readCount(query, "part-number-marker", 0);
  const following = upload.sorted().filter((part) => part.number > marker);
  const page = following.slice(0, most);
  return xml("ListPartsResult", [
    ["Bucket", target.bucket],
    ["Key", target.key],
    ["UploadId", upload.id],
    ["Initiator", OWNER],
    ["Owner", OWNER],
    ["StorageClass", storageClassOf(upload.start)],
    ["PartNumberMarker", marker],
    ["NextPartNumberMarker", page.at(-1)?.number ?? 0],
    ["MaxParts", most],
    ["IsTruncated", following.length > page.length],
    ["ChecksumAlgorithm", algorithm?.toUpperCase()],
    ["ChecksumType", checksumType],
    ...page.map((part): XmlElement => ["Part", [
      ["PartNumber", part.number],
      ["LastModified", xmlDate(part.modified)],
      ["ETag", quote(part.etag)],
      ["Size", part.size],
      ...checksumElements(part.checksums),
    ]]),
  ]);
};
