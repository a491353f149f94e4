/**
 * The list of all mails that the default settings hold, compared with sending the same bytes; and a
 * page of a list, and searches, over 100 000 mails. Measures both the time at the client and
 * processor time, which is more reliable on a busy machine.
 */
import { FREE_PORTS, type Program, startProgram } from "../support/program.ts";
import { busySeconds, load, mail2Load, median, report, residentMb } from "./measure.ts";

const HELD = 500;
const RUNS = 30;
const MANY = 100_000;

async function post(ingress: string, count: number): Promise<void> {
  const { url, headers, body } = mail2Load(ingress, 1);
  for (let i = 0; i < count; i++) {
    const response = await fetch(url, { method: "POST", headers, body });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`Posted mail ${i}: answered ${response.status}`);
  }
}

interface Timed {
  readonly ms: number;
  readonly fastestMs: number;
  readonly text: string;
}

async function medianMs(address: string): Promise<Timed> {
  const times: number[] = [];
  let text = "";
  for (let i = 0; i < RUNS; i++) {
    const startMs = performance.now();
    text = await (await fetch(address)).text();
    times.push(performance.now() - startMs);
  }
  return { ms: median(times), fastestMs: Math.min(...times), text };
}

async function measureAll(): Promise<void> {
  await using program = await startProgram();
  const { ui = "", ingress = "" } = program.urls;
  await post(ingress, HELD);
  for (const path of ["/api/v1/mail/messages?limit=0", "/api/v1/events?limit=0"]) {
    const list = await medianMs(`${ui}${path}`);
    const rows = JSON.parse(list.text) as unknown[];
    if (rows.length !== HELD) throw new Error(`Listed ${path}: ${rows.length} of ${HELD} mails`);
    await using still = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(list.text),
    );
    const bytes = await medianMs(`http://127.0.0.1:${still.addr.port}`);
    const kb = (list.text.length / 1024).toFixed(0);
    report(`${path}, ${HELD} mails, ${kb} KB`, `${list.ms.toFixed(1)} ms`);
    report("  against the same bytes, ready made", (list.ms / bytes.ms).toFixed(1));
  }
}

/** Queries; only the first two match any mail. */
const QUERIES: readonly (readonly [what: string, path: string])[] = [
  ["the newest 50", "/events?limit=50"],
  ["50 mails from the middle", "/mail/messages?limit=50&offset=50000&include_body=0"],
  ["search, found in all, 50", "/events?limit=50&search=YOUR%20ORDER"],
  ["search, found nowhere", "/events?limit=50&search=invoice"],
  ["search beyond ASCII, found nowhere", "/events?limit=50&search=gr%C3%B6%C3%9Fe"],
  ["search in mails, found nowhere", "/mail/messages?limit=50&search=invoice"],
  ["mails by recipient, found nowhere", "/mail/messages?limit=50&to=grace"],
  ["type, found nowhere", "/events?limit=50&type=sms.message"],
  ["the newest 50 stories", "/stories?limit=50"],
];

/** Grouped again for each, because these limits were not requested before. */
const NEW_WINDOWS: readonly (readonly [what: string, path: string])[] = [
  ["stories, none by the time alone", "/stories?limit=50&window=0"],
  ["stories, recipients within an hour", "/stories?limit=50&recipient_window=1h"],
];

/** Searches of whole bodies, whose text is extracted on first use and cached. */
const BODY_QUERIES: readonly (readonly [what: string, path: string])[] = [
  ["text of mails, found nowhere", "/mail/messages?limit=50&text=invoice"],
  ["mails with a code, none", "/mail/messages?limit=50&has=code"],
  ["mails with a token, none", "/mail/messages?limit=50&has=token"],
];

/** Processor time of one request, in milliseconds. */
async function busyMs(program: Program, address: string, runs = RUNS): Promise<number> {
  const before = await busySeconds(program.pid);
  for (let i = 0; i < runs; i++) await (await fetch(address)).text();
  return (await busySeconds(program.pid) - before) / runs * 1000;
}

async function measureMany(): Promise<void> {
  const config = await Deno.makeTempFile({ suffix: ".toml" });
  await Deno.writeTextFile(config, `[storage]\ncapacity = ${MANY}\nraw_limit = 1000000000\n`);
  await using program = await startProgram({
    args: ["serve", "--config", config, ...FREE_PORTS],
  }).finally(() => Deno.remove(config));
  const { ui = "", ingress = "" } = program.urls;
  for (let sent = 0; sent < MANY;) {
    const rate = await load(mail2Load(ingress, 3));
    if (rate.refused > 0) throw new Error(`Loaded mail2: ${rate.refused} requests were refused`);
    sent += Math.round(rate.perSecond * 3);
  }
  const { events } = await (await fetch(`${ui}/api/v1/health`)).json() as { events: number };
  report("mails held", String(events));
  const before = await residentMb(program.pid);
  for (const [what, path] of [...BODY_QUERIES, ...NEW_WINDOWS]) {
    const address = `${ui}/api/v1${path}`;
    const busy = await busyMs(program, address, 1);
    report(`${what}, the first time: busy for`, `${busy.toFixed(0)} ms`);
  }
  for (const [what, path] of [...QUERIES, ...BODY_QUERIES]) {
    const address = `${ui}/api/v1${path}`;
    const { ms, fastestMs } = await medianMs(address);
    const busy = await busyMs(program, address);
    report(what, `${ms.toFixed(1)} ms`, { text: "< 50 ms", met: ms < 50 });
    report(
      "  fastest, and what the process was busy",
      `${fastestMs.toFixed(1)} / ${busy.toFixed(1)} ms`,
    );
  }
  const after = await residentMb(program.pid);
  if (before !== undefined && after !== undefined) {
    report("memory before and after all searches", `${before.toFixed(0)} / ${after.toFixed(0)} MB`);
  }
}

await measureAll();
await measureMany();
