/** Encryption, keys of the customer, and object lock as the SDKs of AWS use them. */
import { assertEquals } from "@std/assert";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectLegalHoldCommand,
  GetObjectLockConfigurationCommand,
  GetObjectRetentionCommand,
  HeadObjectCommand,
  PutBucketEncryptionCommand,
  PutObjectCommand,
  PutObjectLegalHoldCommand,
  PutObjectLockConfigurationCommand,
  PutObjectRetentionCommand,
  UploadPartCommand,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { startStore } from "../support/s3.ts";
import { connectSdk, runBoto3 } from "../support/s3_clients.ts";

const MD5 = "GoDL8oWeAZVZNl1r5Hh5Tg==";

/** Results of each SDK. */
const SEEN: Readonly<Record<string, unknown>> = {
  named: ["aws:kms", "alias/key", true],
  inherited: "AES256",
  keyed: [MD5, "secret"],
  refused: ["InvalidRequest", "AccessDenied", "AccessDenied"],
  copied: ["secret", "secret"],
  parts: "part",
  configuration: ["Enabled", "GOVERNANCE", 1],
  retention: ["GOVERNANCE", "2090-01-01T00:00:00.000Z"],
  hold: ["ON", "OFF"],
  head: ["GOVERNANCE", "OFF"],
  locked: ["AccessDenied", "AccessDenied"],
  bypassed: true,
};

/** The error name of a failed call. */
async function code(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "none";
  } catch (error) {
    return (error as Error).name;
  }
}

Deno.test("the JavaScript SDK encrypts objects, with keys of its own too, and locks versions", async () => {
  await using store = await startStore();
  using client = connectSdk(store.service.endpoint("http").url);
  const one = { Bucket: "box", Key: "one" };
  const read = async (input: ConstructorParameters<typeof GetObjectCommand>[0]) =>
    await (await client.send(new GetObjectCommand(input))).Body!.transformToString();

  const kms = { ServerSideEncryption: "aws:kms", SSEKMSKeyId: "alias/key" } as const;
  const BucketKeyEnabled = true;
  await client.send(new PutObjectCommand({ ...one, ...kms, BucketKeyEnabled, Body: "x" }));
  const head = await client.send(new HeadObjectCommand(one));
  const named = [head.ServerSideEncryption, head.SSEKMSKeyId, head.BucketKeyEnabled];
  await client.send(
    new PutBucketEncryptionCommand({
      Bucket: "box",
      ServerSideEncryptionConfiguration: {
        Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
      },
    }),
  );
  const { ServerSideEncryption: inherited } = await client.send(
    new PutObjectCommand({ ...one, Body: "x" }),
  );

  // The SDK encodes the key and computes its MD5.
  const mine = { SSECustomerAlgorithm: "AES256", SSECustomerKey: "1".repeat(32) };
  const other = { ...mine, SSECustomerKey: "2".repeat(32) };
  const keyed = { Bucket: "box", Key: "keyed" };
  const put = await client.send(new PutObjectCommand({ ...keyed, ...mine, Body: "secret" }));
  const secret = await read({ ...keyed, ...mine });
  const source = {
    CopySource: "box/keyed",
    CopySourceSSECustomerAlgorithm: "AES256",
    CopySourceSSECustomerKey: "1".repeat(32),
  };
  const wrong = { ...source, CopySourceSSECustomerKey: "2".repeat(32) };
  const refused = [
    await code(read(keyed)),
    await code(read({ ...keyed, ...other })),
    await code(client.send(new CopyObjectCommand({ ...one, ...wrong }))),
  ];
  await client.send(new CopyObjectCommand({ Bucket: "box", Key: "plain", ...source }));
  await client.send(new CopyObjectCommand({ ...keyed, ...source, ...other }));
  const copied = [await read({ Bucket: "box", Key: "plain" }), await read({ ...keyed, ...other })];
  const multipart = { Bucket: "box", Key: "parts" };
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...multipart, ...mine }),
  );
  const { ETag } = await client.send(
    new UploadPartCommand({ ...multipart, ...mine, UploadId, PartNumber: 1, Body: "part" }),
  );
  const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
  await client.send(
    new CompleteMultipartUploadCommand({ ...multipart, UploadId, MultipartUpload }),
  );

  const Bucket = "safe";
  await client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
  const Rule = { DefaultRetention: { Mode: "GOVERNANCE", Days: 1 } } as const;
  const ObjectLockConfiguration = { ObjectLockEnabled: "Enabled", Rule } as const;
  await client.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }));
  const lock = (await client.send(new GetObjectLockConfigurationCommand({ Bucket })))
    .ObjectLockConfiguration;
  const { VersionId } = await client.send(new PutObjectCommand({ Bucket, Key: "a", Body: "x" }));
  const version = { Bucket, Key: "a", VersionId };
  const Retention = { Mode: "GOVERNANCE", RetainUntilDate: new Date("2090-01-01") } as const;
  await client.send(new PutObjectRetentionCommand({ ...version, Retention }));
  const kept = (await client.send(new GetObjectRetentionCommand(version))).Retention;
  const hold: unknown[] = [];
  const locked: string[] = [];
  for (const Status of ["ON", "OFF"] as const) {
    await client.send(new PutObjectLegalHoldCommand({ ...version, LegalHold: { Status } }));
    hold.push((await client.send(new GetObjectLegalHoldCommand(version))).LegalHold?.Status);
    const BypassGovernanceRetention = Status === "ON";
    const input = { ...version, BypassGovernanceRetention };
    locked.push(await code(client.send(new DeleteObjectCommand(input))));
  }
  const told = await client.send(new HeadObjectCommand(version));
  const gone = await client.send(
    new DeleteObjectCommand({ ...version, BypassGovernanceRetention: true }),
  );
  const rule = lock?.Rule?.DefaultRetention;
  assertEquals({
    named,
    inherited,
    keyed: [put.SSECustomerKeyMD5, secret],
    refused,
    copied,
    parts: await read({ ...multipart, ...mine }),
    configuration: [lock?.ObjectLockEnabled, rule?.Mode, rule?.Days],
    retention: [kept?.Mode, kept?.RetainUntilDate?.toISOString()],
    hold,
    head: [told.ObjectLockMode, told.ObjectLockLegalHoldStatus],
    locked,
    bypassed: gone.VersionId === VersionId,
  }, SEEN);
});

Deno.test("boto3 encrypts objects, with keys of its own too, and locks versions", async (t) => {
  await using store = await startStore();
  const url = store.service.endpoint("http").url;
  const seen = await runBoto3(t, "s3_protection_calls.py", url);
  if (seen === undefined) return;
  assertEquals(seen.printed, SEEN);
  const { payload } = store.service.events.list({ type: "s3.object.put" })[0]!;
  const { retention } = payload as { readonly retention?: { readonly mode: string } };
  assertEquals(retention?.mode, "GOVERNANCE");
});
