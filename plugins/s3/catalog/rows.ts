/** Rows of the catalog, on disk or from another instance, read as untrusted input: anything may have written them. */
import type { BlobRef } from "../../../core/blobs/blob.ts";
import { compact } from "../../../core/compact.ts";
import { KeptError } from "../../../core/persist/state.ts";
import {
  type Algorithm,
  ALGORITHMS,
  type Checksums,
  type ChecksumType,
  type Completion,
  ENCRYPTION_ALGORITHMS,
  NULL_VERSION,
  type ObjectAbout,
  type ObjectLock,
  type ObjectPart,
  type Retention,
  RETENTION_MODES,
  type StoredObject,
  type Tag,
  type UploadPart,
  VERSIONING,
  type VersionPlace,
} from "./model.ts";
import { type CannedAcl, isCannedAcl } from "../codec/acl.ts";
import type { BucketAbout } from "./bucket.ts";
import { isOwnId } from "./version_table.ts";
import type { UploadStart } from "./upload.ts";

type Row = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, unknown>>;

const ETAG = /^[0-9a-f]{32}(-\d+)?$/;

/** Region of a bucket (empty for none), its ACL, and whether it has versions. */
export function readBucket(row: Row): Omit<BucketAbout, "created"> {
  const fields = aboutOf(row);
  const { versioning } = fields;
  return {
    region: text(fields, "region"),
    ...readAcl(fields),
    versioning: versioning === undefined
      ? undefined
      : VERSIONING.find((state) => state === versioning) ?? fail("versioning"),
  };
}

/** Reads the position of a row among the versions of its key. */
export function readPlace({ id, sequence }: Row): VersionPlace {
  const sound = id === NULL_VERSION || (typeof id === "string" && isOwnId(id, sequence));
  return sound && Number(sequence) > 0 ? { id, sequence: Number(sequence) } : fail("version");
}

function readAcl({ acl }: Fields): { readonly acl?: CannedAcl } {
  if (acl === undefined) return {};
  return isCannedAcl(acl) ? { acl } : fail("acl");
}

/** Reads an object, except for the fields the caller has read. */
export function readObject(row: Row, known: { key: string; blob: BlobRef }): StoredObject {
  const fields = aboutOf(row);
  const { parts } = fields;
  const sender = readSender(fields);
  const type = sender.headers["content-type"] ?? fail("content-type");
  return {
    ...sender,
    key: known.key,
    blob: { ...known.blob, content_type: type },
    size: known.blob.size,
    etag: readEtag(fields),
    modified: toDate(row.modified_ms),
    checksums: readChecksums(fields),
    checksumType: readType(fields.checksumType),
    ...(parts === undefined ? {} : { parts: list(parts).map(readObjectPart) }),
  };
}

/** Reads a part, except for its bytes. */
export function readPart(row: Row, { blob }: { blob: BlobRef }): UploadPart {
  const fields = aboutOf(row);
  return {
    blob,
    number: Number(row.number),
    size: blob.size,
    etag: readEtag(fields),
    modified: toDate(row.modified_ms),
    checksums: readChecksums(fields),
  };
}

/** Reads the start of an upload. */
export function readStart(row: Row): UploadStart {
  const fields = aboutOf(row);
  const { algorithm, checksumType } = fields;
  return {
    ...readSender(fields),
    bucket: text(fields, "bucket"),
    key: text(fields, "key"),
    ...(algorithm === undefined ? {} : { algorithm: readAlgorithm(algorithm) }),
    ...(checksumType === undefined ? {} : { checksumType: readType(checksumType) }),
  };
}

/** Returns the response to a completed upload. */
export function readCompletion(row: Row): Completion {
  const fields = aboutOf(row);
  return {
    bucket: text(fields, "bucket"),
    key: text(fields, "key"),
    etag: readEtag(fields),
    checksums: readChecksums(fields),
    checksumType: readType(fields.checksumType),
    ...(fields.versionId === undefined ? {} : { versionId: text(fields, "versionId") }),
    ...readEncryption(fields),
    ...(fields.size === undefined ? {} : { size: Number(fields.size) }),
    ...(fields.conditions === undefined ? {} : { conditions: text(fields, "conditions") }),
  };
}

function aboutOf(row: Row): Fields {
  try {
    return record(JSON.parse(String(row.about)));
  } catch (error) {
    if (error instanceof KeptError) throw error;
    throw new KeptError("a row is damaged: it is not JSON");
  }
}

/** Sent as a header in every response, so it must be valid as one. */
function readSender(fields: Fields): ObjectAbout {
  const about = { headers: texts(fields, "headers"), metadata: texts(fields, "metadata") };
  try {
    new Headers(about.headers);
    new Headers(about.metadata);
  } catch {
    throw new KeptError("a row is damaged: a value is invalid as a header field");
  }
  return {
    ...about,
    ...readAcl(fields),
    ...readTags(fields),
    ...readEncryption(fields),
    ...readLock(fields),
  };
}

function readEncryption({ encryption }: Fields): Pick<ObjectAbout, "encryption"> {
  if (encryption === undefined) return {};
  const { algorithm, bucketKey, ...texts } = record(encryption);
  const { kmsKeyId, kmsContext, customerKeyMd5 } = texts;
  const sound = Object.values(texts).every(isHeaderText) &&
    (bucketKey === undefined || bucketKey === true);
  if (!sound) fail("encryption");
  return {
    encryption: {
      algorithm: ENCRYPTION_ALGORITHMS.find((one) => one === algorithm) ?? fail("encryption"),
      ...compact({
        kmsKeyId: kmsKeyId as string | undefined,
        kmsContext: kmsContext as string | undefined,
        customerKeyMd5: customerKeyMd5 as string | undefined,
        bucketKey: bucketKey as true | undefined,
      }),
    },
  };
}

/** Sent as a header field, like the other properties of an object. */
function isHeaderText(value: unknown): value is string {
  return typeof value === "string" && !/[^\x20-\xff]|\x7f/.test(value);
}

function readLock({ retention, legalHold }: Fields): ObjectLock {
  if (legalHold !== undefined && typeof legalHold !== "boolean") fail("legal hold");
  return compact({
    legalHold,
    retention: retention === undefined ? undefined : readRetention(record(retention)),
  });
}

function readRetention({ mode, until }: Fields): Retention {
  return {
    mode: RETENTION_MODES.find((one) => one === mode) ?? fail("retention"),
    until: toDate(typeof until === "string" ? Date.parse(until) : NaN),
  };
}

function readTags({ tags }: Fields): { readonly tags?: readonly Tag[] } {
  if (tags === undefined) return {};
  const sound = Array.isArray(tags) &&
    tags.every((tag) =>
      Array.isArray(tag) && tag.length === 2 && tag.every((text) => typeof text === "string")
    );
  return sound ? { tags } : fail("tags");
}

function readObjectPart(value: unknown): ObjectPart {
  const fields = record(value);
  return {
    number: integer(fields, "number"),
    size: integer(fields, "size"),
    checksums: readChecksums(fields),
  };
}

function readChecksums(fields: Fields): Checksums {
  const found: { [A in Algorithm]?: string } = {};
  for (const [name, value] of Object.entries(texts(fields, "checksums"))) {
    found[readAlgorithm(name)] = value;
  }
  return found;
}

function readAlgorithm(value: unknown): Algorithm {
  const known = ALGORITHMS.find((algorithm) => algorithm === value);
  return known ?? fail("algorithm");
}

function readType(value: unknown): ChecksumType {
  return value === "FULL_OBJECT" || value === "COMPOSITE" ? value : fail("checksumType");
}

function readEtag(fields: Fields): string {
  const etag = text(fields, "etag");
  return ETAG.test(etag) ? etag : fail("etag");
}

/** Reads a time in milliseconds. */
export function toDate(ms: unknown): Date {
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? fail("time") : date;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : fail(name);
}

function integer(fields: Fields, name: string): number {
  const value = fields[name];
  return typeof value === "number" && Number.isSafeInteger(value) ? value : fail(name);
}

function texts(fields: Fields, name: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(record(fields[name]))) {
    found[key] = typeof value === "string" ? value : fail(name);
  }
  return found;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : fail("parts");
}

function record(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail("about");
  return value as Fields;
}

function fail(what: string): never {
  throw new KeptError(`a row is damaged: its ${what} cannot be read`);
}
