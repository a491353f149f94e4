/** Cost of the log line for each capture: mail2 with `info` and with `warn`, alternating, read through a pipe. */
import { type Program, startProgram } from "../support/program.ts";
import { busySeconds, load, mail2Load, median, report } from "./measure.ts";

const ROUNDS = 12;
const SECONDS = 2;
/** Warm-up of the compiler. */
const WARM_SECONDS = 5;

await using quiet = await startProgram({ env: { SERVICE_LOG_LEVEL: "warn" } });
await using talking = await startProgram({ env: { SERVICE_LOG_LEVEL: "info" } });
for (const program of [quiet, talking]) await busy(program, WARM_SECONDS);

const ratios: number[] = [];
const costs: { readonly warn: number; readonly info: number }[] = [];
for (let i = 0; i < ROUNDS; i++) {
  const cost = { warn: await busy(quiet, SECONDS), info: await busy(talking, SECONDS) };
  costs.push(cost);
  ratios.push(cost.info / cost.warn);
}
for (const level of ["warn", "info"] as const) {
  const us = median(costs.map((cost) => cost[level])) * 1e6;
  report(`mail2 with ${level}, CPU a capture`, `${us.toFixed(1)} us`);
}
const ratio = median(ratios);
report("info against warn", ratio.toFixed(3), { text: "<= 1.05", met: ratio <= 1.05 });

/** Processor time of a capture, in seconds. */
async function busy({ urls, pid }: Program, seconds: number): Promise<number> {
  const before = await busySeconds(pid);
  const { perSecond, refused } = await load(mail2Load(urls.ingress ?? "", seconds));
  if (refused > 0) throw new Error(`Loaded mail2: ${refused} were refused`);
  return (await busySeconds(pid) - before) / (perSecond * seconds);
}
