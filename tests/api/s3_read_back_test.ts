import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import type { BucketsView, ObjectsView, ObjectView } from "../../plugins/s3/views.ts";
import { begin, fill, startStore, statsOf, type Store } from "../support/s3.ts";
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

Deno.test("invalid and unknown requests get the API's errors", async () => {
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

Deno.test("deletions through the API are events; a reset is not", async () => {
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

Deno.test("an invalid bucket in the settings stops the start", async () => {
  const config = { plugins: { s3: { providers: { http: { buckets: ["No_Bucket"] } } } } };
  await assertRejects(
    () => startService({ plugins: [s3], config }),
    Error,
    'Cannot create bucket "No_Bucket"',
  );
});

Deno.test("a reset keeps the configured buckets, empty, and records nothing", async () => {
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

Deno.test("content answers ranges and conditions, with checksums and metadata", async () => {
  await using store = await startStore();
  const headers = { "x-amz-checksum-crc32": "99GJgg==", "x-amz-meta-colour": "blue" };
  await store.text("PUT", "/box/a", 200, { body: "Hello", headers });
  const url = `${store.service.api.url}/api/v1/s3/buckets/box/content/a`;
  const etag = '"8b1a9953c4611296a827abf8c47804d7"';
  const rows: readonly (readonly [number, string | undefined, Record<string, string>])[] = [
    [200, "Hello", {}],
    [206, "ell", { range: "bytes=1-3" }],
    [206, "o", { range: "bytes=-1", "if-range": etag }],
    [200, "Hello", { range: "bytes=-1", "if-range": '"x"' }],
    [416, undefined, { range: "bytes=5-" }],
    [304, "", { "if-none-match": etag }],
    [412, undefined, { "if-match": '"x"' }],
    [200, "Hello", { "if-match": etag }],
  ];
  for (const [status, text, conditions] of rows) {
    const response = await fetch(url, { headers: conditions });
    const body = await response.text();
    assertEquals([response.status, text ?? body], [status, body], JSON.stringify(conditions));
    if (status < 400) assertEquals(response.headers.get("etag"), etag);
    if (status === 416) assertEquals(response.headers.get("content-range"), "bytes */5");
  }
  const whole = await fetch(url);
  await whole.body?.cancel();
  const told = ["x-amz-checksum-crc32", "x-amz-meta-colour", "content-length", "accept-ranges"];
  assertEquals(told.map((name) => whole.headers.get(name)), ["99GJgg==", "blue", "5", "bytes"]);
});

Deno.test("links work for keys of any form", async () => {
  await using store = await startStore();
  const keys = ["a/../b", "//", "ü ☃", "%2F", "?q#f", "a\r\nb", "k".repeat(1024)];
  await fill(store, keys);
  const { objects } = await store.service.getJson<ObjectsView>("/s3/buckets/box/objects");
  assertEquals(objects.map(({ key }) => key).toSorted(), keys.toSorted());
  for (const { key, links } of objects) {
    const self = await store.service.getJson<ObjectView>(links.self.replace("/api/v1", ""));
    assertEquals(self.key, key);
    const content = await fetch(`${store.service.api.url}${links.content}`);
    assertEquals(await content.text(), key);
    const gone = await fetch(`${store.service.api.url}${links.self}`, { method: "DELETE" });
    assertEquals(gone.status, 204);
  }
});

Deno.test("a running upload keeps its bucket, and survives a deletion of everything", async () => {
  await using store = await startStore();
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  await begin(store, "/box/idle");
  const { hostname, port } = store.service.endpoint("http");
  using conn = await Deno.connect({ hostname, port });
  const head = `PUT ${at}&partNumber=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n`;
  await conn.write(new TextEncoder().encode(`${head}Expect: 100-continue\r\n\r\n`));
  // The body is requested once the part is in progress.
  await conn.read(new Uint8Array(100));
  assertEquals(await remove(store, "/box?recursive=true"), 409);
  assertEquals(await remove(store, ""), 204);
  const { active_uploads, buckets } = await statsOf(store.service);
  assertEquals([active_uploads, buckets], [1, 0]);
  await conn.write(new TextEncoder().encode("hi"));
  await conn.read(new Uint8Array(1000));
  // It is idle now, and the next deletion removes it.
  assertEquals(await remove(store, ""), 204);
  assertEquals((await statsOf(store.service)).active_uploads, 0);
});

async function remove({ service }: Store, path: string): Promise<number> {
  const url = `${service.api.url}/api/v1/s3/buckets${path}`;
  const response = await fetch(url, { method: "DELETE" });
  await response.body?.cancel();
  return response.status;
}
