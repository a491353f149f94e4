/** Versions in the read-back API. */
import { assertEquals, assertObjectMatch } from "@std/assert";
import { startStore, type Store } from "../support/s3.ts";

interface Version {
  readonly version_id: string;
  readonly is_latest: boolean;
  readonly delete_marker: boolean;
  readonly size?: number;
  readonly links: { readonly self: string; readonly content?: string; readonly restore?: string };
}

async function startVersioned(): Promise<Store> {
  const store = await startStore();
  const body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
  await store.text("PUT", "/box?versioning", 200, { body });
  return store;
}

async function versionsOf(store: Store, key: string): Promise<readonly Version[]> {
  const path = `/s3/buckets/box/versions/${key}`;
  return (await store.service.getJson<{ versions: Version[] }>(path)).versions;
}

async function call(
  store: Store,
  method: string,
  link: string,
): Promise<readonly [number, string]> {
  const response = await fetch(`${store.service.api.url}${link}`, { method });
  return [response.status, await response.text()];
}

Deno.test("the versions of a key are listed, read, restored and deleted", async () => {
  await using store = await startVersioned();
  const headers = { "x-amz-meta-colour": "blue", "x-amz-tagging": "k=v" };
  await store.text("PUT", "/box/dir/a", 200, { body: "one", headers });
  await store.text("PUT", "/box/dir/a", 200, { body: "second" });
  await store.text("DELETE", "/box/dir/a", 204);
  const [marker, two, one] = await versionsOf(store, "dir/a");
  assertEquals([marker!.delete_marker, marker!.is_latest, two!.size, one!.size], [
    true,
    true,
    6,
    3,
  ]);
  assertEquals(await call(store, "GET", one!.links.content!), [200, "one"]);
  const [status, text] = await call(store, "POST", one!.links.restore!);
  const object = JSON.parse(text);
  assertEquals([status, object.size, object.tags, object.metadata], [200, 3, { k: "v" }, {
    colour: "blue",
  }]);
  assertEquals(await store.text("GET", "/box/dir/a", 200), "one");
  const [event] = store.service.events.list({ type: "s3.object.copy" });
  assertEquals((event!.payload as { readonly source?: unknown }).source, {
    bucket: "box",
    key: "dir/a",
    version_id: one!.version_id,
  });
  const now = await versionsOf(store, "dir/a");
  assertEquals(
    now.map(({ version_id: id }) => id).slice(1),
    [marker, two, one].map((version) => version!.version_id),
  );
  assertEquals((await call(store, "DELETE", marker!.links.self))[0], 204);
  assertEquals((await versionsOf(store, "dir/a")).length, 3);
  const bucket = await store.service.getJson<Record<string, unknown>>("/s3/buckets/box");
  assertEquals([bucket.versioning, bucket.objects, bucket.versions], ["Enabled", 1, 3]);
});

Deno.test("the versions of a key are paged, even when the last one of a page is gone", async () => {
  await using store = await startVersioned();
  for (const body of "12345") await store.text("PUT", "/box/a b", 200, { body });
  interface Page {
    readonly count: number;
    readonly versions: readonly Version[];
    readonly next?: string;
  }
  const read = (path: string) =>
    store.service.getJson<Page>(path.replace("/api/v1", "")).then((page) => page);
  const ids = (await versionsOf(store, "a%20b")).map(({ version_id: id }) => id);
  const first = await read("/s3/buckets/box/versions/a%20b?max_versions=2");
  assertEquals([first.count, first.versions.map(({ version_id: id }) => id)], [5, ids.slice(0, 2)]);
  assertEquals((await call(store, "DELETE", first.versions[1]!.links.self))[0], 204);
  const second = await read(first.next!);
  assertEquals(second.versions.map(({ version_id: id }) => id), ids.slice(2, 4));
  const third = await read(second.next!);
  assertEquals([third.versions.map(({ version_id: id }) => id), third.next], [
    ids.slice(4),
    undefined,
  ]);
  const bad = "/api/v1/s3/buckets/box/versions/a%20b?after=x";
  assertEquals((await call(store, "GET", bad))[0], 400);
});

Deno.test("an impossible restore is refused with the reason", async () => {
  await using store = await startVersioned();
  await store.text("PUT", "/box/a", 200, { body: "one" });
  await store.text("DELETE", "/box/a", 204);
  const [marker, one] = await versionsOf(store, "a");
  const restore = `/api/v1/s3/buckets/box/restore/a`;
  const unknown = `?version_id=${"x".repeat(32)}`;
  const codes = await Promise.all(
    ["", "?version_id=x", unknown, `?version_id=${marker!.version_id}`].map(async (query) =>
      (await call(store, "POST", `${restore}${query}`))[0]
    ),
  );
  assertEquals(codes, [400, 400, 404, 405]);
  await call(store, "POST", one!.links.restore!);
  const [current] = await versionsOf(store, "a");
  const again = `${restore}?version_id=${current!.version_id}`;
  assertEquals((await call(store, "POST", again))[0], 409);
  assertEquals((await call(store, "GET", "/api/v1/s3/buckets/box/versions/none"))[0], 404);
  assertEquals((await call(store, "DELETE", `/api/v1/s3/buckets/box/objects/a${unknown}`))[0], 404);
});

Deno.test("a bucket is deleted with its versions, and each deletion makes an event", async () => {
  await using store = await startVersioned();
  await store.text("PUT", "/box/a", 200, { body: "one" });
  await store.text("PUT", "/box/a", 200, { body: "two" });
  await store.text("DELETE", "/box/a", 204);
  const link = "/api/v1/s3/buckets/box";
  assertEquals((await call(store, "DELETE", link))[0], 409);
  assertEquals((await call(store, "DELETE", `${link}?recursive=1`))[0], 204);
  assertEquals(store.service.events.list({ type: "s3.object.delete" }).length, 4);
  const { stats } = await store.service.getJson<{ stats: Record<string, number> }>("/s3/buckets");
  assertEquals([stats.buckets, stats.bytes], [0, 0]);
});

Deno.test("encryption and locks are shown, but the API deletes and empties regardless", async () => {
  await using store = await startStore();
  const enabled = { "x-amz-bucket-object-lock-enabled": "true" };
  await store.text("PUT", "/safe", 200, { headers: enabled });
  const until = "2090-01-01T00:00:00.000Z";
  const headers = {
    "x-amz-object-lock-mode": "COMPLIANCE",
    "x-amz-object-lock-retain-until-date": until,
    "x-amz-object-lock-legal-hold": "ON",
    "x-amz-server-side-encryption": "AES256",
    "x-amz-storage-class": "STANDARD_IA",
  };
  await store.text("PUT", "/safe/a", 200, { headers, body: "one" });
  await store.text("PUT", "/safe/a", 200, { body: "two" });
  const { getJson } = store.service;
  const lock = { retention: { mode: "COMPLIANCE", until }, legal_hold: true };
  const shown = { ...lock, encryption: { algorithm: "AES256" } };
  const { versions: [, old] } = await getJson<{ versions: Version[] }>(
    "/s3/buckets/safe/versions/a",
  );
  assertObjectMatch(old!, shown);
  assertEquals((await getJson<Record<string, unknown>>("/s3/buckets/safe")).object_lock, true);
  // A restored version is a new object: it has no lock of its own.
  const [status, text] = await call(store, "POST", old!.links.restore!);
  const restored = JSON.parse(text);
  assertEquals([status, restored.retention, restored.legal_hold], [200, undefined, undefined]);
  assertObjectMatch(restored, { encryption: shown.encryption, storage_class: "STANDARD_IA" });
  assertEquals((await call(store, "DELETE", old!.links.self))[0], 204);
  await store.text("PUT", "/safe/a", 200, { headers, body: "three" });
  assertEquals((await call(store, "DELETE", "/api/v1/s3/buckets/safe?recursive=1"))[0], 204);
});
