/** The history of expectations, over the API, in the library and in a bundle. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { loadZip } from "../../core/bundle/zip.ts";
import type { ExpectationRecord } from "../../core/expect/history.ts";
import { ExpectationError } from "../../mod.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

const start = () => startService({ plugins: [toy] });
const history = (service: TestService, query = "") =>
  service.getJson<readonly ExpectationRecord[]>(`/expect${query}`);

async function expect(service: TestService, expectation: unknown): Promise<number> {
  const response = await fetch(`${service.api.url}/api/v1/expect`, {
    method: "POST",
    body: JSON.stringify(expectation),
  });
  await response.body?.cancel();
  return response.status;
}

async function capture({ ingress }: TestService, line: string): Promise<void> {
  await (await fetch(`${ingress.url}/toy/send`, { method: "POST", body: line })).body?.cancel();
}

async function call(service: TestService, method: string, path: string, body?: BodyInit) {
  const response = await fetch(`${service.api.url}/api/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, bytes: await response.bytes() };
}

Deno.test("expectations are listed with their results, newest first", async () => {
  await using service = await start();
  await capture(service, "hello");
  assertEquals(
    await expect(service, { name: "greeting", type: "toy.message", match: { line: "hello" } }),
    200,
  );
  assertEquals(await expect(service, { plugin: "toy", namespace: "t1", timeout: "10ms" }), 409);
  assertEquals(await expect(service, { typ: "toy.message" }), 400);
  assertEquals(await expect(service, { name: "x".repeat(201) }), 400);
  const [missed, met, ...rest] = await history(service);
  assertEquals(rest, []);
  assertEquals([met?.name, met?.met, met?.count, met?.events.length], ["greeting", true, 1, 1]);
  assertEquals(met?.expectation, { type: "toy.message", match: { line: "hello" } });
  assertEquals(met?.events[0], service.events.list({})[0]?.id);
  assertStringIncludes(missed?.error ?? "", "Cannot find what was expected after 10 ms");
  assert(missed!.duration_ms >= 10 && missed!.duration_ms < 5000);
  assertEquals(await history(service, "?met=false"), [missed!]);
  assertEquals(await history(service, "?namespace=t1&limit=1"), [missed!]);
  assertEquals(await history(service, "?namespace=t2"), []);
  assertEquals((await call(service, "DELETE", "/expect?met=true")).status, 204);
  assertEquals(await history(service), [missed!]);
  assertEquals((await call(service, "POST", "/reset")).status, 204);
  assertEquals(await history(service), []);
});

Deno.test("the library records its expectations, too", async () => {
  await using service = await start();
  await assertRejects(
    () => service.expect({ name: "nothing", type: "toy.message", timeoutMs: 0 }),
    ExpectationError,
  );
  const [record] = await history(service);
  assertEquals([record?.name, record?.met], ["nothing", false]);
});

Deno.test("a bundle carries the history from one instance to another", async () => {
  await using from = await start();
  await using to = await start();
  await capture(from, "hello");
  await expect(from, { type: "toy.message" });
  await expect(from, { namespace: "t1", none: true });
  const ran = await history(from);
  const { bytes } = await call(from, "GET", "/export");
  for (let twice = 0; twice < 2; twice++) {
    assertEquals((await call(to, "POST", "/import", bytes)).status, 200);
    assertEquals(await history(to), ran);
  }
  await call(from, "DELETE", "/expect");
  const narrowed = await call(to, "GET", "/export?namespace=t1");
  await call(from, "POST", "/import", narrowed.bytes);
  assertEquals((await history(from)).length, 1);
});

Deno.test("a bundle with a broken history is refused whole", async () => {
  await using service = await start();
  await capture(service, "hello");
  const { bytes } = await call(service, "GET", "/export");
  const { ZipReader, ZipWriter, Uint8ArrayReader, Uint8ArrayWriter, TextReader } = await loadZip();
  for (const lines of ['{"id":"1"}\n', "no json\n", '{"id":']) {
    const zip = new ZipWriter(new Uint8ArrayWriter());
    for (const entry of await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()) {
      if (entry.directory) continue;
      const data = await entry.getData(new Uint8ArrayWriter());
      await zip.add(entry.filename, new Uint8ArrayReader(data));
    }
    await zip.add("expectations.ndjson", new TextReader(lines));
    await service.reset();
    const answer = await call(service, "POST", "/import", await zip.close() as BodyInit);
    assertEquals(answer.status, 400);
    assertStringIncludes(new TextDecoder().decode(answer.bytes), "expectations.ndjson");
    assertEquals(service.events.list({}), []);
  }
});
