/**
 * Messages per second over SMTP, compared with npm's smtp-server and mailparser under the same
 * load.
 */
import { clientCache, findProgram, runOk } from "../support/clients.ts";
import { startMailpit } from "../support/mailpit.ts";
import { startProgram } from "../support/program.ts";
import { busySeconds, median, report } from "./measure.ts";
import { MEDIUM, sendMails, SMALL, smtpPort } from "./smtp_mails.ts";

const SECONDS = 2;
const ROUNDS = 3;
const PACKAGES = { "smtp-server": "3.21.6", mailparser: "3.9.31" };

const RIVAL = "smtp-server and mailparser";
const MAILPIT = "mailpit";

/** A server in a separate process. */
interface Server {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
}

/** Result of one server with messages of one size. */
interface Measured {
  /** Messages per second, one figure per round. */
  readonly perSecond: number[];
  sent: number;
  /** Processor time of the server, in seconds; NaN if the system does not report it. */
  busy: number;
}

/** Servers alternate, so that other load on the machine affects all of them. */
async function measure(servers: readonly Server[], data: string): Promise<readonly Measured[]> {
  const results = servers.map((): Measured => ({ perSecond: [], sent: 0, busy: 0 }));
  for (const { port } of servers) await sendMails({ port, data, seconds: 1 });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { port, pid }] of servers.entries()) {
      const result = results[index]!;
      const before = await busySeconds(pid);
      const { sent, perSecond } = await sendMails({ port, data, seconds: SECONDS });
      result.busy += await busySeconds(pid) - before;
      result.sent += sent;
      result.perSecond.push(perSecond);
    }
  }
  return results;
}

/** Servers that Standin is compared with, and how many times as many messages it should take as they do. */
const AIMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  [RIVAL]: { "1 KB": 2, "100 KB": 2 },
  [MAILPIT]: { "1 KB": 2.5 },
};

function reportSize(servers: readonly Server[], what: string, results: readonly Measured[]): void {
  for (const [index, { perSecond, busy, sent }] of results.entries()) {
    const { name } = servers[index]!;
    report(`${name}, ${what}, messages a second`, median(perSecond).toFixed(0));
    report(`${name}, ${what}, microseconds busy each`, (busy / sent * 1e6).toFixed(0));
  }
  const [ours, ...others] = results;
  for (const [index, theirs] of others.entries()) {
    const { name } = servers[index + 1]!;
    const aims = AIMS[name];
    if (ours === undefined || aims === undefined) continue;
    const ratio = median(ours.perSecond.map((rate, round) => rate / theirs.perSecond[round]!));
    const least = aims[what];
    const aim = least === undefined ? undefined : { text: `>= ${least}`, met: ratio >= least };
    report(`standin against ${name}, ${what}`, ratio.toFixed(2), aim);
    // Tells the two apart even where something else keeps the machine busy.
    const lighter = (theirs.busy / theirs.sent) / (ours.busy / ours.sent);
    report(`the same in processor time, ${what}`, lighter.toFixed(2));
  }
}

async function startRival(node: string, npm: string): Promise<Server & AsyncDisposable> {
  const folder = `${clientCache()}/smtp-bench`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    `${folder}/package.json`,
    JSON.stringify({ private: true, type: "module", dependencies: PACKAGES }),
  );
  const install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  await runOk(npm, install, { cwd: folder, timeoutMs: 300_000 });
  const code = await Deno.readTextFile(new URL("smtp_rival.js", import.meta.url));
  return await startPrinting(node, ["--input-type=module", "--eval", code], folder);
}

/** Starts a server that prints `port N` when it listens. */
async function startPrinting(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<Server & AsyncDisposable> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = child.stdout.pipeThrough(new TextDecoderStream());
  let text = "";
  for await (const part of output.values({ preventCancel: true })) {
    text += part;
    if (/port \d+\s/.test(text)) break;
  }
  return {
    name: RIVAL,
    pid: child.pid,
    port: Number(/port (\d+)/.exec(text)?.[1]),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, output.cancel()]);
    },
  };
}

/** Postfix's smtp-sink discards everything: the upper bound of the load itself. */
async function startSink(sink: string): Promise<Server & AsyncDisposable> {
  const free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr;
  free.close();
  const child = new Deno.Command(sink, {
    args: ["-u", "nobody", `127.0.0.1:${port}`, "100"],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  await untilListening(port);
  return {
    name: "smtp-sink, which forgets",
    pid: child.pid,
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (error) {
      if (tries === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

await using program = await startProgram();
await using others = new AsyncDisposableStack();
const port = await smtpPort(program.urls.api ?? "");
const servers: Server[] = [{ name: "standin", pid: program.pid, port }];
const [node, npm, sink, mailpit] = ["node", "npm", "smtp-sink", "mailpit"].map(findProgram);
if (node !== undefined && npm !== undefined) servers.push(others.use(await startRival(node, npm)));
else console.log("Node is not installed: nothing to compare with");
if (mailpit !== undefined) {
  const { pid, smtpPort } = others.use(await startMailpit(mailpit));
  servers.push({ name: MAILPIT, pid, port: smtpPort });
} else console.log("Mailpit is not installed: it is left out");
if (sink !== undefined) servers.push(others.use(await startSink(sink)));

for (const [data, what] of [[SMALL, "1 KB"], [MEDIUM, "100 KB"]] as const) {
  reportSize(servers, what, await measure(servers, data));
}
