import type { Tag } from "../../catalog/model.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation, S3Request } from "../request.ts";
import { readTagSet, tagSet } from "../tags.ts";
import { findObject, versionHeaders } from "../versions.ts";

/** GetObjectTagging: `GET /bucket/key?tagging`; an object without tags has an empty set. */
export const getTags: Operation = (request) =>
  xml("Tagging", [tagSet(findObject(request).tags ?? [])], versionHeaders(request));

/** PutObjectTagging: `PUT /bucket/key?tagging`. The set takes the place of the one before. */
export const putTags: Operation = async (request) => {
  findObject(request);
  const root = await readXmlBody(request);
  if (root === undefined) throw new S3Error("MalformedXML", "Cannot put tags without a document");
  await amend(request, readTagSet(root, "object"));
  return empty(200, versionHeaders(request));
};

/** DeleteObjectTagging: `DELETE /bucket/key?tagging`. */
export const deleteTags: Operation = async (request) => {
  findObject(request);
  await amend(request, []);
  return empty(204, versionHeaders(request));
};

async function amend({ catalog, target }: S3Request, tags: readonly Tag[]): Promise<void> {
  await catalog.amend(catalog.bucket(target.bucket), target.key, {
    tags: tags.length === 0 ? undefined : tags,
  });
}
