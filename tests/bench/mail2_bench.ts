/**
 * Captures per second through mail2 over HTTP/1.1 and HTTP/2, each compared with a bare
 * `Deno.serve`, alternating.
 */
import { startProgram } from "../support/program.ts";
import { busySeconds, type Load, load, loadHttp2, mail2Load, median, report } from "./measure.ts";
import type { Rate } from "./measure.ts";
import { startScript } from "./script.ts";

const ROUNDS = 6;
const SECONDS = 2;
/** Warm-up of the compiler. */
const WARM_SECONDS = 5;

interface Round {
  readonly perSecond: number;
  /** Processor time of a request, in microseconds. */
  readonly busy: number;
}

type Loader = (load: Load) => Promise<Rate | undefined>;

await using bare = await startScript("bare_serve.ts");
// With the default log level.
await using program = await startProgram({ env: { SERVICE_LOG_LEVEL: "info" } });
const ingress = { url: program.urls.ingress ?? "", pid: program.pid };

await compare("HTTP/1.1", load, 0.35);
await compare("HTTP/2", loadHttp2, 0.45);

async function compare(version: string, loader: Loader, aim: number): Promise<void> {
  await loader(mail2Load(bare.url, WARM_SECONDS));
  if (await loader(mail2Load(ingress.url, WARM_SECONDS)) === undefined) {
    report(`mail2 over ${version}`, "not measured: h2load is not installed");
    return;
  }
  const read: Round[] = [];
  const captured: Round[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    read.push(await round(bare, loader));
    captured.push(await round(ingress, loader));
  }
  const ratio = median(captured.map(({ perSecond }, i) => perSecond / read[i]!.perSecond));
  report(`bare Deno.serve over ${version}, requests a second`, rateOf(read));
  report(`mail2 over ${version}, captures a second`, rateOf(captured));
  report(`mail2 over ${version} against the bare one`, ratio.toFixed(2), {
    text: `>= ${aim}`,
    met: ratio >= aim,
  });
  report(`bare Deno.serve over ${version}, CPU a request`, busyOf(read));
  report(`mail2 over ${version}, CPU a capture`, busyOf(captured));
}

async function round(
  { url, pid }: { readonly url: string; readonly pid: number },
  loader: Loader,
): Promise<Round> {
  const before = await busySeconds(pid);
  const rate = await loader(mail2Load(url, SECONDS));
  if (rate === undefined || rate.refused > 0) throw new Error(`Loaded ${url}: some were refused`);
  const { perSecond } = rate;
  const busy = (await busySeconds(pid) - before) * 1e6 / (perSecond * SECONDS);
  return { perSecond, busy };
}

function rateOf(rounds: readonly Round[]): string {
  return median(rounds.map(({ perSecond }) => perSecond)).toFixed(0);
}

function busyOf(rounds: readonly Round[]): string {
  return `${median(rounds.map(({ busy }) => busy)).toFixed(1)} us`;
}
