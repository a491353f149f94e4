/** Locates the program. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import process from "node:process";

const SUFFIX = process.platform === "win32" ? ".exe" : "";
/** The package that npm installed for this platform. */
const PLATFORM = `@standin/${process.platform}-${process.arch}/standin${SUFFIX}`;

/** Returns the path of the program. Throws an `Error` that says how to get it. */
export function findProgram(): string {
  const named = process.env.STANDIN_PROGRAM;
  if (named) return named;
  const found = installed() ?? onPath();
  if (found !== undefined) return found;
  throw new Error(
    "Cannot find the standin program: install it with `npm install --save-dev standin-cli`, put it on the PATH, or " +
      "name it in STANDIN_PROGRAM",
  );
}

/** The program of the package `standin-cli`, in the project or next to this package. */
function installed(): string | undefined {
  for (const base of [join(process.cwd(), "package.json"), import.meta.url]) {
    const launcher = resolve(base, "standin-cli/package.json");
    // Package managers without a flat layout keep the platform's package next to the launcher.
    const program = (launcher && resolve(launcher, PLATFORM)) ?? resolve(base, PLATFORM);
    if (program !== undefined) return program;
  }
  return undefined;
}

function resolve(base: string, name: string): string | undefined {
  try {
    return createRequire(base).resolve(name);
  } catch {
    return undefined;
  }
}

function onPath(): string | undefined {
  return (process.env.PATH ?? "").split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, `standin${SUFFIX}`))
    .find((path) => existsSync(path));
}
