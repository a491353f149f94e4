import { assertEquals } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("boto3 makes every call and understands every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [s3] });
  const script = new URL("python/s3_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.endpoint("http").url], {
    env: { NO_PROXY: "*" },
  });
  assertEquals(JSON.parse(stdout), {
    buckets: ["pybox"],
    got: ["Hello", { colour: "blue" }, "binary/octet-stream"],
    empty: "",
    range: "ell",
    CRC32: "99GJgg==",
    SHA1: "9/+ei3uy4Jtwk1pdeF4MxdnQq/A=",
    SHA256: "GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=",
    missing: [
      [404, "NoSuchKey"],
      [404, "404"],
      [404, "NoSuchBucket"],
      [412, "PreconditionFailed"],
      [412, "PreconditionFailed"],
      [409, "BucketNotEmpty"],
    ],
    keys: ["CRC32", "SHA1", "SHA256", "empty", "ü +/a.txt"],
    prefixes: ["ü +/"],
    big: true,
    copied: 10_240_000,
    parts: [2, 10_240_000],
    uploads: ["aborted"],
    gone: [404, "NoSuchUpload"],
    deleted: 8,
    left: [],
  });
});
