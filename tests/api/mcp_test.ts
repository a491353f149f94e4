/** The MCP endpoint, byte by byte: its refusals. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";
import { mutate, numbersFrom } from "../support/fuzz.ts";
import { toy } from "../support/toy.ts";

type Json = Record<string, unknown>;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    id?: unknown;
    result?: Json;
    error?: { code: number; message: string; data?: Json };
  };
}

async function post(
  { ui }: TestService,
  body: string | Uint8Array<ArrayBuffer> | Json,
  headers: Record<string, string> = {},
): Promise<Said> {
  const response = await fetch(`${ui.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith("{") ? JSON.parse(text) : {},
  };
}

const request = (method: string, params?: Json): Json => ({
  jsonrpc: "2.0",
  id: 7,
  method,
  ...(params === undefined ? {} : { params }),
});

/** A request of a protocol revision without a handshake, with its header fields. */
function stateless(method: string, params: Json = {}): [Json, Record<string, string>] {
  return [
    request(method, { ...params, _meta: META }),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": method },
  ];
}

Deno.test("initialize selects the client's revision, or the newest one with a handshake", async () => {
  await using service = await startService({ plugins: [toy] });
  for (
    const [wanted, agreed] of [
      ["2025-11-25", "2025-11-25"],
      ["2025-06-18", "2025-06-18"],
      ["2024-11-05", "2025-11-25"],
      [undefined, "2025-11-25"],
    ]
  ) {
    const { status, body } = await post(
      service,
      request("initialize", { protocolVersion: wanted }),
    );
    assertEquals([status, body.id, body.result?.protocolVersion], [200, 7, agreed]);
    assertEquals(body.result?.capabilities, { tools: {}, resources: {} });
  }
  assertEquals((await post(service, request("ping"))).body.result, {});
  const { status, text } = await post(service, {
    jsonrpc: "2.0",
    method: "notifications/initialized",
  });
  assertEquals([status, text], [202, ""]);
});

Deno.test("every result of a request without a handshake names the revision", async () => {
  await using service = await startService({ plugins: [toy] });
  const { status, body } = await post(service, ...stateless("server/discover"));
  assertEquals(status, 200);
  assertEquals(body.result?.supportedVersions, ["2026-07-28", "2025-11-25", "2025-06-18"]);
  assertEquals(body.result?.resultType, "complete");
  const { body: listed } = await post(service, ...stateless("tools/list"));
  assertEquals([typeof listed.result?.ttlMs, listed.result?.cacheScope], ["number", "private"]);
});

Deno.test("body and header fields must agree", async () => {
  await using service = await startService({ plugins: [toy] });
  const [message, headers] = stateless("tools/call", { name: "list_faults" });
  const named = { ...headers, "mcp-name": "list_faults" };
  assertEquals((await post(service, message, named)).status, 200);
  const encoded = { ...headers, "mcp-name": `=?base64?${btoa("list_faults")}?=` };
  assertEquals((await post(service, message, encoded)).status, 200);
  for (
    const wrong of [
      headers,
      { ...named, "mcp-name": "clear_faults" },
      { ...named, "mcp-method": "tools/list" },
      { ...named, "mcp-protocol-version": "2025-11-25" },
      { "mcp-method": "tools/call", "mcp-name": "list_faults" },
    ]
  ) {
    const { status, body } = await post(service, message, wrong);
    assertEquals([status, body.id, body.error?.code], [400, 7, -32020], JSON.stringify(wrong));
  }
  const old = { "mcp-protocol-version": "1999-01-01" };
  const { status, body } = await post(service, request("ping"), old);
  assertEquals([status, body.error?.code, body.error?.data?.requested], [
    400,
    -32022,
    "1999-01-01",
  ]);
  const bare = await post(service, request("ping"), { "mcp-protocol-version": "2026-07-28" });
  assertEquals([bare.status, bare.body.error?.code], [400, -32602]);
  const later = { ...META, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  const future = await post(service, request("ping", { _meta: later }), {
    "mcp-protocol-version": "2099-01-01",
    "mcp-method": "ping",
  });
  assertEquals([future.status, future.body.error?.code], [400, -32022]);
});

Deno.test("errors have JSON-RPC codes", async () => {
  await using service = await startService({ plugins: [toy] });
  const cases: readonly [body: string | Json, status: number, code: number, words: string][] = [
    ["{", 400, -32700, "Cannot read the message"],
    [new TextDecoder().decode(new Uint8Array([0x22, 0x61])), 400, -32700, "Cannot read"],
    ["[]", 400, -32600, "batch"],
    [`[${JSON.stringify(request("ping"))}]`, 400, -32600, "batch"],
    ["null", 400, -32600, "jsonrpc"],
    [{ id: 1, method: "ping" }, 400, -32600, "jsonrpc"],
    [{ jsonrpc: "2.0", id: 1, result: {} }, 400, -32600, "method"],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, 400, -32600, "id"],
    [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, 400, -32600, "id"],
    [{ jsonrpc: "2.0", id: 1, method: "ping", params: [] }, 400, -32602, "params"],
    [request("prompts/list"), 200, -32601, "prompts/list"],
    [request("tools/call", { name: "list_event" }), 200, -32602, 'did you mean "list_events"?'],
    [request("tools/list", { cursor: "x" }), 200, -32602, "one page"],
    [request("resources/read", { uri: "file:///etc/passwd" }), 200, -32002, "standin://"],
    [request("resources/read", { uri: "standin://events/../health" }), 200, -32002, "standin://"],
    [request("resources/read", { uri: "standin://events/none" }), 200, -32002, "none"],
  ];
  for (const [body, status, code, words] of cases) {
    const said = await post(service, body);
    const shown = JSON.stringify(body);
    assertEquals([said.status, said.body.error?.code], [status, code], `${shown}: ${said.text}`);
    assertStringIncludes(said.body.error?.message ?? "", words, shown);
  }
  const unknown = await post(service, ...stateless("prompts/list"));
  assertEquals([unknown.status, unknown.body.error?.code], [404, -32601]);
  const [message, headers] = stateless("resources/read", { uri: "standin://events/none" });
  const missing = await post(service, message, { ...headers, "mcp-name": "standin://events/none" });
  assertEquals([missing.status, missing.body.error?.code], [400, -32602]);
});

Deno.test("only a JSON POST of up to a megabyte is read", async () => {
  await using service = await startService({ plugins: [toy] });
  for (const method of ["GET", "DELETE", "PUT"]) {
    const response = await fetch(`${service.ui.url}/mcp`, { method });
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("allow")], [405, "POST"], method);
  }
  const ping = request("ping");
  assertEquals((await post(service, ping, { "content-type": "text/plain" })).status, 415);
  assertEquals((await post(service, ping, { "content-encoding": "gzip" })).status, 415);
  assertEquals((await post(service, ping, { accept: "text/html" })).status, 406);
  for (const accept of ["application/json, text/event-stream", "*/*"]) {
    assertEquals((await post(service, ping, { accept })).status, 200, accept);
  }
  const large = await post(service, { ...ping, params: { x: "x".repeat(1_048_576) } });
  assertEquals([large.status, large.body.error?.code], [413, -32600]);
});

Deno.test("it has the API's guard and token, and is served on the UI port only", async () => {
  const config = { api: { token: "secret", port: 0 } };
  await using service = await startService({ plugins: [toy], config });
  const ping = request("ping");
  assertEquals((await post(service, ping)).status, 401);
  const authorization = "Bearer secret";
  assertEquals((await post(service, ping, { authorization })).status, 200);
  assertEquals(
    (await post(service, ping, { authorization, origin: "http://evil.example" })).status,
    403,
  );
  assertEquals(
    (await post(service, ping, { authorization, "sec-fetch-site": "cross-site" })).status,
    403,
  );
  for (const { url } of [service.api, service.ingress]) {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(ping),
    });
    await response.body?.cancel();
    assertEquals(response.status, 404, url);
  }
});

Deno.test("hostile bytes get an answer, and the service continues", async () => {
  await using service = await startService({ plugins: [toy] });
  const seeds = [
    request("tools/call", { name: "list_events", arguments: { limit: 1, search: "x" } }),
    request("tools/call", { name: "get_event", arguments: { id: "a", path: "payload[0].x" } }),
    request("tools/call", { name: "expect_events", arguments: { match: { a: 1 }, timeout: 0 } }),
    request("tools/call", { name: "add_fault", arguments: { on: "toy/toy", outcome: "close" } }),
    request("resources/read", { uri: "standin://events/a" }),
    request("initialize", { protocolVersion: "2025-11-25", __proto__: null }),
  ].map((one) => new TextEncoder().encode(JSON.stringify(one)));
  const random = numbersFrom(24);
  for (let run = 0; run < 300; run++) {
    const bytes = new Uint8Array(mutate(seeds, random));
    const { status, body, text } = await post(service, bytes);
    assert([200, 202, 400].includes(status), `${status}: ${text}`);
    assert(body.error?.code !== -32603, `${new TextDecoder().decode(bytes)}: ${text}`);
  }
  const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(5000)}1${
    "}".repeat(5001)
  }`;
  assertEquals((await post(service, deep)).status, 400);
  assertEquals(service.log, []);
});

Deno.test("names of API routes are not accepted as ids", async () => {
  await using service = await startService({ plugins: [toy] });
  for (const id of ["stream", "wait", "..", "a/../stream", "stream?x=1", "%73tream", ""]) {
    for (const name of ["get_event", "extract", "check_event"]) {
      const { body } = await post(service, request("tools/call", { name, arguments: { id } }));
      assertEquals(body.result?.isError, true, `${name} ${id}`);
      assertStringIncludes(JSON.stringify(body.result?.content), "Cannot find event");
    }
    const read = await post(service, request("resources/read", { uri: `standin://events/${id}` }));
    assertEquals(read.body.error?.code, -32002, id);
  }
});

Deno.test("an answer stays short whatever was captured", async () => {
  await using service = await startService({ plugins: [toy] });
  for (let left = 30; left > 0; left--) {
    const body = JSON.stringify({ text: "long ".repeat(20_000), list: Array(5000).fill("item") });
    await (await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body })).body?.cancel();
  }
  const call = async (name: string, args: Json): Promise<string> =>
    (await post(service, request("tools/call", { name, arguments: args }))).text;
  const [event] = service.list();
  assert(event !== undefined);
  assert((await call("list_events", {})).length < 50_000);
  assert((await call("get_event", { id: event.id })).length < 50_000);
  assert((await call("get_event", { id: event.id, path: "raw.body_text" })).length < 40_000);
});

Deno.test("a list too long for one answer continues where the last page ended", async () => {
  await using service = await startService({ plugins: [toy] });
  const lines = Array.from({ length: 150 }, (_, index) => `${index} ${"word ".repeat(35)}`);
  const sent = await fetch(`${service.ingress.url}/toy/send`, {
    method: "POST",
    body: lines.join("\n"),
  });
  await sent.body?.cancel();
  const ids: unknown[] = [];
  let pages = 0;
  for (let offset: unknown = 0; offset !== undefined; pages++) {
    const args = { limit: 100, offset };
    const { body } = await post(
      service,
      request("tools/call", { name: "list_events", arguments: args }),
    );
    const page = body.result?.structuredContent as { events: Json[]; next_offset?: number };
    ids.push(...page.events.map(({ id }) => id));
    offset = page.next_offset;
  }
  assertEquals(ids, service.list().map(({ id }) => id));
  assert(pages > 2);
});
