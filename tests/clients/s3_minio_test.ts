import { Buffer } from "node:buffer";
import { assertEquals } from "@std/assert";
import { Client, CopyConditions, S3Error } from "npm:minio@8.0.7";
import { noise } from "../support/files.ts";
import { assertStoryEvents, startStore, STORY, VERSIONS } from "../support/s3.ts";

const BUCKET = "story";
const UNICODE = "ü +/☃?.txt";
const MIB = 1024 * 1024;

Deno.test("minio for JavaScript makes every call and understands every answer", async () => {
  await using store = await startStore({ buckets: [] });
  const { hostname, port } = store.service.endpoint("http");
  const client = new Client({
    endPoint: hostname,
    port,
    useSSL: false,
    accessKey: "any",
    secretKey: "any",
  });
  await client.makeBucket(BUCKET);
  const told = {
    buckets: await bucketsOf(client),
    ...await objects(client),
    conditions: await conditions(client),
    ...await large(client),
    ...await multipart(client),
    presigned: await presigned(client),
    ...await listings(client),
    ...await versions(client),
  };
  await client.removeBucket(BUCKET);
  const seen = { ...told, left: (await bucketsOf(client)).length };
  assertEquals<unknown>(seen, { ...STORY, ...VERSIONS });
  assertStoryEvents(store, "minio-js", { tagged: false });
});

async function bucketsOf(client: Client): Promise<string[]> {
  return (await client.listBuckets()).map(({ name }) => name);
}

async function collect(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function read(client: Client, key: string): Promise<Buffer> {
  return await collect(await client.getObject(BUCKET, key));
}

/** Errors of the client. */
async function refusal(run: () => Promise<unknown>): Promise<S3Error & { code?: string }> {
  try {
    await run();
  } catch (error) {
    if (error instanceof S3Error) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}

async function objects(client: Client) {
  await client.putObject(BUCKET, "empty", Buffer.alloc(0));
  const about = { "Content-Type": "text/plain", colour: "blue" };
  await client.putObject(BUCKET, UNICODE, "Hello", 5, about);
  const { metaData } = await client.statObject(BUCKET, UNICODE);
  const source = `/${BUCKET}/${UNICODE}`;
  await client.copyObject(BUCKET, "copy", source, new CopyConditions());
  const part = await client.getPartialObject(BUCKET, UNICODE, 1, 3);
  return {
    empty: String(await read(client, "empty")),
    got: [String(await read(client, UNICODE)), metaData.colour, metaData["content-type"]],
    range: String(await collect(part)),
    copied: String(await read(client, "copy")),
    missing: (await refusal(() => client.getObject(BUCKET, "no"))).code,
  };
}

/**
 * The client has no parameters for conditional requests, so they are sent as headers of a presigned
 * request.
 */
async function conditions(client: Client): Promise<number[]> {
  const { etag } = await client.statObject(BUCKET, "copy");
  const get = await client.presignedGetObject(BUCKET, "copy");
  const put = await client.presignedPutObject(BUCKET, "copy");
  const requests: readonly (readonly [string, RequestInit])[] = [
    [get, { headers: { "if-match": '"x"' } }],
    [get, { headers: { "if-none-match": `"${etag}"` } }],
    [put, { method: "PUT", body: "x", headers: { "if-none-match": "*" } }],
  ];
  const statuses: number[] = [];
  for (const [url, init] of requests) {
    const response = await fetch(url, init);
    await response.body?.cancel();
    statuses.push(response.status);
  }
  return statuses;
}

async function large(client: Client) {
  const whole = Buffer.from(noise(64 * MIB));
  await client.putObject(BUCKET, "whole", whole);
  const body = whole.subarray(0, 12 * MIB + 1);
  client.partSize = 5 * MIB;
  await client.putObject(BUCKET, "parts", body);
  return {
    whole: whole.equals(await read(client, "whole")),
    parts: body.equals(await read(client, "parts")),
  };
}

async function multipart(client: Client) {
  const begin = (key: string) => client.initiateNewMultipartUpload(BUCKET, key, {});
  const send = async (place: { key: string; id: string }, part: number, body: Buffer) => {
    const { etag } = await client.uploadPart({
      bucketName: BUCKET,
      objectName: place.key,
      uploadID: place.id,
      partNumber: part,
      headers: { "Content-Length": body.length },
    }, body);
    return { part, etag };
  };
  const gone = { key: "aborted", id: await begin("aborted") };
  await send(gone, 1, Buffer.from("x"));
  const uploads: string[] = [];
  for await (const { key } of client.listIncompleteUploads(BUCKET, "", true)) uploads.push(key);
  await client.removeIncompleteUpload(BUCKET, gone.key);
  const aborted = await refusal(() => client.abortMultipartUpload(BUCKET, gone.key, gone.id));

  const place = { key: "resumed", id: await begin("resumed") };
  const first = await send(place, 1, Buffer.alloc(5 * MIB));
  const found = await client.findUploadId(BUCKET, place.key);
  const parts = [first, await send({ ...place, id: found! }, 2, Buffer.from("Hello"))];
  await client.completeMultipartUpload(BUCKET, place.key, place.id, parts);
  return {
    uploads,
    aborted: aborted.code,
    resumed: [found === place.id ? 1 : 0, (await read(client, "resumed")).length],
  };
}

async function presigned(client: Client): Promise<string> {
  const putUrl = await client.presignedPutObject(BUCKET, "signed");
  await (await fetch(putUrl, { method: "PUT", body: "Hello" })).text();
  return await (await fetch(await client.presignedGetObject(BUCKET, "signed"))).text();
}

async function listings(client: Client) {
  const keys: string[] = [];
  for await (const { name } of client.listObjectsV2(BUCKET, "", true)) keys.push(name);
  const prefixes: string[] = [];
  for await (const { prefix } of client.listObjectsV2(BUCKET)) if (prefix) prefixes.push(prefix);
  const failed = await client.removeObjects(BUCKET, [...keys, "never"]);
  return { keys, prefixes, deleted: keys.length + 1 - failed.length };
}

async function versions(client: Client) {
  const place = [BUCKET, "v"] as const;
  const readTag = async () =>
    (await client.getObjectTagging(...place)).map(({ Value }) => Value)[0];
  await client.setBucketVersioning(BUCKET, { Status: "Enabled" });
  await client.putObject(...place, "one");
  // It cannot send them with the request.
  await client.setObjectTagging(...place, { kind: "a b" });
  const first = await readTag();
  await client.setObjectTagging(...place, { colour: "dark blue" });
  const tags = [first, await readTag()];
  await client.putObject(...place, "two");
  await client.removeObject(...place);
  const bodies: string[] = [];
  let markers = 0;
  const entries = client.listObjects(BUCKET, "", true, { IncludeVersion: true });
  for await (const { versionId, isDeleteMarker } of entries) {
    if (isDeleteMarker) markers++;
    else bodies.push(String(await collect(await client.getObject(...place, { versionId }))));
    await client.removeObject(...place, { versionId });
  }
  return { tags, versions: bodies, markers };
}
