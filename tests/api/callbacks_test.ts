/** Calls to the application: which, when, in which order, and how they are shown. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { CallbacksOffError } from "../../core/errors.ts";
import type { CallList, CallRecord } from "../../core/callbacks/model.ts";
import { Dialer } from "../../core/net/outgoing.ts";
import { connect, RequestError } from "../../plugins/client.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

const start = (callbacks: Record<string, unknown> = {}): Promise<TestService> =>
  startService({ plugins: [sms], config: { callbacks: { enabled: true, ...callbacks } } });

/** Sends a message that asks for status reports; resolves with the id of its event. */
async function send(
  service: TestService,
  statusCallback: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(`${service.ingress.url}/2010-04-01/Accounts/AC1/Messages.json`, {
    method: "POST",
    headers,
    body: new URLSearchParams({
      To: "+15558675310",
      From: "+15017122661",
      Body: "Hi",
      StatusCallback: statusCallback,
    }),
  });
  await response.body?.cancel();
  return response.headers.get("x-service-event-url")!.split("/").at(-1)!;
}

const statusOf = (body: string) => new URLSearchParams(body).get("MessageStatus");
const callsOf = (service: TestService, id: string, query = "?wait=1") =>
  service.getJson<CallList>(`/events/${id}/callbacks${query}`);

Deno.test("with callbacks off nothing is called, and a request for a call is refused", async () => {
  await using app = startReceiver();
  await using service = await startService({
    plugins: [sms],
    config: { callbacks: { webhooks: { sms1: app.url }, inbound: { sms1: app.url } } },
  });
  const id = await send(service, app.url);
  const list = await callsOf(service, id);
  assertEquals(list, { enabled: false, opens: false, calls: [], count: 0, offers: [] });
  await assertRejects(() => service.callback(id, "delivered"), CallbacksOffError);
  const api = connect(service.api.url);
  const payload = { From: "+1555", To: "+1556" };
  const refused = await assertRejects(() => api.inbound("sms1", payload), Error);
  assertStringIncludes(refused.message, "callbacks are off; set [callbacks] enabled (--callbacks)");
  assertEquals(app.received, []);
  const metrics = await (await fetch(`${service.api.url}/metrics`)).text();
  assert(!metrics.includes("standin_callbacks"));
});

Deno.test("an address outside the list is never dialed, and the event says so", async () => {
  await using app = startReceiver();
  await using service = await start({ allow: ["http://localhost:*"] });
  const id = await send(service, app.url);
  const { calls } = await callsOf(service, id);
  assertEquals(calls.map(({ state, attempts }) => [state, attempts]), [
    ["refused", []],
    ["refused", []],
  ]);
  assertStringIncludes(calls[0]!.reason!, `Cannot call "${app.url}": it is not in the list`);
  const error = await assertRejects(() => service.callback(id, "delivered"), RangeError);
  assertStringIncludes(error.message, "[callbacks] allow (--callbacks-allow)");
  assertEquals(app.received, []);
});

Deno.test("a redirect is not followed", async () => {
  await using other = startReceiver();
  await using app = startReceiver(() => Response.redirect(`${other.url}/stolen`, 307));
  await using service = await start();
  const { calls } = await callsOf(service, await send(service, app.url));
  assertEquals(calls.map(({ state }) => state), ["failed", "failed"]);
  assertEquals(calls[0]?.attempts[0]?.error, `Redirects are not followed: to ${other.url}/stolen`);
  assertEquals(other.received, []);
});

Deno.test("a name is resolved once, and only to addresses that may be called", async () => {
  await using app = startReceiver();
  const { port } = new URL(app.url);
  const call = (host: string) => ({
    name: "x",
    url: `http://${host}:${port}/`,
    headers: [],
    body: new Uint8Array(),
  });
  const options = { headers: [], timeoutMs: 5000, signal: new AbortController().signal };
  // Each lookup returns another address, as in a DNS rebinding attack.
  const answers = ["127.0.0.1", "169.254.169.254"];
  const dialer = new Dialer({ resolve: () => Promise.resolve([answers.shift()!]) });
  assertEquals((await dialer.request(call("app.test"), options)).status, 200);
  assertEquals(answers, ["169.254.169.254"]);
  assertEquals(app.received[0]?.headers.get("host"), `app.test:${port}`);
  const error = await assertRejects(() => dialer.request(call("app.test"), options), Error);
  assertStringIncludes(error.message, "it resolves to 169.254.169.254, which is not allowed");
  assertEquals(app.received.length, 1);
});

Deno.test("a failed call is retried before the next call about its event, and shown", async () => {
  await using app = startReceiver((_request, count) =>
    count < 3 ? new Response("later", { status: 503 }) : new Response("thanks")
  );
  await using service = await start();
  const { calls, count } = await callsOf(service, await send(service, `${app.url}/#rc=5&rp=all`));
  assertEquals(count, 2);
  assertEquals(app.received.map(({ body }) => statusOf(body)), [
    "sent",
    "sent",
    "sent",
    "delivered",
  ]);
  const [first] = calls as [CallRecord];
  assertEquals(first.attempts.map(({ status, body }) => [status, body]), [
    [503, "later"],
    [503, "later"],
    [200, "thanks"],
  ]);
  assert(
    first.attempts.every(({ request_headers: sent }) =>
      sent.some(([name]) => name === "X-Twilio-Signature")
    ),
  );
  const metrics = await (await fetch(`${service.api.url}/metrics`)).text();
  assertStringIncludes(metrics, 'standin_callbacks_total{provider="sms/sms1",state="done"} 2');
  assertStringIncludes(metrics, 'standin_callback_attempts_total{provider="sms/sms1"} 4');
  assertStringIncludes(metrics, "standin_callbacks_pending 0");
});

Deno.test("only the beginning of a long answer is read", async () => {
  const chunk = new Uint8Array(65_536).fill(0x61);
  await using app = startReceiver(() =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }))
  );
  await using service = await start();
  const { calls } = await callsOf(service, await send(service, app.url));
  assertEquals(calls.map(({ state }) => state), ["done", "done"]);
  assertEquals([calls[0]?.attempts[0]?.body?.length, calls[0]?.attempts[0]?.cut], [16_384, true]);
});

Deno.test("deleting an event, or a reset, cancels its queued and running calls", async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using app = startReceiver(async () => {
    asked.resolve();
    await held.promise;
    return new Response();
  });
  await using service = await start();
  const id = await send(service, app.url);
  await asked.promise;
  assertEquals(service.callbacks(id).map(({ state }) => state), ["sending", "waiting"]);
  service.events.delete(id);
  assertEquals(service.callbacks(), []);
  await send(service, app.url);
  await service.reset();
  held.resolve();
  assertEquals(service.callbacks(), []);
  assertEquals(app.received.every(({ body }) => statusOf(body) === "sent"), true);
});

Deno.test("clearing a namespace cancels only the calls of its events", async () => {
  await using app = startReceiver();
  await using service = await start({ speed: 1 });
  await send(service, app.url, { "x-standin-namespace": "a" });
  const kept = await send(service, app.url, { "x-standin-namespace": "b" });
  service.clear(undefined, { namespace: "a" });
  assertEquals(new Set(service.callbacks().map(({ event }) => event)), new Set([kept]));
});

Deno.test("a provider without callbacks, an unknown one and an invalid request are refused by name", async () => {
  await using service = await startService({
    plugins: [sms, snmp],
    config: { callbacks: { enabled: true } },
  });
  const api = connect(service.api.url);
  const errorOf = async (attempt: () => Promise<unknown>) =>
    (await assertRejects(attempt, RequestError)).message;
  assertEquals(
    await errorOf(() => api.inbound("trap", {})),
    "Cannot call the application for trap: it has no callbacks; providers that have some are sms/sms1",
  );
  assertStringIncludes(
    await errorOf(() => api.inbound("sms9", {})),
    'unknown provider "sms9"; known are sms/sms1',
  );
  assertStringIncludes(
    await errorOf(() => api.inbound("sms1", { From: "+1", Txt: "x" })),
    'unknown field "Txt"; known are From, To, Body',
  );
  assertStringIncludes(
    await errorOf(() => api.inbound("sms1", { From: "+1", To: "+2" })),
    "set [callbacks.inbound] sms1 (--callbacks-inbound-sms1)",
  );
  const id = await send(service, "");
  assertStringIncludes(
    await errorOf(() => api.callback(id, "delivered")),
    "the message has no StatusCallback; send one, or set [callbacks.webhooks] sms1",
  );
  const missing = await fetch(`${service.api.url}/api/v1/events/0/callbacks`);
  assertEquals(missing.status, 404);
  await missing.body?.cancel();
  assertEquals(service.callbacks(), []);
});

Deno.test("a wait that times out says what happened so far", async () => {
  await using service = await start({ speed: 1 });
  const id = await send(service, "http://127.0.0.1:9/");
  const response = await fetch(
    `${service.api.url}/api/v1/events/${id}/callbacks?wait=1&timeout=50ms`,
  );
  assertEquals(response.status, 409);
  assertStringIncludes((await response.json()).error, "after 50 ms:\n  ");
});

Deno.test("the settings of callbacks are checked", async () => {
  const wrong = (callbacks: Record<string, unknown>) =>
    assertRejects(() => startService({ plugins: [sms, mail], config: { callbacks } }), Error);
  assertStringIncludes((await wrong({ allow: ["localhost"] })).message, 'not "localhost"');
  assertStringIncludes((await wrong({ speed: 0 })).message, "expected an integer from 1");
  const webhooks = { sms1: "localhost:3000" };
  assertStringIncludes((await wrong({ webhooks })).message, "expected an address such as");
  assertStringIncludes(
    (await wrong({ inbound: { sms9: "http://localhost" } })).message,
    'unknown key "sms9"; did you mean sms1?',
  );
});

Deno.test("the log of all calls is filtered and paged, and a wrong filter is refused", async () => {
  await using app = startReceiver();
  await using service = await start({ inbound: { sms1: app.url } });
  const first = await send(service, app.url, { "x-standin-namespace": "t1" });
  const second = await send(service, app.url);
  await callsOf(service, first);
  await callsOf(service, second);
  await service.inbound("sms1", { From: "+1555", To: "+1556" });
  const list = async (query: string): Promise<string[]> =>
    (await service.getJson<CallRecord[]>(`/callbacks${query}`)).map(({ name, event }) =>
      `${name} ${event === first ? "first" : event === second ? "second" : "inbound"}`
    );
  const all = await list("");
  assertEquals(all[0], "received inbound");
  assertEquals(all.length, 5);
  assertEquals(await list("?limit=2&offset=1"), all.slice(1, 3));
  assertEquals(await list("?name=sent&provider=twilio"), ["sent second", "sent first"]);
  assertEquals(await list("?state=failed"), []);
  assertEquals((await list(`?event=${first}&state=done`)).length, 2);
  assertEquals((await list("?namespace=t1")).length, 2);
  const refusal = async (query: string): Promise<string> => {
    const response = await fetch(`${service.api.url}/api/v1/callbacks?${query}`);
    assertEquals(response.status, 400);
    return (await response.json()).error;
  };
  assertStringIncludes(await refusal("provider=sms2x"), 'unknown provider "sms2x"');
  assertStringIncludes(await refusal("state=over"), "expected one of waiting, sending, done");
  assertStringIncludes(await refusal("stat=done"), 'did you mean "state"?');
});

Deno.test("parameters and payloads to start from are described for a form", async () => {
  await using service = await start();
  const { offers } = await callsOf(service, await send(service, "http://localhost:1/"));
  const failed = offers.find(({ event }) => event === "failed");
  assertEquals(failed?.params.error_code?.default, 30008);
  assert(failed?.params.error_code?.schema !== undefined);
  const { providers: [twilio] } = await service.getJson<
    { providers: { inbound: { example: unknown; templates: { payload: unknown }[] } }[] }
  >("/callbacks/providers");
  assertEquals(twilio?.inbound.templates[0]?.payload, twilio?.inbound.example);
});
