/**
 * Messages per second over SMTP, compared with npm's smtp-server and mailparser under the same
 * load.
 */
import { clientCache, findProgram, runOk } from "../support/clients.ts";
import { startProgram } from "../support/program.ts";
import { busySeconds, median, report } from "./measure.ts";
import type { SmtpLoad, SmtpRate } from "./smtp_load.ts";

const SECONDS = 2;
const ROUNDS = 3;
const CONNECTIONS = 16;
const PACKAGES = { "smtp-server": "3.21.6", mailparser: "3.9.31" };

const RIVAL = "smtp-server and mailparser";

/** A server in a separate process. */
interface Server {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
}

const HEADER = "From: Example Shop <shop@example.com>\r\nTo: Ada <ada@example.org>\r\n" +
  "Subject: =?utf-8?q?Your_order_is_on_its_way_=E2=9C=93?=\r\n" +
  "Date: Sat, 31 Jan 2026 12:00:00 +0000\r\nMessage-ID: <1@example.com>\r\nMIME-Version: 1.0\r\n";
const LINE = "Your order is on its way and should arrive on Thursday.\r\n";

/** About 1 KB of plain text. */
const SMALL = `${HEADER}Content-Type: text/plain; charset=utf-8\r\n\r\n${LINE.repeat(12)}.\r\n`;

/** Text, HTML and an attachment, about 100 KB. */
const MEDIUM = [
  `${HEADER}Content-Type: multipart/mixed; boundary=m`,
  "",
  "--m",
  "Content-Type: multipart/alternative; boundary=a",
  "",
  "--a",
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  `Gr=C3=BC=C3=9Fe\r\n${LINE.repeat(40)}`,
  "--a",
  "Content-Type: text/html; charset=utf-8",
  "",
  `<html><body>${`<p>${LINE}</p>`.repeat(100)}</body></html>`,
  "--a--",
  "--m",
  "Content-Type: application/pdf; name=invoice.pdf",
  "Content-Disposition: attachment; filename=invoice.pdf",
  "Content-Transfer-Encoding: base64",
  "",
  "JVBERi0xLjcKJeLjz9MKJVBERi0xLjcKJeLjz9MKJVBERi0xLjcKJeLjz9MKJVBERi0xLjcKJeLj\r\n".repeat(1150),
  "--m--",
  ".",
  "",
].join("\r\n");

async function load(port: number, data: string, seconds: number): Promise<SmtpRate> {
  const options: SmtpLoad = { port, data, seconds, connections: CONNECTIONS };
  const script = new URL("smtp_load.ts", import.meta.url).pathname;
  const { stdout } = await runOk(Deno.execPath(), ["run", "--quiet", "--allow-net", script], {
    stdin: JSON.stringify(options),
    timeoutMs: (seconds + 20) * 1000,
  });
  return JSON.parse(stdout) as SmtpRate;
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
  for (const { port } of servers) await load(port, data, 1);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { port, pid }] of servers.entries()) {
      const result = results[index]!;
      const before = await busySeconds(pid);
      const { sent, perSecond } = await load(port, data, SECONDS);
      result.busy += await busySeconds(pid) - before;
      result.sent += sent;
      result.perSecond.push(perSecond);
    }
  }
  return results;
}

function reportSize(servers: readonly Server[], what: string, results: readonly Measured[]): void {
  for (const [index, { perSecond, busy, sent }] of results.entries()) {
    const { name } = servers[index]!;
    report(`${name}, ${what}, messages a second`, median(perSecond).toFixed(0));
    report(`${name}, ${what}, microseconds busy each`, (busy / sent * 1e6).toFixed(0));
  }
  const [ours, theirs] = results;
  if (ours === undefined || theirs === undefined || servers[1]?.name !== RIVAL) return;
  const ratio = median(ours.perSecond.map((rate, round) => rate / theirs.perSecond[round]!));
  const aim = { text: ">= 2", met: ratio >= 2 };
  report(`standin against ${RIVAL}, ${what}`, ratio.toFixed(2), aim);
  // Comparable even on a busy machine.
  const lighter = (theirs.busy / theirs.sent) / (ours.busy / ours.sent);
  report(`the same in processor time, ${what}`, lighter.toFixed(2));
}

/** Port of the program's smtp listener. */
async function smtpPort(api: string): Promise<number> {
  const plugins = await (await fetch(`${api}/api/v1/plugins`)).json() as {
    providers: { name: string; addr?: string }[];
  }[];
  const smtp = plugins.flatMap(({ providers }) => providers).find(({ name }) => name === "smtp");
  return Number(smtp?.addr?.split(":").at(-1));
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
const [node, npm, sink] = ["node", "npm", "smtp-sink"].map(findProgram);
if (node !== undefined && npm !== undefined) servers.push(others.use(await startRival(node, npm)));
else console.log("Node is not installed: nothing to compare with");
if (sink !== undefined) servers.push(others.use(await startSink(sink)));

for (const [data, what] of [[SMALL, "1 KB"], [MEDIUM, "100 KB"]] as const) {
  reportSize(servers, what, await measure(servers, data));
}
