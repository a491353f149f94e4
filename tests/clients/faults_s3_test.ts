/** Reactions of the AWS SDK to S3 faults. */
import { assertEquals, assertRejects } from "@std/assert";
import { PutObjectCommand } from "npm:@aws-sdk/client-s3@3.1169.0";
import { connectSdk } from "../support/s3_clients.ts";
import { startService } from "../support/service.ts";

Deno.test("the AWS SDK names every outcome, and retries temporary ones", async () => {
  await using service = await startService({
    config: { plugins: { s3: { providers: { http: { buckets: ["box"] } } } } },
  });
  const { port } = service.endpoint("s3/http");
  const put = async (maxAttempts = 1) => {
    using client = connectSdk(`http://127.0.0.1:${port}`, { maxAttempts });
    return await client.send(new PutObjectCommand({ Bucket: "box", Key: "k", Body: "hello" }));
  };
  const found: unknown[] = [];
  const on = "s3/http";
  const match = { operation: "PutObject" };
  for (
    const outcome of [
      "slow_down",
      "internal_error",
      "unavailable",
      "request_timeout",
      "access_denied",
    ]
  ) {
    using _ = await service.fault({ on, outcome: [outcome], match });
    const error = await assertRejects(() => put()) as Error & {
      $metadata: { httpStatusCode: number };
    };
    found.push([error.name, error.$metadata.httpStatusCode, error.message]);
  }
  assertEquals(found, [
    ["SlowDown", 503, "Please reduce your request rate."],
    ["InternalError", 500, "We encountered an internal error. Please try again."],
    ["ServiceUnavailable", 503, "Service is unable to handle request."],
    [
      "RequestTimeout",
      400,
      "Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed.",
    ],
    ["AccessDenied", 403, "Access Denied"],
  ]);
  const reasons = service.rejected.list().map(({ reason }) => reason);
  assertEquals(reasons.at(-1), 'fault "slow_down": slow_down');
  assertEquals(reasons.length, 5);
  using fault = await service.fault({ on, outcome: ["slow_down", "close"], match });
  assertEquals((await put(5)).$metadata.httpStatusCode, 200);
  assertEquals(fault.hits, 2);
  for (const outcome of ["internal_error", "truncate", "slow"]) {
    const more = outcome === "slow"
      ? { with: { bytes_per_second: 1_000_000 } }
      : outcome === "truncate"
      ? {}
      : { after: true };
    using _ = await service.fault({ on, outcome: [outcome], phase: "capture", match, ...more });
    await put().catch(() => {});
    const [event] = service.list("s3.object.put");
    assertEquals(event?.meta.fault, outcome);
  }
  // Requests that capture nothing are recorded.
  using _ = await service.fault({
    on,
    outcome: ["slow"],
    with: { bytes_per_second: 1000 },
    match: { operation: "GetObject" },
  });
  const { port: at } = service.endpoint("s3/http");
  await (await fetch(`http://127.0.0.1:${at}/box/k`)).body?.cancel();
  assertEquals(service.rejected.list()[0]?.reason, 'fault "slow": slow');
});
