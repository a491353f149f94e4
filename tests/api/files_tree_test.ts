import { assertEquals, assertMatch } from "@std/assert";
import { fileEvents, noise, operations, paths, startFiles } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly links: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

interface Listing {
  readonly entries: readonly Entry[];
  readonly [key: string]: unknown;
}

Deno.test("a directory is listed with breadcrumb, parent and counts of the whole tree", async () => {
  await using service = await startFiles();
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR /b/c d/é#.txt", new TextEncoder().encode("hello"));
  await ftp.put("STOR /b/a.bin", noise(100));
  await ftp.put("STOR /top", new Uint8Array());
  const listing = await service.getJson<Listing>("/files/tree?path=/b");
  const { entries, ...rest } = listing;
  assertEquals(rest, {
    path: "/b",
    parent: "/",
    recursive: false,
    breadcrumb: [
      { name: "/", path: "/", url: "/api/v1/files/tree?path=%2F" },
      { name: "b", path: "/b", url: "/api/v1/files/tree?path=%2Fb" },
    ],
    stats: { files: 3, dirs: 2, bytes: 105 },
  });
  assertEquals(entries.map(({ name }) => name), ["c d", "a.bin"]);
  assertEquals(entries[0]?.blob, { id: "", size: 0 });
  assertEquals(entries[0]?.links, {
    self: "/api/v1/files/stat/b/c%20d",
    tree: "/api/v1/files/tree?path=%2Fb%2Fc%20d",
  });
  const root = await service.getJson<Listing>("/files/tree");
  assertEquals("parent" in root, false);
  const all = await service.getJson<Listing>("/files/tree?recursive=1");
  assertEquals(all.entries.map(({ path }) => path), [
    "/b",
    "/b/a.bin",
    "/b/c d",
    "/b/c d/é#.txt",
    "/top",
  ]);
  const file = all.entries[3]!;
  const stat = await service.getJson<Entry>(file.links.self!.slice("/api/v1".length));
  assertEquals(stat, file);
  assertMatch(String(stat.mod_time), /^\d{4}-.*Z$/);
  assertEquals([stat.mtime, stat.provider, stat.size], [stat.mod_time, "ftp", 5]);
  const content = await fetch(service.api.url + file.links.content);
  assertEquals(await content.text(), "hello");
  assertEquals(content.headers.get("content-type"), "text/plain");
  assertEquals(content.headers.get("x-content-type-options"), "nosniff");
  assertMatch(content.headers.get("content-disposition") ?? "", /^attachment; .*%C3%A9/);
});

Deno.test("content has ranges, inline disposition and the recorded type", async () => {
  await using service = await startFiles();
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR /page.html", new TextEncoder().encode("<script>1</script>"));
  await ftp.put("STOR /bin", noise(1000));
  const url = `${service.api.url}/api/v1/files/content`;
  const page = await fetch(`${url}/page.html?inline=1`);
  assertMatch(page.headers.get("content-disposition") ?? "", /^inline/);
  assertMatch(page.headers.get("content-type") ?? "", /^text\/html/);
  assertMatch(page.headers.get("content-security-policy") ?? "", /^sandbox/);
  await page.body?.cancel();
  const part = await fetch(`${url}/bin`, { headers: { range: "bytes=10-19" } });
  assertEquals([part.status, part.headers.get("content-range")], [206, "bytes 10-19/1000"]);
  assertEquals(part.headers.get("content-type"), "application/octet-stream");
  assertEquals(await part.bytes(), noise(1000).slice(10, 20));
  const head = await fetch(`${url}/bin`, { method: "HEAD" });
  assertEquals(head.headers.get("content-length"), "1000");
  const outside = await fetch(`${url}/bin`, { headers: { range: "bytes=1000-" } });
  assertEquals([outside.status, outside.headers.get("content-range")], [416, "bytes */1000"]);
  await outside.body?.cancel();
});

const REFUSALS: readonly (readonly [method: string, path: string, status: number])[] = [
  ["GET", "/tree?path=/nope", 404],
  ["GET", "/tree?path=/d/f", 400],
  ["GET", "/tree?path=a%00b", 400],
  ["GET", "/tree?path=%ff", 400],
  ["GET", "/tree?recursive=maybe", 400],
  ["GET", `/tree?path=${"n".repeat(256)}`, 400],
  ["GET", "/stat/nope", 404],
  ["GET", "/stat/a%0ab", 400],
  ["GET", "/stat/%c3%28", 400],
  ["GET", "/content/nope", 404],
  ["GET", "/content/d", 400],
  ["GET", "/content/d/f?inline=2", 400],
  ["DELETE", "/content/", 400],
  ["DELETE", "/content/..%2F", 400],
  ["DELETE", "/content/nope", 404],
  ["DELETE", "/content/d", 409],
];

Deno.test("an invalid request is refused with its status and a reason", async () => {
  await using service = await startFiles();
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR /d/f", noise(1));
  for (const [method, path, status] of REFUSALS) {
    const response = await fetch(`${service.api.url}/api/v1/files${path}`, { method });
    assertEquals(response.status, status, `${method} ${path}`);
    assertEquals(typeof (await response.json()).error, "string");
  }
  assertEquals(await paths(service), ["/d", "/d/f"]);
});

Deno.test("deletions are events; emptying and resetting are not", async () => {
  await using service = await startFiles();
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR /d/f", noise(10));
  await ftp.put("STOR /e/f", noise(10));
  const remove = async (path: string) => {
    const response = await fetch(`${service.api.url}/api/v1/files${path}`, { method: "DELETE" });
    assertEquals(response.status, 204);
  };
  await remove("/content/d?recursive=1");
  const event = fileEvents(service).at(-1)!;
  assertEquals([event.provider, event.type, event.summary], ["api", "files.delete", "deleted /d"]);
  assertEquals([event.payload.path, event.payload.dir], ["/d", true]);
  const blob = fileEvents(service)[3]!.payload.blob!.id;
  await remove("/tree");
  assertEquals(await paths(service), []);
  const gone = await fetch(`${service.api.url}/api/v1/blobs/${blob}`);
  assertEquals(gone.status, 404);
  await gone.body?.cancel();
  assertEquals(operations(service).length, 5);
  await ftp.put("STOR /x", noise(1));
  await service.reset();
  assertEquals(await paths(service), []);
});

Deno.test("a file outlives its event, and the client learns that the store is full", async () => {
  await using service = await startFiles({}, { storage: { capacity: 1, blob_limit: 1000 } });
  await using ftp = await FtpClient.open(service);
  await ftp.put("STOR /first", noise(600));
  await ftp.put("STOR /second", noise(100));
  assertEquals(operations(service), ["upload /second"]);
  assertMatch(await ftp.put("STOR /third", noise(400)), /^552 .*blob_limit/);
  assertMatch(await ftp.put("STOR /first", noise(100)), /^226 /);
  assertEquals(await paths(service), ["/first", "/second"]);
});
