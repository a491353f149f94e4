/**
 * The software bill of materials of a release, in CycloneDX 1.6 (ECMA-424). It contains no time and
 * no random number, so that equal sources yield an equal file.
 *
 * @module
 */
import { encodeHex } from "@std/encoding/hex";
import config from "../../deno.json" with { type: "json" };
import type { ForeignData, Inventory, LockedPackage } from "./inventory.ts";

/** The embedded platform. */
const RUNTIME = "deno";

/** Returns the bill of materials of a program that was compiled with this version of Deno. */
export async function toSbom(
  { packages, imported, data }: Inventory,
  deno: string,
): Promise<string> {
  const refs = new Map(packages.map((one) => [one.key, purlOf(one)]));
  const own = `pkg:npm/standin-cli@${config.version}`;
  const runtime = `pkg:generic/${RUNTIME}@${deno}`;
  const refsOf = (keys: readonly string[]) => keys.map((key) => refs.get(key)!).toSorted();
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        "type": "application",
        "bom-ref": own,
        name: "standin",
        version: config.version,
        licenses: licence(config.license),
        purl: own,
      },
    },
    components: [
      {
        "type": "platform",
        "bom-ref": runtime,
        name: RUNTIME,
        version: deno,
        scope: "required",
        licenses: licence("MIT"),
        purl: runtime,
      },
      ...packages.map((one) => toLibrary(one, refs.get(one.key)!)),
      ...data.map(toData),
    ],
    dependencies: [
      { ref: own, dependsOn: [runtime, ...refsOf(imported), ...data.map(({ path }) => path)] },
      ...packages.map(({ key, needs }) => ({ ref: refs.get(key)!, dependsOn: refsOf(needs) })),
    ],
  };
  return `${JSON.stringify({ ...bill, serialNumber: await serialNumber(bill) }, null, 2)}\n`;
}

function licence(id: string) {
  return [{ license: { id } }];
}

function toLibrary(one: LockedPackage, ref: string) {
  const [, group, name = one.name] = /^(@[^/]+)\/(.+)$/.exec(one.name) ?? [];
  return {
    "type": "library",
    "bom-ref": ref,
    ...(group === undefined ? {} : { group }),
    name,
    version: one.version,
    scope: one.optional ? "optional" : "required",
    hashes: [{ alg: "SHA-512", content: one.sha512 }],
    licenses: licence(one.licence),
    purl: ref,
  };
}

function toData({ path, name, page, copyright, licence: id }: ForeignData) {
  return {
    "type": "data",
    "bom-ref": path,
    name,
    description: `${path} is made from it`,
    scope: "required",
    licenses: licence(id),
    copyright,
    externalReferences: [{ type: "website", url: page }],
  };
}

/** Package URL Specification, type npm: the `@` of a scope is encoded. */
function purlOf({ name, version }: LockedPackage): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A name-based UUID (RFC 9562, section 5.8) of the content itself. */
async function serialNumber(bill: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(bill));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).slice(0, 16);
  hash[6] = hash[6]! & 0x0f | 0x80;
  hash[8] = hash[8]! & 0x3f | 0x80;
  const hex = encodeHex(hash);
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}`;
}
