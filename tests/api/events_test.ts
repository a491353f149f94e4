import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeBase64 } from "@std/encoding/base64";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

interface Listed {
  id: string;
  plugin: string;
  provider: string;
  type: string;
  received_at: string;
  summary: string;
  url: string;
  payload: { line: string };
  raw: { transport: string; text: boolean; body?: string; body_text?: string; path: string };
}

async function startToy(config: Record<string, unknown> = {}): Promise<TestService> {
  return await startService({ plugins: [toy], config });
}

async function send(service: TestService, body: string): Promise<Response> {
  return await fetch(`${service.ingress.url}/toy/send?x=1`, { method: "POST", body });
}

Deno.test("a captured item can be listed and fetched, and the answer to its sender names it", async () => {
  await using service = await startToy();
  const answer = await send(service, "hello");
  assertEquals([answer.status, await answer.text()], [200, "ok"]);
  const [listed] = await service.getJson<Listed[]>("/events");
  assertEquals(answer.headers.get("x-service-event-url"), listed!.url);
  assertEquals(listed!.url, `${service.ui.url}/ui/events/${listed!.id}`);
  assertMatch(listed!.id, /^[0-9a-f]{24}$/);
  assertMatch(listed!.received_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assertEquals(
    [listed!.plugin, listed!.provider, listed!.type, listed!.summary, listed!.payload.line],
    ["toy", "post", "toy.message", "hello", "hello"],
  );
  assertEquals(listed!.raw.body, undefined);
  const fetched = await service.getJson<Listed>(`/events/${listed!.id}`);
  assertEquals(new TextDecoder().decode(decodeBase64(fetched.raw.body!)), "hello");
  assertEquals(fetched.raw.body_text, "hello");
  assertEquals(fetched.raw.path, "/toy/send?x=1");
});

Deno.test("the answer to a request with several events names each, in order", async () => {
  await using service = await startToy();
  const answer = await send(service, "one\ntwo\nthree");
  await answer.body?.cancel();
  const urls = answer.headers.get("x-service-event-url")!.split(", ");
  const listed = await service.getJson<Listed[]>("/events");
  assertEquals(urls, listed.map((event) => event.url).reverse());
});

Deno.test("a query filters and pages; an invalid one is refused", async () => {
  await using service = await startToy();
  for (let i = 0; i < 5; i++) await (await send(service, `line ${i}`)).body?.cancel();
  const summaries = async (query: string) =>
    (await service.getJson<Listed[]>(`/events?${query}`)).map((event) => event.summary);
  assertEquals(await summaries("limit=2&offset=1"), ["line 3", "line 2"]);
  assertEquals(await summaries("search=LINE%204"), ["line 4"]);
  assertEquals((await summaries("limit=0")).length, 5);
  assertEquals((await summaries("since=5m")).length, 5);
  assertEquals(await summaries("since=2999-01-01T00:00:00Z"), []);
  assertEquals((await summaries("since=0&provider=post&type=toy.message&plugin=toy")).length, 5);
  assertEquals((await summaries("since=&limit=")).length, 5);
  for (
    const query of [
      "plugin=mail",
      "since=yesterday",
      "limit=-1",
      "limit=x",
      "offset=-1",
      "include_raw=maybe",
    ]
  ) {
    const { error } = await service.getJson<{ error: string }>(`/events?${query}`, 400);
    assertStringIncludes(error, query.split("=")[1]!);
  }
  const [raw] = await service.getJson<Listed[]>("/events?include_raw=1&limit=1");
  assertEquals(new TextDecoder().decode(decodeBase64(raw!.raw.body!)), "line 4");
});

Deno.test("a list can leave payloads out", async () => {
  await using service = await startToy();
  await (await send(service, "hello")).body?.cancel();
  const [listed] = await service.getJson<Listed[]>("/events?include_payload=0");
  assertEquals([listed!.summary, listed!.payload, "meta" in listed!], ["hello", undefined, false]);
});

Deno.test("events can be deleted one by one, by plugin, or all at once", async () => {
  await using service = await startToy();
  await (await send(service, "a\nb\nc")).body?.cancel();
  const [newest] = await service.getJson<Listed[]>("/events");
  const remove = async (path: string) => {
    const response = await fetch(`${service.api.url}/api/v1${path}`, { method: "DELETE" });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await remove(`/events/${newest!.id}`), 204);
  assertEquals(await remove(`/events/${newest!.id}`), 404);
  await service.getJson(`/events/${newest!.id}`, 404);
  assertEquals(await remove("/events?plugin=nonsense"), 400);
  assertEquals((await service.getJson<Listed[]>("/events")).length, 2);
  assertEquals(await remove("/events?plugin=toy"), 204);
  assertEquals(await service.getJson("/events"), []);
  await (await send(service, "d")).body?.cancel();
  assertEquals(await remove("/events"), 204);
  assertEquals(await service.getJson("/events"), []);
});

Deno.test("reset empties events, journal and plugin state", async () => {
  await using service = await startToy();
  await (await send(service, "a")).body?.cancel();
  await (await send(service, "refuse")).body?.cancel();
  const response = await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" });
  assertEquals(response.status, 204);
  assertEquals(await service.getJson("/events"), []);
  assertEquals(await service.getJson("/rejected"), []);
});

Deno.test("health reports status, uptime, plugins, held events and version", async () => {
  await using service = await startToy();
  await (await send(service, "a\nb")).body?.cancel();
  const health = await service.getJson<Record<string, unknown>>("/health");
  assertEquals(health.status, "ok");
  assertEquals(health.plugins, ["toy"]);
  assertEquals(health.events, 2);
  assertMatch(String(health.version), /^\d+\.\d+\.\d+/);
  assertMatch(String(health.uptime), /^(\d+h)?(\d+m)?\d+s$/);
  assert(typeof health.uptime_seconds === "number");
});

Deno.test("plugins are described with their live ports", async () => {
  await using service = await startToy({
    plugins: { toy: { providers: { echo: { enabled: false } } } },
  });
  interface Info {
    name: string;
    providers: {
      name: string;
      enabled: boolean;
      listener: boolean;
      addr?: string;
      snippets: { code: string }[];
    }[];
  }
  const [info] = await service.getJson<Info[]>("/plugins");
  assertEquals(info!.name, "toy");
  assertEquals(info!.providers.map((provider) => provider.name), ["post", "own", "datagram"]);
  const own = info!.providers[1]!;
  assertEquals([own.listener, own.addr], [true, `127.0.0.1:${service.endpoint("own").port}`]);
  assertStringIncludes(info!.providers[0]!.snippets[0]!.code, service.ingress.url);
  const [all] = await service.getJson<Info[]>("/plugins?all=1");
  assertEquals(
    all!.providers.map((provider) => [provider.name, provider.enabled]),
    [["post", true], ["own", true], ["echo", false], ["datagram", true]],
  );
});

Deno.test("an unknown route is 404, a wrong method is 405 with Allow, and HEAD works", async () => {
  await using service = await startToy();
  const call = async (method: string, path: string) => {
    const response = await fetch(`${service.api.url}${path}`, { method });
    const text = await response.text();
    return { status: response.status, allow: response.headers.get("allow"), text };
  };
  const unknown = await call("GET", "/api/v1/nope");
  assertEquals([unknown.status, Object.keys(JSON.parse(unknown.text))], [404, ["error"]]);
  const wrong = await call("POST", "/api/v1/events");
  assertEquals([wrong.status, wrong.allow], [405, "GET, DELETE, HEAD"]);
  assert(JSON.parse(wrong.text).error.includes("GET"));
  for (const path of ["/api/v1/events", "/api/v1/nope", "/ui/", "/ui/nope"]) {
    const get = await fetch(`${service.api.url}${path}`);
    const length = String((await get.bytes()).length);
    const head = await fetch(`${service.api.url}${path}`, { method: "HEAD" });
    assertEquals([head.status, await head.text()], [get.status, ""], path);
    assertEquals(head.headers.get("content-length"), length, path);
  }
});

Deno.test("a plugin's own routes see only its events", async () => {
  await using service = await startToy();
  await (await send(service, "mine")).body?.cancel();
  const [line] = await service.getJson<{ id: string; summary: string }[]>("/toy/messages");
  assertEquals(line!.summary, "mine");
  const gone = await fetch(`${service.api.url}/api/v1/toy/messages/${line!.id}`, {
    method: "DELETE",
  });
  assertEquals(gone.status, 204);
  const again = await fetch(`${service.api.url}/api/v1/toy/messages/${line!.id}`, {
    method: "DELETE",
  });
  assertEquals(again.status, 404);
  await again.body?.cancel();
});
