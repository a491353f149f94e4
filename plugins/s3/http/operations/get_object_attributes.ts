import type { HeaderValues } from "../../../../core/http/call.ts";
import type { StoredObject } from "../../catalog/model.ts";
import { checkConditions } from "../../codec/conditions.ts";
import type { XmlElement } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { algorithmsOf, checksumElements } from "../checksums.ts";
import { checkObjectKey } from "../customer_key.ts";
import { storageClassOf } from "../headers.ts";
import { xml } from "../reply.ts";
import { type Operation, readConditions, type S3Request } from "../request.ts";
import { findObject, versionHeaders } from "../versions.ts";

const MAX_PARTS = 1000;
const ATTRIBUTES = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"] as const;

/** GetObjectAttributes: `GET /bucket/key?attributes`. */
export const getObjectAttributes: Operation = (request) => {
  const { call } = request;
  const object = findObject(request);
  checkObjectKey(call.headers, object.encryption);
  if (checkConditions(readConditions(call.headers), object) === "failed") {
    throw new S3Error(
      "PreconditionFailed",
      "Cannot describe the object: a condition does not hold",
    );
  }
  const wanted = readWanted(call.headers.get("x-amz-object-attributes"));
  const content: readonly XmlElement[] = [
    ["ETag", object.etag],
    ["Checksum", describeChecksum(object)],
    ["ObjectParts", wanted.has("ObjectParts") ? describeParts(request, object) : undefined],
    ["StorageClass", storageClassOf(object)],
    ["ObjectSize", object.size],
  ];
  return xml("GetObjectAttributesResponse", content.filter(([name]) => wanted.has(name)), {
    "last-modified": object.modified.toUTCString(),
    ...versionHeaders(request, object),
  });
};

function readWanted(header: string | null): ReadonlySet<string> {
  const names = (header ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
  const known: readonly string[] = ATTRIBUTES;
  if (names.length > 0 && names.every((name) => known.includes(name))) return new Set(names);
  throw new S3Error(
    "InvalidArgument",
    `Cannot read x-amz-object-attributes "${header ?? ""}": expected some of ${
      ATTRIBUTES.join(", ")
    }`,
  );
}

function describeChecksum({ checksums, checksumType }: StoredObject): XmlElement[] | undefined {
  if (algorithmsOf(checksums).length === 0) return undefined;
  return [...checksumElements(checksums), ["ChecksumType", checksumType]];
}

function describeParts({ call }: S3Request, { parts }: StoredObject): XmlElement[] | undefined {
  if (parts === undefined) return undefined;
  const most = Math.min(readHeader(call.headers, "x-amz-max-parts") ?? MAX_PARTS, MAX_PARTS);
  const marker = readHeader(call.headers, "x-amz-part-number-marker") ?? 0;
  const following = parts.filter((part) => part.number > marker);
  const page = following.slice(0, most);
  return [
    ["PartsCount", parts.length],
    ["PartNumberMarker", marker],
    ["NextPartNumberMarker", page.at(-1)?.number ?? 0],
    ["MaxParts", most],
    ["IsTruncated", following.length > page.length],
    ...page.map((part): XmlElement => ["Part", [
      ["PartNumber", part.number],
      ["Size", part.size],
      ...checksumElements(part.checksums),
    ]]),
  ];
}

function readHeader(headers: HeaderValues, name: string): number | undefined {
  const text = headers.get(name);
  if (text === null || text === "") return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new S3Error(
    "InvalidArgument",
    `Cannot read ${name} "${text}": expected an integer of at least 0`,
  );
}
