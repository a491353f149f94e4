import { assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { requireNode, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * Redirects the SDK's connections to the service, because its hosts are built in, and uses no TLS.
 */
const SETUP = `
import https from "node:https";
import net from "node:net";
import { initializeApp } from "firebase-admin/app";
import { getMessaging } from "firebase-admin/messaging";

const { port, token = "any" } = JSON.parse(process.env.STANDIN_TEST);
class LocalAgent extends https.Agent {
  createConnection() {
    return net.connect(port, "127.0.0.1");
  }
}
const httpAgent = new LocalAgent();
const credential = { getAccessToken: async () => ({ access_token: token, expires_in: 3600 }) };
const messaging = getMessaging(initializeApp({ projectId: "demo", credential, httpAgent }));
messaging.enableLegacyHttpTransport();
const outcome = (promise) => promise.then(
  (value) => value,
  ({ code, message }) => ({ code, message }),
);
`;

async function run(
  t: Deno.TestContext,
  service: TestService,
  about: { script: string; settings?: Record<string, unknown> },
): Promise<Record<string, unknown> | undefined> {
  const project = await requireNode(t);
  if (project === undefined) return undefined;
  const args = ["--input-type=module", "--eval", about.script];
  const settings = { port: service.ingress.port, ...about.settings };
  const { stdout } = await runOk(project.node, args, {
    cwd: project.folder,
    env: { STANDIN_TEST: JSON.stringify(settings) },
    timeoutMs: 60_000,
  });
  return JSON.parse(stdout);
}

/** Compares devices that are sent to at the same time, in any order. */
const byToken = (a: { readonly value: string }, b: { readonly value: string }): number =>
  a.value < b.value ? -1 : 1;

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<PushMessage>[] {
  return (service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[]).reverse();
}

Deno.test("firebase-admin sends to every kind of target, and accepts the returned names", async (t) => {
  await using service = await startService({ plugins: [push] });
  const seen = await run(t, service, {
    script: `${SETUP}
      const full = {
        token: "device",
        notification: { title: "T", body: "B", imageUrl: "https://example.com/i.png" },
        data: { k: "v", userName: "x" },
        android: {
          priority: "high",
          ttl: 3600500,
          collapseKey: "ck",
          restrictedPackageName: "p",
          notification: {
            clickAction: "OPEN", channelId: "c1", priority: "max", visibility: "public",
            vibrateTimingsMillis: [100, 200], defaultSound: true, notificationCount: 3,
            lightSettings: { color: "#aabbcc", lightOnDurationMillis: 10, lightOffDurationMillis: 20 },
            titleLocKey: "TK", titleLocArgs: ["a"], eventTimestamp: new Date(0), sticky: true,
          },
        },
        apns: {
          headers: { "apns-priority": "5" },
          payload: { aps: { alert: { title: "t" }, badge: 1, contentAvailable: true }, custom: 1 },
          fcmOptions: { imageUrl: "https://example.com/a.png" },
        },
        webpush: { headers: { TTL: "4500" }, notification: { title: "wt" } },
        fcmOptions: { analyticsLabel: "lab" },
      };
      const seen = {
        full: await messaging.send(full),
        checked: await messaging.send({ topic: "/topics/news", data: { a: "b" } }, true),
        condition: await messaging.send({ condition: "'a' in topics && !('b' in topics)" }),
        fid: await messaging.send({ fid: "installation", notification: { body: "x" } }),
        each: await messaging.sendEach([
          { token: "1", data: { a: "1" } },
          { token: "2", data: { a: "x".repeat(5000) } },
        ]),
        many: await messaging.sendEachForMulticast({ tokens: ["3", "4"], data: { a: "3" } }),
        subscribed: await messaging.subscribeToTopic(["a", "b"], "news"),
        unsubscribed: await messaging.unsubscribeFromTopic("a", "news"),
      };
      console.log(JSON.stringify(seen));`,
  });
  if (seen === undefined) return;
  const events = captured(service);
  const names = events.map(({ meta }) => meta.name);
  assertEquals(
    [seen.full, seen.checked, seen.condition, seen.fid],
    [names[0], "projects/demo/messages/fake_message_id", names[2], names[3]],
  );
  assertMatch(String(seen.full), /^projects\/demo\/messages\/0:[0-9a-f]{24}$/);
  const { successCount, failureCount, responses } = seen.each as Record<string, unknown> & {
    responses: { error?: { code: string; message: string } }[];
  };
  assertEquals([successCount, failureCount], [1, 1]);
  const { code, message } = responses[1]!.error!;
  assertEquals([code, message], [
    "messaging/invalid-argument",
    "Message is too large. The maximum is 4K (4096 bytes).",
  ]);
  assertEquals((seen.many as { successCount: number }).successCount, 2);
  assertEquals(seen.subscribed, { successCount: 2, failureCount: 0, errors: [] });
  assertEquals(seen.unsubscribed, { successCount: 1, failureCount: 0, errors: [] });
  const targets = events.map(({ payload }) => payload.target);
  assertEquals([...targets.slice(0, 5), ...targets.slice(5).toSorted(byToken)], [
    { kind: "device", value: "device", source: "token" },
    { kind: "topic", value: "news", source: "topic" },
    { kind: "condition", value: "'a' in topics && !('b' in topics)", source: "condition" },
    { kind: "device", value: "installation", source: "fid" },
    { kind: "device", value: "1", source: "token" },
    { kind: "device", value: "3", source: "token" },
    { kind: "device", value: "4", source: "token" },
  ]);
  assertEquals(events.map(({ payload }) => payload.kind), [
    "notification",
    "silent",
    "empty",
    "notification",
    "silent",
    "silent",
    "silent",
  ]);
  const [full] = events;
  assertEquals(full!.payload.alert, {
    title: "T",
    body: "B",
    category: "OPEN",
    image: "https://example.com/i.png",
    sound: "default",
    badge: 3,
    localization: { title_key: "TK", title_args: ["a"] },
  });
  assertEquals(full!.payload.delivery, {
    priority: "high",
    priority_raw: "high",
    collapse_key: "ck",
    expiry: { ttl_seconds: 3600, immediate: false, raw: "3600.500000000s" },
  });
  assertEquals(full!.payload.data_json, { k: "v", userName: "x" });
});

Deno.test("firebase-admin understands refusals", async (t) => {
  await using service = await startService({
    plugins: [push],
    config: { plugins: { push: { providers: { push1: { bearer_token: "right" } } } } },
  });
  const seen = await run(t, service, {
    script: `${SETUP}
      console.log(JSON.stringify({
        wrong: await outcome(messaging.send({ token: "t" })),
      }));`,
  });
  if (seen === undefined) return;
  const { code, message } = seen.wrong as { code: string; message: string };
  assertEquals(code, "messaging/third-party-auth-error");
  assertMatch(message, /^Request had invalid authentication credentials\./);
  assertEquals(captured(service), []);
});

Deno.test("@googleapis/fcm sends in camel case and reads the vendor's errors", async (t) => {
  await using service = await startService({ plugins: [push] });
  const seen = await run(t, service, {
    script: `
      import { fcm } from "@googleapis/fcm";
      const { port } = JSON.parse(process.env.STANDIN_TEST);
      const client = fcm({ version: "v1", rootUrl: "http://127.0.0.1:" + port + "/" });
      const send = (requestBody) =>
        client.projects.messages.send({ parent: "projects/demo", requestBody });
      const sent = await send({
        message: {
          topic: "news",
          android: { collapseKey: "k", ttl: "3.5s", notification: { clickAction: "X", title: "T" } },
          fcmOptions: { analyticsLabel: "l" },
        },
      });
      const failed = await send({ message: { data: { a: "b" } } }).catch((error) => error);
      console.log(JSON.stringify({
        name: sent.data.name,
        status: failed.status,
        errors: failed.errors ?? failed.response?.data?.error?.details,
        message: failed.message,
      }));`,
  });
  if (seen === undefined) return;
  const [event] = captured(service);
  assertEquals([seen.name, seen.status], [event!.meta.name, 400]);
  assertEquals(seen.message, "Recipient of the message is not set.");
  assertEquals(event!.payload.delivery.collapse_key, "k");
  assertEquals(event!.payload.alert, { title: "T", category: "X" });
});

Deno.test("firebase-admin learns of an unregistered token", async (t) => {
  await using service = await startService({
    plugins: [push],
    config: { callbacks: { enabled: true } },
  });
  const script = `${SETUP}
    const seen = await outcome(messaging.send({ token: "gone", notification: { title: "Hi" } }));
    console.log(JSON.stringify({ seen }));`;
  const before = await run(t, service, { script });
  if (before === undefined) return;
  assertMatch(String(before.seen), /^projects\/demo\/messages\//);
  await service.callback(captured(service)[0]!.id, "unregistered");
  const after = await run(t, service, { script });
  assertEquals(
    (after?.seen as { code: string }).code,
    "messaging/registration-token-not-registered",
  );
  assertEquals(captured(service).length, 1);
});
