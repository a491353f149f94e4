import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import parsePrometheus from "npm:parse-prometheus-text-format@1.1.1";
import { snmp } from "../../plugins/snmp/mod.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly metrics: readonly { value: string; labels?: Readonly<Record<string, string>> }[];
}

/** A scrape, parsed by a library for the exposition format. */
async function scrape(service: TestService): Promise<ReadonlyMap<string, Family>> {
  const answer = await fetch(`${service.api.url}/metrics`);
  assertEquals(answer.status, 200);
  assertEquals(
    answer.headers.get("content-type"),
    "text/plain; version=0.0.4; charset=utf-8",
  );
  const text = await answer.text();
  const parse = parsePrometheus as unknown as (text: string) => readonly Family[];
  const families = parse(text);
  assertEquals(families.length, text.match(/^# TYPE /gm)?.length);
  return new Map(families.map((family) => [family.name, family]));
}

const valueOf = (families: ReadonlyMap<string, Family>, name: string): number =>
  Number(families.get(name)?.metrics[0]?.value);

Deno.test("metrics count captures, evictions and refusals in Prometheus format", async () => {
  await using service = await startService({
    plugins: [toy, snmp],
    config: { instance: 'box "7"\\', storage: { plugin_capacity: { toy: 2 } } },
  });
  const before = await scrape(service);
  assertEquals(before.get("standin_events_captured_total")?.metrics, []);
  for (let sent = 0; sent < 3; sent++) {
    const body = "hello";
    await (await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body })).body?.cancel();
  }
  await (await fetch(`${service.ingress.url}/nowhere`)).body?.cancel();
  const after = await scrape(service);
  assertEquals(after.get("standin_events_captured_total"), {
    name: "standin_events_captured_total",
    type: "COUNTER",
    help: "Events captured since the start, cleared ones too.",
    metrics: [{ value: "3", labels: { plugin: "toy", provider: "post", type: "toy.message" } }],
  });
  assertEquals(after.get("standin_events_dropped_total")?.metrics, [
    { value: "1", labels: { plugin: "toy", reason: "count" } },
  ]);
  assertEquals(after.get("standin_events_held")?.metrics, [
    { value: "2", labels: { plugin: "toy" } },
    { value: "0", labels: { plugin: "snmp" } },
  ]);
  assertEquals(after.get("standin_refused_total")?.metrics, [
    { value: "1", labels: { provider: "" } },
  ]);
  assertEquals(valueOf(after, "standin_refused_held"), 1);
  assertEquals(valueOf(after, "standin_ready"), 1);
  assertEquals(after.get("standin_build_info")?.metrics[0]?.labels?.name, 'box "7"\\');
  assertGreater(valueOf(after, "process_resident_memory_bytes"), 1_000_000);
  assertGreater(valueOf(after, "standin_heap_bytes"), valueOf(after, "standin_heap_used_bytes"));
  assertGreater(valueOf(after, "standin_external_bytes"), 0);
  assertEquals(valueOf(after, "standin_memory_limit_bytes"), 536_870_912);
  const [kept, inFlight] = after.get("standin_memory_bytes")?.metrics ?? [];
  assertEquals([kept?.labels, inFlight?.labels], [{ state: "kept" }, { state: "in_flight" }]);
  assertGreater(Number(kept?.value), 2 * 2048);
  const age = Date.now() / 1000 - valueOf(after, "process_start_time_seconds");
  assert(age >= 0 && age < 60, `${age}`);
});

Deno.test("counters never decrease: clearing and resetting leave them", async () => {
  await using service = await startService({ plugins: [toy] });
  await (await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: "x" })).body
    ?.cancel();
  await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" });
  const families = await scrape(service);
  assertEquals(valueOf(families, "standin_events_captured_total"), 1);
  assertEquals(valueOf(families, "standin_events_held"), 0);
});

Deno.test("metrics are read-only, and closed to pages of other sites", async () => {
  await using service = await startService({ plugins: [toy] });
  const post = await fetch(`${service.api.url}/metrics`, { method: "POST" });
  assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
  assertMatch(await post.text(), /allowed are GET, HEAD/);
  const foreign = await fetch(`${service.api.url}/metrics`, {
    headers: { origin: "https://example.com" },
  });
  assertEquals(foreign.status, 403);
  await foreign.body?.cancel();
});
