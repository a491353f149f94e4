/** Messages acknowledged per second, compared with the node-hl7-server package on Node. */
import { clientCache, findProgram, runOk } from "../support/clients.ts";
import { startProgram } from "../support/program.ts";
import { report } from "./measure.ts";
import { freePort } from "../support/free_port.ts";

const SECONDS = 5;
const SERVER = "node-hl7-server@2.5.0";

async function messages(port: number, seconds: number): Promise<number> {
  const script = new URL("mllp_loop.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--allow-net", script, `${port}`, `${seconds}`];
  const { stdout } = await runOk(Deno.execPath(), args, { timeoutMs: (seconds + 20) * 1000 });
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}

async function ours(): Promise<number> {
  const port = freePort();
  const args = ["hl7", `--mllp-port=${port}`, "--ui-port=0"];
  await using _program = await startProgram({ args });
  await messages(port, 1);
  return await messages(port, SECONDS);
}

async function theirs(node: string, npm: string): Promise<number> {
  const folder = `${clientCache()}/bench-${SERVER}`;
  await Deno.mkdir(folder, { recursive: true });
  const install = ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
  await runOk(npm, [...install, "--prefix", folder, SERVER], { timeoutMs: 120_000 });
  const port = freePort();
  const code = `const { Server } = require("node-hl7-server");
const server = new Server({ bindAddress: "127.0.0.1" });
server.createInbound({ port: ${port} }, (_request, response) => response.sendResponse("AA"))
  .on("listen", () => console.log("listening"));`;
  const child = new Deno.Command(node, {
    args: ["--eval", code],
    cwd: folder,
    stdin: "null",
    stdout: "piped",
  }).spawn();
  try {
    const reader = child.stdout.getReader();
    await reader.read();
    await messages(port, 1);
    const perSecond = await messages(port, SECONDS);
    await reader.cancel();
    return perSecond;
  } finally {
    child.kill();
    await child.status;
  }
}

const perSecond = await ours();
report("hl7, messages acknowledged a second", perSecond.toFixed(0));
const [node, npm] = [findProgram("node"), findProgram("npm")];
if (node === undefined || npm === undefined) {
  console.log("SKIP client: node is not installed, so there is nothing to compare with");
} else {
  const reference = await theirs(node, npm);
  const ratio = perSecond / reference;
  report("node-hl7-server, messages acknowledged a second", reference.toFixed(0));
  report("hl7 against node-hl7-server", ratio.toFixed(2), { text: ">= 3", met: ratio >= 3 });
}
