/**
 * Files and megabytes per second over FTP, SFTP and TFTP, compared with standard servers and the
 * same clients; and the cost of storing files on disk.
 *
 * @module
 */
import { findProgram, runOk } from "../support/clients.ts";
import { noise } from "../support/files.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "../support/program.ts";
import { sayAbsent, startSshd, startTftpd, startVsftpd, type Target } from "./files_peers.ts";
import { median, report } from "./measure.ts";
import { numberFrom } from "../support/settings.ts";

const ROUNDS = numberFrom("BENCH_ROUNDS", 3);
const MIB = 1024 * 1024;
const LARGE_MIB = 64;
const SMALL_COUNT = 500;
/** Block size of clients that fit blocks into an Ethernet frame. */
const TFTP_BLOCK = 1432;
const LIMIT_MS = 60_000;

/** One kind of work, timed at the client. */
interface Work {
  readonly what: string;
  /** May return the milliseconds it took, to exclude the start of the client. */
  run(target: Target): Promise<unknown>;
}

/**
 * Times of every target for every kind of work, alternating, so that other load on the machine
 * affects all of them.
 */
async function measure(targets: readonly Target[], works: readonly Work[]): Promise<void> {
  const times = works.map(() => targets.map((): number[] => []));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [w, work] of works.entries()) {
      for (const [t, target] of targets.entries()) {
        const begun = performance.now();
        const own = await work.run(target);
        const took = typeof own === "number" ? own : performance.now() - begun;
        // The first round is a warm-up.
        if (round > 0) times[w]![t]!.push(took);
      }
    }
  }
  for (const [w, { what }] of works.entries()) {
    for (const [t, { name }] of targets.entries()) {
      report(`${what}, ${name}`, `${median(times[w]![t]!).toFixed(0)} ms`);
    }
  }
  for (const [w, { what }] of works.entries()) {
    const [ours, theirs] = times[w]!;
    if (ours === undefined || theirs === undefined) continue;
    const ratio = median(ours.map((time, round) => theirs[round]! / time));
    const aim = AIMS[targets[1]!.name];
    const verdict = aim === undefined ? undefined : { text: `>= ${aim}`, met: ratio >= aim };
    report(`${what}: ${targets[0]!.name} against ${targets[1]!.name}`, ratio.toFixed(2), verdict);
  }
}

/** Target speed relative to each peer. */
const AIMS: Readonly<Record<string, number>> = { vsftpd: 0.8, sshd: 0.8, "tftpd-hpa": 0.8 };

/** Uses Python's ftplib: curl 7.88 sometimes waits a second for a data connection that is already open. */
function byFtplib(python: string, folder: string): readonly Work[] {
  const script = new URL("files_ftp_load.py", import.meta.url).pathname;
  const run = async ({ port, folder: at = "/" }: Target, work: string) => {
    const args = [script, "127.0.0.1", String(port), at, `${folder}/large`, String(SMALL_COUNT)];
    return Number((await runOk(python, [...args, work], { timeoutMs: LIMIT_MS })).stdout);
  };
  return [
    { what: `${LARGE_MIB} MiB up`, run: (target) => run(target, "up") },
    { what: `${LARGE_MIB} MiB down`, run: (target) => run(target, "down") },
    { what: `${SMALL_COUNT} files up`, run: (target) => run(target, "many-up") },
    { what: `${SMALL_COUNT} files down`, run: (target) => run(target, "many-down") },
  ];
}

/** Works over TFTP. */
function byCurl(curl: string, folder: string): readonly Work[] {
  const quiet = ["--silent", "--show-error", "--noproxy", "*"];
  const run = (...args: string[]) =>
    runOk(curl, [...quiet, "--tftp-blksize", String(TFTP_BLOCK), ...args], { timeoutMs: LIMIT_MS });
  const names = Array.from({ length: SMALL_COUNT }, (_, i) => `${folder}/small/${i}`).join(",");
  return [
    {
      what: `${LARGE_MIB} MiB up`,
      run: ({ url }) => run("-T", `${folder}/large`, `${url}large`),
    },
    { what: `${LARGE_MIB} MiB down`, run: ({ url }) => run("-o", `${folder}/back`, `${url}large`) },
    { what: `${SMALL_COUNT} files up`, run: ({ url }) => run("-T", `{${names}}`, url) },
    {
      what: `${SMALL_COUNT} files down`,
      run: ({ url }) => run("-o", `${folder}/back_#1`, `${url}[0-${SMALL_COUNT - 1}]`),
    },
  ];
}

/** Work done by OpenSSH's client. */
function bySftp(sftp: string, folder: string, key: string | undefined): readonly Work[] {
  const run = (port: number, batch: string, ...options: readonly string[]) =>
    runOk(sftp, [
      ...options,
      ...["-q", "-b", "-", "-P", String(port), "-F", "none", "-o", "StrictHostKeyChecking=no"],
      ...["-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "IdentityAgent=none"],
      ...(key === undefined ? [] : ["-i", key]),
      "127.0.0.1",
    ], { stdin: batch, timeoutMs: LIMIT_MS });
  return [
    {
      what: `${LARGE_MIB} MiB up`,
      run: ({ port }) => run(port, `put ${folder}/large large\n`),
    },
    { what: `${LARGE_MIB} MiB down`, run: ({ port }) => run(port, `get large ${folder}/back\n`) },
    {
      what: `${LARGE_MIB} MiB down by aes128-gcm`,
      run: ({ port }) =>
        run(port, `get large ${folder}/back\n`, "-o", "Ciphers=aes128-gcm@openssh.com"),
    },
    { what: `${SMALL_COUNT} files up`, run: ({ port }) => run(port, `put ${folder}/small/*\n`) },
    {
      what: `${SMALL_COUNT} files down`,
      run: ({ port }) => run(port, `lcd ${folder}/again\nget [0-9]*\n`),
    },
  ];
}

async function targetOf(program: Program, provider: string, name = "standin"): Promise<Target> {
  const { port } = (await listening(program)).endpoint(provider);
  const url = `${provider}://127.0.0.1:${port}/`;
  return { name, url, port, [Symbol.asyncDispose]: () => Promise.resolve() };
}

function present<T>(values: readonly (T | undefined)[]): readonly T[] {
  return values.filter((value) => value !== undefined);
}

/** Parts of the benchmark, by their name on the command line. */
const PARTS: Readonly<Record<string, (program: Program, folder: string) => Promise<void>>> = {
  async ftp(program, folder) {
    const python = findProgram("python3");
    if (python === undefined) return sayAbsent("python3");
    console.log("-- FTP, by Python's ftplib");
    await using peer = await startVsftpd(folder);
    await measure(present([await targetOf(program, "ftp"), peer]), byFtplib(python, folder));
  },
  async sftp(program, folder) {
    const sftp = findProgram("sftp");
    if (sftp === undefined) return sayAbsent("sftp");
    console.log("-- SFTP, by OpenSSH's sftp");
    await using peer = await startSshd(folder);
    const works = bySftp(sftp, folder, peer?.key);
    await measure(present([await targetOf(program, "sftp"), peer]), works);
  },
  async tftp(program, folder) {
    const curl = findProgram("curl");
    if (curl === undefined) return sayAbsent("curl");
    console.log(`-- TFTP in blocks of ${TFTP_BLOCK} bytes, by curl`);
    await using peer = await startTftpd(folder);
    await measure(present([await targetOf(program, "tftp"), peer]), byCurl(curl, folder));
  },
  async kept(program, folder) {
    const python = findProgram("python3");
    if (python === undefined) return sayAbsent("python3");
    console.log("-- FTP, kept on disk against in memory");
    const args = ["serve", ...FREE_PORTS, "--persist", `${folder}/kept`];
    await using keeping = await startProgram({ args });
    const targets = [
      await targetOf(keeping, "ftp", "on disk"),
      await targetOf(program, "ftp", "in memory"),
    ];
    await measure(targets, byFtplib(python, folder));
  },
};

const folder = await Deno.makeTempDir();
await Deno.chmod(folder, 0o755);
try {
  await Deno.writeFile(`${folder}/large`, noise(LARGE_MIB * MIB));
  for (const name of ["small", "again"]) await Deno.mkdir(`${folder}/${name}`);
  for (let i = 0; i < SMALL_COUNT; i++) {
    await Deno.writeFile(`${folder}/small/${i}`, noise(1024, i));
  }
  await using program = await startProgram({ args: ["serve", ...FREE_PORTS] });
  for (const [name, run] of Object.entries(PARTS)) {
    if (Deno.args.length === 0 || Deno.args.includes(name)) await run(program, folder);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
