/** Canned ACLs as the SDKs of AWS send them, and the grants that they read back. */
import { assertEquals } from "@std/assert";
import {
  type BucketCannedACL,
  CopyObjectCommand,
  CreateBucketCommand,
  GetBucketAclCommand,
  GetObjectAclCommand,
  type Grant,
  type ObjectCannedACL,
  PutObjectCommand,
  S3ServiceException,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { Upload } from "npm:@aws-sdk/lib-storage@3.1169.0";
import { startStore } from "../support/s3.ts";
import { connectSdk, runBoto3 } from "../support/s3_clients.ts";

const ALL = "http://acs.amazonaws.com/groups/global/AllUsers";
const AUTHENTICATED = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers";
const EC2 = "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c";

/** Grants besides the owner's: grantee and permission. */
const OBJECTS: Readonly<Record<ObjectCannedACL, readonly string[]>> = {
  "private": [],
  "public-read": [`${ALL} READ`],
  "public-read-write": [`${ALL} READ`, `${ALL} WRITE`],
  "authenticated-read": [`${AUTHENTICATED} READ`],
  "aws-exec-read": [`${EC2} READ`],
  "bucket-owner-read": [],
  "bucket-owner-full-control": [],
};
const BUCKETS: readonly BucketCannedACL[] = [
  "private",
  "public-read",
  "public-read-write",
  "authenticated-read",
];
const OWNER = "standin FULL_CONTROL";

/** Results of each program. */
const SEEN = {
  objects: Object.fromEntries(
    Object.entries(OBJECTS).map(([acl, grants]) => [acl, [OWNER, ...grants]]),
  ),
  buckets: Object.fromEntries(BUCKETS.map((acl) => [acl, [OWNER, ...OBJECTS[acl]]])),
  copy: [OWNER, `${ALL} READ`],
  parts: [OWNER, `${ALL} READ`],
  unknown: [400, "InvalidArgument"],
};

function shown(grants: readonly Grant[] = []): string[] {
  return grants.map(({ Grantee, Permission }) => `${Grantee?.URI ?? Grantee?.ID} ${Permission}`);
}

Deno.test("the JavaScript SDK sends canned ACLs and reads what they grant", async () => {
  await using store = await startStore();
  using client = connectSdk(store.service.endpoint("http").url);
  const aclOf = async (Key: string) =>
    shown((await client.send(new GetObjectAclCommand({ Bucket: "box", Key }))).Grants);
  const objects: Record<string, string[]> = {};
  for (const ACL of Object.keys(OBJECTS) as ObjectCannedACL[]) {
    await client.send(new PutObjectCommand({ Bucket: "box", Key: ACL, Body: "x", ACL }));
    objects[ACL] = await aclOf(ACL);
  }
  const buckets: Record<string, string[]> = {};
  for (const ACL of BUCKETS) {
    const Bucket = `box-${ACL}`;
    await client.send(
      new CreateBucketCommand({ Bucket, ACL, ObjectOwnership: "BucketOwnerPreferred" }),
    );
    buckets[ACL] = shown((await client.send(new GetBucketAclCommand({ Bucket }))).Grants);
  }
  const ACL = "public-read";
  const CopySource = "box/private";
  await client.send(new CopyObjectCommand({ Bucket: "box", Key: "copy", CopySource, ACL }));
  const Body = new Uint8Array(6 << 20);
  await new Upload({ client, params: { Bucket: "box", Key: "parts", Body, ACL } }).done();
  const wrong = "public" as ObjectCannedACL;
  const unknown = await client.send(new PutObjectCommand({ Bucket: "box", Key: "no", ACL: wrong }))
    .then(() => [], (error) => {
      if (!(error instanceof S3ServiceException)) throw error;
      return [error.$metadata.httpStatusCode, error.name];
    });
  const [copy, parts] = [await aclOf("copy"), await aclOf("parts")];
  assertEquals<unknown>({ objects, buckets, copy, parts, unknown }, SEEN);
});

Deno.test("boto3 sends canned ACLs and reads what they grant", async (t) => {
  await using store = await startStore();
  const seen = await runBoto3(t, "s3_acl_calls.py", store.service.endpoint("http").url);
  if (seen === undefined) return;
  assertEquals(seen.printed, SEEN);
});
