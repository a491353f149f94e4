/** Markup in every text of an event of every plugin: pages show it, and run and load nothing. */
import { assert, assertEquals } from "@std/assert";
import * as zip from "@zip.js/zip.js";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { browserTest } from "../support/browser.ts";
import { KEPT_INERT } from "../support/hostile_html.ts";
import type { TestService } from "../support/service.ts";

zip.configure({ useWebWorkers: false });

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Tree = { readonly [name: string]: Json };

/** Markup that would run or load if any context treated it as more than text. */
const MARKUP = `"'><img src=//evil.example/i onerror=PWNED=1><script>PWNED=1</script>` +
  "</title></style><svg onload=PWNED=1>{{constructor.constructor('PWNED=1')()}}" +
  "[x](javascript:PWNED=1)![y](//evil.example/m)";
/** A complete address, for fields that are shown as a link or loaded. */
const ADDRESS = "javascript:PWNED=1//";

/** A tree in which all texts are hostile, except those at `kept` paths. */
function hostile(value: Json, kept: ReadonlySet<string>, path = ""): Json {
  if (typeof value === "string") {
    if (kept.has(path)) return value;
    return /^[a-z]+:\/\//i.test(value) ? ADDRESS : value + MARKUP;
  }
  if (Array.isArray(value)) {
    return value.map((item, at) => hostile(item, kept, `${path}/${at}`));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      // References to bytes stay, or the bytes could not be shown.
      const isRef = name === "blob" || name === "blobs" || name === "id";
      return [name, isRef ? item : hostile(item, kept, `${path}/${name}`)];
    }),
  );
}

/** Paths of all texts of a tree. */
function textPaths(value: Json, path = ""): readonly string[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textPaths(item, `${path}/${name}`));
}

/** Files of a bundle by name. */
async function unpack(service: TestService): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const response = await fetch(`${service.api.url}/api/v1/export`);
  const reader = new zip.ZipReader(new zip.Uint8ArrayReader(await response.bytes()));
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    files.set(entry.filename, Uint8Array.from(await entry.getData(new zip.Uint8ArrayWriter())));
  }
  return files;
}

/** Imports one event, with its files. Returns whether it was accepted. */
async function importOne(
  service: TestService,
  files: ReadonlyMap<string, Uint8Array>,
  record: Tree,
): Promise<boolean> {
  const line = new TextEncoder().encode(`${JSON.stringify(record)}\n`);
  const writer = new zip.ZipWriter(new zip.Uint8ArrayWriter());
  const manifest = {
    ...JSON.parse(new TextDecoder().decode(files.get("manifest.json"))),
    events: 1,
  };
  await writer.add("manifest.json", new zip.TextReader(JSON.stringify(manifest)));
  const raw = record.raw as { file: string };
  const blobs = record.blobs as readonly { id: string }[];
  for (const name of [`raw/${raw.file}`, ...blobs.map(({ id }) => `blobs/${id}`)]) {
    const bytes = files.get(name);
    if (bytes !== undefined) await writer.add(name, new zip.Uint8ArrayReader(bytes));
  }
  await writer.add("events.ndjson", new zip.Uint8ArrayReader(line));
  const body = Uint8Array.from(await writer.close());
  const response = await fetch(`${service.api.url}/api/v1/import`, { method: "POST", body });
  await response.body?.cancel();
  return response.ok;
}

/** An event with as much hostile content as its plugin accepts; enumerated values stay. */
async function importHostile(
  service: TestService,
  files: ReadonlyMap<string, Uint8Array>,
  record: Tree,
): Promise<number> {
  const made = (kept: ReadonlySet<string>): Tree => ({
    ...record,
    summary: hostile(record.summary!, new Set()),
    summary_parts: hostile(record.summary_parts!, new Set()),
    meta: hostile(record.meta!, new Set()),
    payload: hostile(record.payload!, kept),
  });
  const paths = textPaths(record.payload!);
  if (await importOne(service, files, made(new Set()))) return paths.length;
  const kept = new Set(await refused(service, files, { record, paths, made }));
  assert(await importOne(service, files, made(kept)), `${record.type} ${[...kept]}`);
  return paths.length - kept.size;
}

/** Paths of the texts that are refused when only they are hostile, searched by halves. */
async function refused(
  service: TestService,
  files: ReadonlyMap<string, Uint8Array>,
  { record, paths, made }: {
    readonly record: Tree;
    readonly paths: readonly string[];
    readonly made: (kept: ReadonlySet<string>) => Tree;
  },
): Promise<readonly string[]> {
  const others = textPaths(record.payload!).filter((path) => !paths.includes(path));
  if (await importOne(service, files, made(new Set(others)))) {
    await fetch(`${service.api.url}/api/v1/events/${record.id}`, { method: "DELETE" })
      .then((answer) => answer.body?.cancel());
    return [];
  }
  if (paths.length <= 1) return paths;
  const half = Math.ceil(paths.length / 2);
  const found: string[] = [];
  for (const part of [paths.slice(0, half), paths.slice(half)]) {
    found.push(...await refused(service, files, { record, paths: part, made }));
  }
  return found;
}

browserTest("markup in any text of an event of any plugin stays text", async (stage) => {
  const { page, service, open, settle, until, foreign } = stage;
  const demo = await runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });
  assertEquals(demo.code, 0, demo.stderr);
  const files = await unpack(service);
  const lines = new TextDecoder().decode(files.get("events.ndjson")).trim().split("\n");
  await fetch(`${service.api.url}/api/v1/reset`, { method: "POST" })
    .then((answer) => answer.body?.cancel());
  const seen = new Set<string>();
  let texts = 0;
  for (const line of lines) {
    const record = JSON.parse(line) as Tree;
    const kind = `${record.plugin} ${record.provider} ${record.type}`;
    if (seen.has(kind)) continue;
    seen.add(kind);
    texts += await importHostile(service, files, record);
  }
  assert(seen.size > 20 && texts > 150, `${seen.size} kinds, ${texts} texts`);
  let looks = 0;
  const inert = async (where: string): Promise<void> => {
    looks++;
    await settle();
    assertEquals([where, await page.evaluate<boolean>(`"PWNED" in window`)], [where, false]);
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll("a[href], area[href], form[action]")]` +
        `.map((one) => one.href ?? one.action).filter((to) => /^(javascript|data|vbscript):/i.test(to))`,
    );
    assertEquals([where, links], [where, []]);
  };
  for (const path of ["/ui/", "/ui/stories/", "/ui/events/"]) {
    await open(path);
    await inert(path);
  }
  const events = await service.getJson<{ id: string; plugin: string }[]>("/events?limit=0");
  assertEquals(events.length, seen.size);
  // As the back button does, which is faster than loading the page again for each event.
  const goTo = (path: string): Promise<unknown> =>
    page.evaluate(
      `history.pushState(null, "", "${path}"), dispatchEvent(new Event("popstate"))`,
    );
  const loaded = new Set<string>();
  for (const { id, plugin } of events) {
    for (const path of [`/ui/events/?id=${id}`, `/ui/${plugin}/?id=${id}`]) {
      if (loaded.has(plugin)) await goTo(path);
      else await open(path);
      // Every tab except S3 shows one event, with a link to its page.
      if (!path.startsWith("/ui/s3/")) {
        await until(`document.querySelector('a[href="/ui/events/${id}"]')`);
      }
      await inert(path);
    }
    loaded.add(plugin);
    const tabs = await page.evaluate<string[]>(
      `[...document.querySelectorAll("[data-tab]")].map(({ dataset }) => dataset.tab)`,
    );
    for (const tab of tabs) {
      // Some are only visible while another one is open.
      await page.evaluate(
        `document.querySelector(${JSON.stringify(`[data-tab="${tab}"]`)})?.click()`,
      );
      await inert(`${plugin} ${tab}`);
    }
  }
  assert(looks > 200, `${looks} views`);
  assertEquals(foreign, []);
}, { expected: KEPT_INERT });
