/** Captures a second through mail2, compared with the same front and no capture, in turn. */
import { startProgram } from "../support/program.ts";
import { busySeconds, load, mail2Load, median, report } from "./measure.ts";
import { startScript } from "./script.ts";

const ROUNDS = 6;
const SECONDS = 2;
/** Until the compiler of the platform has settled. */
const WARM_SECONDS = 5;

interface Round {
  readonly perSecond: number;
  /** Processor time of a request, in seconds. */
  readonly busy: number;
}

await using front = await startScript("bare_front.ts");
// With the lines that are logged unless something else is said.
await using program = await startProgram({ env: { SERVICE_LOG_LEVEL: "info" } });
const { ingress = "" } = program.urls;
await load(mail2Load(front.url, WARM_SECONDS));
await load(mail2Load(ingress, WARM_SECONDS));

const bare: Round[] = [];
const captured: Round[] = [];
for (let i = 0; i < ROUNDS; i++) {
  bare.push(await round(front.url, front.pid));
  captured.push(await round(ingress, program.pid));
}
const ratio = median(captured.map(({ perSecond }, i) => perSecond / bare[i]!.perSecond));
const busyRatio = median(captured.map(({ busy }, i) => bare[i]!.busy / busy));

report("bare front, requests a second", medianOf(bare));
report("mail2, captures a second", medianOf(captured));
report("mail2 against the bare front", ratio.toFixed(2), { text: ">= 0.5", met: ratio >= 0.5 });
report("mail2 against the bare front, per CPU", busyRatio.toFixed(2));

async function round(url: string, pid: number): Promise<Round> {
  const before = await busySeconds(pid);
  const { perSecond, refused } = await load(mail2Load(url, SECONDS));
  if (refused > 0) throw new Error(`Loaded ${url}: ${refused} requests were refused`);
  return { perSecond, busy: (await busySeconds(pid) - before) / (perSecond * SECONDS) };
}

function medianOf(rounds: readonly Round[]): string {
  return median(rounds.map(({ perSecond }) => perSecond)).toFixed(0);
}
