/**
 * A container engine of this machine for testing the image: Docker if its daemon runs, else Podman,
 * which needs none. If no registry is reachable, the base image is built from Debian packages.
 *
 * @module
 */
import { isInstalled, output } from "./machine.ts";
import { UnavailableError } from "./try.ts";

/** The base image of the Dockerfile, and its name if it was built here. */
const BASE = "debian:13-slim";
const MADE_BASE = "localhost/standin-base";

/**
 * For machines that may not raise limits, or whose control groups the default runtime does not
 * support.
 */
const MODEST = '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n' +
  '[engine]\nruntime = "runc"\n';

/** A working engine. */
export interface Engine {
  readonly name: "docker" | "podman";
  /** Base image. */
  readonly base: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command of the engine and returns its output. */
  run(...args: readonly string[]): Promise<string>;
}

/** Finds an engine, and stores its files in `folder`. Rejects with an `UnavailableError` if none works. */
export async function findEngine(folder: string): Promise<Engine> {
  const tried: string[] = [];
  for (const name of ["docker", "podman"] as const) {
    if (!await isInstalled(name)) {
      tried.push(`${name} is not installed`);
      continue;
    }
    const found = await prepare(name, folder).catch((error: Error) => error);
    if (!(found instanceof Error)) return found;
    tried.push(`${name}: ${lastLine(found.message)}`);
  }
  throw new UnavailableError(tried.join("; "));
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!;
}

async function prepare(name: Engine["name"], folder: string): Promise<Engine> {
  const engine = (base: string, env: Engine["env"] = {}): Engine => ({
    ...{ name, base, env },
    run: (...args) => output(name, args, { cwd: folder, env }),
  });
  const plain = engine(BASE);
  // Fails where the daemon does not run.
  await plain.run("ps", "--quiet");
  const base = await plain.run("pull", "--quiet", BASE).then(
    () => BASE,
    () => makeBase(plain, folder),
  );
  const start = ["run", "--rm", "--network=none", base, "true"];
  const usual = engine(base);
  if (await usual.run(...start).then(() => true, () => false)) return usual;
  const file = `${folder}/containers.conf`;
  await Deno.writeTextFile(file, MODEST);
  const modest = engine(base, { CONTAINERS_CONF: file });
  await modest.run(...start);
  return modest;
}

/** Builds a minimal Debian 13 image, which is kept for later runs. */
async function makeBase(engine: Engine, folder: string): Promise<string> {
  if (await engine.run("image", "inspect", MADE_BASE).then(() => true, () => false)) {
    return MADE_BASE;
  }
  if (!await isInstalled("mmdebstrap")) {
    throw new Error(`no registry has ${BASE} for this machine, and mmdebstrap is not installed`);
  }
  const args = ["--quiet", "--variant=minbase", "trixie", `${folder}/base.tar`];
  await output("mmdebstrap", args, { cwd: folder });
  await engine.run("import", `${folder}/base.tar`, MADE_BASE);
  return MADE_BASE;
}
