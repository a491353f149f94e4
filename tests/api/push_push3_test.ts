import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { encodeBase64Url } from "../../plugins/push/push3/base64url.ts";
import { encryptAes128gcm } from "../../plugins/push/push3/encryption.ts";
import { decodeToken, makeKeys } from "../../plugins/push/push3/subscription.ts";
import type { PushSubscription } from "../../plugins/push/subscriptions.ts";
import type { PushEnvelope } from "../../plugins/push/views.ts";
import { startService, type TestService } from "../support/service.ts";

const encoder = new TextEncoder();
const random = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32));

function start(push3: Record<string, unknown> = {}): Promise<TestService> {
  return startService({
    plugins: [push],
    config: { plugins: { push: { providers: { push3 } } } },
  });
}

async function subscribe(
  service: TestService,
  request?: Readonly<Record<string, unknown>>,
  status = 201,
): Promise<PushSubscription & { readonly error: string }> {
  const response = await fetch(`${service.api.url}/api/v1/push/subscriptions`, {
    method: "POST",
    ...(request && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
    }),
  });
  const body = await response.json();
  assertEquals(response.status, status, JSON.stringify(body));
  return body;
}

function encrypted(endpoint: string, text: string): Uint8Array<ArrayBuffer> {
  const keys = decodeToken(endpoint.split("/").at(-1)!);
  assert(typeof keys !== "string");
  const sender = { privateKey: makeKeys(random).privateKey, salt: random().subarray(0, 16) };
  return encryptAes128gcm(encoder.encode(text), keys, sender);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(
  endpoint: string,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array<ArrayBuffer>,
): Promise<Answer> {
  const response = await fetch(endpoint, { method: "POST", headers, ...(body && { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A key pair of an application server, and tokens signed with it. */
async function applicationServer() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign"]) as CryptoKeyPair;
  const key = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const part = (value: unknown): string => encodeBase64Url(encoder.encode(JSON.stringify(value)));
  const sign = async (claims: unknown, head: unknown = { typ: "JWT", alg: "ES256" }) => {
    const text = `${part(head)}.${part(claims)}`;
    const made = await crypto.subtle.sign(algorithm, pair.privateKey, encoder.encode(text));
    return `${text}.${encodeBase64Url(new Uint8Array(made))}`;
  };
  return { publicKey: encodeBase64Url(key), sign };
}

const ENCRYPTED = { "content-encoding": "aes128gcm", ttl: "60" };

Deno.test("a push to a subscription created here is decrypted, even after a reset", async () => {
  await using service = await start();
  const { endpoint, keys, id, expirationTime } = await subscribe(service);
  assertEquals([keys.p256dh.length, keys.auth.length, expirationTime], [87, 22, null]);
  assertMatch(endpoint, /\/wpush\/v1\/st1-/);
  await (await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" })).body?.cancel();
  assertEquals(await service.getJson("/push/subscriptions"), []);
  const text = JSON.stringify({ title: "T", body: "Your code is 123456", id: 5 });
  const answer = await send(endpoint, ENCRYPTED, encrypted(endpoint, text));
  assertEquals([answer.status, answer.text], [201, ""]);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages?has=code");
  assertEquals(answer.headers.get("location"), `${service.ingress.url}/m/${pushed!.id}`);
  assertEquals(pushed!.message.alert, { title: "T", body: "Your code is 123456" });
  assertEquals(pushed!.message.data_json, { id: 5 });
  assertEquals(pushed!.explain, "Shows text, if the service worker does so");
  assertEquals(pushed!.meta, { subscription: id, encoding: "aes128gcm" });
  const formats = pushed!.message.payloads?.map(({ format }) => format);
  assertEquals(formats, ["push3.body", "push3.payload"]);
});

Deno.test("a push to a subscription created elsewhere is kept encrypted", async () => {
  await using service = await start();
  const { endpoint } = await subscribe(service);
  const elsewhere = `${service.ingress.url}/fcm/send/abc:APA91b`;
  const answer = await send(elsewhere, ENCRYPTED, encrypted(endpoint, "Hello"));
  assertEquals(answer.status, 201);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  assertEquals([pushed!.message.kind, pushed!.message.alert], ["silent", undefined]);
  assertMatch(pushed!.explain, /^Cannot tell what it shows: .* was not created here/);
});

Deno.test("a request that the push services refuse is refused in their words", async (t) => {
  await using service = await start();
  const { endpoint } = await subscribe(service);
  const body = encrypted(endpoint, "Hello");
  const aesgcm = { ttl: "1", "content-encoding": "aesgcm" };
  const rows: readonly (readonly [Record<string, string>, number | null, string])[] = [
    [{}, 111, "Missing TTL value"],
    [{ ttl: "soon" }, 111, "Missing TTL value"],
    [{ ttl: "-1", "content-encoding": "aes128gcm" }, 114, "TTL must be greater than 0"],
    [{ ttl: "1" }, 110, "Missing Content-Encoding header"],
    [{ ttl: "1", "content-encoding": "zstd" }, 110, "Unknown Content-Encoding header"],
    [aesgcm, 110, "Missing Encryption header"],
    [{ ...aesgcm, encryption: "salt" }, 110, "Invalid Encryption header"],
    [{ ...aesgcm, encryption: "salt=AAAA" }, 110, "Missing Crypto-Key header"],
    [{ ...ENCRYPTED, "crypto-key": "dh=AAAA" }, 110, "Do not include 'dh' header"],
    [{ ...ENCRYPTED, topic: "a".repeat(33) }, 113, "no greater than 32 characters"],
    [{ ...ENCRYPTED, topic: "a b" }, 113, "URL and Filename safe Base64"],
    [{ ...ENCRYPTED, urgency: "low, high" }, null, "Invalid Urgency header"],
  ];
  for (const [headers, errno, message] of rows) {
    await t.step(`${message}: ${JSON.stringify(headers)}`, async () => {
      const { status, text } = await send(endpoint, headers, body);
      const answer = JSON.parse(text);
      assertEquals([status, answer.code, answer.errno], [400, 400, errno]);
      assertStringIncludes(answer.message, message);
    });
  }
  assertEquals(service.events.count(), 0);
  const broken = await send(`${endpoint.slice(0, -1)}`, ENCRYPTED, body);
  assertEquals([broken.status, JSON.parse(broken.text).errno], [404, 102]);
});

Deno.test("VAPID is verified: key, signature, audience and expiry", async (t) => {
  await using service = await start();
  const server = await applicationServer();
  const stranger = await applicationServer();
  const { endpoint } = await subscribe(service, { applicationServerKey: server.publicKey });
  assertMatch(endpoint, /\/wpush\/v2\//);
  const aud = service.ingress.url;
  const soon = Math.floor(Date.now() / 1000) + 3600;
  const header = async (
    claims: unknown,
    { by = server, k = by.publicKey, head }: {
      by?: typeof server;
      k?: string;
      head?: unknown;
    } = {},
  ) => `vapid t=${await by.sign(claims, head)}, k=${k}`;
  const good = { aud, exp: soon, sub: "mailto:ada@example.org" };
  const forged = await header(good, { by: stranger, k: server.publicKey });
  const rows: readonly (readonly [string | undefined, string])[] = [
    [undefined, "Missing VAPID public key"],
    ["Basic YTpi", "Unknown auth scheme"],
    ["vapid", "Missing VAPID token"],
    ["vapid k=AAAA", "Missing VAPID token"],
    [await header(good, { k: "AAAA" }), "Invalid VAPID public key"],
    [await header(good, { by: stranger }), "VAPID public key mismatch"],
    [forged, "InvalidSignature"],
    [`vapid t=a.b, k=${server.publicKey}`, "InvalidToken"],
    [await header(good, { head: { alg: "none" } }), "InvalidAlgorithm"],
    [await header({ ...good, exp: soon - 7200 }), "ExpiredSignature"],
    [await header({ ...good, exp: soon + 86_400 }), "expiration is too long"],
    [await header({ ...good, exp: "soon" }), "Invalid VAPID expiry"],
    [await header({ ...good, aud: "https://example.org" }), "Invalid VAPID audience"],
    [await header({ ...good, aud: `${aud}/path` }), "Invalid VAPID audience"],
  ];
  for (const [authorization, message] of rows) {
    await t.step(message, async () => {
      const headers = { ttl: "0", ...(authorization !== undefined && { authorization }) };
      const { status, text } = await send(endpoint, headers);
      assertEquals([status, JSON.parse(text).errno], [401, 109], text);
      assertStringIncludes(JSON.parse(text).message, message);
    });
  }
  assertEquals(service.events.count(), 0);
  const answer = await send(endpoint, { ttl: "0", authorization: await header(good) });
  assertEquals(answer.status, 201, answer.text);
  const [pushed] = await service.getJson<PushEnvelope[]>("/push/messages");
  const vapid = { scheme: "vapid", public_key: server.publicKey, ...good };
  assertEquals(pushed!.meta?.vapid, vapid);
});

Deno.test("require_vapid refuses a push without it to any subscription", async () => {
  await using service = await start({ require_vapid: true });
  const { endpoint } = await subscribe(service);
  assertEquals((await send(endpoint, { ttl: "0" })).status, 401);
});

Deno.test("a topic replaces the earlier push until it is canceled", async () => {
  await using service = await start();
  const { endpoint } = await subscribe(service);
  const sendTopic = async (topic: string): Promise<string> => {
    const { headers } = await send(endpoint, { ttl: "60", topic });
    return headers.get("location")!;
  };
  const [first, other] = [await sendTopic("a"), await sendTopic("b")];
  const second = await sendTopic("a");
  assertEquals((await fetch(second, { method: "DELETE" })).status, 204);
  const gone = await fetch(second, { method: "DELETE" });
  assertEquals([gone.status, (await gone.json()).message], [404, "Invalid message ID"]);
  await sendTopic("a");
  const list = await service.getJson<PushEnvelope[]>("/push/messages");
  const replaced = list.toReversed().map(({ meta }) => meta?.replaces);
  assertEquals(replaced, [undefined, undefined, first.split("/").at(-1), undefined]);
  assert(other !== first);
});

Deno.test("a receipt may be requested, but never arrives", async () => {
  await using service = await start();
  const { endpoint } = await subscribe(service);
  const { status, headers } = await send(endpoint, { ttl: "60", prefer: "respond-async, wait=5" });
  assertEquals(status, 202);
  const [, receipt, rel] = /^<(.+)>; rel="(.+)"$/.exec(headers.get("link") ?? "") ?? [];
  assertEquals(rel, "urn:ietf:params:push:receipt");
  assertEquals((await fetch(receipt!)).status, 204);
});

Deno.test("subscriptions can be listed and ended, and an invalid request for one names its error", async () => {
  await using service = await start();
  const made = await subscribe(service, { origin: "https://push.example", service: "google" });
  assertMatch(made.endpoint, /^https:\/\/push\.example\/fcm\/send\/st1-/);
  assertEquals(await service.getJson("/push/subscriptions"), [made]);
  const url = `${service.api.url}/api/v1/push/subscriptions/${made.id}`;
  assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
  const again = await fetch(url, { method: "DELETE" });
  assertEquals(again.status, 404);
  await again.body?.cancel();
  const path = new URL(made.endpoint).pathname;
  const answer = await send(`${service.ingress.url}${path}`, { ttl: "0" });
  assertEquals(answer.text, "push subscription has unsubscribed or expired.\n");
  const faults: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ applicationserverkey: "x" }, 'did you mean "applicationServerKey"?'],
    [{ applicationServerKey: "AAAA" }, "expected a P-256 public key"],
    [{ origin: "localhost:8822" }, "expected scheme, host and port"],
    [{ origin: "https://a.example/path" }, "expected scheme, host and port"],
    [{ service: "opera" }, "expected one of mozilla, google"],
    [{ service: 5 }, "expected text, got number"],
  ];
  for (const [request, error] of faults) {
    assertStringIncludes((await subscribe(service, request, 400)).error, error);
  }
});

Deno.test("faults are answered as by the push services", async () => {
  await using service = await start();
  const { endpoint } = await subscribe(service);
  const response = await fetch(`${service.api.url}/api/v1/faults`, {
    method: "POST",
    body: JSON.stringify({
      on: "push/push3",
      match: { "alert.body": { contains: "Hello" } },
      outcome: ["gone", "rate_limit"],
    }),
  });
  assertEquals(response.status, 201, await response.text());
  const say = (text: string) => send(endpoint, ENCRYPTED, encrypted(endpoint, text));
  assertEquals((await say("Good bye")).status, 201);
  const gone = await say("Hello");
  assertEquals([gone.status, JSON.parse(gone.text).errno], [410, 106]);
  const limited = await say("Hello");
  assertEquals([limited.status, limited.headers.get("retry-after")], [429, "120"]);
  assertEquals((await say("Hello")).status, 201);
});
