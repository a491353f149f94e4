import { tellDeletion } from "../../capture.ts";
import type { Bucket } from "../../catalog/bucket.ts";
import { noSuchVersion } from "../../catalog/find_version.ts";
import type { LockAccess } from "../../catalog/lock.ts";
import { type DeleteEntry, type Deletion, isMarker } from "../../catalog/model.ts";
import type { DeleteConditions } from "../../codec/conditions.ts";
import { childrenOf, childText, type XmlElement, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../text_body.ts";
import { checkChildren, readTruth } from "../documents.ts";
import { lockAccess } from "../lock.ts";
import { xml } from "../reply.ts";
import type { Operation, S3Request } from "../request.ts";
import { demandDigest } from "../stated.ts";
import { checkDeletion, readDeleteConditions } from "./delete_conditions.ts";

const MAX_KEYS = 1000;

/** An object to delete. */
interface Entry extends DeleteEntry {
  readonly conditions: DeleteConditions;
}

/** DeleteObjects: `POST /bucket?delete`. Entries are independent; those that fail are returned as errors. */
export const deleteObjects: Operation = async (request) => {
  const { catalog, target, actor } = request;
  const bucket = catalog.bucket(target.bucket);
  const { entries, quiet } = await readDocument(request);
  const access = lockAccess(request);
  let errors: readonly (S3Error | undefined)[] = [];
  let gone: readonly Entry[] = [];
  const deletions = await catalog.deleteMany(bucket, () => {
    errors = entries.map((entry) => findError(bucket, entry, access));
    return gone = entries.filter((_, index) => errors[index] === undefined);
  });
  for (const deletion of deletions) {
    if (deletion !== undefined) tellDeletion(actor, bucket.name, deletion);
  }
  const done = new Map(gone.map((entry, index) => [entry, deletions[index]]));
  const told = entries.map((entry, index) => tell(entry, errors[index] ?? done.get(entry)));
  return xml("DeleteResult", quiet ? told.filter(([name]) => name === "Error") : told);
};

async function readDocument(
  request: S3Request,
): Promise<{ entries: readonly Entry[]; quiet: boolean }> {
  demandDigest(request.call.headers);
  const root = await readXmlBody(request);
  const nodes = root === undefined ? [] : childrenOf(root, "Object");
  if (root?.name !== "Delete" || nodes.length === 0 || nodes.length > MAX_KEYS) {
    throw new S3Error(
      "MalformedXML",
      `Cannot delete ${nodes.length} keys: expected a Delete document that names 1 to ${MAX_KEYS}`,
    );
  }
  checkChildren(root, { known: ["Object", "Quiet"], many: ["Object"] });
  const quiet = readTruth("Quiet", childText(root, "Quiet")) ?? false;
  return { entries: nodes.map(readEntry), quiet };
}

const CONDITIONS = { match: "ETag", modified: "LastModifiedTime", size: "Size" } as const;

function readEntry(node: XmlNode): Entry {
  checkChildren(node, { known: ["Key", "VersionId", ...Object.values(CONDITIONS)] });
  const key = childText(node, "Key") ?? "";
  if (key === "") throw new S3Error("MalformedXML", "Cannot delete: an Object has no Key");
  const read = (name: string): string | undefined => childText(node, name)?.trim();
  const conditions = readDeleteConditions(read, CONDITIONS, "MalformedXML");
  return { key, version: read("VersionId"), conditions };
}

function findError(bucket: Bucket, entry: Entry, access: LockAccess): S3Error | undefined {
  try {
    checkDeletion(bucket, entry, { ...entry, names: CONDITIONS, access });
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    // An entry does not distinguish a malformed id from an unknown one.
    return error.code === "InvalidArgument" ? noSuchVersion(entry.version ?? "") : error;
  }
}

function tell({ key, version }: Entry, end: S3Error | Deletion | undefined): XmlElement {
  const about: XmlElement[] = [["Key", key], ["VersionId", version]];
  if (end instanceof S3Error) {
    return ["Error", [...about, ["Code", end.code], ["Message", end.message]]];
  }
  const marker = end?.marker ?? end?.removed;
  if (marker === undefined || !isMarker(marker)) return ["Deleted", about];
  const id = marker.version.id;
  return ["Deleted", [...about, ["DeleteMarker", true], ["DeleteMarkerVersionId", id]]];
}
