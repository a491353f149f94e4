/** Versions, written, listed and deleted by the AWS SDKs and CLI. */
import { assertEquals } from "@std/assert";
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { startStore } from "../support/s3.ts";
import { connectSdk, runBoto3 } from "../support/s3_clients.ts";

/** Results of each client. */
const SEEN = { read: ["one", "two"], marker: true, listed: [2, 1], deleted: 3, left: 0 };

Deno.test("the JavaScript SDK writes, reads, lists and deletes versions", async () => {
  await using store = await startStore();
  using client = connectSdk(store.service.endpoint("http").url);
  const [Bucket, Key] = ["box", "a"];
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  const read: string[] = [];
  for (const Body of ["one", "two"]) {
    const { VersionId } = await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    const got = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }));
    assertEquals(got.VersionId, VersionId);
    read.push(await got.Body!.transformToString());
  }
  const { DeleteMarker: marker } = await client.send(new DeleteObjectCommand({ Bucket, Key }));
  const list = () => client.send(new ListObjectVersionsCommand({ Bucket }));
  const { Versions = [], DeleteMarkers = [] } = await list();
  const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  const { Deleted = [] } = await client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
  );
  const listed = [Versions.length, DeleteMarkers.length];
  const left = (await list()).Versions?.length ?? 0;
  assertEquals({ read, marker, listed, deleted: Deleted.length, left }, SEEN);
});

Deno.test("boto3 writes, reads, pages through and deletes versions", async (t) => {
  await using store = await startStore();
  const seen = await runBoto3(t, "s3_versions_calls.py", store.service.endpoint("http").url);
  if (seen === undefined) return;
  assertEquals(seen.printed, SEEN);
});
