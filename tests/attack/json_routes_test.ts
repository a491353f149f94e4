/**
 * Changed JSON and bundles to the routes that read a body: each is accepted or refused, and never
 * causes an internal error.
 */
import { assert, assertEquals } from "@std/assert";
import * as zip from "@zip.js/zip.js";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { fuzzed, mutate, numbersFrom } from "../support/fuzz.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService, type TestService } from "../support/service.ts";

zip.configure({ useWebWorkers: false });

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Random = (below: number) => number;

const ID = "01a2070ee1bf00004ee5dc69";

/** Values that commonly break parsers. */
const ODD: readonly Json[] = [
  null,
  true,
  0,
  -1,
  0.5,
  -0,
  1e308,
  2 ** 53,
  2 ** 31,
  "",
  " ",
  "\0",
  "\ud800",
  "\u202e",
  "__proto__",
  "constructor",
  "0",
  "1e9",
  "5s",
  "-1s",
  "/(a+)+$/",
  "/[/",
  "*",
  "a".repeat(3000),
  "%",
  "http://127.0.0.1:1/x",
  "file:///etc/passwd",
  "2026-02-30T25:61:61Z",
  "mail/mail2",
  "mail.message",
  [],
  {},
  [[]],
  [null],
  { toString: "x" },
  { $ne: null },
  { min: -1, max: 1e99 },
  Array.from({ length: 300 }, (_, at) => at),
];

/** Replaces, duplicates or removes one value of the tree. */
function changed(value: Json, random: Random): Json {
  const isLeaf = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (isLeaf || random(6) === 0) return ODD[random(ODD.length)]!;
  if (Array.isArray(value)) {
    const at = random(value.length);
    if (random(4) === 0) return [...value, ...value];
    return value.map((item, index) => index === at ? changed(item, random) : item);
  }
  const entries = Object.entries(value);
  const at = random(entries.length);
  const [name, member] = entries[at]!;
  switch (random(5)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(at, 1));
    case 1:
      return { ...Object.fromEntries(entries), [`${name}x`]: member };
    default:
      return Object.fromEntries(entries.with(at, [name, changed(member, random)]));
  }
}

const encoder = new TextEncoder();

/** A body: a tree with up to four changes, or its text with some changes. */
function hostile(seeds: readonly Json[], random: Random): Uint8Array<ArrayBuffer> {
  let value: Json = seeds[random(seeds.length)]!;
  if (random(3) === 0) return mutate([encoder.encode(JSON.stringify(value))], random).slice();
  for (let left = 1 + random(4); left > 0; left--) value = changed(value, random);
  return encoder.encode(JSON.stringify(value));
}

const tool = (name: string, args: Json): Json => ({
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name, arguments: args },
});

const EXPECTATION: Json = {
  type: "mail.message",
  provider: "sendgrid",
  to: "ada@example.org",
  match: { subject: "/^Hel+o$/", "from.email": "shop@example.com" },
  count: { min: 1, max: 3 },
  timeout: 0,
};
const ORDER: Json = {
  order: [{ type: "mail.message" }, { type: "sms.message", search: "code" }],
  timeout: "1ms",
};
const FAULT: Json = {
  on: "sendgrid",
  name: "limit",
  match: { to: "bounce@example.org" },
  outcome: ["rate_limit", "server_error"],
  times: 3,
  ttl: "1ms",
};

const BODIES: Readonly<Record<string, readonly Json[]>> = {
  "/mcp": [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } },
    {
      jsonrpc: "2.0",
      id: "a",
      method: "resources/read",
      params: { uri: `standin://events/${ID}` },
    },
    { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} },
    { jsonrpc: "2.0", method: "notifications/initialized", params: {} },
    tool("how_to_send", { provider: "sendgrid", language: "curl" }),
    tool("wait_for_event", { type: "mail.message", timeout: "1ms", filters: { subject: "x" } }),
    tool("list_events", { plugin: "mail", limit: 3, search: "x", namespace: "t1" }),
    tool("get_event", { id: ID, part: "raw" }),
    tool("expect_events", EXPECTATION),
    tool("extract", { id: ID }),
    tool("check_event", { id: ID, level: "info" }),
    tool("clear_events", { plugin: "toy" }),
    tool("add_fault", FAULT),
    tool("clear_faults", { on: "mail/mail2" }),
  ],
  "/faults": [
    FAULT,
    { on: "smtp", outcome: "mailbox_unavailable", chance: 0.5, seed: "x", skip: 1, ttl: "1ms" },
    { on: "mail/mail2", outcome: "status", with: { status: 503 }, after: true, ttl: "1ms" },
    { on: "s3", delay: "1ms", namespace: "t1", ttl: "1ms" },
  ],
  "/expect": [EXPECTATION, ORDER, { type: "sms.message", none: true, timeout: 0 }],
};

const MANIFEST: Json = {
  format: "standin-bundle",
  version: 1,
  exported_at: "2026-11-23T07:00:00.000Z",
  events: 1,
};
const RECORD: Json = {
  id: ID,
  plugin: "webhook",
  provider: "hooks",
  namespace: "t1",
  type: "webhook.request",
  received_at: "2026-11-23T06:00:00.000Z",
  summary: "x",
  summary_parts: { from: "a", to: ["b"], title: "c", snippet: "d" },
  meta: {},
  payload: {},
  raw: { transport: "http", text: true, headers: [["a", "b"]], file: ID },
  blobs: [{ id: ID, size: 1, sha256: "0".repeat(64), content_type: "text/plain" }],
};
const EXPECTED: Json = {
  id: ID,
  started_at: "2026-11-23T06:00:00.000Z",
  duration_ms: 12,
  name: "n",
  expectation: { type: "mail.message" },
  met: false,
  count: 0,
  events: [ID],
  error: "No mail",
};

/** A bundle with changed lines, or with some changed bytes. */
async function hostileBundle(real: readonly Json[], random: Random): Promise<Uint8Array> {
  const line = (value: Json, isChanged: boolean): string =>
    JSON.stringify(isChanged ? changed(value, random) : value);
  const which = random(3);
  const record = real[random(real.length)] ?? RECORD;
  const writer = new zip.ZipWriter(new zip.Uint8ArrayWriter());
  const add = (name: string, text: string) => writer.add(name, new zip.TextReader(text));
  await add("manifest.json", line(MANIFEST, which === 0));
  await add(`raw/${(record as typeof RECORD & { raw: { file: string } }).raw.file}`, "x");
  await add(`blobs/${ID}`, "x");
  await add("expectations.ndjson", `${line(EXPECTED, which === 1)}\n`);
  await add("events.ndjson", `${line(record, which === 2)}\n`);
  const bytes = await writer.close();
  return random(8) === 0 ? mutate([bytes], random) : bytes;
}

/** Inbound payloads of each provider, from the service's list of callbacks. */
async function inboundExamples(service: TestService): Promise<readonly Json[]> {
  const { providers } = await service.getJson<{
    providers: { on: string; inbound?: { example: Json } }[];
  }>("/callbacks/providers");
  return providers.flatMap(({ on, inbound }) =>
    inbound === undefined ? [] : [{ provider: on, payload: inbound.example }]
  );
}

/** The lines of a bundle with events of every plugin. */
async function realRecords(service: TestService): Promise<readonly Json[]> {
  const response = await fetch(`${service.api.url}/api/v1/export`);
  const reader = new zip.ZipReader(new zip.Uint8ArrayReader(await response.bytes()));
  const entries = await reader.getEntries();
  const events = entries.find(({ filename }) => filename === "events.ndjson");
  if (events === undefined || events.directory) return [];
  const text = await events.getData(new zip.TextWriter());
  return text.trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** Concurrent requests. */
const ABREAST = 16;

/** Refusals of a service that is temporarily full. */
const BUSY: readonly number[] = [503, 507];

/** Returns a response that no body may cause. */
async function faultOf(
  url: string,
  body: Uint8Array,
  taken: () => void,
): Promise<string | undefined> {
  // Some wait for events, and are not awaited.
  const patience = new AbortController();
  const { signal } = patience;
  const timer = setTimeout(() => patience.abort(), 400);
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: body.slice(), signal });
    const text = await response.text();
    if (response.ok) taken();
    // An internal error of JSON-RPC comes with status 200.
    const isFault = response.status >= 500 && !BUSY.includes(response.status) ||
      text.includes("-32603");
    if (!isFault) return undefined;
    const sent = new TextDecoder().decode(body).slice(0, 2000);
    return `${response.status} ${text.slice(0, 500)} for ${JSON.stringify(sent)}`;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sends this many bodies, some concurrently; at least one must be accepted, or the test proves
 * nothing.
 */
async function attack(
  url: string,
  runs: number,
  make: () => Uint8Array | Promise<Uint8Array>,
): Promise<void> {
  const faults: string[] = [];
  let left = runs;
  let count = 0;
  const one = async (): Promise<void> => {
    while (left-- > 0 && faults.length < 5) {
      const fault = await faultOf(url, await make(), () => count++);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: ABREAST }, one));
  assertEquals(faults, []);
  assert(count > 0, `${url} took none`);
}

Deno.test("no JSON and no bundle makes a route fail, and the service answers afterwards", async (t) => {
  const { numRuns, seed = 1 } = fuzzed(600);
  await using app = startReceiver();
  const inbound = { mail1: app.url, mail2: app.url, sms1: app.url, chat1: app.url, http: app.url };
  await using service = await startService({
    config: { callbacks: { enabled: true, inbound } },
  });
  const api = `${service.api.url}/api/v1`;
  const demo = await runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });
  assertEquals(demo.code, 0);
  const real = await realRecords(service);
  const bodies = { ...BODIES, "/inbound": await inboundExamples(service) };
  for (const [path, seeds] of Object.entries(bodies)) {
    await t.step(path, async () => {
      const random = numbersFrom(seed);
      const url = path === "/mcp" ? `${service.ui.url}/mcp` : `${api}${path}`;
      await attack(url, numRuns, () => hostile(seeds, random));
      await service.getJson("/health");
    });
  }
  await t.step("/import", async () => {
    const random = numbersFrom(seed);
    await attack(`${api}/import`, numRuns / 4, () => hostileBundle(real, random));
    // Accepted data can be read back.
    await service.getJson("/events?limit=1000");
    await service.getJson("/stories?limit=1000");
    await service.getJson("/expect?limit=1000");
  });
  assertEquals(service.log.filter((line) => /\berror\b/i.test(line)), []);
});
