import type { BlobStore } from "../../../core/blobs/blob.ts";
import { BlobNames } from "./blob_names.ts";
import { Bucket } from "./bucket.ts";
import { aboutBucket, type Change, type KeptCatalog, type PlacedVersion } from "./journal.ts";
import {
  type Completion,
  isMarker,
  NULL_VERSION,
  type StoredObject,
  type UploadPart,
  type Version,
} from "./model.ts";
import type { Upload } from "./upload.ts";
import { isPlaced } from "./version_steps.ts";

/** The contents of the catalog. Only stored changes change them. */
export class CatalogState {
  readonly buckets = new Map<string, Bucket>();
  /** In the order of their creation. */
  readonly uploads = new Map<string, Upload>();
  /** By the id of the upload; in the order of their completion. */
  readonly completions = new Map<string, Completion>();
  readonly names: BlobNames;
  /** Buckets that `forget` dropped: a running request continues with its bucket if that still exists. */
  #former = new Map<string, Bucket>();
  #versions = 0;
  #parts = 0;
  #sequence = 0;

  constructor(blobs: BlobStore) {
    this.names = new BlobNames(blobs);
  }

  /** Total of all buckets, including earlier versions and delete markers. */
  get versions(): number {
    return this.#versions;
  }

  /** Total of all uploads. */
  get parts(): number {
    return this.#parts;
  }

  /** Returns a sequence number larger than all before. */
  nextSequence(): number {
    return ++this.#sequence;
  }

  /** Takes over what was stored, into an empty state. */
  restore({ buckets, uploads, completions }: KeptCatalog): void {
    for (const bucket of buckets) {
      this.buckets.set(bucket.name, bucket);
      this.#versions += bucket.versionCount;
      for (const version of bucket.everyVersion()) {
        this.#sequence = Math.max(this.#sequence, version.version?.sequence ?? 0);
        if (!isMarker(version)) this.names.retain(version.blob);
      }
    }
    for (const upload of uploads) {
      this.uploads.set(upload.id, upload);
      this.#parts += upload.parts.size;
      for (const { blob } of upload.parts.values()) this.names.retain(blob);
    }
    for (const [id, completion] of completions) this.completions.set(id, completion);
  }

  /** Applies changes, in order. Returns the blobs that lost a reference; the caller frees or forgets them. */
  apply(changes: readonly Change[]): readonly string[] {
    const freed: string[] = [];
    for (const change of changes) this.#apply(change, freed);
    return freed;
  }

  /** Yields the changes that lead from an empty catalog to this one. */
  *changes(): Generator<Change> {
    for (const bucket of this.buckets.values()) {
      const { name, settings, versioning } = bucket;
      // Objects put before there were versions come first, as they did.
      yield { kind: "make bucket", bucket: aboutBucket(bucket, { versioning: undefined }) };
      for (const version of bucket.everyVersion()) {
        if (!isPlaced(version)) yield { kind: "put object", bucket: name, object: version };
      }
      if (versioning !== undefined) yield { kind: "make bucket", bucket: aboutBucket(bucket) };
      for (const version of bucket.everyVersion()) {
        if (isPlaced(version)) yield { kind: "put version", bucket: name, version };
      }
      for (const [setting, text] of settings) {
        yield { kind: "put setting", bucket: name, name: setting, text };
      }
    }
    for (const upload of this.uploads.values()) {
      yield { kind: "begin upload", upload };
      for (const part of upload.parts.values()) yield { kind: "put part", upload: upload.id, part };
    }
    for (const [id, completion] of this.completions) {
      yield { kind: "note completion", id, completion };
    }
  }

  /** Drops everything; the bytes stay. */
  forget(): void {
    const buckets = new Map(this.buckets);
    const uploads = [...this.uploads.keys()];
    const freed = this.apply([
      ...[...buckets.keys()].map((name): Change => ({ kind: "drop bucket", name })),
      ...uploads.map((id): Change => ({ kind: "end upload", id })),
    ]);
    this.names.forget(freed);
    this.completions.clear();
    for (const bucket of buckets.values()) bucket.forget();
    this.#former = buckets;
  }

  #apply(change: Change, freed: string[]): void {
    switch (change.kind) {
      case "make bucket":
        return this.#makeBucket(change.bucket);
      case "put setting":
        return void this.#bucket(change.bucket).settings.set(change.name, change.text);
      case "drop setting":
        return void this.#bucket(change.bucket).settings.delete(change.name);
      case "drop bucket":
        return this.#dropBucket(change.name, freed);
      case "put object":
        return this.#putObject(this.#bucket(change.bucket), change.object, freed);
      case "drop object": {
        const bucket = this.#bucket(change.bucket);
        return this.#remove(bucket, bucket.version(change.key, NULL_VERSION), freed);
      }
      case "put version":
        return this.#putVersion(this.#bucket(change.bucket), change.version, freed);
      case "drop version": {
        const bucket = this.#bucket(change.bucket);
        const { key, version } = change.version;
        return this.#remove(bucket, bucket.version(key, version.id), freed);
      }
      case "begin upload":
        return void this.uploads.set(change.upload.id, change.upload);
      case "put part":
        return this.#putPart(change, freed);
      case "end upload":
        return this.#endUpload(change.id, freed);
      case "note completion":
        return void this.completions.set(change.id, change.completion);
      case "forget completion":
        return void this.completions.delete(change.id);
    }
  }

  #bucket(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (bucket === undefined) throw new RangeError(`a change is for unknown bucket "${name}"`);
    return bucket;
  }

  #makeBucket({ name, ...about }: Extract<Change, { kind: "make bucket" }>["bucket"]): void {
    const old = this.buckets.get(name);
    if (old === undefined) {
      const former = this.#former.get(name);
      // Only once: with a fixed clock, a bucket that is created again has the same time.
      this.#former.delete(name);
      const isSame = former?.created.getTime() === about.created.getTime();
      const bucket = isSame ? former! : new Bucket(name, about);
      bucket.acl = about.acl;
      bucket.versioning = about.versioning;
      this.buckets.set(name, bucket);
      return;
    }
    old.acl = about.acl;
    old.versioning = about.versioning;
  }

  #dropBucket(name: string, freed: string[]): void {
    const bucket = this.buckets.get(name);
    if (bucket === undefined) return;
    this.buckets.delete(name);
    this.#versions -= bucket.versionCount;
    for (const version of bucket.everyVersion()) {
      if (!isMarker(version)) freed.push(version.blob.id);
    }
  }

  #putObject(bucket: Bucket, object: StoredObject, freed: string[]): void {
    const old = bucket.version(object.key, NULL_VERSION);
    this.names.retain(object.blob);
    bucket.replace(object);
    if (old === undefined) this.#versions++;
    else if (!isMarker(old)) freed.push(old.blob.id);
  }

  #putVersion(bucket: Bucket, version: PlacedVersion, freed: string[]): void {
    const { sequence, id } = version.version;
    this.#sequence = Math.max(this.#sequence, sequence);
    const old = bucket.version(version.key, id);
    if ("blob" in version) this.names.retain(version.blob);
    if (old?.version?.sequence !== sequence) {
      bucket.add(version);
      this.#versions++;
      return;
    }
    if ("blob" in version) bucket.replace(version);
    if (!isMarker(old)) freed.push(old.blob.id);
  }

  #remove(bucket: Bucket, version: Version | undefined, freed: string[]): void {
    if (version === undefined) return;
    if (bucket.versioning === undefined) bucket.delete(version.key);
    else bucket.remove(version);
    this.#versions--;
    if (!isMarker(version)) freed.push(version.blob.id);
  }

  #putPart({ upload: id, part }: { upload: string; part: UploadPart }, freed: string[]): void {
    const upload = this.uploads.get(id);
    if (upload === undefined) throw new RangeError(`a part is of the unknown upload "${id}"`);
    const old = upload.parts.get(part.number);
    this.names.retain(part.blob);
    upload.parts.set(part.number, part);
    if (old === undefined) this.#parts++;
    else freed.push(old.blob.id);
  }

  #endUpload(id: string, freed: string[]): void {
    const upload = this.uploads.get(id);
    if (upload === undefined) return;
    this.uploads.delete(id);
    this.#parts -= upload.parts.size;
    for (const { blob } of upload.parts.values()) freed.push(blob.id);
  }
}
