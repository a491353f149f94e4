/** Assembles an object from the parts of an upload. */
import { decodeBase64 } from "@std/encoding/base64";
import type { BlobRef, BlobStore } from "../../../../core/blobs/blob.ts";
import { concat } from "../../../../core/bytes/concat.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Algorithm, StoredObject, UploadPart } from "../../catalog/model.ts";
import type { Upload } from "../../catalog/upload.ts";
import { S3Error } from "../../errors.ts";
import { toFull } from "../body.ts";
import { digestOf, Hasher } from "../hashing.ts";
import { checkStated, type ChecksumPlan } from "./whole_checksum.ts";

/** Concatenates the bytes and verifies what the sender stated of the whole. */
export async function assemble(
  catalog: Catalog,
  upload: Upload,
  { parts, plan }: { parts: readonly UploadPart[]; plan: ChecksumPlan },
): Promise<StoredObject> {
  const { bucket: _bucket, algorithm: _named, checksumType: _type, ...about } = upload.start;
  const { algorithm, type } = plan;
  let checksum: string | undefined;
  if (algorithm !== undefined && type === "COMPOSITE") {
    checksum = compose(algorithm, parts);
    checkStated(plan, checksum);
  }
  const blob = await concatParts(catalog, parts);
  if (algorithm !== undefined && type === "FULL_OBJECT") {
    try {
      checksum = await hashWhole(catalog.blobs, blob, algorithm);
      checkStated(plan, checksum);
    } catch (error) {
      await catalog.blobs.remove(blob.id);
      throw error;
    }
  }
  return {
    ...about,
    size: blob.size,
    etag: composeEtag(parts.map(({ etag }) => etag)),
    modified: catalog.now(),
    blob,
    checksums: algorithm === undefined ? {} : { [algorithm]: checksum },
    checksumType: type,
    parts: parts.map(({ number, size, checksums }) => ({ number, size, checksums })),
  };
}

/** Returns the MD5 over the parts' MD5s, then the number of parts. Text that is not an MD5 counts as none. */
export function composeEtag(etags: readonly string[]): string {
  const bytes = concat(
    etags.map((etag) => /^[0-9a-f]{32}$/i.test(etag) ? Uint8Array.fromHex(etag) : new Uint8Array()),
  );
  return `${digestOf("md5", bytes).toHex()}-${etags.length}`;
}

function compose(algorithm: Algorithm, parts: readonly UploadPart[]): string {
  // Every part has one: missing ones are computed.
  const bytes = concat(parts.map((part) => decodeBase64(part.checksums[algorithm]!)));
  return `${digestOf(algorithm, bytes).toBase64()}-${parts.length}`;
}

async function hashWhole(
  blobs: BlobStore,
  { id }: BlobRef,
  algorithm: Algorithm,
): Promise<string> {
  const hasher = new Hasher([algorithm], { md5: false });
  const opened = await blobs.open(id);
  for await (const chunk of opened?.body ?? []) hasher.update(chunk);
  return hasher.finish().get(algorithm)!.toBase64();
}

async function concatParts(catalog: Catalog, parts: readonly UploadPart[]): Promise<BlobRef> {
  let blob: BlobRef | undefined;
  try {
    blob = await catalog.blobs.concat(parts.map((part) => part.blob.id));
  } catch (error) {
    throw toFull(error, catalog);
  }
  if (blob !== undefined) return blob;
  throw new S3Error("OperationAborted", "Cannot complete: a part was just replaced");
}
