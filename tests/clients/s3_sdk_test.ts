import { Buffer } from "node:buffer";
import { createReadStream } from "node:fs";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { Upload } from "npm:@aws-sdk/lib-storage@3.1169.0";
import { getSignedUrl } from "npm:@aws-sdk/s3-request-presigner@3.1162.0";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { noise } from "../support/files.ts";
import { startStore, STORY } from "../support/s3.ts";
import { connectSdk } from "../support/s3_clients.ts";

Deno.test("the JavaScript SDK makes every call and understands every answer", async () => {
  await using store = await startStore({ buckets: [] });
  using client = connectSdk(store.service.endpoint("http").url);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  const told = {
    buckets: await bucketsOf(client),
    ...await objects(client),
    conditions: await conditions(client),
    ...await large(client),
    ...await multipart(client),
    presigned: await presigned(client),
    ...await listings(client),
  };
  await client.send(new DeleteBucketCommand({ Bucket: BUCKET }));
  assertEquals({ ...told, left: (await bucketsOf(client)).length }, STORY);
  const signed = store.service.events.list({ type: "s3.object.put" })
    .find(({ payload }) => (payload as S3Operation).key === "signed")!;
  const { auth, access_key, region } = signed.meta;
  assertEquals([auth, access_key, region], ["presigned", "any", "us-east-1"]);
});

const BUCKET = "story";
const UNICODE = "ü +/☃?.txt";
const MIB = 1024 * 1024;

async function bucketsOf(client: S3Client): Promise<string[]> {
  const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
  return Buckets.map(({ Name }) => Name!);
}

async function put(client: S3Client, Key: string, Body: string | Uint8Array): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
}

async function read(client: S3Client, Key: string, more: { Range?: string } = {}) {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key, ...more }));
  return await Body!.transformToByteArray();
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Errors of the SDK. */
async function refusal(run: () => Promise<unknown>): Promise<S3ServiceException> {
  try {
    await run();
  } catch (error) {
    if (error instanceof S3ServiceException) return error;
    throw error;
  }
  throw new Error("Nothing was thrown");
}

async function objects(client: S3Client) {
  await put(client, "empty", "");
  const about = { ContentType: "text/plain", Metadata: { colour: "blue" } };
  const place = { Bucket: BUCKET, Key: UNICODE };
  await client.send(new PutObjectCommand({ ...place, Body: "Hello", ...about }));
  const got = await client.send(new GetObjectCommand(place));
  const CopySource = encodeURIComponent(`${BUCKET}/${UNICODE}`);
  await client.send(new CopyObjectCommand({ Bucket: BUCKET, Key: "copy", CopySource }));
  const missing = await refusal(() => read(client, "no"));
  assert(missing instanceof NoSuchKey);
  return {
    empty: text(await read(client, "empty")),
    got: [await got.Body!.transformToString(), got.Metadata!.colour, got.ContentType],
    range: text(await read(client, UNICODE, { Range: "bytes=1-3" })),
    copied: text(await read(client, "copy")),
    missing: missing.name,
  };
}

async function conditions(client: S3Client) {
  const place = { Bucket: BUCKET, Key: "copy" };
  const { ETag } = await client.send(new HeadObjectCommand(place));
  const refused = [
    new GetObjectCommand({ ...place, IfMatch: '"x"' }),
    new GetObjectCommand({ ...place, IfNoneMatch: ETag }),
    new PutObjectCommand({ ...place, Body: "x", IfNoneMatch: "*" }),
  ] as const;
  const statuses: (number | undefined)[] = [];
  for (const command of refused) {
    const { $metadata } = await refusal(() => client.send(command as GetObjectCommand));
    statuses.push($metadata.httpStatusCode);
  }
  return statuses;
}

async function large(client: S3Client) {
  const whole = noise(64 * MIB);
  await put(client, "whole", whole);
  const Body = whole.subarray(0, 12 * MIB + 1);
  const sent = new Upload({ client, params: { Bucket: BUCKET, Key: "parts", Body } });
  const { ETag } = await sent.done();
  assert(ETag?.endsWith('-3"'));
  return {
    whole: isSame(await read(client, "whole"), whole),
    parts: isSame(await read(client, "parts"), Body),
  };
}

async function begin(client: S3Client, Key: string): Promise<string> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key }));
  return UploadId!;
}

async function multipart(client: S3Client) {
  const gone = { Bucket: BUCKET, Key: "aborted", UploadId: await begin(client, "aborted") };
  await client.send(new UploadPartCommand({ ...gone, PartNumber: 1, Body: "x" }));
  const list = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
  await client.send(new AbortMultipartUploadCommand(gone));
  const aborted = await refusal(() => client.send(new ListPartsCommand(gone)));

  const place = { Bucket: BUCKET, Key: "resumed", UploadId: await begin(client, "resumed") };
  const send = async (PartNumber: number, Body: string | Uint8Array) => {
    const { ETag } = await client.send(new UploadPartCommand({ ...place, PartNumber, Body }));
    return { PartNumber, ETag };
  };
  const first = await send(1, new Uint8Array(5 * MIB));
  const listed = await client.send(new ListPartsCommand(place));
  const Parts = [first, await send(2, "Hello")];
  await client.send(new CompleteMultipartUploadCommand({ ...place, MultipartUpload: { Parts } }));
  return {
    uploads: list.Uploads?.map(({ Key }) => Key),
    aborted: aborted.name,
    resumed: [listed.Parts![0]!.PartNumber, (await read(client, "resumed")).length],
  };
}

async function presigned(client: S3Client): Promise<string> {
  const place = { Bucket: BUCKET, Key: "signed" };
  const putUrl = await getSignedUrl(client, new PutObjectCommand(place));
  const sent = await fetch(putUrl, { method: "PUT", body: "Hello" });
  assertEquals([sent.status, await sent.text()], [200, ""]);
  const getUrl = await getSignedUrl(client, new GetObjectCommand(place));
  return await (await fetch(getUrl)).text();
}

async function listings(client: S3Client) {
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client, pageSize: 2 }, { Bucket: BUCKET })) {
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key!));
  }
  const folded = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Delimiter: "/" }));
  const Objects = [...keys, "never"].map((Key) => ({ Key }));
  const gone = await client.send(
    new DeleteObjectsCommand({ Bucket: BUCKET, Delete: { Objects } }),
  );
  return {
    keys,
    prefixes: folded.CommonPrefixes?.map(({ Prefix }) => Prefix),
    deleted: gone.Deleted?.length,
  };
}

Deno.test(
  "a stream of the SDK is refused with a hint, and accepted when framing is allowed",
  async () => {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, "Hello");
    const put = () =>
      new PutObjectCommand({ Bucket: "box", Key: "s", Body: createReadStream(file) });
    for (const aws_chunked of [false, true]) {
      await using store = await startStore({ aws_chunked });
      using client = connectSdk(store.service.endpoint("http").url);
      if (!aws_chunked) {
        await assertRejects(() => client.send(put()), Error, "--s3-aws-chunked");
        continue;
      }
      await client.send(put());
      const got = await client.send(new GetObjectCommand({ Bucket: "box", Key: "s" }));
      assertEquals(await got.Body?.transformToString(), "Hello");
    }
  },
);
