/** Versions of packages that tests import, from `tests/deno.lock`. */
import type { Packages } from "./clients.ts";

const LOCK = new URL("../deno.lock", import.meta.url);

interface Lock {
  /** Resolved versions, by `npm:<package>@<wanted version>`. */
  readonly specifiers: Readonly<Record<string, string>>;
}

/** Returns the packages that code imports and a test has locked, with their versions. */
export async function lockedPackages(codes: readonly string[]): Promise<Packages> {
  const { specifiers } = JSON.parse(await Deno.readTextFile(LOCK)) as Lock;
  const imported = new Set(codes.flatMap(packagesOf));
  const locked = Object.keys(specifiers).flatMap((specifier) => {
    const [, name = "", version = ""] = /^npm:(@?[^@]+)@([^/]+)/.exec(specifier) ?? [];
    return imported.has(name) ? [[name, version] as const] : [];
  });
  return Object.fromEntries(locked);
}

/** Returns the packages that a program imports: `@scope/name` of `@scope/name/file.js`. */
function packagesOf(code: string): string[] {
  return [...code.matchAll(/\b(?:from|import|require\()\s*"((?:@[\w.-]+\/)?[\w.-]+)/g)]
    .map(([, name = ""]) => name);
}
