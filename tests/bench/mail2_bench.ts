/** Captures a second through mail2, compared with the same front and no capture. */
import { startProgram } from "../support/program.ts";
import { load, mail2Load, report } from "./measure.ts";
import { startScript } from "./script.ts";

const SECONDS = 5;
/** Until the compiler of the platform has settled. */
const WARM_SECONDS = 5;

const bare = await (async () => {
  await using front = await startScript("bare_front.ts");
  await load(mail2Load(front.url, WARM_SECONDS));
  return await load(mail2Load(front.url, SECONDS));
})();
const captured = await (async () => {
  await using program = await startProgram();
  const { ingress = "" } = program.urls;
  await load(mail2Load(ingress, WARM_SECONDS));
  return await load(mail2Load(ingress, SECONDS));
})();
if (captured.refused > 0) {
  throw new Error(`Loaded mail2: ${captured.refused} requests were refused`);
}

const ratio = captured.perSecond / bare.perSecond;
report("bare front, requests a second", bare.perSecond.toFixed(0));
report("mail2, captures a second", captured.perSecond.toFixed(0));
report("mail2 against the bare front", ratio.toFixed(2), { text: ">= 0.5", met: ratio >= 0.5 });
