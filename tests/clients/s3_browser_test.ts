/**
 * Requirements of web pages: CORS rules and presigned forms as created by boto3 and the AWS CLI.
 */
import { assertEquals } from "@std/assert";
import { requireClient, runOk, runProgram } from "../support/clients.ts";
import { startStore } from "../support/s3.ts";
import { runBoto3 } from "../support/s3_clients.ts";

Deno.test("boto3 puts CORS rules and creates forms that are accepted", async (t) => {
  await using store = await startStore();
  const seen = await runBoto3(t, "s3_browser_calls.py", store.service.endpoint("http").url);
  if (seen === undefined) return;
  assertEquals(seen.printed, {
    none: "NoSuchCORSConfiguration",
    same: true,
    preflight: [200, "https://app.example.com"],
    deleted: "NoSuchCORSConfiguration",
    form: [201, true],
    expired: 403,
    short: 400,
    read: "Hello",
  });
});

Deno.test("the aws CLI puts, reads and deletes CORS rules", async (t) => {
  const aws = await requireClient(t, "aws");
  if (aws === undefined) return;
  await using store = await startStore();
  const options = {
    env: {
      AWS_ACCESS_KEY_ID: "any",
      AWS_SECRET_ACCESS_KEY: "any",
      AWS_DEFAULT_REGION: "us-east-1",
      NO_PROXY: "*",
    },
  };
  const args = (name: string, ...more: readonly string[]) => {
    const { url } = store.service.endpoint("http");
    return ["--endpoint-url", url, "s3api", name, "--bucket", "box", ...more];
  };
  const CORSRules = [{ AllowedMethods: ["GET"], AllowedOrigins: ["*"], MaxAgeSeconds: 5 }];
  const rules = JSON.stringify({ CORSRules });
  await runOk(aws, args("put-bucket-cors", "--cors-configuration", rules), options);
  const { stdout } = await runOk(aws, args("get-bucket-cors"), options);
  assertEquals(JSON.parse(stdout), { CORSRules });
  await runOk(aws, args("delete-bucket-cors"), options);
  const { stderr } = await runProgram(aws, args("get-bucket-cors"), options);
  assertEquals(/NoSuchCORSConfiguration/.test(stderr), true, stderr);
});
