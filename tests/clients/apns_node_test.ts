import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { requireNode, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const DEVICE = "a".repeat(64);
const ID = "123e4567-e89b-12d3-a456-42661417400A";

async function run(
  t: Deno.TestContext,
  service: TestService,
  script: string,
): Promise<Record<string, unknown> | undefined> {
  const project = await requireNode(t);
  if (project === undefined) return undefined;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await runOk(project.node, args, {
    cwd: project.folder,
    env: { PORT: String(service.ingress.port) },
    timeoutMs: 60_000,
  });
  return JSON.parse(stdout);
}

/** Returns the captures, oldest first. */
function captured(service: TestService): CapturedEvent<PushMessage>[] {
  return (service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[]).reverse();
}

const PROVIDER = `
import crypto from "node:crypto";
import net from "node:net";
import apn from "@parse/node-apn";

const port = Number(process.env.PORT);
const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = privateKey.export({ type: "pkcs8", format: "pem" });
const options = {
  token: { key, keyId: "ABC123DEFG", teamId: "TEAM123456" },
  address: "127.0.0.1",
  port,
  createConnection: () => net.connect(port, "127.0.0.1"),
};
`;

Deno.test("node-apn sends alerts and background pushes over HTTP/2, and reads refusals", async (t) => {
  await using service = await startService({
    plugins: [push],
    config: { plugins: { push: { providers: { push2: { key_id: "ABC123DEFG" } } } } },
  });
  const seen = await run(
    t,
    service,
    `${PROVIDER}
    const provider = new apn.Provider(options);
    const alert = new apn.Notification({
      topic: "com.example.app", pushType: "alert", priority: 10, expiry: 1700000000,
      collapseId: "c1", id: "${ID}", badge: 0, sound: "ping.aiff",
      alert: { title: "T", subtitle: "S", body: "B" }, category: "cat", threadId: "th",
      mutableContent: 1, payload: { messageFrom: "John" },
    });
    const background = new apn.Notification({
      topic: "com.example.app", pushType: "background", priority: 5, contentAvailable: 1,
    });
    const large = new apn.Notification({ topic: "com.example.app", alert: "x".repeat(5000) });
    const results = [
      await provider.send(alert, "${DEVICE}"),
      await provider.send(background, ["b1", "b2"]),
      await provider.send(new apn.Notification({ alert: "no topic" }), "${DEVICE}"),
      await provider.send(large, "${DEVICE}"),
    ];
    const multi = new apn.MultiProvider({ ...options, clientCount: 3 });
    const many = await multi.send(alert, Array.from({ length: 30 }, (_, i) => "m" + i));
    provider.shutdown();
    multi.shutdown();
    console.log(JSON.stringify({
      results: results.map(({ sent, failed }) => ({
        sent: sent.map(({ device }) => device),
        failed: failed.map(({ status, response }) => [status, response.reason]),
      })),
      ids: [results[0].sent[0]["apns-id"], results[0].sent[0]["apns-unique-id"]],
      many: [many.sent.length, many.failed.length],
    }));`,
  );
  if (seen === undefined) return;
  assertEquals(seen.results, [
    { sent: [DEVICE], failed: [] },
    { sent: ["b1", "b2"], failed: [] },
    { sent: [], failed: [[400, "MissingTopic"]] },
    { sent: [], failed: [[413, "PayloadTooLarge"]] },
  ]);
  assertEquals(seen.many, [30, 0]);
  const events = captured(service);
  assertEquals(events.length, 33);
  const [alert, background] = events;
  assertEquals(alert!.raw.http_version, "2");
  assertEquals(alert!.payload.alert, {
    title: "T",
    subtitle: "S",
    body: "B",
    category: "cat",
    sound: "ping.aiff",
    badge: 0,
  });
  assertEquals(seen.ids, [ID, alert!.meta.push2_unique_id]);
  const { kid, iss, stale } = alert!.meta.jwt as Record<string, unknown>;
  assertEquals([kid, iss, stale], ["ABC123DEFG", "TEAM123456", false]);
  assertEquals([background!.payload.kind, background!.payload.delivery.priority], [
    "silent",
    "normal",
  ]);
});

Deno.test("apns2 over HTTP/1.1 is served, and the push is tagged", async (t) => {
  await using service = await startService({ plugins: [push] });
  const seen = await run(
    t,
    service,
    `import crypto from "node:crypto";
    import { ApnsClient, Notification } from "apns2";
    import { Pool } from "undici";

    const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
    const signingKey = privateKey.export({ type: "pkcs8", format: "pem" });
    const client = new ApnsClient({
      team: "TEAM123456", keyId: "ABC123DEFG", signingKey, defaultTopic: "com.example.app",
    });
    // The vendor's address is built in; this leads it here.
    client.client = new Pool("http://127.0.0.1:" + process.env.PORT);
    await client.send(new Notification("${DEVICE}", { alert: { title: "T", body: "B" }, badge: 4 }));
    const failed = await client.send(
      new Notification("${DEVICE}", { alert: "x", collapseId: "x".repeat(65) }),
    ).catch((error) => error);
    await client.client.close();
    console.log(JSON.stringify({ reason: failed.reason, status: failed.statusCode }));`,
  );
  if (seen === undefined) return;
  assertEquals(seen, { reason: "BadCollapseId", status: 400 });
  const [event] = captured(service);
  assertEquals([event!.payload.alert?.title, event!.payload.alert?.badge], ["T", 4]);
  assertMatch(String(event!.meta.warning), /only speaks HTTP\/2/);
});

Deno.test("one connection carries hundreds of pushes at a time, and stays open between them", async (t) => {
  await using service = await startService({
    plugins: [push],
    config: { storage: { capacity: 5000 } },
  });
  const seen = await run(
    t,
    service,
    `import http2 from "node:http2";
    const session = http2.connect("http://127.0.0.1:" + process.env.PORT);
    let open = 0, most = 0;
    const send = (i) => new Promise((resolve, reject) => {
      const id = "00000000-0000-4000-8000-" + String(i).padStart(12, "0");
      const stream = session.request({
        ":method": "POST", ":path": "/3/device/d" + i, "apns-id": id,
        ...(i % 10 === 9 ? {} : { "apns-topic": "com.example.app" }),
      });
      most = Math.max(most, ++open);
      let head, body = "";
      stream.on("response", (headers) => head = headers);
      stream.setEncoding("utf8");
      stream.on("data", (text) => body += text);
      stream.on("error", reject);
      stream.on("close", () => {
        open--;
        resolve([head[":status"], head["apns-id"] === id, body]);
      });
      stream.end(JSON.stringify({ aps: { alert: "push " + i } }));
    });
    const ping = () => new Promise((resolve, reject) =>
      session.ping((error) => error ? reject(error) : resolve()));
    const wave = (from) => Promise.all(Array.from({ length: 500 }, (_, i) => send(from + i)));
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    const answers = [];
    for (let from = 0; from < 2000; from += 500) {
      answers.push(...await wave(from));
      await ping();
    }
    const counts = {};
    for (const answer of answers) counts[answer.join(" ")] = (counts[answer.join(" ")] ?? 0) + 1;
    console.log(JSON.stringify({ counts, most, closed: session.closed || session.destroyed }));
    session.close();`,
  );
  if (seen === undefined) return;
  assertEquals(seen.counts, {
    "200 true ": 1800,
    '400 true {"reason":"MissingTopic"}': 200,
  });
  assertEquals(seen.closed, false);
  assert(Number(seen.most) >= 100, String(seen.most));
  assertEquals(service.events.count("push"), 1800);
  const peers = new Set(captured(service).map(({ raw }) => raw.peer_addr));
  assertEquals(peers.size, 1);
});

Deno.test("node-apn creates channels, sends broadcasts to them, and reads refusals", async (t) => {
  await using service = await startService({ plugins: [push] });
  const seen = await run(
    t,
    service,
    `${PROVIDER}
    const provider = new apn.Provider({
      ...options, manageChannelsAddress: "127.0.0.1", manageChannelsPort: port,
    });
    const bundle = "com.example.app";
    const ask = (action, fields = {}, raw = {}) => {
      const note = new apn.Notification({ rawPayload: raw });
      Object.assign(note, fields);
      return provider.manageChannels(note, bundle, action);
    };
    const made = await ask("create", { requestId: "${ID}" }, {
      "message-storage-policy": 1, "push-type": "LiveActivity",
    });
    const channelId = made.sent[0]["apns-channel-id"];
    const read = await ask("read", { channelId });
    const all = await ask("readAll");
    const send = (fields) => provider.broadcast(new apn.Notification({
      pushType: "liveactivity", expiry: 1700000000, priority: 10,
      rawPayload: { aps: {
        timestamp: 1700000000, event: "update", "content-state": { score: "2:1" },
        alert: { title: "Goal!", body: "2:1" },
      } },
      ...fields,
    }), bundle);
    const results = [
      await send({ channelId }),
      await send({}),
      await send({ channelId: "AAAA" }),
      await send({ channelId, pushType: "alert" }),
      await ask("create", {}, { "message-storage-policy": 1 }),
      await ask("delete", { channelId }),
      await ask("delete", { channelId }),
    ];
    provider.shutdown();
    console.log(JSON.stringify({
      made: made.sent[0]["apns-request-id"],
      read: [read.sent[0]["message-storage-policy"], read.sent[0]["push-type"]],
      all: all.sent[0].channels,
      channelId,
      results: results.map(({ sent, failed }) =>
        [sent.length, ...failed.map(({ status, response }) => status + response.reason)]),
    }));`,
  );
  if (seen === undefined) return;
  const { channelId } = seen;
  assertMatch(String(channelId), /^[A-Za-z0-9+\/]{22}==$/);
  assertEquals(seen, {
    made: ID,
    read: [1, "LiveActivity"],
    all: [channelId],
    channelId,
    results: [
      [1],
      [0, "400MissingChannelId"],
      [0, "400ChannelNotRegistered"],
      [0, "400InvalidPushType"],
      [0, "400MissingPushType"],
      [1],
      [0, "400ChannelNotRegistered"],
    ],
  });
  const events = captured(service);
  assertEquals(events.length, 1);
  const [{ payload }] = events as [CapturedEvent<PushMessage>];
  assertEquals(payload.target, { kind: "channel", value: channelId as string, source: "channel" });
  assertEquals([payload.app, payload.kind, payload.push_type], [
    "com.example.app",
    "notification",
    "liveactivity",
  ]);
  assertEquals(payload.alert, { title: "Goal!", body: "2:1" });
});

Deno.test("node-apn reads since when a device token has been unregistered", async (t) => {
  await using service = await startService({
    plugins: [push],
    config: { callbacks: { enabled: true } },
  });
  const script = `${PROVIDER}
    const provider = new apn.Provider(options);
    const note = new apn.Notification({ topic: "com.example.app", alert: "Hi" });
    const { sent, failed } = await provider.send(note, "${DEVICE}");
    provider.shutdown();
    console.log(JSON.stringify({
      sent: sent.length,
      failed: failed.map(({ status, response }) => [status, response]),
    }));`;
  const before = await run(t, service, script);
  if (before === undefined) return;
  assertEquals(before, { sent: 1, failed: [] });
  await service.callback(captured(service)[0]!.id, "unregistered");
  const told = Date.now();
  const after = await run(t, service, script) as {
    sent: number;
    failed: [number, { reason: string; timestamp: number }][];
  };
  const [[status, { reason, timestamp }]] = after.failed as [(typeof after.failed)[0]];
  assertEquals([after.sent, Number(status), reason], [0, 410, "Unregistered"]);
  assert(timestamp <= told && timestamp > told - 60_000);
});
