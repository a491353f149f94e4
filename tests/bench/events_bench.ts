/**
 * Events in memory, on disk and in NATS: captures per second through mail2, alternating, and the
 * duration of a start with many events.
 */
import { MemoryBlobStore } from "../../core/blobs/memory.ts";
import { MemoryEventStore } from "../../core/events/store.ts";
import { createIds, randomBits } from "../../core/ids.ts";
import { createLogger } from "../../core/log.ts";
import { openFileLog } from "../../core/persist/event_log.ts";
import { FREE_PORTS, startProgram } from "../support/program.ts";
import { buildNats, startNats } from "../support/nats.ts";
import { scratch } from "../support/files.ts";
import { busySeconds, load, mail2Load, median, report } from "./measure.ts";

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 256;
const EVENTS = 100_000;

await using folder = await scratch();
const disk = ["--persist", `${folder.path}/program`, "--events", "filesystem"];
await using memory = await startProgram({ args: ["serve", ...FREE_PORTS] });
await using filesystem = await startProgram({ args: ["serve", ...FREE_PORTS, ...disk] });
await using servers = await startNats(await buildNats(), {});
const shared = ["--events", "nats", "--nats-servers", servers.servers.join()];
await using nats = await startProgram({ args: ["serve", ...FREE_PORTS, ...shared] });
const programs = { memory, filesystem, nats };
const NAMES = ["memory", "filesystem", "nats"] as const;
const rates = { memory: [] as number[], filesystem: [] as number[], nats: [] as number[] };
const costs = { memory: [] as number[], filesystem: [] as number[], nats: [] as number[] };
for (let round = 0; round <= ROUNDS; round++) {
  for (const name of NAMES) {
    const { urls, pid } = programs[name];
    const before = await busySeconds(pid);
    const work = { ...mail2Load(urls.ingress!, SECONDS), connections: CONNECTIONS };
    const { perSecond } = await load(work);
    // The first round warms up the compiler.
    if (round === 0) continue;
    rates[name].push(perSecond);
    costs[name].push((await busySeconds(pid) - before) / (perSecond * SECONDS) * 1e6);
  }
}
for (const name of NAMES) {
  report(`captures: ${name}`, `${median(rates[name]).toFixed(0)} /s`);
  report(`captures: ${name}, CPU a capture`, `${median(costs[name]).toFixed(1)} us`);
}
for (const [name, least] of [["filesystem", 0.7], ["nats", 0.3]] as const) {
  const ratio = median(rates[name]) / median(rates.memory);
  report(`captures: ${name} against memory`, ratio.toFixed(2), {
    text: `>= ${least}`,
    met: ratio >= least,
  });
}

await open(async (store) => {
  for (let i = 0; i < EVENTS; i++) {
    const body = new TextEncoder().encode(`event ${i} `.padEnd(700, "x"));
    const kept = store.settled(store.add("mail", "mail2", {
      type: "mail.message",
      summary: `event ${i}`,
      payload: { subject: `event ${i}`, text: "x".repeat(200) },
      raw: { transport: "http", text: true, body, method: "POST", path: "/v3/mail/send" },
    }));
    if (i % 1000 === 999) await kept;
  }
});
const startMs = performance.now();
await open((store) => {
  const seconds = (performance.now() - startMs) / 1000;
  if (store.count() !== EVENTS) throw new Error(`Found ${store.count()} events`);
  report(`start with ${EVENTS} events`, `${seconds.toFixed(2)} s`, {
    text: "< 4 s",
    met: seconds < 4,
  });
});

async function open(work: (store: MemoryEventStore) => void | Promise<void>): Promise<void> {
  const nextId = createIds({ nowMs: () => Date.now(), random: randomBits() });
  const blobs = new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
  const store = new MemoryEventStore({
    limits: { capacityOf: () => EVENTS, maxRawBytes: Infinity },
    clock: { now: () => new Date() },
    nextId,
    blobs,
    onOversize: () => {},
  });
  const log = createLogger({ level: "error", write: () => {}, now: () => new Date() });
  await using kept = await openFileLog({ folder: `${folder.path}/start`, blobs, log });
  await store.follow(kept);
  await work(store);
}
