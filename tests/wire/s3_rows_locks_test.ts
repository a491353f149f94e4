/** What S3 clients rely on: object lock, retention and legal hold (W). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { begin, completion, md5Of, pick, row, sendPart, type Store } from "../support/s3.ts";

type Fields = Readonly<Record<string, string>>;

const BYPASS = { "x-amz-bypass-governance-retention": "true" };
const DAY_MS = 86_400_000;
const DENIED = "403 AccessDenied";
const MALFORMED = "400 MalformedXML";
const INVALID = "400 InvalidArgument";

function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

function retention(mode: string, until: string): string {
  return `<Retention><Mode>${mode}</Mode><RetainUntilDate>${until}</RetainUntilDate></Retention>`;
}

function configuration(inner = ""): string {
  return `<ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>${inner}` +
    "</ObjectLockConfiguration>";
}

function byDefault(inner: string): string {
  return configuration(`<Rule><DefaultRetention>${inner}</DefaultRetention></Rule>`);
}

/** Creates bucket `safe` with object lock. */
async function makeSafe(store: Store): Promise<void> {
  const headers = { "x-amz-bucket-object-lock-enabled": "true" };
  await store.text("PUT", "/safe", 200, { headers });
}

/** Puts an object and returns the place of its version. */
async function put(store: Store, headers: Fields = {}, key = "a"): Promise<string> {
  const response = await store.send("PUT", `/safe/${key}`, { headers, body: "x" });
  const text = await response.text();
  assertEquals([response.status, text], [200, ""]);
  return `/safe/${key}?versionId=${response.headers.get("x-amz-version-id")}`;
}

function lock(mode: string, until = inDays(1)): Fields {
  return { "x-amz-object-lock-mode": mode, "x-amz-object-lock-retain-until-date": until };
}

/** The lock of a version, from HEAD. */
async function told(store: Store, place: string): Promise<(string | null)[]> {
  const { headers } = await store.send("HEAD", place);
  return ["mode", "retain-until-date", "legal-hold"].map((name) =>
    headers.get(`x-amz-object-lock-${name}`)
  );
}

row("W1 a bucket is made with object lock, and keeps it and its versions", async (store) => {
  assertEquals(
    await store.code("GET", "/box?object-lock"),
    "404 ObjectLockConfigurationNotFoundError",
  );
  await makeSafe(store);
  assertEquals(pick(await store.text("GET", "/safe?object-lock", 200), "ObjectLockEnabled"), [
    "Enabled",
  ]);
  assertEquals(pick(await store.text("GET", "/safe?versioning", 200), "Status"), ["Enabled"]);
  const body = "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>";
  assertEquals(await store.code("PUT", "/safe?versioning", { body }), "409 InvalidBucketState");
  assertEquals(await store.code("DELETE", "/safe?object-lock"), "405 MethodNotAllowed");
  // Creating it again has no effect; another bucket does not get a lock that way.
  await makeSafe(store);
  const headers = { "x-amz-bucket-object-lock-enabled": "true" };
  assertEquals(await store.code("PUT", "/box", { headers }), "409 BucketAlreadyOwnedByYou");
});

row("W2 a lock configuration is checked, kept, and may come later", async (store) => {
  const day = "<Mode>GOVERNANCE</Mode><Days>1</Days>";
  const configure = (body: string) => store.code("PUT", "/box?object-lock", { body });
  assertEquals(await configure(byDefault(day)), "409 InvalidBucketState");
  const body = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
  await store.text("PUT", "/box?versioning", 200, { body });
  const cases: readonly (readonly [string, string])[] = [
    [MALFORMED, ""],
    [MALFORMED, "<ObjectLockConfiguration/>"],
    [MALFORMED, configuration().replace("Enabled</", "Disabled</")],
    [MALFORMED, configuration("<Rule/>")],
    [MALFORMED, byDefault("")],
    [MALFORMED, byDefault("<Mode>GOVERNANCE</Mode>")],
    [MALFORMED, byDefault("<Days>1</Days>")],
    [MALFORMED, byDefault(`${day}<Years>1</Years>`)],
    [MALFORMED, byDefault("<Mode>governance</Mode><Days>1</Days>")],
    [INVALID, byDefault("<Mode>GOVERNANCE</Mode><Days>0</Days>")],
    [INVALID, byDefault("<Mode>GOVERNANCE</Mode><Years>-1</Years>")],
    [INVALID, byDefault("<Mode>GOVERNANCE</Mode><Years>101</Years>")],
    ["501 NotImplemented", byDefault(`${day}<DefaultEventHold/>`)],
  ];
  for (const [code, document] of cases) assertEquals(await configure(document), code, document);
  assertEquals(await configure(byDefault(day)), "200");
  const kept = await store.text("GET", "/box?object-lock", 200);
  assertEquals([pick(kept, "Mode"), pick(kept, "Days")], [["GOVERNANCE"], ["1"]]);
  assertEquals(await configure(configuration()), "200");
  assertEquals(pick(await store.text("GET", "/box?object-lock", 200), "Mode"), []);
});

row("W3 a locked version stays, and only it", async (store) => {
  await makeSafe(store);
  const held = await put(store, { "x-amz-object-lock-legal-hold": "ON" });
  const governed = await put(store, lock("GOVERNANCE"));
  const complied = await put(store, lock("COMPLIANCE"));
  for (const place of [held, governed, complied]) {
    assertEquals(await store.code("DELETE", place), DENIED);
  }
  for (const place of [held, complied]) {
    assertEquals(await store.code("DELETE", place, { headers: BYPASS }), DENIED);
  }
  assertEquals(await store.code("DELETE", governed, { headers: BYPASS }), "204");
  // Overwriting it, deleting it without an id and copying over it leave the version in place.
  const free = await put(store);
  await store.text("PUT", "/safe/a", 200, {
    headers: { "x-amz-copy-source": "safe/a", "x-amz-metadata-directive": "REPLACE" },
  });
  await store.text("DELETE", "/safe/a", 204);
  assertEquals(await store.text("GET", held, 200), "x");
  assertEquals(await store.text("GET", complied, 200), "x");
  await store.text("DELETE", free, 204);
  assertEquals(await store.code("DELETE", "/safe"), "409 BucketNotEmpty");
  // The delete marker is not locked.
  const marker = /<DeleteMarker>.*?<VersionId>([^<]*)/s
    .exec(await store.text("GET", "/safe?versions", 200))![1]!;
  await store.text("DELETE", `/safe/a?versionId=${marker}`, 204);
});

row("W4 of many entries the locked ones are errors", async (store) => {
  await makeSafe(store);
  const ids: string[] = [];
  for (const headers of [lock("GOVERNANCE"), {}, lock("COMPLIANCE")]) {
    ids.push((await put(store, headers)).split("=")[1]!);
  }
  const object = (id: string) => `<Object><Key>a</Key><VersionId>${id}</VersionId></Object>`;
  const body = `<Delete>${ids.map(object).join("")}</Delete>`;
  const first = await store.text("POST", "/safe?delete", 200, { body });
  assertEquals(pick(first, "Code"), ["AccessDenied", "AccessDenied"]);
  assertEquals(first.match(/<Deleted>/g)?.length, 1);
  const second = await store.text("POST", "/safe?delete", 200, {
    body,
    headers: { ...BYPASS, "content-md5": md5Of(body) },
  });
  assertEquals(pick(second, "Code"), ["AccessDenied"]);
  assertEquals(pick(await store.text("GET", "/safe?versions", 200), "VersionId"), [ids[2]!]);
});

row("W5 retention is put, told, extended, and shortened by a bypass alone", async (store) => {
  await makeSafe(store);
  const place = await put(store);
  const at = `${place.replace("?", "?retention&")}`;
  const set = (body: string, headers: Fields = {}) => store.code("PUT", at, { body, headers });
  assertEquals(await store.code("GET", at), "404 NoSuchObjectLockConfiguration");
  const [one, two, three] = [inDays(1), inDays(2), inDays(3)];
  assertEquals(await set(retention("GOVERNANCE", two)), "200");
  const kept = await store.text("GET", at, 200);
  assertEquals([pick(kept, "Mode"), pick(kept, "RetainUntilDate")], [["GOVERNANCE"], [two]]);
  assertEquals(await told(store, place), ["GOVERNANCE", two, null]);
  const empty = "<Retention/>";
  assertEquals(await set(retention("GOVERNANCE", three)), "200");
  assertEquals(await set(retention("GOVERNANCE", one)), DENIED);
  assertEquals(await set(retention("COMPLIANCE", three)), DENIED);
  assertEquals(await set(empty), DENIED);
  assertEquals(await set(retention("GOVERNANCE", one), BYPASS), "200");
  assertEquals(await set(empty, BYPASS), "200");
  assertEquals(await told(store, place), [null, null, null]);
  assertEquals(await set(retention("COMPLIANCE", two)), "200");
  for (const headers of [{}, BYPASS]) {
    assertEquals(await set(retention("COMPLIANCE", one), headers), DENIED);
    assertEquals(await set(retention("GOVERNANCE", three), headers), DENIED);
    assertEquals(await set(empty, headers), DENIED);
  }
  assertEquals(await set(retention("COMPLIANCE", three)), "200");
  const cases: readonly (readonly [string, string])[] = [
    [MALFORMED, ""],
    [MALFORMED, "<LegalHold/>"],
    [MALFORMED, retention("abc", three)],
    [MALFORMED, `<Retention><Mode>COMPLIANCE</Mode></Retention>`],
    [INVALID, retention("COMPLIANCE", "soon")],
    [INVALID, retention("COMPLIANCE", inDays(-1))],
    ["501 NotImplemented", "<Retention><EventHold>ON</EventHold></Retention>"],
  ];
  for (const [code, body] of cases) assertEquals(await set(body), code, body);
  assertEquals(await set(empty, { "x-amz-bypass-governance-retention": "yes" }), INVALID);
  await store.text("DELETE", "/safe/a", 204);
  assertEquals(
    await store.code("PUT", "/safe/a?retention", { body: retention("GOVERNANCE", one) }),
    "405 MethodNotAllowed",
  );
});

row("W6 a legal hold is put and taken away, whatever the retention is", async (store) => {
  await makeSafe(store);
  const place = await put(store);
  const at = place.replace("?", "?legal-hold&");
  const set = (status: string) =>
    store.code("PUT", at, { body: `<LegalHold><Status>${status}</Status></LegalHold>` });
  assertEquals(await store.code("GET", at), "404 NoSuchObjectLockConfiguration");
  assertEquals(await set("abc"), MALFORMED);
  assertEquals(await set("ON"), "200");
  assertEquals(pick(await store.text("GET", at, 200), "Status"), ["ON"]);
  assertEquals(await told(store, place), [null, null, "ON"]);
  assertEquals(await store.code("DELETE", place, { headers: BYPASS }), DENIED);
  assertEquals(await set("OFF"), "200");
  assertEquals(await told(store, place), [null, null, "OFF"]);
  assertEquals(await store.code("DELETE", place), "204");
});

row("W7 new versions have the default retention, unless they bring their own", async (store) => {
  await makeSafe(store);
  const body = byDefault("<Mode>GOVERNANCE</Mode><Years>1</Years>");
  await store.text("PUT", "/safe?object-lock", 200, { body });
  const [mode, until, hold] = await told(store, await put(store));
  assertEquals([mode, hold], ["GOVERNANCE", null]);
  assert(Math.abs(Date.parse(until!) - (Date.now() + 365 * DAY_MS)) < 60_000, until!);
  const own = inDays(2);
  assertEquals(await told(store, await put(store, lock("COMPLIANCE", own))), [
    "COMPLIANCE",
    own,
    null,
  ]);
  const headers = { "x-amz-copy-source": "safe/a" };
  const copied = await store.send("PUT", "/safe/b", { headers });
  await copied.body?.cancel();
  assertEquals((await told(store, "/safe/b"))[0], "GOVERNANCE");
  // A copy into a bucket without locks has none.
  await store.text("PUT", "/box/b", 200, { headers });
  assertEquals(await told(store, "/box/b"), [null, null, null]);
  const place = `/safe/m?uploadId=${await begin(store, "/safe/m", lock("COMPLIANCE", own))}`;
  const etag = await sendPart(store, `${place}&partNumber=1`, "part");
  await store.text("POST", place, 200, { body: completion([[1, etag]]) });
  assertEquals(await told(store, "/safe/m"), ["COMPLIANCE", own, null]);
  const { payload } = store.service.events.list({ type: "s3.object.put" })[0]!;
  assertEquals((payload as { readonly retention?: unknown }).retention, {
    mode: "COMPLIANCE",
    until: own,
  });
});

row("W8 a lock is refused where it would be dropped, or cannot be meant", async (store) => {
  const write = (path: string, headers: Fields) => store.code("PUT", path, { headers, body: "x" });
  const hold = { "x-amz-object-lock-legal-hold": "ON" };
  for (const headers of [hold, lock("GOVERNANCE")]) {
    assertEquals(await write("/box/a", headers), "400 InvalidRequest");
    const init = { headers };
    assertEquals(await store.code("POST", "/box/a?uploads", init), "400 InvalidRequest");
  }
  await store.text("PUT", "/box/a", 200, { body: "x" });
  for (const name of ["retention", "legal-hold"]) {
    assertEquals(await store.code("GET", `/box/a?${name}`), "400 InvalidRequest");
  }
  const body = "<LegalHold><Status>ON</Status></LegalHold>";
  assertEquals(await store.code("PUT", "/box/a?legal-hold", { body }), "400 InvalidRequest");
  await makeSafe(store);
  const cases: readonly Fields[] = [
    { "x-amz-object-lock-mode": "GOVERNANCE" },
    { "x-amz-object-lock-retain-until-date": inDays(1) },
    lock("governance"),
    lock("GOVERNANCE", "tomorrow"),
    lock("GOVERNANCE", inDays(-1)),
    { "x-amz-object-lock-legal-hold": "wrong" },
  ];
  for (const headers of cases) {
    assertEquals(await write("/safe/a", headers), INVALID, JSON.stringify(headers));
  }
  assertEquals(pick(await store.text("GET", "/safe", 200), "Key"), []);
  assertStringIncludes(
    await store.text("PUT", "/safe/a", 400, { headers: cases[0]!, body: "x" }),
    "must both be supplied",
  );
});
