import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { webhook } from "../../plugins/webhook/mod.ts";
import type { WebhookEnvelope } from "../../plugins/webhook/views.ts";
import { startService, type TestService } from "../support/service.ts";

function start(hook: Record<string, unknown> = {}): Promise<TestService> {
  return startService({
    plugins: [webhook],
    config: { plugins: { webhook: { providers: { hook } } } },
  });
}

async function send(
  service: TestService,
  path: string,
  init: RequestInit = { method: "POST" },
): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(`${service.ingress.url}/hook/${path}`, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function newest(service: TestService): Promise<WebhookEnvelope> {
  const [first] = await service.getJson<WebhookEnvelope[]>("/webhook/messages?limit=1");
  return first!;
}

async function script(
  service: TestService,
  answer: unknown,
  status = 201,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.api.url}/api/v1/webhook/answers`, {
    method: "POST",
    body: JSON.stringify(answer),
  });
  const body = await response.json();
  assertEquals(response.status, status, JSON.stringify(body));
  return body;
}

Deno.test("any method is captured, with or without a body", async () => {
  await using service = await start();
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
    const { status, text } = await send(service, "orders/a%2Fb?x=1&x=2", { method });
    assertEquals([status, text], [200, '{"ok":true}\n'], method);
    const { message } = await newest(service);
    assertEquals([message.method, message.name, message.rest], [method, "orders", "a/b"]);
    assertEquals(message.query, { x: ["1", "2"] });
    assertEquals(message.path, "/hook/orders/a%2Fb?x=1&x=2");
  }
  const head = await send(service, "orders", { method: "HEAD" });
  assertEquals([head.status, head.text], [200, ""]);
  assertEquals((await newest(service)).message.method, "HEAD");
});

Deno.test("JSON, forms, text and bytes are each read by their type", async () => {
  await using service = await start();
  const post = async (type: string | undefined, body: BodyInit) => {
    const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
    await send(service, "x", { method: "POST", headers, body });
    return (await newest(service)).message;
  };
  const json = await post("application/vnd.api+json; charset=utf-8", '{"a":[1]}');
  assertEquals([json.json, json.content_type], [{ a: [1] }, "application/vnd.api+json"]);
  assertEquals((await post("application/json", "{")).json, undefined);
  assertMatch(String((await newest(service)).meta?.parse_warnings), /JSON/);
  const form = await post("application/x-www-form-urlencoded", "a=1&a=2&__proto__=3");
  assertEquals(form.form, Object.fromEntries([["a", ["1", "2"]], ["__proto__", ["3"]]]));
  assertEquals((await post("text/plain; charset=iso-8859-1", new Uint8Array([0xe4]))).text, "ä");
  const bytes = await post("image/png", new Uint8Array([0, 1, 2]));
  assertEquals([bytes.text, bytes.size], [undefined, 3]);
});

Deno.test("a multipart body is split, and each part can be fetched", async () => {
  await using service = await start();
  const body = new FormData();
  body.append("note", "Hello");
  body.append("file", new File([new Uint8Array([1, 2, 0])], "a\u202eb.bin"), "a.bin");
  await send(service, "upload", { method: "POST", body });
  const { id, message } = await newest(service);
  assertEquals(message.form, { note: ["Hello"] });
  assertEquals(message.parts, [
    { name: "note", content_type: "text/plain", size: 5, text: "Hello" },
    { name: "file", filename: "a.bin", content_type: "application/octet-stream", size: 3 },
  ]);
  const url = `${service.api.url}/api/v1/webhook/messages/${id}/parts`;
  const part = await fetch(`${url}/1`);
  assertEquals(new Uint8Array(await part.arrayBuffer()), new Uint8Array([1, 2, 0]));
  assertMatch(part.headers.get("content-disposition")!, /^attachment; filename="a.bin"/);
  const missing = await fetch(`${url}/2`);
  assertEquals(missing.status, 404);
  await missing.body?.cancel();
});

Deno.test("a compressed multipart body is split, too", async () => {
  await using service = await start();
  const text = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n';
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const headers = { "content-type": "multipart/form-data; boundary=b", "content-encoding": "gzip" };
  const body = await new Response(packed).arrayBuffer();
  await send(service, "upload", { method: "POST", headers, body });
  const { id, message } = await newest(service);
  assertEquals(message.form, { a: ["1"] });
  const part = await fetch(`${service.api.url}/api/v1/webhook/messages/${id}/parts/0`);
  assertEquals(await part.text(), "1");
});

Deno.test("text that begins like JSON is not treated as broken JSON", async () => {
  await using service = await start();
  await send(service, "log", { method: "POST", body: "[info] started" });
  const { message, meta } = await newest(service);
  assertEquals([message.text, message.json, meta], ["[info] started", undefined, undefined]);
});

Deno.test("the API scripts an answer for a name, a method and a number of times", async () => {
  await using service = await start();
  const made = await script(service, {
    name: "orders",
    status: 202,
    headers: { "x-request-id": "7" },
    json: { accepted: true },
    times: 1,
  });
  assertEquals(made.headers, { "content-type": "application/json", "x-request-id": "7" });
  await script(service, { name: "orders", method: "DELETE", status: 204 });
  await script(service, { name: "*", status: 503, body: "later" });
  const first = await send(service, "orders");
  assertEquals([first.status, first.text], [202, '{"accepted":true}\n']);
  assertEquals(first.headers.get("x-request-id"), "7");
  assertEquals((await newest(service)).message.status, 202);
  const second = await send(service, "orders");
  assertEquals([second.status, second.text], [503, "later"]);
  assertEquals((await send(service, "orders", { method: "DELETE" })).status, 204);
  const listed = await service.getJson<{ name: string }[]>("/webhook/answers");
  assertEquals(listed.map(({ name }) => name), ["orders", "*"]);
  const url = `${service.api.url}/api/v1/webhook/answers`;
  assertEquals((await fetch(`${url}/orders`, { method: "DELETE" })).status, 204);
  const gone = await fetch(`${url}/orders`, { method: "DELETE" });
  assertEquals(gone.status, 404);
  await gone.body?.cancel();
  assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
  assertEquals((await send(service, "orders")).status, 200);
});

Deno.test("the configuration file scripts an answer that survives a reset", async () => {
  await using service = await start({
    answers: [{ name: "slow", status: 201, body: "made", delay: "50ms", times: 1 }],
  });
  const before = performance.now();
  const sending = send(service, "slow");
  await service.waitFor("webhook.request");
  const { status, text } = await sending;
  assertEquals([status, text], [201, "made"]);
  assertEquals(performance.now() - before >= 45, true);
  assertEquals((await send(service, "slow")).status, 200);
  await script(service, { name: "other", status: 500 });
  await (await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" })).body?.cancel();
  assertEquals((await send(service, "other")).status, 200);
  assertEquals((await send(service, "slow")).status, 201);
});

Deno.test("an invalid answer is refused by name", async () => {
  await using service = await start();
  const rows: readonly (readonly [Record<string, unknown>, string])[] = [
    [{}, "Cannot use name"],
    [{ name: "a/b" }, "Cannot use name"],
    [{ name: "a", stauts: 200 }, 'did you mean "status"?'],
    [{ name: "a", status: 199 }, "from 200 to 599"],
    [{ name: "a", method: "post" }, "in capitals"],
    [{ name: "a", status: 204, body: "x" }, "status 204 has no body"],
    [{ name: "a", body: "x", json: 1 }, "set one of them"],
    [{ name: "a", headers: { "content-length": "5" } }, "the listener sets it"],
    [{ name: "a", headers: { "x y": "5" } }, "not a valid field"],
    [{ name: "a", headers: { "x": "a\r\nb: c" } }, "not a valid field"],
    [{ name: "a", delay: "61s" }, "at most 60s"],
    [{ name: "a", delay: 5 }, "at most 60s"],
    [{ name: "a", times: 0 }, "at least 1"],
  ];
  for (const [answer, error] of rows) {
    assertStringIncludes(String((await script(service, answer, 400)).error), error);
  }
});

Deno.test("requests can be filtered, and codes and links are extracted", async () => {
  await using service = await start();
  const headers = { "content-type": "application/json", "x-signature": "1" };
  const body = JSON.stringify({ text: "Your code is 482913", link: "https://example.org/x" });
  await send(service, "login?token=abc", { method: "PUT", headers, body });
  await send(service, "orders");
  const names = async (query: string): Promise<string[]> => {
    const found = await service.getJson<WebhookEnvelope[]>(`/webhook/messages?${query}`);
    return found.map(({ message }) => message.name);
  };
  for (
    const query of [
      "name=login",
      "method=put",
      "path=TOKEN",
      "content_type=application/json",
      "header=X-Signature",
      "has=code",
      "has=link",
      "text=482913",
    ]
  ) {
    assertEquals(await names(query), ["login"], query);
  }
  assertEquals(await names("status=200"), ["orders", "login"]);
});

Deno.test("a fault can answer with any status, on conditions of the request", async () => {
  await using service = await start();
  const response = await fetch(`${service.api.url}/api/v1/faults`, {
    method: "POST",
    body: JSON.stringify({
      on: "webhook/hook",
      match: { name: "orders", "json.total": 50 },
      outcome: "status",
      with: { status: 429, body: "Slow down", retry_after: 3 },
    }),
  });
  assertEquals(response.status, 201, await response.text());
  const pay = (total: number) =>
    send(service, "orders", { method: "POST", body: JSON.stringify({ total }) });
  assertEquals((await pay(5)).status, 200);
  const { status, text, headers } = await pay(50);
  assertEquals([status, text], [429, '{"error":"Slow down"}']);
  assertEquals(headers.get("retry-after"), "3");
});

Deno.test("a path without a name is refused", async () => {
  await using service = await start();
  const { status, text } = await send(service, "");
  assertEquals(status, 404);
  assertStringIncludes(text, "expected a name after it");
});
