import { checkVersionId } from "../../catalog/find_version.ts";
import { listVersions } from "../../catalog/listing.ts";
import { idOf, isMarker, type Version } from "../../catalog/model.ts";
import type { XmlElement } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { storageClassOf } from "../headers.ts";
import { OWNER, xml, xmlDate } from "../reply.ts";
import type { Operation } from "../request.ts";
import { details, readAsked } from "./list_objects.ts";

/** ListObjectVersions: `GET /bucket?versions`. Keys in order, the newest version of each first. */
export const listObjectVersions: Operation = ({ catalog, target, query }) => {
  const bucket = catalog.bucket(target.bucket);
  const asked = readAsked(query);
  const { encode } = asked;
  const [key, version] = [query.get("key-marker") ?? "", query.get("version-id-marker") ?? ""];
  if (version !== "" && key === "") {
    throw new S3Error("InvalidArgument", "Cannot use version-id-marker without key-marker");
  }
  const afterVersion = version === "" ? undefined : version;
  checkVersionId(afterVersion, "version-id-marker");
  const page = listVersions(bucket, { ...asked, after: key, afterVersion });
  const { last, truncated } = page;
  const describe = (one: Version): XmlElement => [
    isMarker(one) ? "DeleteMarker" : "Version",
    () => [
      ["Key", encode(one.key)],
      ["VersionId", idOf(one)],
      ["IsLatest", bucket.newest(one.key) === one],
      ...(isMarker(one) ? [["LastModified", xmlDate(one.modified)] as const] : details(one)),
      ["Owner", OWNER],
      ["StorageClass", isMarker(one) ? undefined : storageClassOf(one)],
    ],
  ];
  return xml("ListVersionsResult", [
    ["Name", bucket.name],
    ["Prefix", encode(asked.prefix)],
    ["KeyMarker", encode(key)],
    ["VersionIdMarker", version],
    ["NextKeyMarker", truncated ? encode(last.key) : undefined],
    ["NextVersionIdMarker", truncated && last.version ? idOf(last.version) : undefined],
    ["Delimiter", asked.delimiter === "" ? undefined : encode(asked.delimiter)],
    ["MaxKeys", asked.maxKeys],
    ["EncodingType", asked.url ? "url" : undefined],
    ["IsTruncated", truncated],
    ...page.versions.map(describe),
    ...page.prefixes.map((
      text,
    ): XmlElement => ["CommonPrefixes", () => [["Prefix", encode(text)]]]),
  ]);
};
