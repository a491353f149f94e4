/** One object of the parts of an upload. */
import { decodeBase64 } from "@std/encoding/base64";
import type { BlobRef } from "../../../../core/blobs/blob.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { Algorithm, Checksums, StoredObject, UploadPart } from "../../catalog/model.ts";
import type { Upload } from "../../catalog/upload.ts";
import { S3Error } from "../../errors.ts";
import { toFull } from "../body.ts";
import { algorithmsOf } from "../checksums.ts";
import { digestOf, Hasher } from "../hashing.ts";

/** Puts the bytes together and checks what the sender stated of the whole. */
export async function assemble(
  catalog: Catalog,
  upload: Upload,
  { parts, stated }: { parts: readonly UploadPart[]; stated: Checksums },
): Promise<StoredObject> {
  const { algorithm, checksumType = "COMPOSITE", headers, metadata, key } = upload.start;
  const full = algorithm !== undefined && checksumType === "FULL_OBJECT";
  const hasher = new Hasher(full ? [algorithm] : []);
  const composite = algorithm === undefined || full ? {} : compose(algorithm, parts);
  if (!full) checkStated(stated, composite);
  const blob = await join(catalog, { parts, hasher: full ? hasher : undefined });
  const checksums = full ? { [algorithm]: hasher.finish().get(algorithm)!.toBase64() } : composite;
  try {
    if (full) checkStated(stated, checksums);
  } catch (error) {
    await catalog.blobs.remove(blob.id);
    throw error;
  }
  return {
    headers,
    metadata,
    key,
    size: blob.size,
    etag: composeEtag(parts),
    modified: catalog.now(),
    blob,
    checksums,
    checksumType,
    parts: parts.map(({ number, size, checksums }) => ({ number, size, checksums })),
  };
}

/** MD5 over the parts' MD5s, then how many there are. */
function composeEtag(parts: readonly UploadPart[]): string {
  const bytes = concat(parts.map((part) => Uint8Array.fromHex(part.etag)));
  return `${digestOf("md5", bytes).toHex()}-${parts.length}`;
}

function compose(algorithm: Algorithm, parts: readonly UploadPart[]): Checksums {
  // Every part has one: it is made of those that came without.
  const bytes = concat(parts.map((part) => decodeBase64(part.checksums[algorithm]!)));
  return { [algorithm]: `${digestOf(algorithm, bytes).toBase64()}-${parts.length}` };
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function checkStated(stated: Checksums, checksums: Checksums): void {
  for (const algorithm of algorithmsOf(stated)) {
    const [value, actual] = [stated[algorithm]!, checksums[algorithm]];
    if (actual === undefined || actual.replace(/-\d+$/, "") === value.replace(/-\d+$/, "")) {
      continue;
    }
    throw new S3Error(
      "BadDigest",
      `Cannot complete: the ${algorithm} checksum is "${actual}", not "${value}"`,
    );
  }
}

async function join(
  catalog: Catalog,
  { parts, hasher }: { parts: readonly UploadPart[]; hasher: Hasher | undefined },
): Promise<BlobRef> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      const opened = await catalog.blobs.open(part.blob.id);
      if (opened === undefined) {
        throw new S3Error("OperationAborted", `Cannot complete: part ${part.number} was replaced`);
      }
      for await (const chunk of opened.body) {
        hasher?.update(chunk);
        yield chunk;
      }
    }
  }
  try {
    return await catalog.blobs.put(ReadableStream.from(bytes()));
  } catch (error) {
    throw toFull(error);
  }
}
