import { S3Client } from "npm:@aws-sdk/client-s3@3.1169.0";
import { requirePython, runOk } from "./clients.ts";

/** The SDK for JavaScript, without retries unless `maxAttempts` says otherwise. */
export function connectSdk(
  url: string,
  { maxAttempts = 1 }: { maxAttempts?: number } = {},
): S3Client & Disposable {
  const client = new S3Client({
    endpoint: url,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: { accessKeyId: "any", secretAccessKey: "any" },
    maxAttempts,
  });
  return Object.assign(client, { [Symbol.dispose]: () => client.destroy() });
}

/**
 * Runs a script in `tests/clients/python` with the address of the store, and returns its JSON
 * output; `undefined` if the test is skipped because Python is missing.
 */
export async function runBoto3(
  t: Deno.TestContext,
  script: string,
  ...args: string[]
): Promise<{ readonly printed: unknown } | undefined> {
  const python = await requirePython(t);
  if (python === undefined) return undefined;
  const path = new URL(`../clients/python/${script}`, import.meta.url).pathname;
  const { stdout } = await runOk(python, [path, ...args], {
    env: { NO_PROXY: "*" },
    timeoutMs: 60_000,
  });
  return { printed: JSON.parse(stdout) };
}
