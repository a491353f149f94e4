import { optionTree } from "../../core/options/tree.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { expanded, SERVE_PERMISSIONS } from "../../scripts/permissions.ts";

const ROOT = new URL("../../", import.meta.url);
const MAIN = new URL("../../main.ts", import.meta.url).pathname;

/** The program in a separate process, with exactly the permissions of `deno task serve`. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Base addresses by their label in the greeting: `ui`, `api`, `ingress`. */
  readonly urls: Readonly<Record<string, string>>;
  /** Standard output until it was ready. */
  readonly greeting: string;
  /** Sends a signal and waits for the end. */
  stop(signal?: Deno.Signal): Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Options of the program. */
export interface ProgramOptions {
  /** Arguments after `main.ts`; by default `serve` on free ports. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Permissions instead of those of `deno task serve`. */
  readonly permissions?: readonly string[];
  /** A compiled program to run instead. */
  readonly compiled?: string;
}

/** Flags that put every listener on a free port. */
export const FREE_PORTS: readonly string[] = [...optionTree(STANDARD_PLUGINS).byPath.values()]
  .filter(({ key, spec }) => key === "port" && spec.fallback !== undefined)
  .map(({ flag }) => `--${flag}=0`);

/**
 * Starts the program and resolves once it reports that it is running. Rejects with its output if it
 * ends first.
 */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const args = [...options.args ?? ["serve", ...FREE_PORTS]];
  const env = { ...Deno.env.toObject(), ...options.env };
  const permissions = options.permissions ?? expanded(SERVE_PERMISSIONS, (name) => env[name]);
  const child = new Deno.Command(options.compiled ?? Deno.execPath(), {
    args: options.compiled === undefined
      ? ["run", "--quiet", "--no-check", ...permissions, MAIN, ...args]
      : args,
    cwd: options.cwd ?? ROOT,
    // A line for each capture would fill the kept part of standard error.
    env: { NO_COLOR: "1", SERVICE_LOG_LEVEL: "warn", ...options.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let greeting = "";
  const urls: Record<string, string> = {};
  // The last line of the greeting.
  while (!/^Code to paste/m.test(greeting)) {
    const { value, done } = await output.read();
    if (done) {
      const { code } = await child.status;
      throw new Error(
        `Started the program: it ended with status ${code}\n${greeting}${await stderr}`,
      );
    }
    greeting += value;
    for (const [, name = "", url = ""] of greeting.matchAll(/^\s*(\w+):?\s+(https?:\S+)\s/gm)) {
      urls[name] = url.replace(/\/(ui\/?|api\/v1\/?)?$/, "");
    }
  }
  const drained = drain(output);
  const stop: Program["stop"] = async (signal = "SIGTERM") => {
    try {
      child.kill(signal);
    } catch (error) {
      // It has already ended.
      if (!(error instanceof TypeError)) throw error;
    }
    const [{ code }, text] = await Promise.all([child.status, stderr, drained]);
    return { code, stderr: text };
  };
  return {
    pid: child.pid,
    urls,
    greeting,
    stop,
    [Symbol.asyncDispose]: async () => void await stop(),
  };
}

async function drain(output: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await output.read()).done);
}

/** Maximum wait for the addresses of a program. */
const LISTENING_MS = 30_000;

/**
 * Returns the addresses of a program's providers, by their ids. A program whose memory is full asks
 * to try again later, as it may after a flood: it is asked again. Rejects after 30 s.
 */
export async function listening(
  { urls }: Pick<Program, "urls">,
): Promise<{ endpoint(provider: string): { readonly port: number } }> {
  const signal = AbortSignal.timeout(LISTENING_MS);
  let response = await fetch(`${urls.api}/api/v1/plugins`, { signal });
  while (response.status === 503) {
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 100));
    response = await fetch(response.url, { signal });
  }
  if (!response.ok) throw new Error(`GET ${response.url}: ${await response.text()}`);
  const plugins: { providers: { name: string; addr?: string }[] }[] = await response.json();
  const providers = plugins.flatMap((plugin) => plugin.providers);
  return {
    endpoint(id) {
      const addr = providers.find(({ name }) => name === id)?.addr;
      if (addr === undefined) throw new Error(`No provider "${id}" listens`);
      return { port: Number(addr.slice(addr.lastIndexOf(":") + 1)) };
    },
  };
}
