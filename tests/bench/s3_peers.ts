/** Object stores for comparison, and our own program, each in a new process. */
import { clientCache, findProgram, runOk } from "../support/clients.ts";
import { FREE_PORTS, startProgram } from "../support/program.ts";
import { CREDENTIALS } from "./s3_sign.ts";
import { startScript } from "./script.ts";
import { freePort } from "../support/free_port.ts";

const OWN = "standin";
const S3RVER = "3.7.1";
const VERSITYGW = "v1.8.0";

/** A running store. */
export interface Store extends AsyncDisposable {
  readonly name: string;
  /** Whether it is ours, which is compared with all others. */
  readonly isOwn: boolean;
  readonly pid: number;
  readonly url: string;
}

/**
 * Our program, with enough room for all objects; `persist` stores them in a folder, like the
 * others.
 */
export async function startOwn({ persist = false, maxObjects = 200_000 } = {}): Promise<Store> {
  const stack = new AsyncDisposableStack();
  const folder = await scratch(stack);
  const config = `${folder}/standin.toml`;
  await Deno.writeTextFile(
    config,
    `[storage]\nblob_limit = 2_000_000_000\n[plugins.s3.providers.http]\nmax_objects = ${maxObjects}\n`,
  );
  const more = persist ? ["--persist", `${folder}/data`] : [];
  const program = stack.use(
    await startProgram({ args: ["serve", ...FREE_PORTS, "--config", config, ...more] }),
  );
  const plugins = await (await fetch(`${program.urls.api}/api/v1/plugins`)).json() as {
    name: string;
    providers: { url?: string }[];
  }[];
  const url = plugins.find(({ name }) => name === "s3")?.providers[0]?.url ?? "";
  return toStore(persist ? `${OWN} --persist` : OWN, { pid: program.pid, url, stack });
}

/** The minimal store on this platform. */
export async function startFloor(): Promise<Store> {
  const stack = new AsyncDisposableStack();
  const { pid, url } = stack.use(await startScript("s3_floor.ts"));
  return toStore("Deno.serve and MD5", { pid, url, stack });
}

/**
 * s3rver from npm, run by Node. `undefined`, with a message, if Node or the package is not
 * available.
 */
export async function startS3rver(): Promise<Store | undefined> {
  const [node, npm] = [findProgram("node"), findProgram("npm")];
  if (node === undefined || npm === undefined) return absent("s3rver", "Node is not installed");
  const packages = `${clientCache()}/s3-bench`;
  await Deno.mkdir(packages, { recursive: true });
  await Deno.writeTextFile(
    `${packages}/package.json`,
    JSON.stringify({ private: true, dependencies: { s3rver: S3RVER } }),
  );
  try {
    const install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
    await runOk(npm, install, { cwd: packages, timeoutMs: 300_000 });
  } catch (error) {
    return absent("s3rver", String(error));
  }
  const stack = new AsyncDisposableStack();
  const [folder, port] = [await scratch(stack), freePort()];
  const args = ["-d", folder, "-a", "127.0.0.1", "-p", String(port), "-s", "--no-vhost-buckets"];
  return await spawn("s3rver", {
    command: [node, `${packages}/node_modules/s3rver/bin/s3rver.js`, ...args],
    port,
    stack,
  });
}

/**
 * versitygw, built once by Go. `undefined`, with a message, if Go or the module is not available.
 */
export async function startVersity(): Promise<Store | undefined> {
  const go = findProgram("go");
  if (go === undefined) return absent("versitygw", "Go is not installed");
  const binaries = `${clientCache()}/versitygw-${VERSITYGW}`;
  try {
    await Deno.stat(`${binaries}/versitygw`);
  } catch {
    console.log(`Building versitygw ${VERSITYGW}, once`);
    try {
      await runOk(go, ["install", `github.com/versity/versitygw/cmd/versitygw@${VERSITYGW}`], {
        env: { GOBIN: binaries },
        timeoutMs: 600_000,
      });
    } catch (error) {
      return absent("versitygw", String(error));
    }
  }
  const stack = new AsyncDisposableStack();
  const [folder, port] = [await scratch(stack), freePort()];
  const keys = ["--access", CREDENTIALS, "--secret", CREDENTIALS];
  const listen = ["--port", `127.0.0.1:${port}`, "--quiet", "--keep-alive"];
  return await spawn("versitygw", {
    command: [`${binaries}/versitygw`, ...keys, ...listen, "posix", folder],
    port,
    stack,
  });
}

function absent(name: string, why: string): undefined {
  console.log(`SKIP peer: ${name}: ${why.replaceAll(/\s+/g, " ").slice(0, 200)}`);
  return undefined;
}

async function scratch(stack: AsyncDisposableStack): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "s3-bench-" });
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  return folder;
}

async function spawn(
  name: string,
  { command: [program = "", ...args], port, stack }: {
    command: readonly string[];
    port: number;
    stack: AsyncDisposableStack;
  },
): Promise<Store> {
  const child = new Deno.Command(program, {
    args,
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  stack.defer(async () => {
    child.kill("SIGKILL");
    await child.status;
  });
  await untilListening(port);
  return toStore(name, { pid: child.pid, url: `http://127.0.0.1:${port}`, stack });
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (tries === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function toStore(
  name: string,
  { pid, url, stack }: { pid: number; url: string; stack: AsyncDisposableStack },
): Store {
  return {
    name,
    isOwn: name.startsWith(OWN),
    pid,
    url,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
