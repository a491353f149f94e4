import type { ByteRange } from "../../../../core/http/range.ts";
import type { BlobRef } from "../../../../core/blobs/blob.ts";
import type { UploadPart } from "../../catalog/model.ts";
import { S3Error } from "../../errors.ts";
import { toFull } from "../body.ts";
import { checksumElements } from "../checksums.ts";
import { checkPartKey } from "../customer_key.ts";
import { encryptionHeaders } from "../encryption.ts";
import { Hasher } from "../hashing.ts";
import { partLimit, tooLarge } from "../limits.ts";
import { quote, xml, xmlDate } from "../reply.ts";
import { type Operation, readPartNumber, type S3Request } from "../request.ts";
import { type CopySource, findSource } from "./source.ts";
import { findUpload } from "./upload_part.ts";

/** UploadPartCopy: `PUT /bucket/key?partNumber=n&uploadId=id` with `x-amz-copy-source`. */
export const uploadPartCopy: Operation = async (request) => {
  const { catalog, query, call } = request;
  const upload = findUpload(request);
  checkPartKey(call.headers, upload.start.encryption);
  const number = readPartNumber(query);
  catalog.uploads.checkPartRoom(upload, number);
  const source = findSource(request);
  const range = readSourceRange(
    call.headers.get("x-amz-copy-source-range"),
    source.object.size,
  );
  const size = range === undefined ? source.object.size : range.end - range.start + 1;
  const limit = partLimit(request, upload, number);
  if (size > limit.maxBytes) throw tooLarge(limit);
  return await upload.during(async () => {
    const { algorithm } = upload.start;
    const hasher = new Hasher(algorithm === undefined ? [] : [algorithm]);
    const blob = await copyBytes(request, { source, range, hasher });
    const digests = hasher.finish();
    const part: UploadPart = {
      number,
      size: blob.size,
      etag: digests.get("md5")!.toHex(),
      modified: catalog.now(),
      blob,
      checksums: algorithm === undefined ? {} : {
        [algorithm]: digests.get(algorithm)!.toBase64(),
      },
    };
    await catalog.uploads.putPart(upload, part);
    return xml("CopyPartResult", [
      ["LastModified", xmlDate(part.modified)],
      ["ETag", quote(part.etag)],
      ...checksumElements(part.checksums),
    ], { ...source.headers, ...encryptionHeaders(upload.start.encryption) });
  });
};

async function copyBytes(
  { catalog }: S3Request,
  { source, range, hasher }: { source: CopySource; range?: ByteRange | undefined; hasher: Hasher },
): Promise<BlobRef> {
  const opened = await catalog.blobs.open(source.object.blob.id, range);
  if (opened === undefined) {
    throw new S3Error("NoSuchKey", "Cannot copy an object that was just deleted");
  }
  async function* bytes(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      hasher.update(chunk);
      yield chunk;
    }
  }
  try {
    return await catalog.blobs.put(ReadableStream.from(bytes(opened.body)));
  } catch (error) {
    throw toFull(error, catalog);
  }
}

/** Only `bytes=a-b`, with both ends inside the source. */
function readSourceRange(header: string | null, size: number): ByteRange | undefined {
  if (header === null || header === "") return undefined;
  const match = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header);
  const [start, end] = [Number(match?.[1] ?? NaN), Number(match?.[2] ?? NaN)];
  if (!(start <= end)) {
    throw new S3Error(
      "InvalidArgument",
      `Cannot read x-amz-copy-source-range "${header}": expected bytes=first-last`,
    );
  }
  if (end < size) return { start, end };
  throw new S3Error(
    "InvalidRange",
    `Cannot copy range "${header}": the source has ${size} bytes`,
    { "content-range": `bytes */${size}` },
  );
}
