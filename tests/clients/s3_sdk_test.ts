import { createReadStream } from "node:fs";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { Upload } from "npm:@aws-sdk/lib-storage@3.1169.0";
import { getSignedUrl } from "npm:@aws-sdk/s3-request-presigner@3.1162.0";
import { s3 } from "../../plugins/s3/mod.ts";
import { startService, type TestService } from "../support/service.ts";

function connect(service: TestService): S3Client & Disposable {
  const client = new S3Client({
    endpoint: service.endpoint("http").url,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: { accessKeyId: "any", secretAccessKey: "any" },
    maxAttempts: 1,
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}

const Bucket = "js-bucket";

Deno.test("the JavaScript SDK puts, reads, lists, copies and deletes", async () => {
  await using service = await startService({ plugins: [s3] });
  using client = connect(service);
  await client.send(new CreateBucketCommand({ Bucket }));
  const Key = "dir//../ü +?.txt";
  const put = await client.send(
    new PutObjectCommand({ Bucket, Key, Body: "Hello", Metadata: { colour: "blue" } }),
  );
  assertEquals(put.ChecksumCRC32, "99GJgg==");
  const got = await client.send(new GetObjectCommand({ Bucket, Key }));
  assertEquals(await got.Body?.transformToString(), "Hello");
  assertEquals(got.Metadata, { colour: "blue" });
  const part = await client.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=1-2" }));
  assertEquals([await part.Body?.transformToString(), part.ContentRange], ["el", "bytes 1-2/5"]);
  await assertRejects(
    () => client.send(new GetObjectCommand({ Bucket, Key: "no" })),
    NoSuchKey as unknown as new (...args: never[]) => Error,
  );
  await client.send(
    new CopyObjectCommand({
      Bucket,
      Key: "copy",
      CopySource: encodeURIComponent(`${Bucket}/${Key}`),
    }),
  );
  const head = await client.send(new HeadObjectCommand({ Bucket, Key: "copy" }));
  assertEquals([head.ContentLength, head.ETag], [5, '"8b1a9953c4611296a827abf8c47804d7"']);
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client, pageSize: 1 }, { Bucket })) {
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key!));
  }
  assertEquals(keys, ["copy", Key]);
  const folded = await client.send(new ListObjectsV2Command({ Bucket, Delimiter: "/" }));
  assertEquals(folded.CommonPrefixes, [{ Prefix: "dir/" }]);
  const gone = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key }, { Key: "copy" }] } }),
  );
  assertEquals(gone.Deleted?.length, 2);
  assertEquals(service.events.list({ plugin: "s3" }).map(({ type }) => type), [
    "s3.object.delete",
    "s3.object.delete",
    "s3.object.copy",
    "s3.object.put",
    "s3.bucket.create",
  ]);
});

Deno.test("lib-storage uploads in parts, and presigned addresses work", async () => {
  await using service = await startService({ plugins: [s3] });
  using client = connect(service);
  await client.send(new CreateBucketCommand({ Bucket }));
  const Body = new Uint8Array(11 * 1024 * 1024).fill(7);
  const upload = new Upload({ client, params: { Bucket, Key: "big", Body } });
  const done = await upload.done();
  assert(done.ETag?.endsWith('-3"'));
  const got = await client.send(new GetObjectCommand({ Bucket, Key: "big" }));
  assertEquals(await got.Body?.transformToByteArray(), Body);

  const putUrl = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: "signed" }));
  const put = await fetch(putUrl, { method: "PUT", body: "Hello" });
  assertEquals([put.status, await put.text()], [200, ""]);
  const getUrl = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "signed" }));
  assertEquals(await (await fetch(getUrl)).text(), "Hello");
  const [event] = service.events.list({ plugin: "s3" });
  assertEquals([event!.meta.auth, event!.meta.access_key, event!.meta.region], [
    "presigned",
    "any",
    "us-east-1",
  ]);
});

Deno.test(
  "a stream of the SDK is refused with the way out, and taken when framing is",
  async () => {
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, "Hello");
    const put = () => new PutObjectCommand({ Bucket, Key: "s", Body: createReadStream(file) });
    for (const aws_chunked of [false, true]) {
      const config = {
        plugins: { s3: { providers: { http: { aws_chunked, buckets: [Bucket] } } } },
      };
      await using service = await startService({ plugins: [s3], config });
      using client = connect(service);
      if (!aws_chunked) {
        await assertRejects(() => client.send(put()), Error, "--s3-aws-chunked");
        continue;
      }
      await client.send(put());
      const got = await client.send(new GetObjectCommand({ Bucket, Key: "s" }));
      assertEquals(await got.Body?.transformToString(), "Hello");
    }
  },
);
