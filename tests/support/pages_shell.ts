/**
 * A shell next to a running program, like that of a reader of the documentation: an empty folder, a
 * separate home, `standin` on the path, and the ports of the program instead of the standard ones.
 *
 * @module
 */
import { optionTree } from "../../core/options/tree.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { findProgram, runOk } from "./clients.ts";
import { scratch } from "./files.ts";
import { type Program, startProgram } from "./program.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Settings of the standard ports. */
const PORTS = [...optionTree(STANDARD_PLUGINS).byPath.values()]
  .filter(({ key, spec, variable }) =>
    key === "port" && spec.fallback !== undefined && variable !== undefined
  )
  .map(({ spec, variable = "", plugin, provider, table }) => ({
    standard: String(spec.fallback),
    variable,
    listener: plugin === undefined ? table : `${plugin}/${provider}`,
  }));

/** Variables that put every listener of another program on a free port. */
export const ANY_PORT: Readonly<Record<string, string>> = Object.fromEntries(
  PORTS.map(({ variable }) => [variable, "0"]),
);

/** Environment of commands. */
export interface Terminal extends AsyncDisposable {
  readonly program: Program;
  readonly env: Readonly<Record<string, string>>;
  /** Creates an empty folder. */
  folder(): Promise<string>;
  /** Replaces the standard ports with those of the program, and its name in a network with that of this machine. */
  here(code: string): string;
}

/** Options of a shell. */
export interface TerminalOptions {
  /** Folders before those of `PATH`. */
  readonly path?: readonly string[];
  /** Flags of the program. */
  readonly flags?: readonly string[];
}

/** Starts the program, and prepares an environment for commands. */
export async function openTerminal(options: TerminalOptions = {}): Promise<Terminal> {
  const { path = [], flags = [] } = options;
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await scratch()).path;
  const own = {
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    // Shares the caches of the tests.
    DENO_DIR: await denoFolder(),
    npm_config_cache: Deno.env.get("npm_config_cache") ?? `${Deno.env.get("HOME")}/.npm`,
  };
  const program = stack.use(
    await startProgram({ args: ["serve", "--free-ports", ...flags], env: own, cwd: home }),
  );
  const bin = `${home}/bin`;
  await writePrograms(bin);
  const ports = await portsOf(program);
  const folders = [bin, ...path, Deno.env.get("PATH") ?? ""];
  const env = {
    ...own,
    ...Object.fromEntries(PORTS.map(({ variable, standard }) => [variable, ports.get(standard)!])),
    PATH: folders.join(":"),
    NO_PROXY: "*",
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    // Programs of Net-SNMP write there as soon as they start.
    SNMP_PERSISTENT_DIR: home,
  };
  const moved = stack.move();
  let count = 0;
  return {
    program,
    env,
    async folder() {
      const folder = `${home}/${++count}`;
      await Deno.mkdir(folder);
      return folder;
    },
    here: (code) =>
      [...ports].reduce(
        (text, [standard, port]) => text.replaceAll(new RegExp(`\\b${standard}\\b`, "g"), port),
        code.replaceAll("http://standin:", "http://localhost:"),
      ),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

async function denoFolder(): Promise<string> {
  const { stdout } = await runOk(Deno.execPath(), ["info", "--json"]);
  return JSON.parse(stdout).denoDir;
}

/** Ports of the running program, by the standard port of each listener. */
async function portsOf({ urls }: Program): Promise<ReadonlyMap<string, string>> {
  const answer = await fetch(`${urls.ui}/api/v1/ready`);
  const { listeners } = await answer.json() as { listeners: { name: string; url: string }[] };
  return new Map(PORTS.map(({ standard, listener }) => {
    const url = listeners.find(({ name }) => name === listener)?.url;
    if (url === undefined) throw new Error(`Cannot find the listener ${listener}`);
    return [standard, new URL(url).port];
  }));
}

/** An installed `standin`, and a `curl` that fails on error statuses. */
async function writePrograms(bin: string): Promise<void> {
  await Deno.mkdir(bin);
  const write = (name: string, ...words: readonly string[]) =>
    Deno.writeTextFile(
      `${bin}/${name}`,
      `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(" ")} "$@"\n`,
      { mode: 0o755 },
    );
  const run = [Deno.execPath(), "run", "--quiet", "--no-check"];
  await write("standin", ...run, ...PROGRAM_PERMISSIONS, `${ROOT}main.ts`);
  const curl = findProgram("curl");
  if (curl !== undefined) await write("curl", curl, "--fail-with-body");
}
