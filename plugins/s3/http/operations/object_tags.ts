import type { StoredObject, Tag } from "../../catalog/model.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../text_body.ts";
import { empty, xml } from "../reply.ts";
import type { Operation, S3Request } from "../request.ts";
import { readTagSet, tagSet } from "../tags.ts";
import { tellChange } from "../tell_change.ts";
import { entryOf, findObject, versionHeaders } from "../versions.ts";

/** GetObjectTagging: `GET /bucket/key?tagging`; an object without tags has an empty set. */
export const getTags: Operation = (request) => {
  const object = findObject(request);
  return xml("Tagging", [tagSet(object.tags ?? [])], versionHeaders(request, object));
};

/** PutObjectTagging: `PUT /bucket/key?tagging`. Replaces the previous set. */
export const putTags: Operation = async (request) => {
  findObject(request, { changes: true });
  const root = await readXmlBody(request);
  if (root === undefined) throw new S3Error("MalformedXML", "Cannot put tags without a document");
  const object = await amend(request, readTagSet(root, "object"));
  tellChange(request, object, "object.tagging");
  return empty(200, versionHeaders(request, object));
};

/** DeleteObjectTagging: `DELETE /bucket/key?tagging`. */
export const deleteTags: Operation = async (request) => {
  const object = await amend(request, []);
  tellChange(request, object, "object.tagging");
  return empty(204, versionHeaders(request, object));
};

async function amend(request: S3Request, tags: readonly Tag[]): Promise<StoredObject> {
  const { catalog, target } = request;
  return await catalog.amend(catalog.bucket(target.bucket), entryOf(request), {
    tags: tags.length === 0 ? undefined : tags,
  });
}
