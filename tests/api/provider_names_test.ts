/** Vendor names work wherever a provider id does; answers keep the ids. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { ConfigError, s3, start } from "../../mod.ts";
import { checkPlugins } from "../../core/app/registry.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { definePlugin } from "../../core/plugin.ts";
import { connect } from "../../plugins/client.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

interface Row {
  readonly plugin: string;
  readonly provider: string;
}

async function sendGrid({ ingress }: TestService): Promise<number> {
  const { body, status } = await fetch(`${ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { authorization: "Bearer SG.any", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.com" },
      subject: "Hello",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
  await body?.cancel();
  return status;
}

async function resend({ ingress }: TestService): Promise<void> {
  const { body } = await fetch(`${ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@b.example", to: "c@d.example", subject: "Hi", text: "Hi" }),
  });
  await body?.cancel();
}

async function started(): Promise<TestService> {
  const service = await startService({ logLevel: "info" });
  await sendGrid(service);
  await resend(service);
  return service;
}

async function post(service: TestService, path: string, body: unknown) {
  const response = await fetch(`${service.api.url}/api/v1${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

Deno.test("every route that filters by provider accepts the vendor's name", async () => {
  await using service = await started();
  for (const word of ["mail2", "sendgrid", "SendGrid"]) {
    for (const path of ["/events", "/mail/messages"]) {
      const found = await service.getJson<Row[]>(`${path}?provider=${word}`);
      assertEquals(found.map(({ provider }) => provider), ["mail2"], `${path} ${word}`);
    }
    const waited = await service.getJson<Row[]>(`/events?wait=1&timeout=1s&provider=${word}`);
    assertEquals(waited.map(({ provider }) => provider), ["mail2"]);
    const verdict = await post(service, "/expect", { provider: word, count: 1, timeout: 0 });
    assertEquals([verdict.status, verdict.body.events[0].provider], [200, "mail2"]);
  }
  const near = await service.getJson<{ error: string }>("/events?provider=sendgird", 400);
  assertStringIncludes(near.error, 'unknown provider "sendgird"; did you mean "sendgrid"?');
  const foreign = await service.getJson<{ error: string }>("/mail/messages?provider=twilio", 400);
  assertStringIncludes(foreign.error, 'provider "twilio" is sms/sms1, no provider of "mail"');
  const removed = await fetch(`${service.api.url}/api/v1/events?provider=sendgrid`, {
    method: "DELETE",
  });
  assertEquals(removed.status, 204);
  const left = await service.getJson<Row[]>("/events");
  assertEquals(left.map(({ provider }) => provider), ["mail3"]);
});

Deno.test("a vendor's name distinguishes providers with the same id", async () => {
  await using service = await started();
  await (await fetch(`${service.endpoint("s3").url}/bucket`, { method: "PUT" })).body?.cancel();
  const one = await fetch(`${service.endpoint("s3").url}/bucket/key`, {
    method: "PUT",
    body: "Hello",
  });
  await one.body?.cancel();
  for (const word of ["s3", "Amazon S3", "amazon-s3"]) {
    const query = `provider=${encodeURIComponent(word)}`;
    const found = await service.getJson<Row[]>(`/events?${query}`);
    assert(found.length > 0);
    assertEquals(new Set(found.map(({ plugin }) => plugin)), new Set(["s3"]));
  }
  assertEquals(await service.getJson("/events?provider=as2"), []);
  // A step that names another provider is not tied to the plugin of the common one.
  const order = [{ provider: "mail2" }, { provider: "mail3" }, {}];
  const verdict = await post(service, "/expect", { provider: "s3", order, timeout: 0 });
  assertEquals([verdict.status, verdict.body.count], [200, 3], JSON.stringify(verdict.body));
});

Deno.test("the stream and the journal accept the vendor's name", async () => {
  await using service = await started();
  await (await fetch(`${service.ingress.url}/v3/mail/send`, { method: "POST" })).body?.cancel();
  const refused = await service.getJson<Row[]>("/rejected?provider=SendGrid");
  assertEquals(refused.map(({ provider }) => provider), ["mail2"]);
  assertEquals(await service.getJson("/rejected?provider=twilio"), []);
  const ended = new AbortController();
  const url = `${service.api.url}/api/v1/events/stream?provider=sendgrid`;
  const stream = await fetch(url, { signal: ended.signal });
  assertEquals(stream.status, 200);
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  await resend(service);
  await sendGrid(service);
  let text = "";
  while (!text.includes('"provider":')) text += (await reader.read()).value ?? "";
  assertStringIncludes(text, '"provider":"mail2"');
  await reader.cancel();
  ended.abort();
});

Deno.test("faults accept the vendor's name and are listed by id", async () => {
  await using service = await started();
  for (const on of ["SendGrid", "mail/sendgrid"]) {
    const { status, body } = await post(service, "/faults", { on, outcome: ["rate_limit"] });
    assertEquals([status, body.on], [201, "mail/mail2"]);
    assertEquals(await sendGrid(service), 429);
  }
  using fault = await service.fault({ on: "sendgrid", outcome: "server_error" });
  assertEquals(await sendGrid(service), 500);
  assertEquals(fault.hits, 1);
  const near = await post(service, "/faults", { on: "sengrid", outcome: "rate_limit" });
  assertStringIncludes(near.body.error, 'did you mean "sendgrid"?');
  await using filed = await startService({
    config: { faults: [{ on: "mail/sendgrid", outcome: "rate_limit" }] },
  });
  assertEquals(await sendGrid(filed), 429);
});

Deno.test("inbound calls accept the vendor's name", async () => {
  await using app = startReceiver();
  await using service = await startService({
    config: { callbacks: { enabled: true, inbound: { sms1: app.url } } },
  });
  const payload = { From: "+15550100", To: "+15550199", Body: "STOP" };
  for (const provider of ["twilio", "sms/Twilio"]) {
    const { status, body } = await post(service, "/inbound?wait=1", { provider, payload });
    assertEquals([status, body.calls?.[0]?.on], [201, "sms/sms1"], JSON.stringify(body));
  }
  const near = await post(service, "/inbound", { provider: "twillio", payload });
  assertStringIncludes(near.body.error, 'did you mean "twilio"?');
});

Deno.test("an inbound call selects the provider that supports it among those with the same id", async () => {
  await using app = startReceiver();
  await using service = await startService({
    config: { callbacks: { enabled: true, inbound: { http: app.url } } },
  });
  const payload = { to: "partner", content_type: "text/plain", document: "Hello" };
  for (const provider of ["http", "as2/http"]) {
    const { body } = await post(service, "/inbound?wait=1", { provider, payload });
    assertEquals(body.calls?.[0]?.on, "as2/http", JSON.stringify(body));
  }
});

Deno.test("the library and the settings accept the vendor's name", async () => {
  await using standin = await start({
    ports: 0,
    providers: ["SendGrid", "twilio", "hl7"],
    config: { host: "127.0.0.1" },
  });
  assertEquals(standin.endpoint("sendgrid"), standin.endpoint("mail2"));
  assertEquals(standin.endpoint("mail/sendgrid"), standin.endpoint("mail/mail2"));
  await assertRejects(() => standin.waitFor("mail.message", { provider: "sendgird" }), RangeError);
  assertEquals(standin.list("mail.message", { provider: "SendGrid" }), []);
  const api = connect(standin.api.url);
  assertEquals(await api.list("mail.message", { provider: "SendGrid" }), []);
  const problem = assertThrows(
    () => resolveSettings(STANDARD_PLUGINS, { tree: {}, enabledProviders: ["sendgird"] }),
    ConfigError,
  );
  assertStringIncludes(problem.message, "did you mean sendgrid?");
  const table = assertThrows(
    () =>
      resolveSettings(STANDARD_PLUGINS, {
        tree: { plugins: { mail: { providers: { sendgrid: { enabled: true } } } } },
      }),
    ConfigError,
  );
  assertStringIncludes(table.message, 'unknown mail provider "sendgrid"; did you mean mail2?');
});

Deno.test("the description lists the aliases, and the log names the vendor", async () => {
  await using service = await started();
  const plugins = await service.getJson<
    { name: string; providers: { name: string; aliases: string[] }[] }[]
  >("/plugins");
  const mail = plugins.find(({ name }) => name === "mail")!.providers;
  assertEquals(mail.find(({ name }) => name === "mail2")?.aliases, ["sendgrid"]);
  assertEquals(mail.find(({ name }) => name === "smtp")?.aliases, []);
  const line = service.log.find((one) => one.includes("Captured"));
  assertStringIncludes(line ?? "", "provider=mail/mail2 vendor=SendGrid");
});

Deno.test("plugins with clashing aliases do not start", () => {
  const other = definePlugin({
    ...s3,
    id: "store",
    eventTypes: [],
    routes: [],
    providers: s3.providers.map((provider) => ({ ...provider, id: "store1", title: "S3" })),
  });
  const problem = assertThrows(() => checkPlugins([s3, other]), ConfigError);
  assertStringIncludes(problem.message, 'Cannot use alias "s3" of provider "store/store1"');
});
