/** Informs confirmed per second, compared with snmptrapd. */
import { findProgram, runOk } from "../support/clients.ts";
import { startProgram } from "../support/program.ts";
import { report } from "./measure.ts";
import { freePort } from "../support/free_port.ts";

const SECONDS = 5;

async function informs(port: number, seconds: number): Promise<number> {
  const script = new URL("inform_loop.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--allow-net", "--unstable-net", script];
  const { stdout } = await runOk(Deno.execPath(), [...args, `${port}`, `${seconds}`], {
    timeoutMs: (seconds + 20) * 1000,
  });
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}

async function ours(): Promise<number> {
  const port = freePort();
  const args = ["snmp", `--trap-port=${port}`, "--ui-port=0"];
  await using _program = await startProgram({ args });
  await informs(port, 1);
  return await informs(port, SECONDS);
}

async function theirs(snmptrapd: string): Promise<number> {
  const port = freePort();
  const config = await Deno.makeTempFile();
  await Deno.writeTextFile(config, "disableAuthorization yes\n");
  const args = ["-f", "-On", "-C", "-c", config, "-Lf", "/dev/null", `udp:127.0.0.1:${port}`];
  const child = new Deno.Command(snmptrapd, { args, stdin: "null", stderr: "null" }).spawn();
  try {
    await informs(port, 1);
    return await informs(port, SECONDS);
  } finally {
    child.kill();
    await child.status;
    await Deno.remove(config);
  }
}

const perSecond = await ours();
report("snmp, informs confirmed a second", perSecond.toFixed(0));
const snmptrapd = findProgram("snmptrapd");
if (snmptrapd === undefined) {
  console.log("SKIP client: snmptrapd is not installed, so there is nothing to compare with");
} else {
  const reference = await theirs(snmptrapd);
  const ratio = perSecond / reference;
  report("snmptrapd, informs confirmed a second", reference.toFixed(0));
  report("snmp against snmptrapd", ratio.toFixed(2), { text: ">= 0.5", met: ratio >= 0.5 });
}
