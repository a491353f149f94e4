/**
 * The bill of materials and the licences of a release: complete, valid by the official schema, and
 * reproducible.
 */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { sbomFaults } from "../../scripts/release/check_sbom.ts";
import { type Inventory, readInventory } from "../../scripts/release/inventory.ts";
import { toNotices } from "../../scripts/release/notices.ts";
import { toSbom } from "../../scripts/release/sbom.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string): Promise<string> => Deno.readTextFile(new URL(path, ROOT));

async function inventory(): Promise<Inventory> {
  return readInventory({ lock: await read("deno.lock"), licences: await read("docs/licences.md") });
}

interface Bill {
  readonly components: readonly {
    readonly "type": string;
    readonly "bom-ref": string;
    readonly name: string;
    readonly version: string;
    readonly scope: string;
    readonly licenses: readonly { license: { id: string } }[];
    readonly hashes?: readonly { alg: string; content: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: string[] }[];
}

Deno.test("the bill of materials is valid CycloneDX 1.6", async () => {
  const text = await toSbom(await inventory(), "2.9.6");
  assertEquals(await sbomFaults(text), []);
  const broken = text.replace('"id": "MIT"', '"id": "The MIT one"');
  const [fault = "nothing"] = await sbomFaults(broken);
  assertStringIncludes(fault, "/licenses/0");
});

Deno.test("the bill of materials names every package of deno.lock, with licence and hash", async () => {
  const { components, dependencies } = JSON.parse(await toSbom(await inventory(), "2.9.6")) as Bill;
  const { npm } = JSON.parse(await read("deno.lock")) as { npm: Record<string, unknown> };
  const libraries = components.filter(({ type }) => type === "library");
  assertEquals(libraries.length, Object.keys(npm).length);
  for (const { name, licenses, hashes } of libraries) {
    assert(licenses[0]?.license.id, name);
    assertEquals(hashes?.[0]?.content.length, 128, name);
  }
  const optional = libraries.filter(({ scope }) => scope === "optional").map(({ name }) => name);
  assertEquals(optional, ["buildcheck", "cpu-features", "nan"]);
  const data = components.filter(({ type }) => type === "data").map((one) => one["bom-ref"]);
  assertEquals(data.length, 4);
  for (const path of data) assert((await Deno.stat(new URL(path, ROOT))).isFile, path);

  const refs = new Set(components.map((one) => one["bom-ref"]));
  assertEquals(refs.size, components.length, "Two components have the same reference");
  for (const { dependsOn } of dependencies) {
    assertEquals(dependsOn.filter((one) => !refs.has(one)), []);
  }
  const reached = new Set<string>();
  const visit = (ref: string): void => {
    if (reached.has(ref)) return;
    reached.add(ref);
    dependencies.find((one) => one.ref === ref)?.dependsOn.forEach(visit);
  };
  visit(dependencies[0]!.ref);
  assertEquals([...refs].filter((ref) => !reached.has(ref)), [], "Nothing needs these");
});

Deno.test("the bill of materials is the same every time, and differs if the content does", async () => {
  const serial = async (deno: string) =>
    JSON.parse(await toSbom(await inventory(), deno)).serialNumber;
  assertEquals(await toSbom(await inventory(), "1.0.0"), await toSbom(await inventory(), "1.0.0"));
  assert(await serial("1.0.0") !== await serial("1.0.1"));
});

Deno.test("a package without a licence on the page is named, and no bill is written", async () => {
  const licences = (await read("docs/licences.md")).replace("| `ssh2` ", "| `other`");
  const lock = await read("deno.lock");
  assertThrows(() => readInventory({ lock, licences }), Error, "Cannot name the licence of ssh2");
});

Deno.test("the licences of a release hold the licence text of every package", async () => {
  const made = await inventory();
  const text = await toNotices(made);
  for (const { name, version, licence } of made.packages) {
    assertStringIncludes(text, `\n${name} ${version} (${licence})\n`);
  }
  for (const words of ["Rémi Parmentier", "the Deno authors", "Apache License"]) {
    assertStringIncludes(text, words);
  }
  assertEquals(await toNotices(made), text);
});
