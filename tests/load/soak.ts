/**
 * `deno task load [MINUTES]`: sends mixed traffic over every protocol to the program in a separate
 * process, with active and stalled readers. Fails if an event is lost, if memory or descriptors
 * grow, or if the program does not stop cleanly under load.
 *
 * @module
 */
import { connect } from "../../plugins/client.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { FREE_PORTS, type Program, startProgram } from "../support/program.ts";

const DEFAULT_MINUTES = 30;
/** Interval of memory and descriptor checks. */
const SAMPLE_MS = 2000;
const STALLED_READERS = 20;
/** Events held of each plugin: few, so that every ring is full, and wraps, soon after the start. */
const CAPACITY = 100;
/**
 * Unreferenced attachments are kept until there is no room for others; with this limit, that is
 * also soon.
 */
const BLOB_LIMIT = "16MiB";
/** Numbered mails in flight at a time. */
const MAIL_SENDERS = 2;
/**
 * Allowed growth of memory from the second third of the run to the last, because garbage
 * collections are irregular.
 */
const MAX_GROWTH = 0.1;
/**
 * Descriptors that may be open beyond those of an idle program: HTTP keep-alive connections of the
 * mail senders, two each.
 */
const MAX_MORE_FDS = 8;
/** Longest wait for data in flight after sending has stopped. */
const SETTLE_MS = 20_000;
/** Memory checks per printed line. */
const SAMPLES_A_LINE = 30;

/**
 * Captured late, or once for several writes, because an NFS file becomes an upload once it is quiet
 * (Decision 0016).
 */
const UNCOUNTED = "nfs";

/** Duration of each mail, and of each round of samples of a plugin, in milliseconds. */
type Waits = Map<string, number[]>;

interface Sample {
  readonly rssBytes: number;
  readonly fds: number;
}

/** Events by plugin, and number of captures of each numbered mail. */
interface Seen {
  readonly plugins: Map<string, number>;
  readonly mails: Map<string, number>;
  gaps: number;
}

async function main(minutes: number): Promise<number> {
  if (!(minutes > 0)) throw new RangeError("Cannot run: expected a number of minutes");
  const folder = await Deno.makeTempDir();
  try {
    const config = `${folder}/standin.toml`;
    await Deno.writeTextFile(
      config,
      `[storage]\ncapacity = ${CAPACITY}\nblob_limit = "${BLOB_LIMIT}"\n`,
    );
    await using program = await startProgram({
      args: ["serve", ...FREE_PORTS, "--config", config, "--log-level=warn"],
    });
    return await soak(program, minutes * 60_000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function soak(program: Program, durationMs: number): Promise<number> {
  const url = program.urls.ui!;
  const stop = new AbortController();
  const seen: Seen = { plugins: new Map(), mails: new Map(), gaps: 0 };
  const reading = follow(url, { seen, signal: stop.signal });
  const perRound = await learnRounds(url, seen);
  seen.plugins.clear();
  const rest = await sampleOf(program.pid);
  const stalled = await stall(url);
  const untilMs = performance.now() + durationMs;
  const samples: Sample[] = [];
  const rounds = new Map<string, number>();
  const numbered: string[] = [];
  const problems: string[] = [];
  const waits: Waits = new Map();
  await Promise.all([
    ...[...perRound.keys()].map((plugin) =>
      sendRounds(plugin, { url, untilMs, rounds, problems, waits })
    ),
    ...Array.from(
      { length: MAIL_SENDERS },
      (_, sender) =>
        sendMails(program.urls.ingress!, { sender, untilMs, numbered, problems, waits }),
    ),
    watch(program.pid, { untilMs, samples }),
  ]);
  for (const conn of stalled) conn.close();
  const mailsOf = (): number => (seen.plugins.get("mail") ?? 0) - numbered.length;
  const lost = () => lossesOf({ rounds, perRound, numbered, seen, mails: mailsOf() });
  await settle(() => lost().length === 0);
  problems.push(...lost());
  await settle(async () => (await sampleOf(program.pid)).fds <= rest.fds + MAX_MORE_FDS);
  problems.push(...growthOf(samples, { rest, end: await sampleOf(program.pid) }));
  console.log(
    `${numbered.length} numbered mails; rounds of samples: ` +
      [...rounds].map(([plugin, count]) => `${plugin} ${count}`).join(", "),
  );
  console.log(
    `${[...seen.plugins.values()].reduce((sum, count) => sum + count, 0)} events read, ` +
      `${seen.gaps} gaps`,
  );
  console.log(`Milliseconds, half of them, 99 of 100 and all: ${toText(waits)}`);
  problems.push(...await endUnderLoad(program));
  stop.abort();
  await reading;
  for (const problem of problems) console.error(`Failed: ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

/** Follows the stream like a client, and counts. */
async function follow(
  url: string,
  { seen, signal }: { seen: Seen; signal: AbortSignal },
): Promise<void> {
  for await (const item of connect(url).stream({ signal })) {
    if (item.kind === "gap") {
      seen.gaps++;
      continue;
    }
    const { plugin, provider, summary } = item.event;
    const number = /soak-\d+-\d+/.exec(summary)?.[0];
    if (number !== undefined) seen.mails.set(number, (seen.mails.get(number) ?? 0) + 1);
    if (provider !== UNCOUNTED) seen.plugins.set(plugin, (seen.plugins.get(plugin) ?? 0) + 1);
  }
}

/** Number of events of one round of each plugin's samples, measured in the first round. */
async function learnRounds(url: string, seen: Seen): Promise<ReadonlyMap<string, number>> {
  const learned = new Map<string, number>();
  for (const { id, demo } of STANDARD_PLUGINS) {
    if (demo === undefined) continue;
    await sendDemo(id, url);
    await quiet(seen);
    const before = seen.plugins.get(id) ?? 0;
    await sendDemo(id, url);
    await quiet(seen);
    learned.set(id, (seen.plugins.get(id) ?? 0) - before);
  }
  return learned;
}

async function quiet(seen: Seen): Promise<void> {
  let before = -1;
  const count = (): number => [...seen.plugins.values()].reduce((sum, one) => sum + one, 0);
  while (count() !== before) {
    before = count();
    await pause(500);
  }
}

async function sendDemo(plugin: string, url: string): Promise<string | undefined> {
  const { code, stderr } = await runToEnd(["demo", plugin, "--url", url], {
    plugins: STANDARD_PLUGINS,
  });
  return code === 0 ? undefined : `Cannot send the samples of ${plugin}: ${stderr}`;
}

async function sendRounds(
  plugin: string,
  { url, untilMs, rounds, problems, waits }: {
    url: string;
    untilMs: number;
    rounds: Map<string, number>;
    problems: string[];
    waits: Waits;
  },
): Promise<void> {
  while (performance.now() < untilMs) {
    const problem = await timed(waits, `${plugin} samples`, () => sendDemo(plugin, url));
    if (problem !== undefined) problems.push(problem);
    rounds.set(plugin, (rounds.get(plugin) ?? 0) + 1);
  }
}

async function sendMails(
  ingress: string,
  { sender, untilMs, numbered, problems, waits }: {
    sender: number;
    untilMs: number;
    numbered: string[];
    problems: string[];
    waits: Waits;
  },
): Promise<void> {
  for (let number = 0; performance.now() < untilMs; number++) {
    const subject = `soak-${sender}-${number}`;
    const status = await timed(waits, "mail", () => sendMail(ingress, subject));
    if (status === 200) numbered.push(subject);
    else problems.push(`${subject} was answered ${status}`);
  }
}

async function sendMail(ingress: string, subject: string): Promise<number> {
  const response = await fetch(`${ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer any", "content-type": "application/json" },
    body: JSON.stringify({
      from: "soak@example.com",
      to: "ada@example.org",
      subject,
      text: "x".repeat(2000),
    }),
  });
  await response.body?.cancel();
  return response.status;
}

async function timed<T>(waits: Waits, what: string, work: () => Promise<T>): Promise<T> {
  const begunMs = performance.now();
  const done = await work();
  const all = waits.get(what) ?? [];
  waits.set(what, all);
  all.push(performance.now() - begunMs);
  return done;
}

function toText(waits: Waits): string {
  return [...waits].map(([what, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    const shares = [0.5, 0.99, 1].map((share) => sorted[Math.ceil(sorted.length * share) - 1]!);
    return `${what} ${shares.map((ms) => ms.toFixed(0)).join(" ")}`;
  }).join(", ");
}

/** Stalled readers of the stream. */
async function stall(url: string): Promise<readonly Deno.TcpConn[]> {
  const { hostname, port } = new URL(url);
  const request = new TextEncoder().encode(
    "GET /api/v1/events/stream?include_raw=1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
  );
  const conns: Deno.TcpConn[] = [];
  for (let i = 0; i < STALLED_READERS; i++) {
    const conn = await Deno.connect({ hostname, port: Number(port) });
    await conn.write(request);
    conns.push(conn);
  }
  return conns;
}

async function watch(
  pid: number,
  { untilMs, samples }: { untilMs: number; samples: Sample[] },
): Promise<void> {
  while (performance.now() < untilMs) {
    await pause(Math.min(SAMPLE_MS, Math.max(untilMs - performance.now(), 0)));
    samples.push(await sampleOf(pid));
    if (samples.length % SAMPLES_A_LINE === 0) {
      const { rssBytes, fds } = median(samples.slice(-SAMPLES_A_LINE));
      console.log(`${samples.length * SAMPLE_MS / 1000} s: ${toMiB(rssBytes)}, ${fds} descriptors`);
    }
  }
}

/** From `/proc`, which exists on Linux. */
async function sampleOf(pid: number): Promise<Sample> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  let fds = 0;
  for await (const _entry of Deno.readDir(`/proc/${pid}/fd`)) fds++;
  return { rssBytes: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024, fds };
}

function lossesOf(
  { rounds, perRound, numbered, seen, mails }: {
    rounds: ReadonlyMap<string, number>;
    perRound: ReadonlyMap<string, number>;
    numbered: readonly string[];
    seen: Seen;
    mails: number;
  },
): readonly string[] {
  const problems: string[] = [];
  const wrong = numbered.filter((subject) => seen.mails.get(subject) !== 1);
  if (wrong.length > 0) {
    problems.push(`${wrong.length} numbered mails were not seen once, ${wrong[0]} among them`);
  }
  for (const [plugin, count] of rounds) {
    const expected = count * perRound.get(plugin)!;
    const came = plugin === "mail" ? mails : seen.plugins.get(plugin) ?? 0;
    if (came !== expected) problems.push(`${plugin}: ${came} events came, not ${expected}`);
  }
  if (seen.gaps > 0) problems.push(`${seen.gaps} gaps in a stream that was read all the time`);
  return problems;
}

function growthOf(
  samples: readonly Sample[],
  { rest, end }: { rest: Sample; end: Sample },
): readonly string[] {
  const third = Math.floor(samples.length / 3);
  const [before, after] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
    .map((part) => median(part).rssBytes);
  console.log(
    `Memory ${toMiB(rest.rssBytes)} at rest, ${toMiB(before!)} in the second third, ${
      toMiB(after!)
    } in ` +
      `the last, ${toMiB(Math.max(...samples.map(({ rssBytes }) => rssBytes)))} at most; ` +
      `descriptors ${rest.fds} at rest, ` +
      `${Math.max(...samples.map(({ fds }) => fds))} at most, ${end.fds} in the end`,
  );
  const problems: string[] = [];
  if (after! > before! * (1 + MAX_GROWTH)) problems.push("Memory grew");
  if (end.fds > rest.fds + MAX_MORE_FDS) problems.push("Descriptors leaked");
  return problems;
}

function toMiB(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}

function median(samples: readonly Sample[]): Sample {
  const sorted = samples.toSorted((a, b) => a.rssBytes - b.rssBytes);
  return sorted[samples.length >> 1] ?? { rssBytes: 0, fds: 0 };
}

/** Keeps sending while the program stops: it answers or closes, and exits with status 0. */
async function endUnderLoad(program: Program): Promise<readonly string[]> {
  let [answered, ended] = [0, false];
  const sending = Array.from({ length: 8 }, async (_, sender) => {
    for (let number = 0; !ended && number < 100_000; number++) {
      try {
        if (await sendMail(program.urls.ingress!, `end-${sender}-${number}`) === 200) answered++;
      } catch {
        // Refused, because the listener is closed.
        return;
      }
    }
  });
  while (answered < 50) await pause(10);
  const begunMs = performance.now();
  const { code, stderr } = await program.stop("SIGTERM");
  ended = true;
  await Promise.all(sending);
  console.log(
    `SIGTERM under load: status ${code} after ${Math.round(performance.now() - begunMs)} ms`,
  );
  const said = stderr.split("\n").filter((line) => /ERROR|Uncaught|panicked/.test(line));
  return [
    ...(code === 0 ? [] : [`It ended with status ${code}`]),
    ...said.slice(0, 10).map((line) => `It said: ${line}`),
  ];
}

async function settle(done: () => boolean | Promise<boolean>): Promise<void> {
  const untilMs = performance.now() + SETTLE_MS;
  while (!await done() && performance.now() < untilMs) await pause(100);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) Deno.exit(await main(Number(Deno.args[0] ?? DEFAULT_MINUTES)));
