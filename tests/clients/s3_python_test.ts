import { assertEquals } from "@std/assert";
import { startStore, STORY } from "../support/s3.ts";
import { runBoto3 } from "../support/s3_clients.ts";

Deno.test("boto3 makes every call and understands every answer", async (t) => {
  await using store = await startStore({ buckets: [] });
  const seen = await runBoto3(t, "s3_calls.py", store.service.endpoint("http").url);
  if (seen === undefined) return;
  assertEquals(seen.printed, {
    ...STORY,
    checksums: [
      "99GJgg==",
      "gdkOGw==",
      "bgPua0coiu0=",
      "9/+ei3uy4Jtwk1pdeF4MxdnQq/A=",
      "GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=",
    ],
    composites: [true, true, true, true, true, true, true, true],
    guarded: [
      "PreconditionFailed",
      "PreconditionFailed",
      "PreconditionFailed",
      "NoSuchVersion",
      "NoSuchVersion",
      "PreconditionFailed",
      "PreconditionFailed",
      "PreconditionFailed",
      "NoSuchVersion",
      "null",
    ],
    refused: ["InvalidLocationConstraint", "eu-central-1", "MalformedXML", "Enabled"],
    part_copy: [2, 12 * 1024 * 1024 + 1],
    version_1: STORY.keys,
    full: "BucketNotEmpty",
  });
});
