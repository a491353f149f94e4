/**
 * `deno run -A scripts/release/build.ts FOLDER [--complete]`: builds every file of a release into a
 * folder: programs, npm packages, packages for tests, sources, bill of materials, licences and
 * checksums. Lists what cannot be built on this machine, with the reason; with `--complete` that is
 * a failure.
 *
 * @module
 */
import config from "../../deno.json" with { type: "json" };
import {
  compile,
  compileForHost,
  noBaseRuntime,
  programName,
  TARGETS,
  withBundle,
} from "../compile.ts";
import { refusal } from "../arguments.ts";
import { packGo } from "../packages/go.ts";
import { packJava } from "../packages/java.ts";
import { packClient } from "../packages/node.ts";
import { packPython } from "../packages/python.ts";
import { readInventory } from "./inventory.ts";
import { isInstalled, output as run, sha256, thisPlatform } from "./machine.ts";
import { NOTICES, toNotices } from "./notices.ts";
import { writeNpmPackages } from "./npm_wrapper.ts";
import { toSbom } from "./sbom.ts";
import { packSource } from "./source.ts";

/** Name of the list of checksums. */
export const SUMS = "SHA256SUMS";

/** Name of the bill of materials. */
export const SBOM = `standin-${config.version}.cdx.json`;

/** Name of the sources. */
export const SOURCE = `standin-${config.version}-source.tar.gz`;

/** Something that was not built. */
export interface Missing {
  readonly what: string;
  readonly reason: string;
  /** Whether it is a bug, and not something that this machine lacks. */
  readonly fault: boolean;
}

/** Builds into `output`, an absolute path. Returns what is missing. */
export async function buildRelease(output: string): Promise<readonly Missing[]> {
  await Deno.mkdir(`${output}/npm`, { recursive: true });
  const missing: Missing[] = [];
  const note = (what: string, error: unknown, fault = true): void => {
    const reason = error instanceof Error ? error.message : String(error);
    missing.push({ what, reason: reason.trim().split("\n")[0]!, fault });
  };
  const { deno, failed } = await buildPrograms(output);
  missing.push(...failed);
  const inventory = readInventory({
    lock: await Deno.readTextFile("deno.lock"),
    licences: await Deno.readTextFile("docs/licences.md"),
  });
  await Deno.writeTextFile(`${output}/${SBOM}`, await toSbom(inventory, deno));
  await Deno.writeTextFile(`${output}/${NOTICES}`, await toNotices(inventory));
  const steps: readonly (readonly [what: string, program: string, () => Promise<unknown>])[] = [
    ["npm packages of the program", "npm", () => packNpm(output)],
    ["package for Node", "tar", () => packClient(output)],
    ["package for Python", "", () => packPython(output)],
    ["package for Java", "javac", () => packJava(output)],
    ["module for Go", "", () => packGo(output)],
    ["sources", "", async () => await writeSource(output)],
  ];
  for (const [what, program, build] of steps) {
    if (program !== "" && !await isInstalled(program)) {
      note(what, `${program} is not installed`, false);
    } else await build().catch((error) => note(what, error));
  }
  await writeSums(output);
  return missing;
}

/** Compiles for every platform with an available base runtime. */
async function buildPrograms(
  output: string,
): Promise<{ readonly deno: string; readonly failed: readonly Missing[] }> {
  const failed: Missing[] = [];
  let deno = Deno.version.deno;
  const bundled = await withBundle(async (folder) => {
    for (const [platform, target] of Object.entries(TARGETS)) {
      const what = programName(platform);
      if (platform === thisPlatform()) {
        const here = await compileForHost(folder, `${output}/${what}`);
        deno = here.deno;
        if (here.outcome === "done") {
          if (deno !== Deno.version.deno) failed.push(compiledWithAnother(what, deno));
          continue;
        }
        const fault = here.outcome === "failed";
        failed.push({ what, reason: "see above", fault });
        continue;
      }
      const outcome = await compile(folder, `${output}/${what}`, { target });
      if (outcome.ok) continue;
      const absent = noBaseRuntime(outcome);
      const reason = absent ? "its base runtime cannot be fetched here" : outcome.text;
      failed.push({ what, reason, fault: !absent });
    }
    return true;
  });
  if (!bundled) failed.push({ what: "programs", reason: "the bundle failed", fault: true });
  return { deno, failed };
}

function compiledWithAnother(what: string, deno: string): Missing {
  const reason = `its base runtime cannot be fetched here, so it was built with Deno ${deno}`;
  return { what: `${what} with Deno ${Deno.version.deno}`, reason, fault: false };
}

/** Packs the launcher, and the existing programs. */
async function packNpm(output: string): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const path of await writeNpmPackages(output, folder, { partial: true })) {
      await run("npm", ["pack", "--silent", "--pack-destination", `${output}/npm`], { cwd: path });
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function writeSource(output: string): Promise<void> {
  await Deno.writeFile(`${output}/${SOURCE}`, await packSource(Deno.cwd()));
}

/** Writes the SHA-256 of every file in the format of `sha256sum --check`. */
async function writeSums(output: string): Promise<void> {
  const names = (await Array.fromAsync(Deno.readDir(output)))
    .filter(({ isFile, name }) => isFile && name !== SUMS).map(({ name }) => name);
  const lines: string[] = [];
  for (const name of names.toSorted()) {
    lines.push(`${await sha256(`${output}/${name}`)}  ${name}\n`);
  }
  await Deno.writeTextFile(`${output}/${SUMS}`, lines.join(""));
}

async function main([folder, ...flags]: readonly string[]): Promise<number> {
  if (folder === undefined) {
    console.error("Cannot build without a folder: name one");
    return 2;
  }
  const reason = refusal(flags, ["--complete"]);
  if (reason !== undefined) {
    console.error(reason);
    return 2;
  }
  const strict = flags.length > 0;
  await Deno.mkdir(folder, { recursive: true });
  const missing = await buildRelease(await Deno.realPath(folder));
  for (const { what, reason } of missing) console.error(`Not built: ${what}: ${reason}`);
  return missing.some(({ fault }) => fault || strict) ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
