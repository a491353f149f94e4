/** The shape of HTTP providers: every provider has the same files for the same purposes. */
import { assert, assertEquals } from "@std/assert";
import type { AnyPlugin, Provider } from "../core/plugin.ts";
import { STANDARD_PLUGINS } from "../plugins/standard.ts";

const ROOT = new URL("../", import.meta.url);

/** Files of every ingress provider. */
const FILES = [
  "faults.ts",
  "handlers.ts",
  "mod.ts",
  "options.ts",
  "reply.ts",
  "request.ts",
  "snippets.ts",
];
/** Maximum lines of a file, except tests. */
const MAX_LINES = 300;

const PROVIDERS = STANDARD_PLUGINS.flatMap((plugin) =>
  (plugin.providers as readonly Provider<unknown>[])
    .filter(({ kind }) => kind === "ingress")
    .map((provider) => ({ provider, folder: `plugins/${plugin.id}/${provider.id}` }))
);

async function sourcesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for await (const { name, isFile } of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    if (!isFile || !name.endsWith(".ts") || name.endsWith("_test.ts")) continue;
    sources.set(name, await Deno.readTextFile(new URL(`${folder}/${name}`, ROOT)));
  }
  return sources;
}

assert(PROVIDERS.length > 0);
for (const { provider, folder } of PROVIDERS) {
  Deno.test(`${folder} has the shape of every provider`, async () => {
    const sources = await sourcesOf(folder);
    assertEquals(FILES.filter((name) => !sources.has(name)), [], "is missing");
    const reply = sources.get("reply.ts") ?? "";
    const refusals = sources.get("refusals.ts") ?? reply;
    assert(/^export function refuse\b/m.test(reply), "reply.ts writes refusals with refuse()");
    assert(/^export (interface|type) VendorRefusal\b/m.test(refusals), "VendorRefusal is missing");
    assert(/^export function toVendorRefusal\b/m.test(refusals), "toVendorRefusal() is missing");
    assert(
      /^export const OPTIONS = /m.test(sources.get("options.ts") ?? "") &&
        /^export type Env = ProviderEnv</m.test(sources.get("options.ts") ?? ""),
      "options.ts has OPTIONS and Env",
    );
    assert("refuse" in provider && provider.snippets !== undefined, "mod.ts has refuse, snippets");
    // Without them no fault rule applies, not even one that hangs or resets.
    assert("faults" in provider, "mod.ts has faults");
  });

  Deno.test(`${folder} keeps its state in its store`, async () => {
    const sources = await sourcesOf(folder);
    const text = [...sources.values()].join("\n");
    assert(!/new Weak(Map|Set)\b/.test(text), "a service's state belongs to the store");
    const store = sources.get("store.ts");
    if (store === undefined) return;
    assert(/^export class Store\b/m.test(store), "store.ts has class Store");
    assert("open" in provider, "open() makes the store");
  });

  Deno.test(`${folder} has no file of more than ${MAX_LINES} lines`, async () => {
    const long = [...await sourcesOf(folder)]
      .filter(([, text]) => text.split("\n").length > MAX_LINES)
      .map(([name]) => name);
    assertEquals(long, []);
  });
}

for (const { id, checks } of STANDARD_PLUGINS as readonly AnyPlugin[]) {
  if (checks === undefined) continue;
  Deno.test(`plugins/${id} tests each of its checks with a bad and a good item`, async () => {
    const tests = await Deno.readTextFile(new URL(`plugins/${id}/checks/checks_test.ts`, ROOT));
    // It fails for a check without a pair, and for one that opens a connection.
    assert(/^testTwins\(CHECKS, \{$/m.test(tests), "checks_test.ts calls testTwins()");
    const { topics } = await checks();
    assert(topics.some((topic) => topic.checks.length > 0), "has no check");
  });
}
