/** Virtual-hosted buckets, as requested by boto3. */
import { assertEquals } from "@std/assert";
import { startStore } from "../support/s3.ts";
import { runBoto3 } from "../support/s3_clients.ts";

Deno.test("boto3 reaches a bucket under its own host", async (t) => {
  await using store = await startStore({ domain: "s3.example.test" });
  const { port } = store.service.endpoint("http");
  const seen = await runBoto3(t, "s3_hosts_calls.py", String(port), "s3.example.test");
  if (seen === undefined) return;
  assertEquals(seen.printed, {
    host: "hosted.s3.example.test",
    keys: ["a/b c", "copy"],
    read: "Hello",
  });
  const paths = store.service.events.list({ type: "s3.object.put" }).map(({ raw }) => raw.path);
  assertEquals(paths, ["/a/b%20c"]);
});
