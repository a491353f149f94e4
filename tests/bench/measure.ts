/** Shared by the benchmarks: a load, the memory of a process, and readable results. */
import { findProgram, runOk } from "../support/clients.ts";

/** A request to repeat. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
  readonly connections: number;
}

/** Answered requests a second, and how many of them were refused. */
export interface Rate {
  readonly perSecond: number;
  readonly refused: number;
}

/** Posts as fast as responses arrive, from a separate process: `wrk` if it is installed. */
export async function load(options: Load): Promise<Rate> {
  const wrk = findProgram("wrk");
  return wrk === undefined ? await loadByFetch(options) : await loadByWrk(wrk, options);
}

async function loadByWrk(wrk: string, options: Load): Promise<Rate> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    const headers = Object.entries(options.headers)
      .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}\n`);
    await Deno.writeTextFile(
      script,
      `wrk.method = "POST"\nwrk.body = ${lua(options.body)}\n${headers.join("")}`,
    );
    const { stdout } = await runOk(wrk, [
      "-t1",
      `-c${options.connections}`,
      `-d${options.seconds}s`,
      "-s",
      script,
      options.url,
    ], { timeoutMs: (options.seconds + 20) * 1000 });
    return {
      perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? NaN),
      refused: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0),
    };
  } finally {
    await Deno.remove(script);
  }
}

function lua(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

async function loadByFetch(options: Load): Promise<Rate> {
  const { stdout } = await runOk(
    Deno.execPath(),
    ["run", "--quiet", "--allow-net", new URL("load_loop.ts", import.meta.url).pathname],
    { stdin: JSON.stringify(options), timeoutMs: (options.seconds + 20) * 1000 },
  );
  return JSON.parse(stdout) as Rate;
}

/** Posts over HTTP/2 in the clear, on eight streams of each of four connections; nothing where `h2load` is missing. */
export async function loadHttp2(options: Load): Promise<Rate | undefined> {
  const h2load = findProgram("h2load");
  if (h2load === undefined) return undefined;
  const body = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(body, options.body);
    const headers = Object.entries(options.headers).flatMap((field) => ["-H", field.join(": ")]);
    const lanes = ["-c4", "-m8", "-D", String(options.seconds), "-d", body];
    const { stdout } = await runOk(h2load, [...lanes, ...headers, options.url], {
      timeoutMs: (options.seconds + 20) * 1000,
    });
    const [, taken = "0", ...others] =
      /(\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/.exec(stdout)?.map(String) ?? [];
    const refused = others.reduce((sum, count) => sum + Number(count), 0);
    return { perSecond: Number(taken) / options.seconds, refused };
  } finally {
    await Deno.remove(body);
  }
}

/** Memory that a process holds, in megabytes; nothing where the system has no `/proc`. */
export async function residentMb(pid: number): Promise<number | undefined> {
  return await memoryMb(pid, /VmRSS:\s+(\d+)/);
}

/** The most memory that a process has held so far, in megabytes; nothing where the system has no `/proc`. */
export async function peakMb(pid: number): Promise<number | undefined> {
  return await memoryMb(pid, /VmHWM:\s+(\d+)/);
}

async function memoryMb(pid: number, line: RegExp): Promise<number | undefined> {
  try {
    const status = await Deno.readTextFile(`/proc/${pid}/status`);
    return Number(line.exec(status)?.[1]) / 1024;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Processor time that a process has used, in seconds; NaN where the system does not tell (proc(5)). */
export async function busySeconds(pid: number): Promise<number> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // In ticks of a hundredth.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return NaN;
    throw error;
  }
}

/** The middle one of several measurements. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** One line of the result, with the aim where there is one. */
export function report(what: string, value: string, aim?: { text: string; met: boolean }): void {
  const verdict = aim === undefined ? "" : `  (aim ${aim.text}: ${aim.met ? "met" : "MISSED"})`;
  console.log(`${what.padEnd(48)} ${value.padStart(14)}${verdict}`);
}

/** A SendGrid-shaped request of about 700 bytes: what mail2 takes. */
export function mail2Load(ingress: string, seconds: number): Load {
  return {
    url: `${ingress}/v3/mail/send`,
    headers: { "content-type": "application/json", "authorization": "Bearer SG.bench" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org", name: "Ada Lovelace" }] }],
      from: { email: "shop@example.com", name: "Example Shop" },
      subject: "Your order is on its way",
      content: [
        { type: "text/plain", value: "Your order is on its way. ".repeat(8) },
        { type: "text/html", value: `<p>${"Your order is on its way. ".repeat(8)}</p>` },
      ],
    }),
    seconds,
    connections: 32,
  };
}
