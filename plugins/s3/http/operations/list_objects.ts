import { listBucket, type Listing } from "../../catalog/listing.ts";
import type { StoredObject } from "../../catalog/model.ts";
import { encodeKey } from "../../codec/target.ts";
import type { XmlElement } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { algorithmsOf } from "../checksums.ts";
import { storageClassOf } from "../headers.ts";
import { readToken, writeToken } from "../list_token.ts";
import { OWNER, quote, xml, xmlDate } from "../reply.ts";
import { type Operation, readCount } from "../request.ts";

const MAX_KEYS = 1000;

/** Parameters of every listing of a bucket. */
export interface Asked {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** Encodes a key as requested. */
  readonly encode: (key: string) => string;
  readonly url: boolean;
}

/** Reads it. Throws `InvalidArgument`. */
export function readAsked(query: URLSearchParams): Asked {
  const url = readEncodingType(query);
  return {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") ?? "",
    maxKeys: Math.min(readCount(query, "max-keys", MAX_KEYS), MAX_KEYS),
    encode: url ? encodeKey : (key) => key,
    url,
  };
}

/** Returns whether keys are requested percent-encoded. Throws `InvalidArgument` for another encoding. */
export function readEncodingType(query: URLSearchParams): boolean {
  const type = query.get("encoding-type");
  if (type === null || type === "" || type === "url") return type === "url";
  throw new S3Error("InvalidArgument", `Cannot use encoding-type "${type}": expected url`);
}

/** ListObjects: `GET /bucket`. */
export const listObjects: Operation = ({ catalog, target, query }) => {
  const bucket = catalog.bucket(target.bucket);
  const asked = readAsked(query);
  const marker = query.get("marker") ?? "";
  const listing = listBucket(bucket, { ...asked, after: marker });
  // Without a delimiter the last key is the marker.
  const next = listing.truncated && asked.delimiter !== "" ? asked.encode(listing.last) : undefined;
  return xml("ListBucketResult", [
    ["Name", bucket.name],
    // boto3 decodes every encoded element except this one.
    ["Prefix", asked.prefix],
    ["Marker", asked.encode(marker)],
    ["NextMarker", next],
    ...common(asked, listing),
    ...entries(asked, { listing, owner: true }),
  ]);
};

/** ListObjectsV2: `GET /bucket?list-type=2`. */
export const listObjectsV2: Operation = ({ catalog, target, query }) => {
  const bucket = catalog.bucket(target.bucket);
  const asked = readAsked(query);
  const token = query.get("continuation-token");
  const startAfter = query.get("start-after");
  const after = token === null || token === "" ? startAfter ?? "" : readToken(token);
  const listing = listBucket(bucket, { ...asked, after });
  return xml("ListBucketResult", [
    ["Name", bucket.name],
    ["Prefix", asked.encode(asked.prefix)],
    ["StartAfter", startAfter === null ? undefined : asked.encode(startAfter)],
    ["ContinuationToken", token ?? undefined],
    ["NextContinuationToken", listing.truncated ? writeToken(listing.last) : undefined],
    ["KeyCount", listing.objects.length + listing.prefixes.length],
    ...common(asked, listing),
    ...entries(asked, { listing, owner: readOwner(query) }),
  ]);
};

function readOwner(query: URLSearchParams): boolean {
  const text = query.get("fetch-owner") ?? "";
  const word = text.toLowerCase();
  if (word === "true" || word === "false" || word === "") return word === "true";
  throw new S3Error("InvalidArgument", `Cannot use fetch-owner "${text}": expected true or false`);
}

function common({ delimiter, encode, maxKeys, url }: Asked, { truncated }: Listing): XmlElement[] {
  return [
    ["Delimiter", delimiter === "" ? undefined : encode(delimiter)],
    ["MaxKeys", maxKeys],
    ["EncodingType", url ? "url" : undefined],
    ["IsTruncated", truncated],
  ];
}

function entries(
  { encode }: Asked,
  { listing, owner }: { listing: Listing; owner: boolean },
): XmlElement[] {
  return [
    ...listing.objects.map((object): XmlElement => ["Contents", () => [
      ["Key", encode(object.key)],
      ...details(object),
      ["Owner", owner ? OWNER : undefined],
      ["StorageClass", storageClassOf(object)],
    ]]),
    ...listing.prefixes.map((prefix): XmlElement => ["CommonPrefixes", () => [
      ["Prefix", encode(prefix)],
    ]]),
  ];
}

/** Returns an object's entry in a listing. */
export function details(object: StoredObject): XmlElement[] {
  const algorithms = algorithmsOf(object.checksums);
  return [
    ["LastModified", xmlDate(object.modified)],
    ["ETag", quote(object.etag)],
    ...algorithms.map((name): XmlElement => ["ChecksumAlgorithm", name.toUpperCase()]),
    ["ChecksumType", algorithms.length > 0 ? object.checksumType : undefined],
    ["Size", object.size],
  ];
}
