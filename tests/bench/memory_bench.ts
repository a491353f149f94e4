/** 200 000 captures at default settings: evicted events must also leave the memory. */
import { startProgram } from "../support/program.ts";
import { load, mail2Load, report, residentMb } from "./measure.ts";

const CAPTURES = 200_000;
const STEP_SECONDS = 3;

await using program = await startProgram();
const { ui = "", ingress = "" } = program.urls;
const samples: number[] = [];
let sent = 0;
while (sent < CAPTURES) {
  const rate = await load(mail2Load(ingress, STEP_SECONDS));
  if (rate.refused > 0) throw new Error(`Loaded mail2: ${rate.refused} requests were refused`);
  sent += Math.round(rate.perSecond * STEP_SECONDS);
  const mb = await residentMb(program.pid);
  if (mb === undefined) break;
  samples.push(mb);
}
const held = await (await fetch(`${ui}/api/v1/health`)).json() as Record<string, unknown>;
report("captures", String(sent));
report("events still held", JSON.stringify(held.events ?? held.event_count ?? "?"));
const [first, last] = [samples[0], samples.at(-1)];
if (first === undefined || last === undefined) {
  report("memory", "not measured: no /proc");
} else {
  report("memory after the first step", `${first.toFixed(0)} MB`);
  report("memory at the end", `${last.toFixed(0)} MB`);
  const growth = last / first;
  report("growth", growth.toFixed(2), { text: "<= 1.3", met: growth <= 1.3 });
}
