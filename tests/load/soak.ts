/**
 * `deno task load [MINUTES]`: sends mixed traffic over every protocol to the program in a separate
 * process, with faults, callbacks, and active and stalled readers. Fails if an event or a callback is
 * lost, if memory or descriptors grow, or if the program does not stop cleanly under load.
 *
 * @module
 */
import { connect } from "../../plugins/client.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { expanded, SERVE_PERMISSIONS } from "../../scripts/permissions.ts";
import { runToEnd } from "../cli/console.ts";
import { freePort } from "../support/free_port.ts";
import { FREE_PORTS, type Program, startProgram } from "../support/program.ts";
import {
  callbackProblems,
  faultProblems,
  Outcomes,
  type Receiver,
  sendMail,
  sendMails,
  startReceiver,
} from "./mails.ts";
import {
  fdsAtRest,
  growthOf,
  inspect,
  type Inspector,
  pause,
  sampleOf,
  type Samples,
  watch,
} from "./process.ts";
import { timed, toText, type Waits } from "./waits.ts";

const DEFAULT_MINUTES = 30;
/**
 * In a shorter run, memory still grows in the second third, until every ring and the log of callbacks are full and the
 * code is compiled.
 */
const LEAST_MINUTES = 10;
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
/** Longest wait for data in flight after sending has stopped. */
const SETTLE_MS = 20_000;
/**
 * Captured late, or once for several writes, because an NFS file becomes an upload once it is quiet
 * (Decision 0016).
 */
const UNCOUNTED = "nfs";

/** Events by plugin, and number of captures of each numbered mail. */
interface Seen {
  readonly plugins: Map<string, number>;
  readonly mails: Map<string, number>;
  gaps: number;
}

async function main(minutes: number): Promise<number> {
  if (!(minutes >= LEAST_MINUTES)) {
    throw new RangeError(`Cannot run: expected a number of minutes, at least ${LEAST_MINUTES}`);
  }
  const folder = await Deno.makeTempDir();
  try {
    await using receiver = startReceiver();
    const config = `${folder}/standin.toml`;
    await Deno.writeTextFile(
      config,
      `[storage]\ncapacity = ${CAPACITY}\nblob_limit = "${BLOB_LIMIT}"\n${receiver.toml}`,
    );
    const inspected = freePort();
    await using program = await startProgram({
      args: ["serve", ...FREE_PORTS, "--config", config, "--log-level=warn"],
      permissions: [
        ...expanded(SERVE_PERMISSIONS, (name) => Deno.env.get(name)),
        `--inspect=127.0.0.1:${inspected}`,
      ],
    });
    using inspector = await inspect(inspected);
    return await soak(program, { durationMs: minutes * 60_000, receiver, inspector });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function soak(
  program: Program,
  { durationMs, receiver, inspector }: {
    durationMs: number;
    receiver: Receiver;
    inspector: Inspector;
  },
): Promise<number> {
  const url = program.urls.ui!;
  const stop = new AbortController();
  const seen: Seen = { plugins: new Map(), mails: new Map(), gaps: 0 };
  const reading = follow(url, { seen, signal: stop.signal });
  const perRound = await learnRounds(url, seen);
  seen.plugins.clear();
  const rest = await sampleOf(program.pid);
  const stalled = await stall(url);
  const untilMs = performance.now() + durationMs;
  const samples: Samples = { all: [], liveBytes: [] };
  const rounds = new Map<string, number>();
  const outcomes = new Outcomes();
  const problems: string[] = [];
  const waits: Waits = new Map();
  await Promise.all([
    ...[...perRound.keys()].map((plugin) =>
      sendRounds(plugin, { url, untilMs, rounds, problems, waits })
    ),
    ...Array.from(
      { length: MAIL_SENDERS },
      (_, sender) =>
        sendMails(program.urls.ingress!, { sender, untilMs, outcomes, problems, waits }),
    ),
    watch(program.pid, { untilMs, samples, inspector }),
  ]);
  for (const conn of stalled) conn.close();
  const numbered = outcomes.captured;
  const mailsOf = (): number => (seen.plugins.get("mail") ?? 0) - numbered.length;
  const lost = () => [
    ...lossesOf({ rounds, perRound, numbered, seen, mails: mailsOf() }),
    ...callbackProblems(receiver, outcomes),
  ];
  await settle(() => lost().length === 0);
  problems.push(...lost(), ...await faultProblems(url, outcomes));
  await settle(async () => fdsAtRest(await sampleOf(program.pid), rest));
  problems.push(...growthOf(samples, { rest, end: await sampleOf(program.pid) }));
  const calls = [...receiver.calls.values()].reduce((sum, { length }) => sum + length, 0);
  console.log(
    `${numbered.length} numbered mails, ${calls} callbacks; rounds of samples: ` +
      [...rounds].map(([plugin, count]) => `${plugin} ${count}`).join(", "),
  );
  console.log(
    `${[...seen.plugins.values()].reduce((sum, count) => sum + count, 0)} events read, ` +
      `${seen.gaps} gaps`,
  );
  console.log(`Milliseconds, half of them, 99 of 100 and all: ${toText(waits)}`);
  // Deno waits at its end for an inspector to leave.
  inspector[Symbol.dispose]();
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

/** Keeps sending while the program stops: it answers or closes, and exits with status 0. */
async function endUnderLoad(program: Program): Promise<readonly string[]> {
  let [answered, ended] = [0, false];
  const sending = Array.from({ length: 8 }, async (_, sender) => {
    for (let number = 0; !ended && number < 100_000; number++) {
      const status = await sendMail(program.urls.ingress!, `end-${sender}-${number}`);
      // Refused, because the listener is closed.
      if (status === undefined) return;
      if (status === 200) answered++;
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

if (import.meta.main) Deno.exit(await main(Number(Deno.args[0] ?? DEFAULT_MINUTES)));
