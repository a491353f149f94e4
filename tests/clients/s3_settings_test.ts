/** Tags and settings of buckets, written and read by the AWS SDKs. */
import { assertEquals } from "@std/assert";
import {
  CopyObjectCommand,
  DeleteObjectTaggingCommand,
  GetBucketTaggingCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { startStore } from "../support/s3.ts";
import { connectSdk, runBoto3 } from "../support/s3_clients.ts";

Deno.test("the JavaScript SDK tags objects and buckets", async () => {
  await using store = await startStore();
  using client = connectSdk(store.service.endpoint("http").url);
  const Bucket = "box";
  const one = { Bucket, Key: "one" };
  const Tagging = { TagSet: [{ Key: "colour", Value: "dark blue" }] };
  const told: unknown[] = [];
  const look = async (Key: string) => {
    const { TagCount = 0 } = await client.send(new HeadObjectCommand({ Bucket, Key }));
    told.push([TagCount, (await client.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet]);
  };
  await client.send(new PutObjectCommand({ ...one, Body: "x", Tagging: "kind=a%20b" }));
  await look("one");
  await client.send(new PutObjectTaggingCommand({ ...one, Tagging }));
  await client.send(new CopyObjectCommand({ Bucket, Key: "two", CopySource: "box/one" }));
  await look("two");
  await client.send(new DeleteObjectTaggingCommand(one));
  await look("one");
  await client.send(new PutBucketTaggingCommand({ Bucket, Tagging }));
  told.push((await client.send(new GetBucketTaggingCommand({ Bucket }))).TagSet);
  assertEquals(told, [
    [1, [{ Key: "kind", Value: "a b" }]],
    [1, Tagging.TagSet],
    [0, []],
    Tagging.TagSet,
  ]);
});

Deno.test("boto3 puts settings of buckets and ACLs, and reads back what it put", async (t) => {
  await using store = await startStore();
  const seen = await runBoto3(t, "s3_settings_calls.py", store.service.endpoint("http").url);
  if (seen === undefined) return;
  assertEquals(seen.printed, {
    missing: {
      cors: "NoSuchCORSConfiguration",
      encryption: "ServerSideEncryptionConfigurationNotFoundError",
      lifecycle: "NoSuchLifecycleConfiguration",
      lock: "ObjectLockConfigurationNotFoundError",
      ownership: "OwnershipControlsNotFoundError",
      policy: "NoSuchBucketPolicy",
      access: "NoSuchPublicAccessBlockConfiguration",
      replication: "ReplicationConfigurationNotFoundError",
      tagging: "NoSuchTagSet",
      website: "NoSuchWebsiteConfiguration",
    },
    defaults: [{}, { Payer: "BucketOwner" }, {}, {}, false],
    same: [true, true, true, true, true, true, true, true],
    grants: [2, true],
    again: true,
  });
});
