/** Random operations on the object store, compared with a plain array: in memory, on disk, and shared over NATS. */
import { assertEquals } from "@std/assert";
import { noise, scratch } from "../support/files.ts";
import { requireNats } from "../support/nats.ts";
import { begin, completion, pick, sendPart, startStore, type Store } from "../support/s3.ts";
import { seedFrom } from "../support/settings.ts";

const STEPS = 250;
const SEED = seedFrom("MODEL_SEED");

/** Number of concurrent instances of a catalog, and how to open one. */
interface Kind {
  readonly instances: number;
  /** Absent if nothing survives an instance. */
  readonly reopens?: boolean;
  open(): Promise<Store>;
}

type OpenKind = (
  t: Deno.TestContext,
  stack: AsyncDisposableStack,
) => Promise<Kind | undefined>;

const OPTIONS = { min_part_bytes: 1 };

const KINDS: Readonly<Record<string, OpenKind>> = {
  memory: () => Promise.resolve({ instances: 1, open: () => startStore(OPTIONS) }),
  async filesystem(_t, stack) {
    const { path } = stack.use(await scratch());
    const storage = { backend: "filesystem", path };
    return { instances: 1, reopens: true, open: () => startStore(OPTIONS, { storage }) };
  },
  async nats(t, stack) {
    const nats = await requireNats(t);
    if (nats === undefined) return undefined;
    stack.use(nats);
    const storage = { events: "nats", nats: { servers: nats.servers } };
    return { instances: 3, reopens: true, open: () => startStore(OPTIONS, { storage }) };
  },
};

/** A version of a key; without a body it is a delete marker. */
interface Version {
  readonly key: string;
  readonly id: string;
  readonly body?: string;
  tag?: string;
}

/** Expected contents of the bucket: versions of every key, oldest first. */
class Model {
  versions: Version[] = [];
  versioning: "" | "Enabled" | "Suspended" = "";

  newest(key: string): Version | undefined {
    return this.versions.findLast((one) => one.key === key);
  }

  add(version: Version): void {
    const { key, id } = version;
    if (id === "null") {
      this.versions = this.versions.filter((one) => one.key !== key || one.id !== "null");
    }
    this.versions.push(version);
  }

  drop(version: Version): void {
    this.versions = this.versions.filter((one) => one !== version);
  }
}

/** One operation. */
interface Step {
  readonly store: Store;
  readonly model: Model;
  readonly key: string;
  readonly body: string;
  random(most: number): number;
}

for (const [name, open] of Object.entries(KINDS)) {
  Deno.test(`${name} catalog: random operations match a plain array`, async (t) => {
    await using stack = new AsyncDisposableStack();
    const kind = await open(t, stack);
    if (kind === undefined) return;
    const stores: Store[] = [];
    stack.defer(async () => {
      for (const store of stores) await store[Symbol.asyncDispose]();
    });
    for (let n = 0; n < kind.instances; n++) stores.push(await kind.open());
    const model = new Model();
    const random = generator(SEED);
    for (let count = 0; count < STEPS; count++) {
      const index = random(stores.length);
      if (kind.reopens === true && random(80) === 0) {
        await stores[index]![Symbol.asyncDispose]();
        stores[index] = await kind.open();
      }
      const step = PLAYS[random(PLAYS.length)]!;
      const [key, body] = [`k${random(4)}`, `${count} `.repeat(1 + random(50_000))];
      await step({ store: stores[index]!, model, key, body, random });
      const reader = stores[random(stores.length)]!;
      await compare(reader, model, `${step.name}, step ${count}, seed ${SEED}`);
    }
  });
}

async function put({ store, model, key, body }: Step): Promise<void> {
  const response = await store.send("PUT", `/box/${key}`, { body });
  note(model, key, { body, response });
  await response.body?.cancel();
}

function note(
  model: Model,
  key: string,
  { body, response }: { body: string; response: Response },
): void {
  assertEquals(response.status, 200);
  const id = response.headers.get("x-amz-version-id") ?? "null";
  assertEquals(id === "null", model.versioning !== "Enabled");
  model.add({ key, id, body });
}

async function putIfAbsent({ store, model, key, body }: Step): Promise<void> {
  const isThere = model.newest(key)?.body !== undefined;
  const headers = { "if-none-match": "*" };
  const response = await store.send("PUT", `/box/${key}`, { body, headers });
  await response.body?.cancel();
  if (isThere) assertEquals(response.status, 412);
  else note(model, key, { body, response });
}

async function remove({ store, model, key }: Step): Promise<void> {
  const response = await store.send("DELETE", `/box/${key}`);
  assertEquals(response.status, 204);
  if (model.versioning === "") {
    const old = model.newest(key);
    if (old !== undefined) model.drop(old);
    return;
  }
  assertEquals(response.headers.get("x-amz-delete-marker"), "true");
  model.add({ key, id: response.headers.get("x-amz-version-id")! });
}

async function removeVersion({ store, model, random }: Step): Promise<void> {
  const version = model.versions[random(model.versions.length)];
  if (version === undefined) return;
  const { key, id } = version;
  await store.text("DELETE", `/box/${key}?versionId=${id}`, 204);
  model.drop(version);
}

async function removeMany({ store, model, random }: Step): Promise<void> {
  if (model.versions.length === 0) return;
  const chosen = new Set(
    Array.from({ length: 3 }, () => model.versions[random(model.versions.length)]!),
  );
  const entries = [...chosen].map(({ key, id }) =>
    `<Object><Key>${key}</Key><VersionId>${id}</VersionId></Object>`
  );
  const body = `<Delete>${entries.join("")}</Delete>`;
  const text = await store.text("POST", "/box?delete", 200, { body });
  assertEquals(pick(text, "Key").length, chosen.size);
  for (const version of chosen) model.drop(version);
}

async function copy({ store, model, key, random }: Step): Promise<void> {
  const source = `k${random(4)}`;
  if (source === key) return;
  const headers = { "x-amz-copy-source": `/box/${source}` };
  const response = await store.send("PUT", `/box/${key}`, { headers });
  await response.body?.cancel();
  const old = model.newest(source);
  if (old?.body === undefined) return assertEquals(response.status, 404);
  note(model, key, { body: old.body, response });
  if (old.tag !== undefined) model.newest(key)!.tag = old.tag;
}

async function tag({ store, model, key, random }: Step): Promise<void> {
  const text = `t${random(1000)}`;
  const body = `<Tagging><TagSet><Tag><Key>a</Key><Value>${text}</Value></Tag></TagSet></Tagging>`;
  const newest = model.newest(key);
  const code = await store.code("PUT", `/box/${key}?tagging`, { body });
  if (newest?.body === undefined) {
    return assertEquals(code, newest === undefined ? "404 NoSuchKey" : "405 MethodNotAllowed");
  }
  assertEquals(code, "200");
  newest.tag = text;
}

async function upload({ store, model, key, body }: Step): Promise<void> {
  const id = await begin(store, `/box/${key}`);
  const etags: [number, string][] = [];
  for (const number of [1, 2]) {
    const place = `/box/${key}?uploadId=${id}&partNumber=${number}`;
    etags.push([number, await sendPart(store, place, body)]);
  }
  const path = `/box/${key}?uploadId=${id}`;
  const response = await store.send("POST", path, { body: completion(etags) });
  await response.body?.cancel();
  note(model, key, { body: body + body, response });
}

async function setVersioning({ store, model, random }: Step): Promise<void> {
  model.versioning = random(3) === 0 ? "Suspended" : "Enabled";
  const status = `<Status>${model.versioning}</Status>`;
  const body = `<VersioningConfiguration>${status}</VersioningConfiguration>`;
  await store.text("PUT", "/box?versioning", 200, { body });
}

async function reset({ store, model, random }: Step): Promise<void> {
  if (random(4) > 0) return;
  await fetch(`${store.service.api.url}/api/v1/reset`, { method: "POST" });
  model.versions = [];
  model.versioning = "";
}

const PLAYS = [
  ...[put, put, put, putIfAbsent, remove, remove, removeVersion, removeVersion, removeMany],
  ...[copy, tag, upload, setVersioning, reset],
];

/** Compares all versions, and the bytes and tags of one. */
async function compare(store: Store, { versions }: Model, where: string): Promise<void> {
  const text = await store.text("GET", "/box?versions", 200);
  const found = [...text.matchAll(/<(Version|DeleteMarker)>(.*?)<\/\1>/gs)].map(([, kind, inner]) =>
    `${pick(inner!, "Key")} ${pick(inner!, "VersionId")} ${kind} ${pick(inner!, "Size")}`
  );
  const wanted = versions.toReversed().toSorted((a, b) => a.key < b.key ? -1 : +(a.key > b.key))
    .map(({ key, id, body }) =>
      body === undefined ? `${key} ${id} DeleteMarker ` : `${key} ${id} Version ${body.length}`
    );
  assertEquals(found, wanted, where);
  const one = versions[noise(1, found.length + where.length)[0]! % versions.length];
  if (one?.body === undefined) return;
  const path = `/box/${one.key}?versionId=${one.id}`;
  assertEquals(await store.text("GET", path, 200) === one.body, true, where);
  const tags = await store.text("GET", path.replace("?", "?tagging&"), 200);
  assertEquals(pick(tags, "Value"), one.tag === undefined ? [] : [one.tag], where);
}

function generator(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 2_147_483_648 * most);
  };
}
