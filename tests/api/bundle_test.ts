/** Exporting captured events to one file, and importing them. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as zip from "@zip.js/zip.js";
import type { EventView } from "../../core/events/view.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { runToEnd } from "../cli/console.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startService, type TestService } from "../support/service.ts";

zip.configure({ useWebWorkers: false });

async function send(
  service: TestService,
  subject: string,
  { headers = {}, ...more }: { headers?: Record<string, string>; attachments?: object[] } = {},
): Promise<void> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_any", "content-type": "application/json", ...headers },
    body: JSON.stringify({
      from: "a@example.com",
      to: "b@example.org",
      subject,
      text: "x",
      ...more,
    }),
  });
  await response.body?.cancel();
  assertEquals(response.status, 200);
}

async function fetchBytes(service: TestService, path: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`${service.api.url}/api/v1${path}`);
  assertEquals(response.status, 200, path);
  return await response.bytes();
}

async function take(
  service: TestService,
  body: BodyInit,
): Promise<{ readonly status: number; readonly said: Record<string, unknown> }> {
  const response = await fetch(`${service.api.url}/api/v1/import`, { method: "POST", body });
  return { status: response.status, said: await response.json() };
}

async function reset(service: TestService): Promise<void> {
  const response = await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" });
  assertEquals(response.status, 204);
}

/** Every event as the API returns it, oldest first, with the raw request. */
async function everything(service: TestService): Promise<EventView[]> {
  return (await service.getJson<EventView[]>("/events?include_raw=true")).reverse();
}

function withoutMark(events: readonly Pick<EventView, "meta">[]): unknown[] {
  return events.map(({ meta, ...event }) => {
    const { imported: _imported, ...rest } = meta ?? {};
    return Object.keys(rest).length === 0 ? event : { ...event, meta: rest };
  });
}

/** The bytes of every blob that the events refer to, in hexadecimal, by id. */
async function blobsOf(
  service: TestService,
  events: readonly EventView[],
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (
    const [id] of JSON.stringify(events.map(({ payload }) => payload)).matchAll(
      /(?<=")[0-9a-f]{24}(?=")/g,
    )
  ) {
    const response = await fetch(`${service.api.url}/api/v1/blobs/${id}`);
    const bytes = await response.bytes();
    if (response.status === 200) found[id] = bytes.toHex();
  }
  return found;
}

Deno.test("events of every plugin survive export, wipe and import byte for byte", async () => {
  await using service = await startService();
  const demo = await runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });
  assertEquals([demo.code, demo.stderr], [0, ""]);
  // Traps are not acknowledged: the last one may still be in flight. A file becomes an upload once NFS is quiet.
  await service.waitFor("snmp.trap", { search: "authenticationFailure" });
  await service.waitFor("files.upload", { provider: "nfs" });
  const events = await everything(service);
  assertEquals(
    new Set(events.map(({ plugin }) => plugin)),
    new Set(STANDARD_PLUGINS.map(({ id }) => id)),
  );
  const blobs = await blobsOf(service, events);
  assert(Object.keys(blobs).length >= 3, "the samples have attachments, files and objects");
  const lists = ["/mail/messages", "/sms/messages", "/chat/messages", "/hl7/messages?segment=PID"];
  const views = await Promise.all(lists.map((path) => service.getJson(path)));
  const bundle = await fetchBytes(service, "/export");

  await reset(service);
  assertEquals(await everything(service), []);
  for (const id of Object.keys(blobs)) await service.getJson(`/blobs/${id}`, 404);
  const { status, said } = await take(service, bundle);
  assertEquals([status, said], [200, { imported: events.length, known: 0, dropped: 0 }]);

  const again = await everything(service);
  assertEquals(withoutMark(again), events);
  assert(again.every(({ meta }) => Reflect.get(Object(meta?.imported), "at") !== undefined));
  assertEquals(await blobsOf(service, again), blobs);
  for (const [index, path] of lists.entries()) {
    assertEquals(withoutMark(await service.getJson<EventView[]>(path)), views[index]);
  }

  assertEquals((await take(service, bundle)).said, {
    imported: 0,
    known: events.length,
    dropped: 0,
  });
  await send(service, "later");
  assertEquals((await everything(service)).at(-1)?.summary_parts.title, "later");
});

Deno.test("an imported event is deleted with its attachment, like a captured one", async () => {
  await using service = await startService({ plugins: [mail] });
  await send(service, "one", { attachments: [{ filename: "a.txt", content: btoa("hello") }] });
  const bundle = await fetchBytes(service, "/export");
  await reset(service);
  await take(service, bundle);
  const [event] = await everything(service);
  const [id] = Object.keys(await blobsOf(service, [event!]));
  assertEquals(await fetchBytes(service, `/blobs/${id}`), new TextEncoder().encode("hello"));
  assertEquals(service.events.delete(event!.id), true);
  await reset(service);
  await service.getJson(`/blobs/${id}`, 404);
});

Deno.test("an export can be limited to a plugin or a namespace", async () => {
  await using service = await startService({ plugins: [mail] });
  await send(service, "one", { headers: { "X-Standin-Namespace": "n1" } });
  await send(service, "two");
  const bundle = await fetchBytes(service, "/export?namespace=n1");
  await reset(service);
  assertEquals((await take(service, bundle)).said.imported, 1);
  const [event] = await everything(service);
  assertEquals([event?.namespace, event?.summary_parts.title], ["n1", "one"]);
});

Deno.test("an import that exceeds the store evicts the oldest events and says so", async () => {
  let bundle: Uint8Array<ArrayBuffer>;
  {
    await using service = await startService({ plugins: [mail] });
    for (const subject of ["one", "two", "three"]) await send(service, subject);
    bundle = await fetchBytes(service, "/export");
  }
  await using small = await startService({ plugins: [mail], config: { storage: { capacity: 2 } } });
  assertEquals((await take(small, bundle)).said, { imported: 2, known: 0, dropped: 1 });
  const titles = (await everything(small)).map(({ summary_parts }) => summary_parts.title);
  assertEquals(titles, ["two", "three"]);
});

/** A bundle of one mail, whose files `change` may change, add or remove. */
async function changed(
  change: (files: Map<string, Uint8Array<ArrayBuffer>>) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  await using service = await startService({ plugins: [mail] });
  await send(service, "one", { attachments: [{ filename: "a.txt", content: btoa("hello") }] });
  const reader = new zip.ZipReader(new zip.Uint8ArrayReader(await fetchBytes(service, "/export")));
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    files.set(entry.filename, Uint8Array.from(await entry.getData(new zip.Uint8ArrayWriter())));
  }
  await reader.close();
  change(files);
  const writer = new zip.ZipWriter(new zip.Uint8ArrayWriter());
  for (const [name, bytes] of files) await writer.add(name, new zip.Uint8ArrayReader(bytes));
  return Uint8Array.from(await writer.close());
}

function edit(
  name: string,
  change: (text: string) => string,
): (files: Map<string, Uint8Array<ArrayBuffer>>) => void {
  return (files) => {
    const text = new TextDecoder().decode(files.get(name));
    files.set(name, new TextEncoder().encode(change(text)));
  };
}

const EVENTS = "events.ndjson";

const HOSTILE: readonly (readonly [
  name: string,
  change: (files: Map<string, Uint8Array<ArrayBuffer>>) => void,
  status: number,
  said: string,
])[] = [
  [
    "a path out of the folder",
    (files) => files.set("../x", new Uint8Array(1)),
    400,
    "Unsafe filename",
  ],
  [
    "an absolute path",
    (files) => files.set("/etc/passwd", new Uint8Array(1)),
    400,
    "Unsafe filename",
  ],
  [
    "a file name that no bundle has",
    (files) => files.set("raw/x", new Uint8Array(1)),
    400,
    '"raw/x"',
  ],
  ["no manifest", (files) => files.delete("manifest.json"), 400, "manifest.json"],
  ["another manifest", edit("manifest.json", () => "[]"), 400, "manifest.json"],
  [
    "a later version",
    edit("manifest.json", (text) => text.replace(": 1,", ": 2,")),
    400,
    "version",
  ],
  ["no events", (files) => files.delete(EVENTS), 400, EVENTS],
  ["a broken line", edit(EVENTS, (text) => `{\n${text}`), 400, "line 1 of events.ndjson"],
  ["an unterminated line", edit(EVENTS, (text) => text.trimEnd()), 400, "ends within line 1"],
  ["an event twice", edit(EVENTS, (text) => text + text), 400, "line 2"],
  [
    "an invalid id",
    edit(EVENTS, (text) => text.replace(/"id":"\w+"/, '"id":"../a"')),
    400,
    "/id",
  ],
  ["no id", edit(EVENTS, (text) => text.replace(/"id":"\w+",/, "")), 400, "/id"],
  ["a wrong transport", edit(EVENTS, (text) => text.replace('"http"', '"gopher"')), 400, "/raw"],
  [
    "no valid time",
    edit(EVENTS, (text) => text.replace(/"received_at":"[^"]+"/, '"received_at":"x"')),
    400,
    "received_at",
  ],
  [
    "an event from the future",
    edit(EVENTS, (text) => text.replace(/"id":"\w+"/, `"id":"${"f".repeat(24)}"`)),
    409,
    "clock",
  ],
  [
    "an unknown plugin",
    edit(EVENTS, (text) => text.replace('"plugin":"mail"', '"plugin":"fax"')),
    409,
    '"fax"',
  ],
  [
    "a payload of another shape",
    edit(EVENTS, (text) => text.replace(/"payload":\{.*\},"raw"/, '"payload":null,"raw"')),
    400,
    "no payload of mail",
  ],
  [
    "a type that its plugin does not have",
    edit(EVENTS, (text) => text.replace('"mail.message"', '"mail.x"')),
    400,
    '"mail.x"',
  ],
  ["no raw request", (files) => drop(files, "raw/"), 400, "raw/"],
  ["no attachment", (files) => drop(files, "blobs/"), 400, "blobs/"],
  ["an attachment of another size", (files) => grow(files, "blobs/"), 400, "6 bytes"],
];

function nameOf(files: ReadonlyMap<string, unknown>, start: string): string {
  return [...files.keys()].find((name) => name.startsWith(start))!;
}

function drop(files: Map<string, Uint8Array<ArrayBuffer>>, start: string): void {
  files.delete(nameOf(files, start));
}

function grow(files: Map<string, Uint8Array<ArrayBuffer>>, start: string): void {
  files.set(nameOf(files, start), new Uint8Array(6));
}

Deno.test("a hostile bundle is refused whole, with the reason", async (t) => {
  await using service = await startService({ plugins: [mail] });
  for (const [name, change, status, said] of HOSTILE) {
    await t.step(name, async () => {
      const answer = await take(service, await changed(change));
      assertEquals(
        [answer.status, service.events.count()],
        [status, 0],
        JSON.stringify(answer.said),
      );
      assertStringIncludes(String(answer.said.error), said);
    });
  }
});

Deno.test("a bundle that is not an archive, truncated or corrupted is refused", async () => {
  await using service = await startService({ plugins: [mail] });
  const whole = await changed(() => {});
  for (
    const bytes of [new Uint8Array(), new Uint8Array(100), whole.subarray(0, whole.length - 30)]
  ) {
    const { status, said } = await take(service, bytes);
    assertEquals([status, service.events.count()], [400, 0]);
    assertStringIncludes(String(said.error), "standin export");
  }
  for (let at = 100; at < whole.length; at += 97) {
    const bent = Uint8Array.from(whole);
    bent[at]! ^= 0xff;
    const { status } = await take(service, bent);
    if (status === 200) await reset(service);
    assert([200, 400, 409].includes(status), `byte ${at}: ${status}`);
  }
});

Deno.test("a decompression bomb is refused before it is unpacked", async () => {
  const bundle = await changed((files) => {
    files.set(nameOf(files, "raw/"), new Uint8Array(300_000_000));
  });
  assert(bundle.length < 1_000_000);
  await using service = await startService({ plugins: [mail] });
  const { status, said } = await take(service, bundle);
  assertEquals([status, service.events.count()], [400, 0]);
  assertStringIncludes(String(said.error), "more than");
});

Deno.test("attachments that do not fit leave nothing behind", async () => {
  const bundle = await changed(() => {});
  await using service = await startService({
    plugins: [mail],
    config: { storage: { blob_limit: 4 } },
  });
  const { status, said } = await take(service, bundle);
  assertEquals([status, service.events.count()], [413, 0]);
  assertStringIncludes(String(said.error), "blob_limit");
});

Deno.test("an instance with a seed refuses ids of another run", async () => {
  await using service = await startService({ plugins: [mail], config: { repeat: { seed: "s" } } });
  const { status, said } = await take(service, new Uint8Array());
  assertEquals(status, 409);
  assertStringIncludes(String(said.error), "seed");
});

/** Incompressible bytes. */
function noise(length: number): string {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes.toBase64();
}

Deno.test("an abandoned export releases its attachments", async () => {
  await using service = await startService({ plugins: [mail] });
  const attachments = [{ filename: "a.bin", content: noise(8_000_000) }];
  await send(service, "one", { attachments });
  const [id] = Object.keys(await blobsOf(service, await everything(service)));
  const response = await fetch(`${service.api.url}/api/v1/export`);
  const reader = response.body!.getReader();
  await reader.read();
  await reader.cancel();
  // Released as soon as the service sees that the client left; a reset then drops unreferenced
  // blobs.
  let status = 200;
  for (let tries = 0; status === 200 && tries < 500; tries++) {
    await reset(service);
    const answer = await fetch(`${service.api.url}/api/v1/blobs/${id}`);
    await answer.body?.cancel();
    status = answer.status;
  }
  assertEquals(status, 404);
  assertEquals(service.log, []);
});

Deno.test("an attachment removed during the export is left out", async () => {
  await using service = await startService({ plugins: [mail, s3] });
  const put = `${service.endpoint("s3/http").url}/bucket`;
  await (await fetch(put, { method: "PUT" })).body?.cancel();
  for (const key of ["a", "b"]) {
    await (await fetch(`${put}/${key}`, { method: "PUT", body: noise(4_000_000) })).body?.cancel();
  }
  const response = await fetch(`${service.api.url}/api/v1/export`);
  const reader = response.body!.getReader();
  const first = await reader.read();
  await (await fetch(`${put}/b`, { method: "DELETE" })).body?.cancel();
  const pieces = [Uint8Array.from(first.value!)];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    pieces.push(Uint8Array.from(next.value));
  }
  await reset(service);
  const { status } = await take(service, new Blob(pieces));
  assertEquals([status, service.events.count("s3")], [200, 3]);
});
