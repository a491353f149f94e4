/** Bucket settings survive a restart; folders of earlier versions are migrated. */
import { assertEquals } from "@std/assert";
import { copyFolder, scratch } from "../support/files.ts";
import { begin, completion, pick, sendPart, startStore, type Store } from "../support/s3.ts";

function start(folder: string, options: Readonly<Record<string, unknown>> = {}): Promise<Store> {
  return startStore(options, { storage: { backend: "filesystem", path: folder } });
}

Deno.test("a folder with the first catalog version opens with everything in it", async () => {
  await using folder = await scratch();
  await copyFolder(
    new URL("../fixtures/s3_catalog_1/", import.meta.url).pathname,
    `${folder.path}/s3`,
  );
  for (const round of [1, 2]) {
    await using store = await start(folder.path);
    const { headers } = await store.send("HEAD", "/box/a");
    const kept = [headers.get("content-type"), headers.get("x-amz-meta-colour")];
    assertEquals(kept, ["text/plain", "blue"]);
    assertEquals(await store.text("GET", "/box/a", 200), "Hello");
    assertEquals(pick(await store.text("GET", "/far?acl", 200), "Permission"), [
      "FULL_CONTROL",
      "READ",
    ]);
    assertEquals(pick(await store.text("GET", "/box?uploads", 200), "Key"), ["m"]);
    // Settings that the first version could not store.
    if (round === 1) await store.text("PUT", "/box?cors", 200, { body: CORS });
    assertEquals(pick(await store.text("GET", "/box?cors", 200), "AllowedOrigin"), ["*"]);
  }
});

const CORS = "<CORSConfiguration><CORSRule><AllowedMethod>GET</AllowedMethod>" +
  "<AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>";

const POLICY = JSON.stringify({
  Statement: [{ Effect: "Deny", Principal: "*", Action: "s3:*", Resource: "arn:aws:s3:::one" }],
});

Deno.test("bucket settings survive a restart, and are deleted with their bucket", async () => {
  await using folder = await scratch();
  {
    await using store = await start(folder.path, { buckets: [] });
    for (const name of ["one", "two", "three"]) {
      await store.text("PUT", `/${name}`, 200);
      await store.text("PUT", `/${name}?cors`, 200, { body: CORS });
    }
    await store.text("PUT", "/one?policy", 204, { body: POLICY });
    await store.text("PUT", "/one?acl", 200, { headers: { "x-amz-acl": "public-read" } });
    await store.text("PUT", "/one/a", 200, { body: "x" });
    await store.text("PUT", "/one/a?acl", 200, { headers: { "x-amz-acl": "public-read" } });
    await store.text("DELETE", "/two?cors", 204);
    await store.text("DELETE", "/three", 204);
    await store.text("PUT", "/three", 200);
  }
  await using store = await start(folder.path, { buckets: [] });
  assertEquals(pick(await store.text("GET", "/one?cors", 200), "AllowedMethod"), ["GET"]);
  assertEquals(await store.text("GET", "/one?policy", 200), POLICY);
  for (const path of ["/one", "/one/a"]) {
    const told = pick(await store.text("GET", `${path}?acl`, 200), "Permission");
    assertEquals(told, ["FULL_CONTROL", "READ"]);
  }
  for (const name of ["two", "three"]) {
    assertEquals(await store.code("GET", `/${name}?cors`), "404 NoSuchCORSConfiguration");
  }
});

Deno.test("tags of objects, uploads and buckets survive a restart", async () => {
  await using folder = await scratch();
  const tags = "<Tagging><TagSet><Tag><Key>k</Key><Value>v</Value></Tag></TagSet></Tagging>";
  const headers = { "x-amz-tagging": "k=v" };
  let at = "";
  {
    await using store = await start(folder.path);
    await store.text("PUT", "/box/a", 200, { body: "x", headers });
    await store.text("PUT", "/box/b", 200, { body: "x" });
    await store.text("PUT", "/box/b?tagging", 200, { body: tags });
    await store.text("PUT", "/box/c", 200, { body: "x", headers });
    await store.text("DELETE", "/box/c?tagging", 204);
    await store.text("PUT", "/box?tagging", 200, { body: tags });
    at = `/box/m?uploadId=${await begin(store, "/box/m", headers)}`;
  }
  await using store = await start(folder.path);
  const etag = await sendPart(store, `${at}&partNumber=1`, "x");
  await store.text("POST", at, 200, { body: completion([[1, etag]]) });
  const told: string[] = [];
  for (const path of ["/box/a", "/box/b", "/box/c", "/box/m", "/box"]) {
    told.push(pick(await store.text("GET", `${path}?tagging`, 200), "Value").join());
  }
  assertEquals(told, ["v", "v", "", "v", "v"]);
});

Deno.test("on disk an object may be larger than 64 MiB unless a limit is set", async () => {
  await using folder = await scratch();
  const body = new Uint8Array(65 * 1024 * 1024);
  {
    await using store = await start(folder.path);
    await store.text("PUT", "/box/large", 200, { body });
    const head = await store.send("HEAD", "/box/large");
    assertEquals(head.headers.get("content-length"), String(body.length));
  }
  await using store = await start(folder.path, { max_object_bytes: "64MiB" });
  assertEquals(await store.code("PUT", "/box/more", { body }), "400 EntityTooLarge");
});

Deno.test("an upload over a later, lower limit cannot be completed", async () => {
  await using folder = await scratch();
  let at = "";
  let etag = "";
  {
    await using store = await start(folder.path);
    at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    etag = await sendPart(store, `${at}&partNumber=1`, "x".repeat(60));
  }
  await using store = await start(folder.path, { max_object_bytes: 50 });
  const body = completion([[1, etag]]);
  assertEquals(await store.code("POST", at, { body }), "400 EntityTooLarge");
});
