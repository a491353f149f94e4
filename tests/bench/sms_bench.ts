/** Messages created per second through sms1, and the vendor's list with many messages held. */
import { startProgram } from "../support/program.ts";
import { load, median, report } from "./measure.ts";

const SECONDS = 5;
const RUNS = 15;

await using program = await startProgram();
const base = `${program.urls.ingress ?? ""}/2010-04-01/Accounts/AC00000000000000000000000000000000`;
const rate = await load({
  url: `${base}/Messages.json`,
  headers: {
    "content-type": "application/x-www-form-urlencoded",
    authorization: `Basic ${btoa("AC00000000000000000000000000000000:token")}`,
  },
  body: new URLSearchParams({
    To: "+15558675310",
    From: "+15017122661",
    Body: "Your code is 493021. It is valid for ten minutes.",
  }).toString(),
  seconds: SECONDS,
  connections: 32,
});
if (rate.refused > 0) throw new Error(`Created messages: ${rate.refused} were refused`);
report("sms1, messages a second", rate.perSecond.toFixed(0));

const times: number[] = [];
for (let i = 0; i < RUNS; i++) {
  const startMs = performance.now();
  const response = await fetch(`${base}/Messages.json?PageSize=50`);
  await response.body?.cancel();
  times.push(performance.now() - startMs);
}
report("sms1, a page of 50", `${median(times).toFixed(1)} ms`);
