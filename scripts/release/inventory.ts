/**
 * Third-party content of a compiled program: the packages of `deno.lock` with their licences from
 * `docs/licences.md`, and derived data.
 *
 * @module
 */
import { decodeBase64 } from "@std/encoding/base64";
import { encodeHex } from "@std/encoding/hex";

/** A package of `deno.lock`. */
export interface LockedPackage {
  /** Key in `deno.lock`: name, version, and those of its peers. */
  readonly key: string;
  readonly name: string;
  readonly version: string;
  /** SPDX identifier. */
  readonly licence: string;
  /** SHA-512 of its tarball, in hexadecimal. */
  readonly sha512: string;
  /** Keys of the packages it needs. */
  readonly needs: readonly string[];
  /** Whether it is only an optional dependency. */
  readonly optional: boolean;
}

/** A file derived from third-party data. */
export interface ForeignData {
  /** Path of the file. */
  readonly path: string;
  /** Name of the source, its page, and its owner. */
  readonly name: string;
  readonly page: string;
  readonly copyright: string;
  /** SPDX identifier. */
  readonly licence: string;
}

/** Everything that must be listed. */
export interface Inventory {
  /** Sorted by key. */
  readonly packages: readonly LockedPackage[];
  /** Keys of the packages that the program itself imports. */
  readonly imported: readonly string[];
  readonly data: readonly ForeignData[];
}

interface LockEntry {
  readonly integrity: string;
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
}

/** Reads both texts. Throws if a package of the lock file has no licence on the page. */
export function readInventory(
  { lock, licences }: { readonly lock: string; readonly licences: string },
): Inventory {
  const { npm, specifiers } = JSON.parse(lock) as {
    readonly npm: Readonly<Record<string, LockEntry>>;
    readonly specifiers: Readonly<Record<string, string>>;
  };
  const keys = Object.keys(npm).toSorted();
  const listed = licencesOf(licences);
  const required = new Set<string>();
  const imported = Object.entries(specifiers).map(([specifier, version]) =>
    `${nameOf(specifier.slice("npm:".length))}@${version}`
  );
  const require = (key: string): void => {
    if (required.has(key)) return;
    required.add(key);
    for (const need of npm[key]?.dependencies ?? []) require(resolve(need, keys));
  };
  imported.forEach(require);
  const packages = keys.map((key): LockedPackage => {
    const name = nameOf(key);
    const version = key.slice(name.length + 1).replace(/_.*$/, "");
    const licence = listed.get(`${name}@${version}`);
    if (licence === undefined) {
      throw new Error(`Cannot name the licence of ${name} ${version}: add it to docs/licences.md`);
    }
    const { integrity, dependencies = [], optionalDependencies = [] } = npm[key]!;
    const needs = [...dependencies, ...optionalDependencies].map((need) => resolve(need, keys));
    const sha512 = encodeHex(decodeBase64(integrity.replace(/^sha512-/, "")));
    return { key, name, version, licence, sha512, needs, optional: !required.has(key) };
  });
  return { packages, imported: imported.toSorted(), data: dataOf(licences) };
}

/** Returns the name of `@scope/name@1.2.3_peer@4.5.6`. */
function nameOf(key: string): string {
  return /^@?[^@]+/.exec(key)![0];
}

/** The lock file omits the version of a package that it contains only once. */
function resolve(need: string, keys: readonly string[]): string {
  const key = keys.find((one) => one === need || nameOf(one) === need);
  if (key === undefined) throw new Error(`Cannot find ${need} in deno.lock`);
  return key;
}

function licencesOf(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `([^`]+)` +\| (\S+) +\| (\S+) +\|$/gm);
  return new Map([...rows].map(([, name, version, licence]) => [`${name}@${version}`, licence!]));
}

function dataOf(page: string): readonly ForeignData[] {
  const paragraphs = page.split(/\n{2,}/).map((one) => one.replaceAll("\n", " "));
  return paragraphs.flatMap((text) => {
    const found =
      /^`([^`]+)` is derived from the \w+ of \[([^\]]+)\]\(([^)]+)\), (copyright \(c\) .+?), under the (\S+) licence/
        .exec(text);
    if (found === null) return [];
    const [, path = "", name = "", source = "", copyright = "", licence = ""] = found;
    return [{ path, name, page: source, copyright, licence }];
  });
}
