import { assertEquals } from "@std/assert";
import { begin, pick, startStore, type Store } from "../support/s3.ts";

async function run(store: Store, query = ""): Promise<unknown> {
  const response = await fetch(`${store.service.api.url}/api/v1/s3/lifecycle/run${query}`, {
    method: "POST",
  });
  const text = await response.text();
  return response.status === 200 ? JSON.parse(text) : response.status;
}

const rule = (filter: string, action: string, status = "Enabled") =>
  `<Rule><Filter>${filter}</Filter><Status>${status}</Status>${action}</Rule>`;

Deno.test("a run of the lifecycle rules deletes what is due, records it, and leaves the rest", async () => {
  await using store = await startStore();
  const put = (key: string, body: string, tags = "") =>
    store.text("PUT", `/box/${key}`, 200, { body, headers: { "x-amz-tagging": tags } });
  await put("logs/a", "x");
  await put("logs/b", "x");
  await put("tagged", "x", "kind=temporary");
  await put("other", "x", "kind=kept");
  await put("large", "x".repeat(100));
  await put("off/a", "x");
  await begin(store, "/box/logs/upload");
  await begin(store, "/box/upload");
  const days = (count: number) => `<Expiration><Days>${count}</Days></Expiration>`;
  const tag = "<Tag><Key>kind</Key><Value>temporary</Value></Tag>";
  const size = "<ObjectSizeGreaterThan>99</ObjectSizeGreaterThan>";
  const body = `<LifecycleConfiguration>${
    [
      rule("<Prefix>logs/</Prefix>", days(1)),
      rule(tag, "<Expiration><Date>2090-01-01T00:00:00Z</Date></Expiration>"),
      rule(`<And><Prefix>l</Prefix>${size}</And>`, days(400)),
      rule("<Prefix>off/</Prefix>", days(1), "Disabled"),
      rule(
        "<Prefix>logs/</Prefix>",
        "<AbortIncompleteMultipartUpload><DaysAfterInitiation>3</DaysAfterInitiation>" +
          "</AbortIncompleteMultipartUpload>",
      ),
    ].join("")
  }</LifecycleConfiguration>`;
  await store.text("PUT", "/box?lifecycle", 200, { body });
  const keys = async () => pick(await store.text("GET", "/box", 200), "Key");
  const after = (count: number) => `?at=${new Date(Date.now() + count * 86_400_000).toISOString()}`;
  assertEquals(await run(store), { expired: 0, aborted: 0 });
  assertEquals(await run(store, after(2)), { expired: 2, aborted: 0 });
  assertEquals(await keys(), ["large", "off/a", "other", "tagged"]);
  assertEquals(await run(store, after(4)), { expired: 0, aborted: 1 });
  assertEquals(await run(store, after(401)), { expired: 1, aborted: 0 });
  assertEquals(await run(store, "?at=2090-01-01T00:00:00Z"), { expired: 1, aborted: 0 });
  assertEquals(await keys(), ["off/a", "other"]);
  const gone = store.service.events.list({ type: "s3.object.delete" });
  assertEquals(
    gone.map(({ payload }) => (payload as { readonly key: string }).key).sort(),
    ["large", "logs/a", "logs/b", "tagged"],
  );
  assertEquals(pick(await store.text("GET", "/box?uploads", 200), "Key"), ["upload"]);
  assertEquals(await run(store, "?at=soon"), 400);
});

Deno.test("in a bucket with versions, rules hide current objects and delete earlier versions", async () => {
  await using store = await startStore();
  const versioning = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
  await store.text("PUT", "/box?versioning", 200, { body: versioning });
  for (const body of ["1", "2", "3", "4"]) await store.text("PUT", "/box/a", 200, { body });
  await store.text("DELETE", "/box/left", 204);
  const left =
    "<Expiration><ExpiredObjectDeleteMarker>true</ExpiredObjectDeleteMarker></Expiration>";
  const body = `<LifecycleConfiguration>${
    [
      rule("<Prefix>a</Prefix>", "<Expiration><Days>10</Days></Expiration>"),
      rule(
        "<Prefix>a</Prefix>",
        "<NoncurrentVersionExpiration><NoncurrentDays>3</NoncurrentDays>" +
          "<NewerNoncurrentVersions>1</NewerNoncurrentVersions></NoncurrentVersionExpiration>",
      ),
      rule("<Prefix>left</Prefix>", left),
    ].join("")
  }</LifecycleConfiguration>`;
  await store.text("PUT", "/box?lifecycle", 200, { body });
  const after = (count: number) => `?at=${new Date(Date.now() + count * 86_400_000).toISOString()}`;
  const sizes = async () => {
    const text = await store.text("GET", "/box?versions", 200);
    return [pick(text, "Size").length, text.split("<DeleteMarker>").length - 1];
  };
  assertEquals([await run(store), await sizes()], [{ expired: 1, aborted: 0 }, [4, 0]]);
  assertEquals(await run(store, after(5)), { expired: 2, aborted: 0 });
  assertEquals([await sizes(), await store.text("GET", "/box/a", 200)], [[2, 0], "4"]);
  assertEquals(await run(store, after(12)), { expired: 1, aborted: 0 });
  assertEquals([await sizes(), await store.code("GET", "/box/a")], [[2, 1], "404 NoSuchKey"]);
  assertEquals(await run(store, after(12)), { expired: 1, aborted: 0 });
});

Deno.test("a run of the lifecycle rules leaves locked versions until the lock ends", async () => {
  await using store = await startStore();
  const headers = { "x-amz-bucket-object-lock-enabled": "true" };
  await store.text("PUT", "/safe", 200, { headers });
  const lock = {
    "x-amz-object-lock-mode": "GOVERNANCE",
    "x-amz-object-lock-retain-until-date": "2090-01-01T00:00:00Z",
  };
  for (const more of [lock, { "x-amz-object-lock-legal-hold": "ON" }, {}, {}]) {
    await store.text("PUT", "/safe/a", 200, { headers: more, body: "x" });
  }
  const body = `<LifecycleConfiguration>${
    rule(
      "",
      "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays>" +
        "</NoncurrentVersionExpiration>",
    )
  }</LifecycleConfiguration>`;
  await store.text("PUT", "/safe?lifecycle", 200, { body });
  assertEquals(await run(store, "?at=2080-01-01T00:00:00Z"), { expired: 1, aborted: 0 });
  assertEquals(await run(store, "?at=2090-01-02T00:00:00Z"), { expired: 1, aborted: 0 });
  assertEquals(pick(await store.text("GET", "/safe?versions", 200), "VersionId").length, 2);
});
