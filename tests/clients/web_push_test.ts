import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { snippets } from "../../plugins/push/push3/snippets.ts";
import type { PushSubscription } from "../../plugins/push/subscriptions.ts";
import { requireGo, requireMaven, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";
import { startTrusted } from "../support/tls.ts";

async function subscribe(
  service: TestService,
  request: Readonly<Record<string, unknown>> = {},
): Promise<PushSubscription> {
  const response = await fetch(`${service.api.url}/api/v1/push/subscriptions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  assertEquals(response.status, 201);
  return await response.json();
}

function captured(service: TestService): CapturedEvent<PushMessage>[] {
  return (service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[]).toReversed();
}

Deno.test("web-push for Node sends in both encodings, over TLS, and reads the errors", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using trusted = await startTrusted({ plugins: [push] });
  const { service, caFile, url } = trusted;
  const script = `
    import webpush from "web-push";
    const [origin, api] = process.argv.slice(-2);
    const { publicKey, privateKey } = webpush.generateVAPIDKeys();
    const subscribe = async (request) => {
      const answer = await fetch(api + "/api/v1/push/subscriptions", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      return await answer.json();
    };
    const bound = await subscribe({ origin, applicationServerKey: publicKey });
    const free = await subscribe({ origin });
    const chrome = await subscribe({ origin, applicationServerKey: publicKey, service: "google" });
    webpush.setVapidDetails("mailto:ada@example.org", publicKey, privateKey);
    const other = { ...webpush.generateVAPIDKeys(), subject: "mailto:eve@example.org" };
    const sent = [];
    const send = async (...args) => {
      try {
        const { statusCode, headers } = await webpush.sendNotification(...args);
        sent.push([statusCode, headers.ttl]);
      } catch (error) {
        sent.push([error.statusCode, error.body]);
      }
    };
    await send(bound, JSON.stringify({ title: "T", body: "B", url: "/x" }), {
      TTL: 60, urgency: "high", topic: "news",
    });
    await send(free, "Grüße", { contentEncoding: "aesgcm" });
    await send(free);
    await send(chrome, "Hello");
    await send(bound, "Hello", { vapidDetails: other });
    await send(chrome, "Hello", { vapidDetails: other });
    await send(free, "x".repeat(4200));
    await fetch(api + "/api/v1/push/subscriptions/" + free.id, { method: "DELETE" });
    await send(free, "Hello");
    console.log(JSON.stringify(sent));
  `;
  const args = ["--input-type=module", "--eval", script, url, service.api.url];
  const { stdout } = await runOk(project.node, args, {
    cwd: project.folder,
    env: { NODE_EXTRA_CA_CERTS: caFile },
  });
  const sent = JSON.parse(stdout) as [number, string][];
  assertEquals(sent.map(([status]) => status), [201, 201, 201, 201, 401, 403, 413, 410]);
  assertEquals(sent.slice(0, 3).map(([, ttl]) => ttl), ["60", "2419200", "2419200"]);
  assertEquals(JSON.parse(sent[4]![1]).message, "VAPID public key mismatch");
  assertMatch(sent[5]![1], /^the VAPID credentials in the authorization header do not correspond/);
  assertEquals(JSON.parse(sent[7]![1]).errno, 106);
  const events = captured(service);
  assertEquals(events.map(({ payload }) => payload.alert), [
    { title: "T", body: "B" },
    { body: "Grüße" },
    undefined,
    { body: "Hello" },
  ]);
  const [first, , empty] = events;
  assertEquals(first!.payload.kind, "notification");
  assertEquals(first!.payload.data_json, { url: "/x" });
  assertEquals(first!.payload.app, "mailto:ada@example.org");
  assertEquals(first!.payload.delivery, {
    priority: "high",
    priority_raw: "high",
    collapse_key: "news",
    expiry: { ttl_seconds: 60, immediate: false, raw: "60" },
  });
  assertEquals(first!.meta.encoding, "aes128gcm");
  assertEquals(empty!.payload.kind, "silent");
  assertEquals(service.rejected.list().length, 4);
});

Deno.test("web-push for Node reaches the service as a proxy, under the vendor's own name", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using trusted = await startTrusted({ plugins: [push] });
  const { service, caFile } = trusted;
  const origin = "https://updates.push.services.mozilla.com";
  const subscription = await subscribe(service, { origin });
  const script = `
    import webpush from "web-push";
    const keys = webpush.generateVAPIDKeys();
    webpush.setVapidDetails("mailto:ada@example.org", keys.publicKey, keys.privateKey);
    const { statusCode, headers } = await webpush.sendNotification(
      JSON.parse(process.argv.at(-2)), "Hello", { proxy: process.argv.at(-1) },
    );
    console.log(statusCode, headers.location);
  `;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await runOk(
    project.node,
    [...args, JSON.stringify(subscription), service.ingress.url],
    { cwd: project.folder, env: { NODE_EXTRA_CA_CERTS: caFile } },
  );
  const [event] = captured(service);
  assertEquals(stdout.trim(), `201 ${origin}/m/${event!.id}`);
  assertEquals(event!.payload.alert, { body: "Hello" });
});

Deno.test("the Node.js snippet of push3 sends a push", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService({ plugins: [push] });
  const { code } = snippets(service.ingress).find(({ lang }) => lang === "js")!;
  await runOk(project.node, ["--input-type=module", "--eval", code], { cwd: project.folder });
  assertEquals(captured(service)[0]?.payload.alert, { title: "Hello", body: "Hello from Node" });
});

Deno.test("pywebpush sends in both encodings, and reads the errors; so does the snippet", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [push] });
  const [subscription, gone] = [await subscribe(service), await subscribe(service)];
  const url = `${service.api.url}/api/v1/push/subscriptions/${gone.id}`;
  assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
  const script = new URL("python/web_push_calls.py", import.meta.url).pathname;
  const args = [script, JSON.stringify(subscription), JSON.stringify(gone)];
  const { stdout } = await runOk(python, args, { env: { NO_PROXY: "*" } });
  const { code } = snippets(service.ingress).find(({ lang }) => lang === "python")!;
  await runOk(python, ["-c", code], { env: { NO_PROXY: "*" } });
  const events = captured(service);
  const at = (index: number): string => `${service.ingress.url}/m/${events[index]!.id}`;
  assertEquals(JSON.parse(stdout), [
    [201, at(0), "60"],
    [201, at(1), "0"],
    [413, 104, "WebPushException: Push "],
    [410, 106, "WebPushException: Push "],
  ]);
  assertEquals(events.map(({ payload }) => payload.alert), [
    { body: "Hello from Python" },
    { body: "Older" },
    { title: "Hello", body: "Hello from Python" },
  ]);
  assertEquals(events[1]!.payload.delivery.expiry?.immediate, true);
});

Deno.test("webpush-go sends, and a push with the topic of an earlier one replaces it", async (t) => {
  const program = await requireGo(t, "web_push");
  if (program === undefined) return;
  await using service = await startService({ plugins: [push] });
  const { endpoint, keys } = await subscribe(service);
  const { stdout } = await runOk(program, [endpoint, keys.p256dh, keys.auth], {
    env: { NO_PROXY: "*" },
  });
  const [first, second] = captured(service);
  assertEquals(
    JSON.parse(stdout),
    [first, second].map((event) => ({
      status: 201,
      location: `${service.ingress.url}/m/${event!.id}`,
      ttl: "30",
      body: "",
    })),
  );
  assertEquals(first!.payload.alert, { body: "Hello from Go" });
  assertEquals(first!.payload.delivery.priority, "low");
  assertEquals([first!.meta.replaces, second!.meta.replaces], [undefined, first!.id]);
});

Deno.test("web-push for Java sends in both encodings", async (t) => {
  const project = await requireMaven(t, "web_push");
  if (project === undefined) return;
  await using service = await startService({ plugins: [push] });
  const { endpoint, keys } = await subscribe(service);
  const source = `${project.folder}Send.java`;
  const args = ["-cp", project.classPath, source, endpoint, keys.p256dh, keys.auth];
  const { stdout } = await runOk(project.java, args, { timeoutMs: 120_000 });
  assertEquals(stdout.trim().split("\n"), ["201", "201"]);
  assertEquals(
    captured(service).map(({ payload, meta }) => [payload.alert?.body, meta.encoding]),
    [["Hello AESGCM", "aesgcm"], ["Hello AES128GCM", "aes128gcm"]],
  );
  // The library omits the port from the audience.
  assertMatch(String(captured(service)[0]!.meta.warning), /lacks the port/);
});
