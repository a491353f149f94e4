/**
 * Pushes per second through push2 over HTTP/2, cleartext and TLS, compared with the same server
 * without captures.
 */
import { findProgram, runOk } from "../support/clients.ts";
import { FREE_PORTS, startProgram } from "../support/program.ts";
import { report } from "./measure.ts";
import { startScript } from "./script.ts";

const REQUESTS = 60_000;
const BODY =
  '{"aps":{"alert":{"title":"Your taxi","body":"It is here in two minutes"},"badge":1},"ride":7}';

/** Answered requests a second on 200 concurrent streams. */
async function load(h2load: string, base: string, requests: number): Promise<number> {
  const body = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(body, BODY);
    const args = ["-c4", "-m50", "-d", body, "-H", "apns-topic: com.example.taxi"];
    const { stdout } = await runOk(
      h2load,
      [`-n${requests}`, ...args, `${base}/3/device/bench`],
      { timeoutMs: 300_000 },
    );
    if (!stdout.includes(`${requests} 2xx`)) throw new Error(`Loaded push2:\n${stdout}`);
    return Number(/([\d.]+) req\/s/.exec(stdout)?.[1]);
  } finally {
    await Deno.remove(body);
  }
}

async function measure(h2load: string, base: string): Promise<number> {
  await load(h2load, base, REQUESTS / 10);
  return await load(h2load, base, REQUESTS);
}

const h2load = findProgram("h2load");
if (h2load === undefined) {
  report("push2", "not measured: h2load is not installed");
} else {
  await using front = await startScript("bare_front.ts");
  await using program = await startProgram({
    args: ["serve", ...FREE_PORTS, "--tls-in-memory"],
  });
  const ingress = program.urls.ingress ?? "";
  for (const [name, scheme] of [["h2c", "http"], ["TLS", "https"]] as const) {
    const at = (url: string): string => url.replace(/^http:/, `${scheme}:`);
    const bare = await measure(h2load, at(front.url));
    const pushed = await measure(h2load, at(ingress));
    report(`push2 against the bare front, ${name}`, (pushed / bare).toFixed(2));
  }
}
