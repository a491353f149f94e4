import { tellObject } from "../../capture.ts";
import { childrenOf, childText, type XmlElement } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../body.ts";
import { xml } from "../reply.ts";
import type { Operation } from "../request.ts";

const MAX_KEYS = 1000;

/** DeleteObjects: `POST /bucket?delete`. */
export const deleteObjects: Operation = async (request) => {
  const { catalog, target, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  const root = await readXmlBody(request);
  const objects = root === undefined ? [] : childrenOf(root, "Object");
  const keys = objects.map((object) => childText(object, "Key") ?? "");
  if (root?.name !== "Delete" || keys.length === 0 || keys.length > MAX_KEYS) {
    throw new S3Error(
      "MalformedXML",
      `Cannot delete ${keys.length} keys: expected a Delete document that names 1 to ${MAX_KEYS}`,
    );
  }
  if (keys.includes("")) {
    throw new S3Error("MalformedXML", "Cannot delete: an Object names no Key");
  }
  const quiet = childText(root, "Quiet")?.trim().toLowerCase() === "true";
  for (const object of await catalog.deleteMany(bucket, keys)) {
    tellObject(actor, object, { operation: "object.delete", bucket: bucket.name });
  }
  const deleted = keys.map((key): XmlElement => ["Deleted", [["Key", key]]]);
  return xml("DeleteResult", quiet ? [] : deleted);
};
