import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import type { BucketsView, ObjectsView, ObjectView } from "../../plugins/s3/views.ts";
import { startService } from "../support/service.ts";

const CONFIG = { plugins: { s3: { providers: { http: { buckets: ["box"] } } } } };

Deno.test("buckets and objects read back with their links", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  const { url } = service.endpoint("http");
  const put = async (key: string, body: string) => {
    const headers = {
      "content-type": "text/html",
      "content-disposition": "inline",
      "x-amz-meta-a": "1",
      authorization: "AWS4-HMAC-SHA256 Credential=AK/20260101/eu-west-1/s3/aws4_request, x",
    };
    const response = await fetch(`${url}/box/${key}`, { method: "PUT", body, headers });
    assertEquals([response.status, await response.text()], [200, ""]);
  };
  await put("dir/a.html", "<b>");
  await put("dir/b.html", "<i>");
  await put("z", "z");

  const buckets = await service.getJson<BucketsView>("/s3/buckets");
  assertEquals(buckets.stats.objects, 3);
  assertEquals(buckets.buckets.map(({ name, objects, bytes }) => [name, objects, bytes]), [
    ["box", 3, 7],
  ]);
  const page = await service.getJson<ObjectsView>(
    "/s3/buckets/box/objects?delimiter=%2F&max_keys=1",
  );
  assertEquals(page.common_prefixes, [{
    prefix: "dir/",
    list: "/api/v1/s3/buckets/box/objects?prefix=dir%2F&delimiter=%2F",
  }]);
  assertEquals([page.is_truncated, page.max_keys, page.objects.length], [true, 1, 0]);
  const next = await service.getJson<ObjectsView>(page.next!.replace("/api/v1", ""));
  assertEquals(next.objects.map(({ key }) => key), ["z"]);
  const inside = await service.getJson<ObjectsView>(
    page.common_prefixes[0]!.list.replace("/api/v1", ""),
  );
  assertEquals(inside.objects.map(({ key }) => key), ["dir/a.html", "dir/b.html"]);

  const object = await service.getJson<ObjectView>("/s3/buckets/box/objects/dir/a.html");
  assertEquals(object.headers.expires, "0001-01-01T00:00:00Z");
  assertEquals([object.metadata, object.size, object.blob.size], [{ a: "1" }, 3, 3]);
  assertMatch(object.etag, /^[0-9a-f]{32}$/);
  const content = await fetch(`${service.api.url}${object.links.content}`);
  assertEquals(await content.text(), "<b>");
  assertEquals(content.headers.get("content-disposition"), 'attachment; filename="a.html"');
  assert(content.headers.get("content-security-policy")!.startsWith("sandbox"));
  assertEquals(content.headers.get("x-amz-meta-a"), "1");
  const range = await fetch(`${service.api.url}${object.links.content}`, {
    headers: { range: "bytes=1-1" },
  });
  assertEquals([range.status, await range.text()], [206, "b"]);

  const [event] = service.events.list({ plugin: "s3" });
  const { user_agent: _, ...meta } = event!.meta;
  assertEquals(meta, { access_key: "AK", region: "eu-west-1", auth: "header" });
  assertEquals(event!.summary_parts, {
    from: "AK",
    to: ["s3://box/z"],
    title: "box/z",
    snippet: "stored s3://box/z (1 bytes)",
  });
});

Deno.test("what cannot be read or found is refused as the API refuses", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  for (const path of ["?max_keys=-1", "?max_keys=x", "?continuation=%00"]) {
    await service.getJson(`/s3/buckets/box/objects${path}`, 400);
  }
  for (const path of ["no", "no/objects", "box/objects/no", "box/content/no"]) {
    await service.getJson(`/s3/buckets/${path}`, 404);
  }
  const empty = await service.getJson<ObjectsView>("/s3/buckets/box/objects?max_keys=5000");
  assertEquals([empty.max_keys, empty.objects], [1000, []]);
});

Deno.test("deletions through the API are told as events, a reset is not", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  const { url } = service.endpoint("http");
  const remove = async (path: string) => {
    const response = await fetch(`${service.api.url}/api/v1/s3/buckets${path}`, {
      method: "DELETE",
    });
    await response.body?.cancel();
    return response.status;
  };
  for (const key of ["a", "b"]) {
    await (await fetch(`${url}/box/${key}`, { method: "PUT", body: key })).text();
  }
  assertEquals(await remove("/box/objects/a"), 204);
  assertEquals(await remove("/box/objects/a"), 404);
  assertEquals(await remove("/box"), 409);
  assertEquals(await remove("/box?recursive=x"), 400);
  assertEquals(await remove("/box?recursive=true"), 204);
  assertEquals(await remove("/box"), 404);
  const told = service.events.list({ plugin: "s3", provider: "api" });
  assertEquals(told.map(({ type }) => type), [
    "s3.bucket.delete",
    "s3.object.delete",
    "s3.object.delete",
  ]);
  await (await fetch(`${url}/other`, { method: "PUT" })).text();
  const before = service.events.count();
  assertEquals(await remove(""), 204);
  assertEquals(service.events.count(), before);
  assertEquals((await service.getJson<BucketsView>("/s3/buckets")).buckets, []);
});

Deno.test("a bucket of the settings that cannot be stops the start", async () => {
  const config = { plugins: { s3: { providers: { http: { buckets: ["No_Bucket"] } } } } };
  await assertRejects(
    () => startService({ plugins: [s3], config }),
    Error,
    'Cannot create bucket "No_Bucket"',
  );
});

Deno.test("a reset leaves the buckets of the settings, empty, and tells of nothing", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  const { url } = service.endpoint("http");
  for (const [path, body] of [["/box/a", "x"], ["/other", ""]] as const) {
    await (await fetch(`${url}${path}`, { method: "PUT", body })).text();
  }
  const reset = await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" });
  assertEquals([reset.status, await reset.text()], [204, ""]);
  const { buckets } = await service.getJson<BucketsView>("/s3/buckets");
  assertEquals(buckets.map(({ name, objects }) => [name, objects]), [["box", 0]]);
  assertEquals(service.events.count(), 0);
});
