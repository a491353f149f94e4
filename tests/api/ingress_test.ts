import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { defineOptions, type OptionSet } from "../../core/options/spec.ts";
import { definePlugin, ingressProvider, type PluginState } from "../../core/plugin.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";
import { freePort } from "../support/free_port.ts";

interface Rejected {
  id: string;
  provider?: string;
  method?: string;
  path?: string;
  status?: number;
  reason: string;
  raw: string;
  raw_text?: string;
}

async function post(service: TestService, path: string, init: RequestInit = {}) {
  const response = await fetch(`${service.ingress.url}${path}`, { method: "POST", ...init });
  return { response, status: response.status, text: await response.text() };
}

Deno.test("an unmatched request gets 404 with the enabled providers, and is journaled", async () => {
  await using service = await startService({ plugins: [toy] });
  const plain = await post(service, "/nope", { body: "lost?" });
  assertEquals(plain.status, 404);
  assertStringIncludes(plain.text, "POST /toy/send");
  const asJson = await post(service, "/nope", { headers: { accept: "application/json" } });
  const { error, providers } = JSON.parse(asJson.text);
  assertStringIncludes(error, "/nope");
  assertEquals(providers[0].provider, "post");
  const sent = await post(service, "/nope", { headers: { "content-type": "application/json" } });
  assert(JSON.parse(sent.text).providers);
  const [, , oldest] = await service.getJson<Rejected[]>("/rejected");
  assertEquals(
    [oldest!.method, oldest!.path, oldest!.status, oldest!.raw_text],
    ["POST", "/nope", 404, "lost?"],
  );
  assertEquals(service.events.count(), 0);
  assertEquals(plain.response.headers.get("x-service-event-url"), null);
});

Deno.test("a path that begins with several slashes is served with a warning", async () => {
  await using service = await startService({ plugins: [toy] });
  for (const path of ["//toy/send", "///toy/send"]) {
    const { response, status } = await post(service, path, { body: "hello" });
    assertEquals(status, 200);
    const warning = response.headers.get("service-warning") ?? "";
    assertStringIncludes(warning, "begins with more than one slash");
    const [event] = service.events.list({});
    assertEquals([event?.raw.path, event?.meta.parse_warnings], [path, [warning]]);
  }
  const plain = await post(service, "/toy/send", { body: "hello" });
  assertEquals(plain.response.headers.get("service-warning"), null);
  assertEquals(service.events.list({})[0]?.meta.parse_warnings, undefined);
  for (const path of ["/toy//send", "//toy//send", "//"]) {
    const { status, text } = await post(service, path);
    assertEquals(status, 404, path);
    assertEquals(text.includes("did you mean /toy/send?"), path !== "//", path);
  }
  const refused = await post(service, "//toy/send", { body: "refuse" });
  assertEquals([refused.status, refused.text], [422, "refused"]);
  const [record] = await service.getJson<Rejected[]>("/rejected?limit=1");
  assertEquals(record!.path, "//toy/send");
  const other = await fetch(`${service.ingress.url}//toy/send`, { method: "PUT" });
  assertEquals(other.status, 405);
  await other.body?.cancel();
});

Deno.test("a refused request is journaled with its provider, answer and bytes", async () => {
  await using service = await startService({ plugins: [toy] });
  const refused = await post(service, "/toy/send", { body: "refuse" });
  assertEquals([refused.status, refused.text], [422, "refused"]);
  const [record] = await service.getJson<Rejected[]>("/rejected?provider=post&since=5m&limit=1");
  assertEquals(
    [record!.provider, record!.status, record!.reason, record!.raw_text],
    ["post", 422, "Answered 422: refused", "refuse"],
  );
  assertEquals((await service.getJson<Rejected>(`/rejected/${record!.id}`)).id, record!.id);
  await service.getJson("/rejected/nope", 404);
  await service.getJson("/rejected?limit=-1", 400);
  assertEquals(await service.getJson("/rejected?provider=echo"), []);
  await service.getJson("/rejected?provider=other", 400);
  const cleared = await fetch(`${service.api.url}/api/v1/rejected`, { method: "DELETE" });
  assertEquals(cleared.status, 204);
  assertEquals(await service.getJson("/rejected"), []);
});

Deno.test("the journal keeps only the newest records", async () => {
  await using service = await startService({
    plugins: [toy],
    config: { ingress: { rejected_capacity: 3 } },
  });
  for (let i = 0; i < 5; i++) await post(service, `/nope/${i}`);
  const records = await service.getJson<Rejected[]>("/rejected");
  assertEquals(records.map((record) => record.path), ["/nope/4", "/nope/3", "/nope/2"]);
});

Deno.test("an error in a provider is answered in its own format and logged, and ends nothing", async () => {
  await using service = await startService({ plugins: [toy] });
  const answer = await post(service, "/toy/send", { body: "throw" });
  assertEquals([answer.status, JSON.parse(answer.text).toy], [500, "internal"]);
  assertStringIncludes(service.log.join("\n"), "Toy fault");
  assertEquals((await post(service, "/toy/send", { body: "fine" })).status, 200);
});

Deno.test("a wrong method and a body over the limit get the provider's error format", async () => {
  await using service = await startService({
    plugins: [toy],
    config: { ingress: { max_body: 1000 } },
  });
  const wrong = await fetch(`${service.ingress.url}/toy/send`, { method: "DELETE" });
  assertEquals([wrong.status, (await wrong.json()).toy], [405, "method_not_allowed"]);
  const large = await post(service, "/toy/send", { body: "x".repeat(1001) });
  assertEquals([large.status, JSON.parse(large.text).toy], [413, "too_large"]);
  assertEquals((await post(service, "/toy/send", { body: "x".repeat(1000) })).status, 200);
  assertEquals(service.events.count(), 1);
});

Deno.test("gzip and deflate bodies are decoded for the provider, and kept as sent", async () => {
  await using service = await startService({
    plugins: [toy],
    config: { ingress: { max_body: 5000 } },
  });
  const pack = async (format: "gzip" | "deflate", text: string) =>
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream(format)))
      .bytes();
  for (const format of ["gzip", "deflate"] as const) {
    const body = await pack(format, `packed ${format}`);
    const answer = await post(service, "/toy/send", {
      body,
      headers: { "content-encoding": format },
    });
    assertEquals(answer.status, 200);
    const [event] = service.events.list({});
    assertEquals(event!.summary, `packed ${format}`);
    assertEquals(event!.raw.body, body);
    assertEquals(event!.raw.text, false);
  }
  const bomb = await pack("gzip", "0".repeat(1_000_000));
  const tooLarge = await post(service, "/toy/send", {
    body: bomb,
    headers: { "content-encoding": "gzip" },
  });
  assertEquals([tooLarge.status, JSON.parse(tooLarge.text).toy], [413, "too_large"]);
  const broken = await post(service, "/toy/send", {
    body: "no gzip",
    headers: { "content-encoding": "gzip" },
  });
  assertEquals([broken.status, JSON.parse(broken.text).toy], [400, "bad_encoding"]);
  const unknown = await post(service, "/toy/send", {
    body: "x",
    headers: { "content-encoding": "zz" },
  });
  assertEquals([unknown.status, JSON.parse(unknown.text).toy], [400, "bad_encoding"]);
});

Deno.test("path parameters and query reach the provider as sent", async () => {
  await using service = await startService({ plugins: [toy] });
  const answer = await fetch(`${service.ingress.url}/toy/a%2Fb%20c?q=1%262`);
  assertEquals(await answer.json(), { name: "a/b c", query: "1&2" });
});

Deno.test("a provider with its own HTTP port can stream, and its answers name the event", async () => {
  await using service = await startService({ plugins: [toy] });
  const response = await fetch(`${service.endpoint("own").url}/any/../path?x=%2F`, {
    method: "PUT",
    body: new Uint8Array(300_000),
  });
  assertEquals(await response.text(), "300000");
  const [event] = service.events.list({ provider: "own" });
  assertEquals(
    response.headers.get("x-service-event-url"),
    `${service.ui.url}/ui/events/${event!.id}`,
  );
});

Deno.test("two providers that claim one route stop the start, both named", async () => {
  const twin = ingressProvider<PluginState, OptionSet>({
    id: "twin",
    title: "Twin",
    about: "Claims what another has",
    options: {},
    routes: [
      { method: "POST", path: "/toy/send", about: "", handle: () => new Response() },
      { method: "GET", path: "/ui/x", about: "", handle: () => new Response() },
    ],
  });
  const error = await assertRejects(
    () => startService({ plugins: [{ ...toy, providers: [...toy.providers, twin] }] }),
    ConfigError,
  );
  assertStringIncludes(error.message, "both toy/post and toy/twin claim it");
  assertStringIncludes(error.message, "GET /ui/x of toy/twin");
});

Deno.test("UI and ingress can share one port; the service's own paths win", async () => {
  const port = freePort();
  await using service = await startService({
    plugins: [toy],
    config: { ui: { port }, ingress: { port } },
  });
  assertEquals(service.ui.port, service.ingress.port);
  assertEquals((await post(service, "/toy/send", { body: "x" })).status, 200);
  assertEquals((await service.getJson<unknown[]>("/events")).length, 1);
  const page = await fetch(`${service.ui.url}/ui/`);
  assertStringIncludes(await page.text(), "<html");
});

Deno.test("the error for a busy port names the listener and its flag, and nothing stays bound", async () => {
  const busy = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = busy.addr;
  const error = await assertRejects(
    () =>
      startService({
        plugins: [toy],
        config: { plugins: { toy: { providers: { echo: { port } } } } },
      }),
    ConfigError,
  );
  assertEquals(
    error.message,
    `Cannot listen on 127.0.0.1:${port} for echo: the address is in use; choose another port with --echo-port`,
  );
  busy.close();
});

/** A plugin whose only provider counts what it handles and requires a key. */
function keyed() {
  const options = defineOptions({});
  interface Calls {
    handled: number;
  }
  const provider = ingressProvider<PluginState, typeof options, Calls>({
    id: "keyed",
    title: "Keyed",
    about: "Wants a key",
    options,
    open: () => ({ handled: 0 }),
    authorize: ({ headers }) =>
      headers.has("x-key") ? undefined : new Response("no key", { status: 401 }),
    routes: [
      {
        method: "POST",
        path: "/keyed/send",
        about: "Needs the key",
        handle: (_call, { store }) => new Response(String(++store.handled)),
      },
      {
        method: "POST",
        path: "/keyed/ping",
        about: "Needs none",
        public: true,
        handle: (_call, { store }) => new Response(String(store.handled)),
      },
    ],
  });
  return definePlugin<PluginState>({
    id: "keyed",
    title: "Keyed",
    about: "Wants a key",
    eventTypes: [],
    providers: [provider],
    routes: [],
    open: () => ({}),
  });
}

Deno.test("a call is handled only if the provider authorizes it; public routes always are", async () => {
  await using service = await startService({ plugins: [keyed()] });
  const headers = { "x-key": "any" };
  assertEquals((await post(service, "/keyed/send")).text, "no key");
  assertEquals((await post(service, "/keyed/ping")).text, "0");
  assertEquals((await post(service, "/keyed/send", { headers })).text, "1");
  const [record] = await service.getJson<Rejected[]>("/rejected");
  assertEquals([record!.provider, record!.status], ["keyed", 401]);
});

Deno.test("each service has its own store for a provider", async () => {
  const plugins = [keyed()];
  await using first = await startService({ plugins });
  await using second = await startService({ plugins });
  const headers = { "x-key": "any" };
  await post(first, "/keyed/send", { headers });
  assertEquals((await post(first, "/keyed/send", { headers })).text, "2");
  assertEquals((await post(second, "/keyed/send", { headers })).text, "1");
});
