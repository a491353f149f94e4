import { assertEquals, assertStringIncludes } from "@std/assert";
import { requireGo, runOk } from "../support/clients.ts";
import { assertStoryEvents, startStore, STORY, VERSIONS } from "../support/s3.ts";

Deno.test("the AWS SDK for Go v2 makes every call and understands every answer", async (t) => {
  const program = await requireGo(t, "s3");
  if (program === undefined) return;
  await using store = await startStore({ buckets: [] });
  const args = [store.service.endpoint("http").url];
  const { stdout } = await runOk(program, args, { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), { ...STORY, ...VERSIONS });
  assertStoryEvents(store, "aws-sdk-go-v2");
});

Deno.test("minio-go makes every call if framed uploads are accepted", async (t) => {
  const program = await requireGo(t, "minio");
  if (program === undefined) return;
  await using store = await startStore({ buckets: [], aws_chunked: true });
  const args = [store.service.endpoint("http").url];
  const { stdout } = await runOk(program, args, { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), { ...STORY, ...VERSIONS });
  assertStoryEvents(store, "minio-go");
});

Deno.test("minio-go reads the workarounds if they are not, and one of them works", async (t) => {
  const program = await requireGo(t, "minio");
  if (program === undefined) return;
  await using store = await startStore({ buckets: [] });
  const args = [store.service.endpoint("http").url, "refused"];
  const { stdout } = await runOk(program, args, { env: { NO_PROXY: "*" } });
  const { refused, ...told } = JSON.parse(stdout);
  assertStringIncludes(refused, "minio-go: DisableContentSha256");
  assertEquals(told, { buckets: ["story"], taken: "Hello" });
});
