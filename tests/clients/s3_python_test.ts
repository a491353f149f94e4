import { assertEquals } from "@std/assert";
import { requirePython, runOk } from "../support/clients.ts";
import { startStore, STORY } from "../support/s3.ts";

Deno.test("boto3 makes every call and understands every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using store = await startStore({ buckets: [] });
  const script = new URL("python/s3_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, store.service.endpoint("http").url], {
    env: { NO_PROXY: "*" },
  });
  assertEquals(JSON.parse(stdout), {
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
    part_copy: [2, 12 * 1024 * 1024 + 1],
    version_1: STORY.keys,
    full: "BucketNotEmpty",
  });
});
