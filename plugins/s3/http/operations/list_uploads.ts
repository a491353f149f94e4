import type { Upload } from "../../catalog/upload.ts";
import { compareKeys } from "../../codec/order.ts";
import { encodeKey } from "../../codec/target.ts";
import type { XmlElement } from "../../codec/xml.ts";
import { storageClassOf } from "../headers.ts";
import { OWNER, xml, xmlDate } from "../reply.ts";
import { type Operation, readCount } from "../request.ts";
import { readEncodingType } from "./list_objects.ts";

const MAX_UPLOADS = 1000;

/** ListMultipartUploads: `GET /bucket?uploads`. */
export const listUploads: Operation = ({ catalog, target, query }) => {
  const bucket = catalog.bucket(target.bucket);
  const url = readEncodingType(query);
  const encode = (key: string): string => url ? encodeKey(key) : key;
  const read = (name: string): string => query.get(name) ?? "";
  const [prefix, delimiter, marker] = [read("prefix"), read("delimiter"), read("key-marker")];
  const most = Math.min(readCount(query, "max-uploads", MAX_UPLOADS), MAX_UPLOADS);
  const following = behind(catalog.uploads.list(bucket.name), marker, read("upload-id-marker"))
    .filter(({ start }) => start.key.startsWith(prefix));
  const { uploads, prefixes, truncated, last } = fold(following, { prefix, delimiter, most });
  return xml("ListMultipartUploadsResult", [
    ["Bucket", bucket.name],
    ["KeyMarker", encode(marker)],
    ["UploadIdMarker", read("upload-id-marker")],
    ["NextKeyMarker", truncated ? encode(last?.start.key ?? "") : undefined],
    ["NextUploadIdMarker", truncated ? last?.id ?? "" : undefined],
    ["Prefix", encode(prefix)],
    ["Delimiter", delimiter === "" ? undefined : encode(delimiter)],
    ["EncodingType", url ? "url" : undefined],
    ["MaxUploads", most],
    ["IsTruncated", truncated],
    ...uploads.map((upload): XmlElement => ["Upload", () => describe(upload, encode)]),
    ...prefixes.map((text): XmlElement => ["CommonPrefixes", () => [["Prefix", encode(text)]]]),
  ]);
};

function describe(
  { id, start, initiated }: Upload,
  encode: (key: string) => string,
): XmlElement[] {
  return [
    ["Key", encode(start.key)],
    ["UploadId", id],
    ["Initiator", OWNER],
    ["Owner", OWNER],
    ["StorageClass", storageClassOf(start)],
    ["Initiated", xmlDate(initiated)],
    ["ChecksumAlgorithm", start.algorithm?.toUpperCase()],
    ["ChecksumType", start.checksumType],
  ];
}

/** Strictly after the key; with an upload id, also the later uploads of that key. */
function behind(uploads: readonly Upload[], marker: string, id: string): readonly Upload[] {
  if (marker === "") return uploads;
  const at = uploads.findIndex((upload) => upload.id === id && upload.start.key === marker);
  if (at >= 0) return uploads.slice(at + 1);
  return uploads.filter(({ start }) => compareKeys(start.key, marker) > 0);
}

interface Folded {
  readonly uploads: readonly Upload[];
  readonly prefixes: readonly string[];
  readonly truncated: boolean;
  readonly last: Upload | undefined;
}

function fold(
  following: readonly Upload[],
  { prefix, delimiter, most }: { prefix: string; delimiter: string; most: number },
): Folded {
  const uploads: Upload[] = [];
  const prefixes: string[] = [];
  let last: Upload | undefined;
  for (const upload of following) {
    const { key } = upload.start;
    const found = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    const folded = found < 0 ? undefined : key.slice(0, found + delimiter.length);
    const listed = folded !== undefined && prefixes.at(-1) === folded;
    if (!listed && uploads.length + prefixes.length >= most) {
      return { uploads, prefixes, truncated: most > 0, last };
    }
    if (folded === undefined) uploads.push(upload);
    else if (!listed) prefixes.push(folded);
    last = upload;
  }
  return { uploads, prefixes, truncated: false, last };
}
