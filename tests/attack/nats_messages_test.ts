/**
 * Messages that another client publishes to the streams of the instances: each is skipped, and the
 * instances continue.
 */
import { assertEquals } from "@std/assert";
import { connect, headers, type NatsConnection } from "@nats-io/transport-node";
import { jetstream } from "@nats-io/jetstream";
import { mutate, numbersFrom } from "../support/fuzz.ts";
import { until } from "../support/files.ts";
import { type Nats, requireNats } from "../support/nats.ts";
import { startService, type TestService } from "../support/service.ts";

const PREFIX = "team";
const SEED = 7;
/** Changed messages. */
const COUNT = 300;

function startInstance({ servers }: Pick<Nats, "servers">): Promise<TestService> {
  return startService({
    config: { storage: { events: "nats", nats: { servers, prefix: PREFIX } } },
  });
}

async function send(service: TestService, subject: string): Promise<number> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer key", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@example.org", to: "b@example.org", subject, text: "x" }),
  });
  await response.body?.cancel();
  return response.status;
}

async function subjects(service: TestService): Promise<readonly string[]> {
  const events = await service.getJson<{ summary: string }[]>("/events?limit=0&plugin=mail");
  return events.map(({ summary }) => summary.split(": ")[1]!);
}

/** A message with a header followed by bytes. */
function message(header: unknown, body = ""): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array([0, 0, 0, 0, ...json, ...new TextEncoder().encode(body)]);
  new DataView(bytes.buffer).setUint32(0, json.length);
  return bytes;
}

const EVENT = {
  plugin: "mail",
  provider: "mail3",
  type: "mail.message",
  received_at: 1e12,
  summary: "a -> b: hostile",
  summary_parts: {},
  meta: {},
  payload: {},
  raw: { transport: "http", text: true },
  blobs: [],
};
const PARCEL = {
  format: 1,
  kind: "captured",
  ids: ["0".repeat(24)],
  ms: [1],
  bodyOf: [0],
  sizes: [1],
  refs: [],
  events: [EVENT],
};

/** Each is readable, but not of the form that instances write. */
const HOSTILE: readonly unknown[] = [
  null,
  [],
  5,
  { format: 1 },
  { format: 1, kind: "deleted" },
  { format: 1, kind: "deleted", ids: [1] },
  { format: 1, kind: "cleared", plugin: {} },
  { format: 1, kind: "other" },
  { format: 1, events: 5 },
  { ...PARCEL, events: [null] },
  { ...PARCEL, events: [{ ...EVENT, summary: undefined }] },
  { ...PARCEL, events: [{ ...EVENT, raw: undefined }] },
  { ...PARCEL, events: [{ ...EVENT, received_at: 1e99 }] },
  { ...PARCEL, events: [{ ...EVENT, summary_parts: { to: 5 } }] },
  { ...PARCEL, events: [{ ...EVENT, raw: { ...EVENT.raw, headers: ["a"] } }] },
  { ...PARCEL, ids: ["../x"] },
  { ...PARCEL, ids: [] },
  { ...PARCEL, bodyOf: [7] },
  { ...PARCEL, sizes: [-1] },
  { ...PARCEL, sizes: [1e15] },
  { ...PARCEL, refs: [{ id: "b", size: "much" }] },
];

async function publishAll(connection: NatsConnection): Promise<void> {
  const client = jetstream(connection);
  const random = numbersFrom(SEED);
  const seeds = [message(PARCEL, "x"), message({ format: 1, kind: "deleted", ids: ["a"] })];
  for (const header of HOSTILE) await client.publish(`${PREFIX}.events.mail`, message(header, "x"));
  for (const header of HOSTILE) await client.publish(`${PREFIX}.removals`, message(header));
  await client.publish(`${PREFIX}.events.nobody`, message(HOSTILE[3]));
  await client.publish(`${PREFIX}.mark`, "x");
  for (let i = 0; i < COUNT; i++) {
    const bytes = mutate(seeds, random);
    // Only damaged ones, because a message with changed text is still valid.
    if (!isSound(bytes)) await client.publish(`${PREFIX}.removals`, bytes);
  }
  const named = headers();
  named.set("Standin-Object", "absent 999999999999999");
  await client.publish(`${PREFIX}.events.mail`, "", { headers: named });
  for (const text of ["", "null", "{}", '{"format":1,"changes":[{}]}']) {
    await client.publish(`${PREFIX}.s3.changes`, text);
  }
}

function isSound(bytes: Uint8Array): boolean {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + view.getUint32(0))));
    return header.format !== 1 || header.kind === "deleted" || header.kind === "captured";
  } catch {
    return false;
  }
}

Deno.test("messages from others are skipped, by running instances and by those started later", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startInstance(nats);
  assertEquals(await send(one, "before"), 200);
  const box = `${one.endpoint("s3").url}/box`;
  assertEquals(await (await fetch(box, { method: "PUT" })).text(), "");
  const connection = await connect({ servers: [...nats.servers] });
  try {
    await publishAll(connection);
  } finally {
    await connection.close();
  }
  assertEquals(await send(one, "after"), 200);
  await until(async () => (await subjects(one)).includes("after"));
  assertEquals(await subjects(one), ["after", "before"]);
  await using two = await startInstance(nats);
  assertEquals(await subjects(two), ["after", "before"]);
  for (const service of [one, two]) {
    const put = await fetch(`${service.endpoint("s3").url}/box/key`, { method: "PUT", body: "x" });
    assertEquals([put.status, await put.text()], [200, ""]);
    assertEquals(await (await fetch(`${service.endpoint("s3").url}/box/key`)).text(), "x");
    await service.getJson("/ready");
  }
});
