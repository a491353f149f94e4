/** Cost of a service for one test, of waits, and of many followers. */
import { type Standin, start } from "../../mod.ts";
import { startProgram } from "../support/program.ts";
import { SseReader } from "../support/sse.ts";
import { mail2Load, median, report } from "./measure.ts";

const RUNS = 50;
const CROWD = 1000;

async function timed(action: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await action();
  return performance.now() - startMs;
}

async function measureStarts(): Promise<void> {
  const starts: number[] = [];
  const stops: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    let standin: Standin | undefined;
    starts.push(await timed(async () => standin = await start({ ports: 0 })));
    await send(standin!.ingress.url);
    stops.push(await timed(() => standin!.stop()));
  }
  report("start, the first of a process", `${starts[0]!.toFixed(1)} ms`);
  const warm = median(starts.slice(1));
  report("start, warm, every plugin", `${warm.toFixed(1)} ms`, { text: "< 60 ms", met: warm < 60 });
  const stop = median(stops.slice(1));
  report("stop, warm, after one request", `${stop.toFixed(1)} ms`, {
    text: "< 50 ms",
    met: stop < 50,
  });
  const idle: number[] = [];
  for (let i = 0; i < 10; i++) {
    const standin = await start({ ports: 0, providers: ["smtp"] });
    using client = await Deno.connect({ port: standin.endpoint("smtp").port });
    await client.read(new Uint8Array(512));
    idle.push(await timed(() => standin.stop()));
  }
  const held = median(idle);
  report("stop, with a silent SMTP client", `${held.toFixed(1)} ms`, {
    text: "< 50 ms",
    met: held < 50,
  });
}

async function send(ingress: string): Promise<void> {
  const { url, headers, body } = mail2Load(ingress, 1);
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`Cannot send: answered ${answer.status}`);
}

/** Time from the capture of an event to the end of the wait for it. */
async function waitMs(
  standin: Standin,
  wait: (after: string) => Promise<unknown>,
): Promise<number> {
  const { events } = standin;
  const before = events.watchers;
  const after = events.list({}, { limit: 1 })[0]?.id ?? "0";
  const answer = wait(after).then(() => performance.now());
  while (events.watchers === before) await new Promise((resolve) => setTimeout(resolve, 1));
  let capturedMs = 0;
  const end = events.watch(() => capturedMs ||= performance.now());
  await send(standin.ingress.url);
  const answeredMs = await answer;
  end();
  return answeredMs - capturedMs;
}

async function measureWaits(): Promise<void> {
  await using standin = await start({ ports: 0 });
  const url = `${standin.api.url}/api/v1/events/wait?plugin=mail`;
  const overHttp = async (after: string) =>
    await (await fetch(`${url}&timeout=60s&after=${after}`)).text();
  const inProcess = () =>
    standin.waitFor("mail.message", { after: standin.list("mail.message")[0]! });
  const take = async (wait: (after: string) => Promise<unknown>) => {
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) times.push(await waitMs(standin, wait));
    return median(times);
  };
  await send(standin.ingress.url);
  const direct = await take(inProcess);
  report("waitFor, capture to answer", `${direct.toFixed(2)} ms`);
  const http = await take(overHttp);
  report("wait over HTTP, capture to answer", `${http.toFixed(2)} ms`, {
    text: "< 5 ms",
    met: http < 5,
  });
  const others = Array.from(
    { length: CROWD },
    async () => await (await fetch(`${url}&search=nothing-has-this&timeout=20s`)).text(),
  );
  while (standin.events.watchers < CROWD) await new Promise((resolve) => setTimeout(resolve, 5));
  const crowded = await take(overHttp);
  report(`the same beside ${CROWD} others that wait`, `${crowded.toFixed(2)} ms`, {
    text: "< 5 ms",
    met: crowded < 5,
  });
  await standin.stop();
  await Promise.all(others);
}

async function measureStreams(): Promise<void> {
  await using program = await startProgram();
  const { ui = "", ingress = "" } = program.urls;
  const readers: SseReader[] = [];
  const opened = await timed(async () => {
    for (let i = 0; i < CROWD; i += 50) {
      readers.push(
        ...await Promise.all(Array.from({ length: 50 }, async () => {
          const reader = new SseReader(await fetch(`${ui}/api/v1/events/stream`));
          await reader.next();
          return reader;
        })),
      );
    }
  });
  report(`streams opened a second, ${CROWD} in all`, (CROWD / opened * 1000).toFixed(0));
  for (const [what, pauseMs] of [["after a second", 1000], ["behind another", 0]] as const) {
    const answers: number[] = [];
    const arrivals: number[] = [];
    for (let i = 0; i < 5; i++) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      arrivals.push(
        await timed(async () => {
          const arrival = readers.map((reader) => reader.until(({ event }) => event !== undefined));
          answers.push(await timed(() => send(ingress)));
          await Promise.all(arrival);
        }),
      );
    }
    report(`one event to all of ${CROWD} streams, ${what}`, `${median(arrivals).toFixed(0)} ms`);
    report("answer to its sender meanwhile", `${median(answers).toFixed(0)} ms`);
  }
  await Promise.all(readers.map((reader) => reader[Symbol.asyncDispose]()));
}

await measureStarts();
await measureWaits();
await measureStreams();
