/** Changes as JSON, for other instances. */
import type { BlobRef } from "../../../core/blobs/blob.ts";
import { KeptError } from "../../../core/persist/state.ts";
import { isBucketName } from "../codec/names.ts";
import type { Change, PlacedVersion } from "./journal.ts";
import type { StoredObject } from "./model.ts";
import {
  readBucket,
  readCompletion,
  readObject,
  readPart,
  readPlace,
  readStart,
  toDate,
} from "./rows.ts";
import { isSetting, SETTINGS } from "./settings.ts";
import { Upload } from "./upload.ts";

/** A change as it is sent; the members are those of a row of the catalog on disk. */
type Sent = Readonly<Record<string, unknown>>;

/** Returns a change as a value for JSON. */
export function writeChange(change: Change): Sent {
  switch (change.kind) {
    case "make bucket": {
      const { name, created, ...about } = change.bucket;
      const { region, acl, versioning } = about;
      const row = { name, created_ms: created.getTime() };
      return { kind: change.kind, ...row, about: JSON.stringify({ region, acl, versioning }) };
    }
    case "put object": {
      const { key, ...object } = change.object;
      return { kind: change.kind, bucket: change.bucket, key, ...writeObject(object) };
    }
    case "put version": {
      const { key, version: { id, sequence }, ...version } = change.version;
      const place = { kind: change.kind, bucket: change.bucket, key, id, sequence };
      return { ...place, ...writeObject(version) };
    }
    case "drop version": {
      const { key, version: { id, sequence } } = change.version;
      return { kind: change.kind, bucket: change.bucket, key, id, sequence };
    }
    case "begin upload": {
      const { id, initiated, start } = change.upload;
      const about = JSON.stringify(start);
      return { kind: change.kind, id, initiated_ms: initiated.getTime(), about };
    }
    case "put part": {
      const { number, ...part } = change.part;
      return { kind: change.kind, upload: change.upload, number, ...writeObject(part) };
    }
    case "note completion":
      return { kind: change.kind, id: change.id, about: JSON.stringify(change.completion) };
    case "put setting":
    case "drop setting":
    case "drop bucket":
    case "drop object":
    case "end upload":
    case "forget completion":
      return { ...change };
  }
}

/** A delete marker has no blob. */
function writeObject(
  { blob, size, modified, ...about }:
    & Partial<Pick<StoredObject, "blob" | "size">>
    & Pick<StoredObject, "modified">,
): Sent {
  const bytes = blob === undefined ? {} : { blob: blob.id, size };
  return { ...bytes, modified_ms: modified.getTime(), about: JSON.stringify(about) };
}

/** Reads a change of another instance. Throws `KeptError` for one that cannot be understood. */
export function readChange(value: unknown): Change {
  const sent = toRecord(value);
  const { kind } = sent;
  switch (kind) {
    case "make bucket":
      return { kind, bucket: readMade(sent) };
    case "put setting": {
      const { name, text } = { name: settingOf(sent), text: textOf(sent, "text") };
      if (!isSetting(name, text)) throw new KeptError(`setting "${name}" cannot be read`);
      return { kind, bucket: textOf(sent, "bucket"), name, text };
    }
    case "drop setting":
      return { kind, bucket: textOf(sent, "bucket"), name: settingOf(sent) };
    case "drop bucket":
      return { kind, name: textOf(sent, "name") };
    case "put object":
      return { kind, bucket: textOf(sent, "bucket"), object: readWhole(sent) };
    case "drop object":
      return { kind, bucket: textOf(sent, "bucket"), key: textOf(sent, "key") };
    case "put version":
      return { kind, bucket: textOf(sent, "bucket"), version: readVersion(sent) };
    case "drop version": {
      const version = { key: textOf(sent, "key"), version: readPlace(sent) };
      return { kind, bucket: textOf(sent, "bucket"), version };
    }
    case "begin upload": {
      const about = { start: readStart(sent), initiated: toDate(sent.initiated_ms) };
      return { kind, upload: new Upload(textOf(sent, "id"), about) };
    }
    case "put part": {
      const part = readPart(sent, { blob: readBlob(sent) });
      return { kind, upload: textOf(sent, "upload"), part };
    }
    case "note completion":
      return { kind, id: textOf(sent, "id"), completion: readCompletion(sent) };
    case "end upload":
    case "forget completion":
      return { kind, id: textOf(sent, "id") };
    default:
      throw new KeptError(`a change is of the unknown kind "${kind}"`);
  }
}

function readMade(sent: Sent): Extract<Change, { kind: "make bucket" }>["bucket"] {
  const name = textOf(sent, "name");
  if (!isBucketName(name, Infinity)) throw new KeptError(`bucket name "${name}" is invalid`);
  const { region, acl, versioning } = readBucket(sent);
  return { name, created: toDate(sent.created_ms), region, acl, versioning };
}

function readWhole(sent: Sent): StoredObject {
  return readObject(sent, { key: textOf(sent, "key"), blob: readBlob(sent) });
}

function readVersion(sent: Sent): PlacedVersion {
  const version = readPlace(sent);
  if ("blob" in sent) return { ...readWhole(sent), version };
  return { key: textOf(sent, "key"), modified: toDate(sent.modified_ms), version };
}

function readBlob(sent: Sent): BlobRef {
  const { size } = sent;
  if (Number.isSafeInteger(size) && Number(size) >= 0) {
    return { id: textOf(sent, "blob"), size: Number(size) };
  }
  throw new KeptError(`a change is damaged: its size is ${size}`);
}

function settingOf({ name }: Sent): (typeof SETTINGS)[number] {
  const known = SETTINGS.find((one) => one === name);
  if (known !== undefined) return known;
  throw new KeptError(`setting "${name}" is unknown`);
}

function textOf(sent: Sent, name: string): string {
  const value = sent[name];
  if (typeof value === "string") return value;
  throw new KeptError(`a change is damaged: it has no ${name}`);
}

function toRecord(value: unknown): Sent {
  if (typeof value === "object" && value !== null) return value as Sent;
  throw new KeptError("a change is damaged: it is not an object");
}
