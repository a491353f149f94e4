/** Retention and legal hold of a version. */
import { canRetain, hasLocks } from "../../catalog/lock.ts";
import { type Retention, RETENTION_MODES, type StoredObject } from "../../catalog/model.ts";
import { childText, type XmlNode } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readXmlBody } from "../text_body.ts";
import { checkChildren } from "../documents.ts";
import { lockAccess, lockedBy, notLockable, readUntil } from "../lock.ts";
import { empty, xml } from "../reply.ts";
import type { Operation, S3Request } from "../request.ts";
import { checkShape, type Shape } from "../shapes.ts";
import { entryOf, findObject, versionHeaders } from "../versions.ts";

/** GetObjectRetention: `GET /bucket/key?retention`. */
export const getRetention: Operation = (request) => {
  const { retention } = findLockable(request);
  if (retention === undefined) throw notConfigured();
  return xml("Retention", [
    ["Mode", retention.mode],
    ["RetainUntilDate", retention.until.toISOString()],
  ]);
};

/** GetObjectLegalHold: `GET /bucket/key?legal-hold`. */
export const getLegalHold: Operation = (request) => {
  const { legalHold } = findLockable(request);
  if (legalHold === undefined) throw notConfigured();
  return xml("LegalHold", [["Status", legalHold ? "ON" : "OFF"]]);
};

/** PutObjectRetention: `PUT /bucket/key?retention`. A document without elements removes the retention. */
export const putRetention: Operation = async (request) => {
  const { catalog, target } = request;
  const root = await readDocument(request, "Retention");
  checkChildren(root, {
    known: ["Mode", "RetainUntilDate"],
    leftOut: ["EventHold", "EventHoldDuration"],
  });
  checkShape(root, RETENTION);
  const access = lockAccess(request);
  findLockable(request, { changes: true });
  const retention = readRetention(root, access.now);
  const check = ({ retention: old }: StoredObject): void => {
    if (canRetain(old, { wanted: retention, ...access })) return;
    throw lockedBy(`${old?.mode} retention until ${old?.until.toISOString()}`);
  };
  const bucket = catalog.bucket(target.bucket);
  const object = await catalog.amend(bucket, entryOf(request), { retention, check });
  return empty(200, versionHeaders(request, object));
};

const RETENTION: Shape = { Mode: { words: RETENTION_MODES }, RetainUntilDate: {} };
const LEGAL_HOLD: Shape = { Status: { required: true, words: ["ON", "OFF"] } };

function readRetention(root: XmlNode, now: Date): Retention | undefined {
  const mode = RETENTION_MODES.find((one) => one === childText(root, "Mode")?.trim());
  const until = childText(root, "RetainUntilDate")?.trim();
  if (mode === undefined && until === undefined) return undefined;
  if (mode === undefined || until === undefined) {
    throw new S3Error(
      "MalformedXML",
      "Cannot put a Retention: expected both Mode and RetainUntilDate",
    );
  }
  return { mode, until: readUntil(until, { name: "RetainUntilDate", now }) };
}

/** PutObjectLegalHold: `PUT /bucket/key?legal-hold`. */
export const putLegalHold: Operation = async (request) => {
  const { catalog, target } = request;
  const root = await readDocument(request, "LegalHold");
  checkShape(root, LEGAL_HOLD);
  findLockable(request, { changes: true });
  const legalHold = childText(root, "Status")?.trim() === "ON";
  const bucket = catalog.bucket(target.bucket);
  const object = await catalog.amend(bucket, entryOf(request), { legalHold });
  return empty(200, versionHeaders(request, object));
};

async function readDocument(request: S3Request, name: string): Promise<XmlNode> {
  const root = await readXmlBody(request);
  if (root?.name === name) return root;
  throw new S3Error("MalformedXML", `Cannot lock the object: expected a ${name} document`);
}

/** Returns the requested version, in a bucket with object lock. */
function findLockable(request: S3Request, options?: { changes: boolean }): StoredObject {
  const bucket = request.catalog.bucket(request.target.bucket);
  if (!hasLocks(bucket)) throw notLockable(bucket);
  return findObject(request, options);
}

function notConfigured(): S3Error {
  return new S3Error(
    "NoSuchObjectLockConfiguration",
    "The specified object does not have a ObjectLock configuration",
  );
}
