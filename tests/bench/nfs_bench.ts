/**
 * One client of libnfs against NFS and against the NFS-Ganesha of the distribution: 64 MiB written
 * and read in chunks of 1 MiB, 500 files of 1 KiB written and read, 10 000 GETATTR in sequence.
 *
 * Client and server of GETATTR share one processor, if `taskset` is available: a call then takes
 * about 15 µs, instead of 100 µs with any server if each of the two must wake the other on an idle
 * processor.
 *
 * @module
 */
import { findProgram, runOk } from "../support/clients.ts";
import { until } from "../support/files.ts";
import { FREE_PORTS, listening, startProgram } from "../support/program.ts";
import { median, report } from "./measure.ts";
import { freePort } from "../support/free_port.ts";
import { numberFrom } from "../support/settings.ts";

const ROUNDS = numberFrom("BENCH_ROUNDS", 5);
const AIM = 0.8;
const PORTMAPPER = 111;

/** Milliseconds of each kind of work. */
type Times = Readonly<Record<"write" | "read" | "small" | "smallread" | "getattr", number>>;

const WORKS: Readonly<Record<keyof Times, string>> = {
  write: "64 MiB written",
  read: "64 MiB read",
  small: "500 files of 1 KiB written",
  smallread: "500 files of 1 KiB read",
  getattr: "10 000 GETATTR",
};

interface Peer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

async function buildLoop(cc: string, folder: string): Promise<string> {
  const source = new URL("nfs_loop.c", import.meta.url).pathname;
  await runOk(cc, ["-O2", "-o", `${folder}/loop`, source, "-lnfs"]);
  return `${folder}/loop`;
}

async function isListening(port: number): Promise<boolean> {
  try {
    using _conn = await Deno.connect({ hostname: "127.0.0.1", port });
    return true;
  } catch {
    return false;
  }
}

function start(
  program: string,
  args: readonly string[],
): AsyncDisposable & { readonly pid: number } {
  const child = new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  return {
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.status;
    },
  };
}

/** NFS-Ganesha over a folder; it requires a portmapper, so one is started if none runs. */
async function startGanesha(folder: string): Promise<Peer | undefined> {
  const [ganesha, rpcbind] = ["ganesha.nfsd", "rpcbind"].map(findProgram);
  if (ganesha === undefined || rpcbind === undefined) return undefined;
  await using stack = new AsyncDisposableStack();
  if (!await isListening(PORTMAPPER)) {
    stack.use(start(rpcbind, ["-f", "-i"]));
    await until(() => isListening(PORTMAPPER));
  }
  const [port, mountPort] = [freePort(), freePort()];
  const root = `${folder}/export`;
  await Deno.mkdir(root);
  await Deno.writeTextFile(
    `${folder}/conf`,
    `NFS_CORE_PARAM { NFS_Port = ${port}; MNT_Port = ${mountPort}; Rquota_Port = ${freePort()};
  Bind_addr = 127.0.0.1; Protocols = 3; Enable_UDP = false; Enable_NLM = false;
  Enable_RQUOTA = false; }
EXPORT { Export_Id = 1; Path = ${root}; Pseudo = /export; Access_Type = RW; Squash = None;
  SecType = sys; Protocols = 3; Transports = TCP; FSAL { Name = VFS; } }
`,
  );
  const log = ["-L", `${folder}/log`, "-p", `${folder}/pid`];
  const { pid } = stack.use(start(ganesha, ["-F", "-f", `${folder}/conf`, ...log]));
  await until(() => isListening(mountPort));
  const running = stack.move();
  return {
    pid,
    url: `nfs://127.0.0.1${root}/?version=3&nfsport=${port}&mountport=${mountPort}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The work of one round against one server. */
async function work(loop: string, { url, pid }: Pick<Peer, "url" | "pid">): Promise<Times> {
  const run = async (program: string, args: readonly string[]): Promise<Partial<Times>> =>
    JSON.parse((await runOk(program, args, { timeoutMs: 120_000 })).stdout) as Partial<Times>;
  const moved = await run(loop, [url, "write", "read", "small", "smallread"]);
  const taskset = findProgram("taskset");
  if (taskset === undefined) return { ...moved, ...await run(loop, [url, "getattr"]) } as Times;
  const put = (processors: string) => runOk(taskset, ["-a", "-p", "-c", processors, String(pid)]);
  await put("0");
  try {
    return { ...moved, ...await run(taskset, ["-c", "0", loop, url, "getattr"]) } as Times;
  } finally {
    await put(`0-${navigator.hardwareConcurrency - 1}`);
  }
}

async function measure(
  loop: string,
  peers: readonly Pick<Peer, "url" | "pid">[],
): Promise<void> {
  const rounds: Times[][] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const times: Times[] = [];
    for (const peer of peers) times.push(await work(loop, peer));
    // The first round is a warm-up.
    if (round > 0) rounds.push(times);
  }
  for (const [key, what] of Object.entries(WORKS) as [keyof Times, string][]) {
    const of = (target: number): number[] => rounds.map((times) => times[target]![key]);
    report(`${what}, nfs`, `${median(of(0)).toFixed(0)} ms`);
    if (peers.length < 2) continue;
    report(`${what}, NFS-Ganesha`, `${median(of(1)).toFixed(0)} ms`);
    const ratio = median(of(1).map((theirs, round) => theirs / of(0)[round]!));
    report(`${what}: nfs against NFS-Ganesha`, ratio.toFixed(2), {
      text: `>= ${AIM}`,
      met: ratio >= AIM,
    });
  }
}

const cc = findProgram("cc");
if (cc === undefined) console.log("SKIP client: cc is not installed, so there is no load");
else {
  const folder = await Deno.makeTempDir();
  try {
    const loop = await buildLoop(cc, folder);
    await using program = await startProgram({ args: ["serve", ...FREE_PORTS] });
    const { port } = (await listening(program)).endpoint("nfs");
    await using peer = await startGanesha(folder);
    if (peer === undefined) {
      console.log(
        "SKIP client: ganesha.nfsd is not installed, so there is nothing to compare with",
      );
    }
    const url = `nfs://127.0.0.1/?version=3&nfsport=${port}&mountport=${port}`;
    const ours = { url, pid: program.pid };
    await measure(loop, peer === undefined ? [ours] : [ours, peer]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
