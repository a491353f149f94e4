/** Buckets that the host names, as boto3 asks for them. */
import { assertEquals } from "@std/assert";
import { requirePython, runOk } from "../support/clients.ts";
import { startStore } from "../support/s3.ts";

Deno.test("boto3 reaches a bucket under its own host", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using store = await startStore({ domain: "s3.example.test" });
  const script = new URL("python/s3_hosts_calls.py", import.meta.url).pathname;
  const { port } = store.service.endpoint("http");
  const { stdout } = await runOk(python, [script, String(port), "s3.example.test"], {
    env: { NO_PROXY: "*" },
  });
  assertEquals(JSON.parse(stdout), {
    host: "hosted.s3.example.test",
    keys: ["a/b c", "copy"],
    read: "Hello",
  });
  const paths = store.service.events.list({ type: "s3.object.put" }).map(({ raw }) => raw.path);
  assertEquals(paths, ["/a/b%20c"]);
});
