/** Instances that share the object store over NATS: one catalog, its conditions, and its bytes. */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { noise, until } from "../support/files.ts";
import { type Nats, requireNats } from "../support/nats.ts";
import { objectUrl } from "../support/nats_objects.ts";
import { type Instance, Team } from "../support/nats_team.ts";
import { begin, pick, startStore, type Store } from "../support/s3.ts";

const PREFIX = "team";

function startShared(
  { servers }: Nats,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Store> {
  const storage = { events: "nats", nats: { servers, prefix: PREFIX } };
  return startStore({ min_part_bytes: 1, ...options }, { storage });
}

async function setVersioning(store: Store, status: string): Promise<void> {
  const body = `<VersioningConfiguration><Status>${status}</Status></VersioningConfiguration>`;
  await store.text("PUT", "/box?versioning", 200, { body });
}

Deno.test("every instance shows what one of them stores, changes or deletes", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startShared(nats);
  await using two = await startShared(nats);

  await t.step("an acknowledged object exists everywhere at once, with its bytes", async () => {
    for (const size of [0, 1, 70_000, 131_072, 131_073, 3_000_000]) {
      const body = noise(size, size + 1);
      const [from, to] = size % 2 === 0 ? [one, two] : [two, one];
      await from.text("PUT", `/box/size-${size}`, 200, { body });
      const response = await to.send("GET", `/box/size-${size}`);
      assertEquals(await response.bytes(), body, `${size} bytes`);
    }
  });

  await t.step("any range of an object can be read", async () => {
    const body = noise(3_000_000, 3_000_001);
    for (const [start, end] of [[0, 0], [131_071, 131_072], [262_144, 2_999_999], [5, 400_000]]) {
      const headers = { range: `bytes=${start}-${end}` };
      const response = await one.send("GET", "/box/size-3000000", { headers });
      assertEquals(response.status, 206);
      assertEquals(await response.bytes(), body.slice(start, end! + 1), `${start} to ${end}`);
    }
  });

  await t.step("an upload may use another instance for each of its requests", async () => {
    const id = await begin(one, "/box/parts");
    const etags: string[] = [];
    for (const [index, store] of [two, one, two].entries()) {
      const path = `/box/parts?uploadId=${id}&partNumber=${index + 1}`;
      const response = await store.send("PUT", path, { body: noise(200_000, index) });
      await response.body?.cancel();
      etags.push(response.headers.get("etag")!);
    }
    const parts = etags.map((etag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`
    ).join("");
    const body = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`;
    const answer = await two.text("POST", `/box/parts?uploadId=${id}`, 200, { body });
    // Repeated on another instance, as clients do after a lost response.
    assertEquals(
      pick(await one.text("POST", `/box/parts?uploadId=${id}`, 200, { body }), "ETag"),
      pick(answer, "ETag"),
    );
    const whole = await (await one.send("GET", "/box/parts")).bytes();
    assertEquals(whole.length, 600_000);
    assertEquals(whole.slice(400_000), noise(200_000, 2));
    assertEquals(pick(await one.text("GET", "/box?uploads", 200), "Key"), []);
  });

  await t.step("tags, settings and copies are shared", async () => {
    await one.text("PUT", "/box/tagged", 200, { body: "Hello" });
    const tags = "<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>";
    await two.text("PUT", "/box/tagged?tagging", 200, { body: tags });
    assertMatch(await one.text("GET", "/box/tagged?tagging", 200), /<Value>b<\/Value>/);
    const headers = { "x-amz-copy-source": "/box/tagged" };
    await two.text("PUT", "/box/copy", 200, { headers });
    await one.text("DELETE", "/box/tagged", 204);
    assertEquals(await one.text("GET", "/box/copy", 200), "Hello");
    assertEquals(await two.code("GET", "/box/tagged"), "404 NoSuchKey");
    const cors = "<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin>" +
      "<AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>";
    await one.text("PUT", "/box?cors", 200, { body: cors });
    assertEquals(pick(await two.text("GET", "/box?cors", 200), "AllowedOrigin"), ["*"]);
  });

  await t.step("the blob of an event can be read from any instance", async () => {
    await one.text("PUT", "/box/named", 200, { body: "named by an event" });
    const [event] = await two.service.getJson<{ payload: { blob: { id: string } } }[]>(
      "/events?limit=1",
    );
    const url = `${two.service.api.url}/api/v1/blobs/${event!.payload.blob.id}`;
    assertEquals(await (await fetch(url)).text(), "named by an event");
  });

  await t.step("versions and locks hold on every instance", async () => {
    const headers = { "x-amz-bucket-object-lock-enabled": "true" };
    await one.text("PUT", "/safe", 200, { headers });
    const put = await two.send("PUT", "/safe/a", { body: "first" });
    await put.body?.cancel();
    const id = put.headers.get("x-amz-version-id");
    const hold = "<LegalHold><Status>ON</Status></LegalHold>";
    await one.text("PUT", `/safe/a?legal-hold&versionId=${id}`, 200, { body: hold });
    assertEquals(await two.code("DELETE", `/safe/a?versionId=${id}`), "403 AccessDenied");
    await two.text("DELETE", "/safe/a", 204);
    assertEquals(await one.code("GET", "/safe/a"), "404 NoSuchKey");
    assertEquals(await one.text("GET", `/safe/a?versionId=${id}`, 200), "first");
  });

  await t.step("an instance that starts later has the same state", async () => {
    await using three = await startShared(nats);
    for (const path of ["/box?list-type=2", "/safe?versions", "/?"]) {
      assertEquals(await three.text("GET", path, 200), await one.text("GET", path, 200));
    }
  });

  await t.step(
    "a reset applies to every instance, and keeps the configured buckets",
    async () => {
      await fetch(`${one.service.api.url}/api/v1/reset`, { method: "POST" });
      assertEquals(pick(await two.text("GET", "/", 200), "Name"), ["box"]);
      assertEquals(pick(await two.text("GET", "/box?list-type=2", 200), "Key"), []);
      await two.text("PUT", "/box/after", 200, { body: "after" });
      assertEquals(await one.text("GET", "/box/after", 200), "after");
    },
  );
});

Deno.test("of several instances that create the same key with If-None-Match, one succeeds", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startShared(nats);
  await using two = await startShared(nats);
  await using three = await startShared(nats);
  const stores = [one, two, three];
  const headers = { "if-none-match": "*" };
  for (let round = 0; round < 30; round++) {
    const codes = await Promise.all(
      [...stores, ...stores].map((store, index) =>
        store.code("PUT", `/box/${round}`, { headers, body: `from ${index}` })
      ),
    );
    const winner = codes.indexOf("200");
    assertEquals(
      codes.toSorted(),
      ["200", ...Array(5).fill("412 PreconditionFailed")],
      `round ${round}`,
    );
    for (const store of stores) {
      assertEquals(await store.text("GET", `/box/${round}`, 200), `from ${winner}`);
    }
  }
  const scraped = await Promise.all(stores.map(sharedFigures));
  const total = (name: string) => scraped.reduce((sum, one) => sum + one.get(name)!, 0);
  assertEquals(total("changes_total"), 31, "the bucket, and each key once");
  assertEquals(total("messages_total"), 31);
  assertGreater(total("append_seconds_total"), 0);
  assertGreater(total("conflicts_total"), 0);
  assertEquals(total("behind"), 0);
});

Deno.test("while NATS is down the object store answers SlowDown, and then recovers by itself", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startShared(nats);
  await using two = await startShared(nats);
  await one.text("PUT", "/box/before", 200, { body: "before" });
  await nats.stop(0, "SIGKILL");
  const codes = await Promise.all([
    one.code("PUT", "/box/during", { body: "during" }),
    one.code("GET", "/box/before"),
    two.code("GET", "/box?list-type=2"),
  ]);
  assertEquals(codes, Array(3).fill("503 SlowDown"));
  const listed = await fetch(`${two.service.api.url}/api/v1/s3/buckets`);
  assertMatch(await listed.text(), /NATS cannot be reached/);
  assertEquals(listed.status, 503);
  await nats.start(0);
  for (const store of [one, two]) {
    await until(async () => await store.code("GET", "/box/before") === "200");
  }
  await two.text("PUT", "/box/after", 200, { body: "after" });
  assertEquals(await one.text("GET", "/box/after", 200), "after");
  assertEquals(pick(await one.text("GET", "/box?list-type=2", 200), "Key"), ["after", "before"]);
});

/** Metrics of the shared object store, by the end of their name. */
async function sharedFigures({ service }: Store): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${service.api.url}/metrics`)).text();
  const samples = text.matchAll(/^standin_shared_(\w+)\{plugin="s3"\} (\S+)$/gm);
  return new Map([...samples].map(([, name, value]) => [name!, Number(value)]));
}

/** Data of the object store on the servers. */
async function keptIn(
  { servers }: Nats,
  prefix = PREFIX,
): Promise<{ changes: number; bytes: number }> {
  const connection = await connect({ servers: [...servers] });
  try {
    const { streams } = await jetstreamManager(connection);
    const [changes, pieces] = await Promise.all(
      [`${prefix}-s3`, `${prefix}-s3-bytes`].map((stream) => streams.info(stream)),
    );
    return { changes: changes!.state.messages, bytes: pieces!.state.bytes };
  } finally {
    await connection.close();
  }
}

Deno.test("the change log of the object store stays short, and bytes are removed with their objects", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startShared(nats);
  await using two = await startShared(nats);
  await setVersioning(one, "Enabled");
  await one.text("PUT", "/box/a", 200, { body: noise(1_000_000) });
  await setVersioning(one, "Suspended");
  const tag = (n: number) =>
    `<Tagging><TagSet><Tag><Key>n</Key><Value>${n}</Value></Tag></TagSet></Tagging>`;
  for (let n = 0; n < 1100; n++) {
    const store = n % 3 === 0 ? two : one;
    await store.text("PUT", "/box/a?tagging", 200, { body: tag(n) });
  }
  await until(async () => (await keptIn(nats)).changes < 500);
  await using three = await startShared(nats);
  for (const store of [one, two, three]) {
    assertMatch(await store.text("GET", "/box/a?tagging", 200), /<Value>1099<\/Value>/);
    assertMatch(await store.text("GET", "/box?versioning", 200), /Suspended/);
  }
  assertEquals(await (await three.send("GET", "/box/a")).bytes(), noise(1_000_000));
  await three.text("PUT", "/box/b", 200, { body: noise(500_000) });
  assertEquals((await (await one.send("GET", "/box/b")).bytes()).length, 500_000);
  assert((await keptIn(nats)).bytes > 1_500_000);
  const [id] = pick(await two.text("GET", "/box?versions&prefix=a", 200), "VersionId");
  await one.text("DELETE", `/box/a?versionId=${id}`, 204);
  // Another instance may be sending them: they are removed when it closes, or a little later.
  await one[Symbol.asyncDispose]();
  await until(async () => (await keptIn(nats)).bytes < 700_000);
});

Deno.test("an instance that was suspended catches up with the others", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using team = await Team.start(nats, { count: 2, replicas: 1 });
  const [awake, sleeper] = team.running;
  const at = (one: Instance | undefined, key: string): string => objectUrl(one!, key);
  const put = async (url: string, init?: RequestInit): Promise<number> => {
    const response = await fetch(url, { method: "PUT", ...init });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await put(at(awake, "")), 200);
  assertEquals(await put(at(sleeper, "before"), { body: "before" }), 200);
  Deno.kill(sleeper!.program.pid, "SIGSTOP");
  try {
    // More changes than the stream keeps: the missed ones are only in a snapshot.
    for (let n = 0; n < 1100; n++) {
      assertEquals(await put(at(awake, `k${n % 7}`), { body: `body ${n}` }), 200);
    }
    await until(async () => (await keptIn(nats, "standin")).changes < 500);
  } finally {
    Deno.kill(sleeper!.program.pid, "SIGCONT");
  }
  await until(async () => {
    const response = await fetch(at(sleeper, "k0"));
    return await response.text() === "body 1099" && response.status === 200;
  });
  assertEquals(await (await fetch(at(sleeper, "before"))).text(), "before");
  const headers = { "if-none-match": "*" };
  assertEquals(await put(at(sleeper, "k1"), { headers, body: "never" }), 412);
  assertEquals(await put(at(sleeper, "new"), { headers, body: "new" }), 200);
  assertEquals(await (await fetch(at(awake, "new"))).text(), "new");
});
