/**
 * Instances that keep events in NATS: every instance shows the captures, deletions and resets of
 * each.
 */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { ConfigError } from "../../core/errors.ts";
import { createLogger } from "../../core/log.ts";
import { openEngine } from "../../core/nats/engine.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { noise, scratch, until } from "../support/files.ts";
import { type Nats, requireNats, toNatsSettings } from "../support/nats.ts";
import { SseReader } from "../support/sse.ts";
import { startService, type TestService } from "../support/service.ts";

const PREFIX = "team";

/** An instance on the servers. */
function startInstance(
  { servers }: Pick<Nats, "servers">,
  storage: Readonly<Record<string, unknown>> = {},
): Promise<TestService> {
  return startService({
    config: {
      namespaces: { recipients: ["*+{namespace}@example.org"] },
      storage: { events: "nats", nats: { servers, prefix: PREFIX }, ...storage },
    },
  });
}

interface View {
  readonly id: string;
  readonly summary: string;
  readonly payload: {
    readonly attachments?: readonly { readonly blob: { readonly id: string } }[];
  };
}

/** Sends a mail over HTTP; returns the status of the response. */
async function send(
  service: TestService,
  subject: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify({
      from: "ada@example.org",
      to: "bob@example.org",
      subject,
      text: subject,
      ...more,
    }),
  });
  await response.body?.cancel();
  return response.status;
}

async function subjects(service: TestService, query = ""): Promise<string[]> {
  const events = await service.getJson<View[]>(`/events?limit=0${query}`);
  return events.map(({ summary }) => summary.split(": ")[1]!);
}

async function remove(service: TestService, path: string): Promise<number> {
  const response = await fetch(`${service.api.url}/api/v1${path}`, { method: "DELETE" });
  return response.status;
}

Deno.test("every instance shows what one of them acknowledges, deletes or resets", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startInstance(nats);
  await using two = await startInstance(nats);

  await t.step("an acknowledged event is in the list of the other at once", async () => {
    for (let n = 0; n < 10; n++) {
      const [from, to] = n % 2 === 0 ? [one, two] : [two, one];
      assertEquals(await send(from, `mail ${n}`), 200);
      assertEquals((await subjects(to))[0], `mail ${n}`);
    }
    assertEquals(await subjects(one), await subjects(two));
  });

  await t.step("a capture on one instance satisfies a wait on the other", async () => {
    const waited = two.getJson<View[]>("/events/wait?plugin=mail&search=awaited");
    await send(one, "awaited");
    assertEquals((await waited).length, 1);
  });

  await t.step("bodies and attachments of every size are the same", async () => {
    for (const size of [10, 300_000, 3_000_000]) {
      const bytes = noise(size, size);
      const attachments = [{ filename: "a.bin", content: bytes.toBase64() }];
      assertEquals(await send(one, `size ${size}`, { attachments }), 200);
      const [event] = await two.getJson<View[]>("/events?limit=1");
      const { blob } = event!.payload.attachments![0]!;
      for (const service of [one, two]) {
        const response = await fetch(`${service.api.url}/api/v1/blobs/${blob.id}`);
        assertEquals(await response.bytes(), bytes, `${size} bytes`);
      }
      const path = `/events/${event!.id}`;
      assertEquals(
        { ...await one.getJson<View>(path), url: "" },
        { ...await two.getJson<View>(path), url: "" },
      );
    }
  });

  await t.step("deletions and namespaces are shared", async () => {
    await send(one, "of t17", { to: "bob+t17@example.org" });
    assertEquals(await subjects(two, "&namespace=t17"), ["of t17"]);
    const [newest] = await one.getJson<View[]>("/events?limit=1");
    assertEquals(await remove(two, `/events/${newest!.id}`), 204);
    await one.getJson(`/events/${newest!.id}`, 404);
    await send(two, "kept");
    await send(one, "of t18", { to: "bob+t18@example.org" });
    assertEquals(await remove(two, "/events?namespace=t18"), 204);
    assertEquals((await subjects(one))[0], "kept");
  });

  await t.step("an instance that starts later has the same list", async () => {
    await using three = await startInstance(nats);
    assertEquals(await subjects(three), await subjects(one));
    const views = await Promise.all(
      [one, three].map((service) => service.getJson<View[]>("/events?limit=0&include_raw=true")),
    );
    const [first, second] = views.map((list) => list.map((view) => ({ ...view, url: "" })));
    assertEquals(first, second);
  });

  await t.step("a reset applies to every instance", async () => {
    const rule = JSON.stringify({ on: "mail/mail3", outcome: "server_error" });
    const url = `${two.api.url}/api/v1/faults`;
    const headers = { "content-type": "application/json" };
    await (await fetch(url, { method: "POST", headers, body: rule })).body?.cancel();
    assertEquals(await send(two, "faulty"), 500);
    await fetch(`${one.api.url}/api/v1/reset`, { method: "POST" });
    assertEquals(await subjects(two), []);
    assertEquals(await two.getJson("/faults"), { faults: [], count: 0 });
    assertEquals(await send(two, "fine"), 200);
    assertEquals(await subjects(one), ["fine"]);
  });

  await t.step("a vendor's own routes return what the other captured", async () => {
    const account = `AC${"0".repeat(32)}`;
    const headers = { authorization: `Basic ${btoa(`${account}:x`)}` };
    const path = `/2010-04-01/Accounts/${account}/Messages`;
    const body = new URLSearchParams({ To: "+15005550006", From: "+15005550006", Body: "sms" });
    const sent = await fetch(`${one.ingress.url}${path}.json`, { method: "POST", headers, body });
    const { sid } = await sent.json();
    const read = await fetch(`${two.ingress.url}${path}/${sid}.json`, { headers });
    assertEquals((await read.json()).body, "sms");
  });

  await t.step("reports name the storage engine", async () => {
    const { storage } = await one.getJson<{ storage: Record<string, unknown> }>("/health");
    const { server, silent_seconds, ...rest } = storage;
    assertEquals(typeof silent_seconds, "number");
    const state = { connected: true, behind: 0 };
    const writers = [{ plugin: "files", at: "here", host: "127.0.0.1" }];
    assertEquals(rest, { events: "nats", servers: [...nats.servers], ...state, writers });
    assertMatch(String(server), /^127\.0\.0\.1:\d+$/);
    const metrics = await (await fetch(`${one.api.url}/metrics`)).text();
    assertMatch(metrics, /^standin_log_connected 1$/m);
    assertMatch(metrics, /^standin_log_append_seconds_total \d+\.\d+$/m);
  });

  await t.step("instances with another prefix share nothing", async () => {
    await using other = await startInstance(nats, {
      nats: { servers: nats.servers, prefix: "other" },
    });
    assertEquals(await subjects(other), []);
  });
});

Deno.test("a stream resumed on another instance misses and repeats nothing", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startInstance(nats);
  await using two = await startInstance(nats);
  const total = 120;
  await send(one, "first");
  const [first] = await one.getJson<View[]>("/events");
  const sending = Promise.all([one, two].map(async (service, index) => {
    for (let n = 0; n < total / 2; n++) assertEquals(await send(service, `${index}-${n}`), 200);
  }));
  sending.catch(() => {});
  const read: string[] = [];
  for (let turn = 0, last = first!.id; read.length < total; turn++) {
    const at = [one, two][turn % 2]!;
    await using frames = new SseReader(
      await fetch(`${at.api.url}/api/v1/events/stream?after=${last}`),
    );
    for (const end = Math.min(read.length + 15, total); read.length < end;) {
      const { event, id, data } = await frames.next();
      assert(event !== "gap", `a gap after ${read.length}`);
      if (id === undefined) continue;
      last = id;
      read.push(JSON.parse(data!).summary.split(": ")[1]);
    }
  }
  await sending;
  assertEquals(["first", ...read], (await subjects(one)).toReversed());
  assertEquals(new Set(read).size, total);
});

Deno.test("limits apply across instances, and NATS stores no more than they allow", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startInstance(nats, { capacity: 5 });
  await using two = await startInstance(nats, { capacity: 5 });
  const content = noise(50_000).toBase64();
  for (let n = 0; n < 20; n++) {
    await send(n % 2 === 0 ? one : two, `mail ${n}`, {
      attachments: [{ filename: "a", content }],
    });
  }
  const newest = ["mail 19", "mail 18", "mail 17", "mail 16", "mail 15"];
  assertEquals(await subjects(one), newest);
  assertEquals(await subjects(two), newest);
  const connection = await connect({ servers: [...nats.servers] });
  try {
    const manager = await jetstreamManager(connection);
    const kept = async (stream: string) => (await manager.streams.info(stream)).state;
    await until(async () => (await kept(`${PREFIX}-events`)).messages <= 5);
    await until(async () => (await kept(`${PREFIX}-bytes`)).bytes < 6 * 50_000);
  } finally {
    await connection.close();
  }
  await using three = await startInstance(nats, { capacity: 5 });
  assertEquals(await subjects(three), newest);
});

Deno.test("what one instance drops for lack of memory, the others drop too", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using small = await startInstance(nats, { memory_limit: "64MB", raw_limit: "32MB" });
  await using large = await startInstance(nats, { raw_limit: "32MB" });
  const text = "x".repeat(1_000_000);
  for (let n = 0; n < 30; n++) {
    assertEquals(await send(large, `mail ${n}`, { text }), 200);
    assertEquals(await sendAs2(large, text), 200);
  }
  assertEquals(await reasonsOf(small), ["memory"]);
  await untilSame(large, small);
  assertEquals(await reasonsOf(large), ["elsewhere"]);
  await using another = await startInstance(nats);
  await untilSame(another, small);
});

/** Waits until two instances show the same list: one may drop more events at any time, the other follows soon. */
async function untilSame(one: TestService, other: TestService): Promise<void> {
  await until(async () => (await subjects(one)).join() === (await subjects(other)).join());
}

/** Returns why events were dropped, each reason once. */
async function reasonsOf(service: TestService): Promise<string[]> {
  const metrics = await (await fetch(`${service.api.url}/metrics`)).text();
  const found = metrics.matchAll(/^standin_events_dropped_total\{.*reason="(\w+)"/gm);
  return [...new Set([...found].map(([, reason]) => reason!))];
}

/** Sends an AS2 message that is neither signed nor encrypted. */
async function sendAs2(service: TestService, body: string): Promise<number> {
  const response = await fetch(`${service.ingress.url}/as2`, {
    method: "POST",
    headers: {
      "as2-version": "1.2",
      "as2-from": "ada",
      "as2-to": "bob",
      "message-id": `<${crypto.randomUUID()}@example.org>`,
      "content-type": "application/edi-x12",
    },
    body,
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("while NATS is down nothing is acknowledged, lists say so, and all recovers by itself", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startInstance(nats);
  await using two = await startInstance(nats);
  assertEquals(await send(one, "before"), 200);
  await nats.stop(0, "SIGKILL");
  const [status, list] = await Promise.all([send(one, "during"), listStatus(two)]);
  assertEquals([status, list], [503, 503]);
  const health = await one.getJson<{ storage: { connected: boolean } }>("/health");
  assertEquals(health.storage.connected, false);
  await one.getJson("/ready", 503);
  assertEquals(await send(one, "refused at once"), 503);
  await nats.start(0);
  for (const each of [one, two]) {
    await until(() => each.getJson("/ready").then(() => true, () => false));
  }
  assertEquals(await send(one, "after"), 200);
  assertEquals(await subjects(two), ["after", "before"]);
  assertEquals(await subjects(one), ["after", "before"]);
});

async function listStatus(service: TestService): Promise<number> {
  const response = await fetch(`${service.api.url}/api/v1/events`);
  const { error } = await response.json();
  assertMatch(error, /^Cannot tell which events there are: NATS/);
  return response.status;
}

Deno.test("an unusable server stops the start, and doctor says why", async (t) => {
  await using nats = await requireNats(t, { config: "" });
  if (nats === undefined) return;
  await assertRejects(() => startInstance(nats), ConfigError, "JetStream does not answer");
  const [server = ""] = nats.servers;
  const args = ["doctor", "--events=nats", `--nats-servers=${server}`];
  assertMatch((await runToEnd(args)).stdout, /bad +Cannot keep events in NATS: JetStream/);
  await nats.stop(0);
  await assertRejects(() => startInstance(nats), ConfigError, `Cannot reach NATS at ${server}`);
});

Deno.test("a server older than 2.11 stops the start, with both versions in the message", async (t) => {
  // A setting of newer servers.
  const config = `jetstream { store_dir: "FOLDER" }`;
  await using nats = await requireNats(t, { server: "nats_server_2_10", config });
  if (nats === undefined) return;
  const message = /it is version 2\.10\.\d+, and 2\.11 is the oldest/;
  const error = await assertRejects(() => startInstance(nats), ConfigError);
  assertMatch(error.message, message);
  const args = ["doctor", "--events=nats", `--nats-servers=${nats.servers}`];
  assertMatch((await runToEnd(args)).stdout, message);
});

Deno.test("a server that does not sync each message to the disk is reported at the start", async (t) => {
  // Servers answer only accounts that may ask.
  const question = "$SYS.REQ.SERVER.PING.JSZ";
  const accounts = `accounts {
    SYS { users: [{ user: sys, password: x }], exports: [{ service: "${question}" }] }
    APP { jetstream: enabled, users: [{ user: app, password: x }],
      imports: [{ service: { account: SYS, subject: "${question}" } }] }
  }
  system_account: SYS`;
  for (const sync of ["always", "2m"]) {
    const config = `jetstream { store_dir: "FOLDER", sync_interval: ${sync} }\n${accounts}`;
    await using nats = await requireNats(t, { config });
    if (nats === undefined) return;
    const lines: string[] = [];
    const log = createLogger({
      level: "info",
      write: (line) => lines.push(line),
      now: () => new Date(),
    });
    const { servers } = nats;
    const settings = toNatsSettings({ servers, username: "app", password: "x" });
    await using _engine = await openEngine(settings, log);
    const found = lines.filter((line) => line.includes("sync_interval"));
    assertEquals(found.length, sync === "always" ? 0 : 1, lines.join(""));
    if (sync !== "always") assertMatch(found[0]!, /warn.*does not sync each message to the disk/i);
  }
});

Deno.test("doctor says which server it found, and what is local to each instance", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using folder = await scratch();
  const args = ["doctor", "--events=nats", `--nats-servers=${nats.servers}`];
  const { stdout } = await runToEnd(args, { plugins: STANDARD_PLUGINS });
  assertMatch(
    stdout,
    /ok +NATS 2\.\d+\.\d+ at 127\.0\.0\.1:\d+; stream "standin-events" is created/,
  );
  const disk = await runToEnd([...args, "--persist", folder.path], { plugins: STANDARD_PLUGINS });
  assertMatch(disk.stdout, /does not share files, s3: each instance has its own store of it/);
});
