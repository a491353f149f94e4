/** `[api] cors_origins`: other origins that may read, but nothing else. */
import { assertEquals, assertMatch } from "@std/assert";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

const APP = "https://app.example.com";

function start(api: Readonly<Record<string, unknown>> = {}): Promise<TestService> {
  return startService({ plugins: [toy], config: { api: { cors_origins: [APP], ...api } } });
}

async function ask(
  service: TestService,
  line: string,
  headers: Readonly<Record<string, string>> = {},
) {
  using client = await RawClient.connect(service.api.port);
  const fields = { Host: "localhost", "Sec-Fetch-Site": "cross-site", ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await client.send(`${line} HTTP/1.1\r\n${lines}Content-Length: 0\r\n\r\n`);
  const { status, head, body } = await client.answer();
  const field = (name: string) =>
    new RegExp(`\r\n${name}: ([^\r]*)\r\n`, "i").exec(head)?.[1] ?? null;
  return { status, body, allowed: field("access-control-allow-origin"), field };
}

Deno.test("a page of a listed origin may read, and sees errors too", async () => {
  await using service = await start();
  for (
    const [path, status] of [
      ["/api/v1/health", 200],
      ["/api/v1/events?search=x", 200],
      ["/api/v1/toy/messages", 200],
      ["/api/v1/events/stream", 200],
      ["/api/v1/events/nope", 404],
      ["/api/v1/events?nope=1", 400],
    ] as const
  ) {
    const answer = await ask(service, `GET ${path}`, { Origin: APP });
    assertEquals([path, answer.status, answer.allowed], [path, status, APP]);
    assertMatch(answer.field("vary")!, /\bOrigin\b/);
    assertMatch(answer.field("access-control-expose-headers")!, /Content-Range/);
  }
  assertEquals(service.rejected.list(), []);
});

Deno.test("it may send only the request headers that readers need", async () => {
  await using service = await start();
  const preflight = (method: string, path = "/api/v1/events") =>
    ask(service, `OPTIONS ${path}`, {
      Origin: APP,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "authorization",
    });
  const answer = await preflight("GET");
  assertEquals([answer.status, answer.allowed, answer.body], [204, APP, ""]);
  assertEquals(answer.field("access-control-allow-methods"), "GET, HEAD");
  assertMatch(answer.field("access-control-allow-headers")!, /^Authorization, /);
  assertEquals(answer.field("access-control-allow-credentials"), null);
  for (const method of ["DELETE", "POST", "PUT", "PATCH", "get", ""]) {
    const refused = await preflight(method);
    assertEquals([method, refused.status, refused.allowed], [method, 403, null]);
  }
  for (const path of ["/ui/", "/ui/stream", "/metrics", "/api/v1"]) {
    const refused = await preflight("GET", path);
    assertEquals([path, refused.status, refused.allowed], [path, 403, null]);
  }
  assertEquals((await ask(service, "OPTIONS /api/v1/events", { Origin: APP })).status, 403);
});

Deno.test("it may write nothing, and see nothing outside the read-back API", async () => {
  await using service = await start();
  for (
    const line of [
      "DELETE /api/v1/events",
      "POST /api/v1/reset",
      "POST /api/v1/expect",
      "GET /ui/",
      "GET /ui/stream",
      "GET /metrics",
    ]
  ) {
    const answer = await ask(service, line, { Origin: APP });
    assertEquals([line, answer.status, answer.allowed], [line, 403, null]);
  }
});

Deno.test("no other page may read, and neither may this one under another name of this machine", async () => {
  await using service = await start();
  const cases: readonly Readonly<Record<string, string>>[] = [
    { Origin: "https://evil.example" },
    { Origin: "http://app.example.com" },
    { Origin: "https://app.example.com.evil.example" },
    { Origin: "null" },
    { Origin: APP.toUpperCase() },
    {},
  ];
  for (const headers of cases) {
    const answer = await ask(service, "GET /api/v1/events", headers);
    assertEquals([headers, answer.status, answer.allowed], [headers, 403, null]);
    assertMatch(answer.field("vary")!, /\bOrigin\b/);
  }
  const rebound = await ask(service, "GET /api/v1/events", { Origin: APP, Host: "evil.example" });
  assertEquals(rebound.status, 403);
});

Deno.test("with a token set, a listed page must send it, and its preflight is allowed", async () => {
  await using service = await start({ token: "sesame-42" });
  const asked = await ask(service, "OPTIONS /api/v1/events", {
    Origin: APP,
    "Access-Control-Request-Method": "GET",
  });
  assertEquals([asked.status, asked.allowed], [204, APP]);
  const without = await ask(service, "GET /api/v1/events", { Origin: APP });
  assertEquals([without.status, without.allowed], [401, APP]);
  const headers = { Origin: APP, Authorization: "Bearer sesame-42" };
  const known = await ask(service, "GET /api/v1/events", headers);
  assertEquals([known.status, known.allowed], [200, APP]);
});

Deno.test("without the setting no answer has CORS headers", async () => {
  await using service = await startService({ plugins: [toy] });
  const own = await ask(service, "GET /api/v1/events", { "Sec-Fetch-Site": "none" });
  assertEquals([own.status, own.allowed, own.field("vary")], [200, null, null]);
  assertEquals((await ask(service, "GET /api/v1/events", { Origin: APP })).status, 403);
});
