import { textResponse } from "../../../../core/http/reply.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { tellObject } from "../../capture.ts";
import type { StoredObject } from "../../catalog/model.ts";
import { FormReader } from "../../codec/form_reader.ts";
import { writePlainXml } from "../../codec/xml.ts";
import { S3Error } from "../../errors.ts";
import { readSent, receiveFile } from "../body.ts";
import { checksumHeaders } from "../checksums.ts";
import { encryptionHeaders } from "../encryption.ts";
import { checkFields } from "../fields.ts";
import { checkForm, isOfRequest, type PostForm, readForm } from "../form.ts";
import { readAbout } from "../headers.ts";
import { empty, quote } from "../reply.ts";
import { incomplete } from "../stated.ts";
import { readFormTags } from "../tags.ts";
import { newVersionHeaders } from "../versions.ts";
import { checkKey, locationOf, type Operation, type S3Request, toActor } from "../request.ts";

/** PostObject: `POST /bucket` with a form, as pages in a browser send it. */
export const postObject: Operation = async (request) => {
  const { catalog, target, call, env } = request;
  const bucket = catalog.bucket(target.bucket);
  refuseHeaders(request);
  const reader = new FormReader(readBoundary(call.headers.get("content-type") ?? ""));
  const file = readFile(request, reader);
  // Once the head of the file has arrived, every field is there.
  const first = await file.next();
  const form = readForm(reader);
  const { least, most } = checkForm(form, { bucket: bucket.name, now: catalog.now() });
  checkKey(form.key, env.values.max_key_bytes);
  checkFields(form.headers, "PutObject");
  const tags = await readFormTags(form.fields.get("tagging"));
  const about = readAbout(form.headers, { ...request, bucket });
  catalog.checkRoom(bucket, form.key);
  const { blob, md5, checksums } = await receiveFile(request, following(first, file), {
    fields: form.headers,
    maxBytes: most,
  });
  if (blob.size < least) {
    await catalog.blobs.remove(blob.id);
    throw new S3Error(
      "EntityTooSmall",
      `Cannot accept a file of ${blob.size} bytes: the policy requires at least ${least}`,
    );
  }
  const object: StoredObject = {
    ...about,
    ...tags,
    key: form.key,
    size: blob.size,
    etag: md5.toHex(),
    modified: catalog.now(),
    blob,
    checksums,
    checksumType: "FULL_OBJECT",
  };
  const kept = await catalog.put(bucket, object);
  const query = new URLSearchParams([...form.signer]);
  const actor = toActor(call, { ...request, query });
  tellObject(actor, kept, { operation: "object.put", bucket: bucket.name });
  return reply(request, form, kept);
};

/** Refuses header fields of a PUT, which a form has in its fields, and those about the body of a PUT. */
function refuseHeaders({ call }: S3Request): void {
  for (const [name, value] of call.headers) {
    const isOfPut = /^(x-amz-(meta|checksum)-|content-md5$)/.test(name) || isOfRequest(name);
    if (!isOfPut || value === "UNSIGNED-PAYLOAD") continue;
    throw new S3Error(
      "InvalidArgument",
      `Cannot accept ${name} with a form: send it as a field of the form`,
    );
  }
}

function readBoundary(type: string): string {
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary !== undefined) return boundary;
  throw new S3Error(
    "MalformedPOSTRequest",
    `Cannot read a form of type "${type}": expected a boundary of 1 to 70 characters`,
  );
}

/** Yields the file of a form in chunks; the first one arrives with its head, and may be empty. */
async function* readFile(request: S3Request, reader: FormReader): AsyncGenerator<Uint8Array> {
  let opened = false;
  for await (const sent of readSent(request)) {
    for (const bytes of push(reader, sent)) {
      opened = true;
      yield bytes;
    }
    if (!opened && reader.file !== undefined) {
      opened = true;
      yield new Uint8Array();
    }
  }
  if (reader.file === undefined) {
    throw new S3Error(
      "InvalidArgument",
      "Cannot accept the form: expected exactly one file, in a field named file",
    );
  }
  if (!reader.ended) throw incomplete("the form ends within its file");
}

function push(reader: FormReader, bytes: Uint8Array): readonly Uint8Array[] {
  try {
    return reader.push(bytes);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const code = error.code === "limit" ? "MaxPostPreDataLengthExceeded" : "MalformedPOSTRequest";
    throw new S3Error(code, `Cannot accept the form: ${error.message}`);
  }
}

async function* following(
  first: IteratorResult<Uint8Array>,
  rest: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done !== true && first.value.length > 0) yield first.value;
  yield* rest;
}

function reply({ call, env, target }: S3Request, form: PostForm, object: StoredObject): Response {
  const place = { bucket: target.bucket, key: object.key };
  const location = locationOf(call, env, place);
  const etag = quote(object.etag);
  const headers = {
    location,
    etag,
    ...checksumHeaders(object.checksums, object.checksumType),
    ...encryptionHeaders(object.encryption, { isNew: true }),
    ...newVersionHeaders(object.version?.id),
  };
  if (form.redirect !== undefined) {
    const url = new URL(form.redirect);
    for (const [name, value] of Object.entries({ ...place, etag })) {
      url.searchParams.append(name, value);
    }
    return empty(303, { ...headers, location: url.href });
  }
  if (form.status !== 201) return empty(form.status, headers);
  const text = writePlainXml("PostResponse", [
    ["Location", location],
    ["Bucket", place.bucket],
    ["Key", place.key],
    ["ETag", etag],
  ]);
  return textResponse(text, {
    status: 201,
    headers: { ...headers, "content-type": "application/xml" },
  });
}
