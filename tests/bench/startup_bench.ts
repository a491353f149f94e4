/**
 * Time from the start of the process to the first response, and memory of an idle program.
 * `STANDIN_COMPILED` names a compiled program to start instead of the sources.
 */
import { startProgram } from "../support/program.ts";
import { median, report, residentMb } from "./measure.ts";
import { startScript } from "./script.ts";

const RUNS = 7;
const named = Deno.env.get("STANDIN_COMPILED");
const compiled = named === undefined ? {} : { compiled: named };

async function timed(start: () => Promise<string>): Promise<number> {
  const startMs = performance.now();
  const response = await fetch(await start());
  await response.body?.cancel();
  return performance.now() - startMs;
}

async function measure(): Promise<number> {
  await using stack = new AsyncDisposableStack();
  return await timed(async () =>
    `${stack.use(await startProgram(compiled)).urls.ui}/api/v1/health`
  );
}

/** Until the garbage of the start was collected, without any requests. */
const IDLE_MS = 45_000;

async function measureIdle(): Promise<number | undefined> {
  await using program = await startProgram(compiled);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  return await residentMb(program.pid);
}

async function measureHello(): Promise<number> {
  await using stack = new AsyncDisposableStack();
  return await timed(async () => stack.use(await startScript("hello_server.ts")).url);
}

await measure();
const runs = [];
const hellos = [];
for (let i = 0; i < RUNS; i++) {
  hellos.push(await measureHello());
  runs.push(await measure());
}
const ms = median(runs);
const hello = median(hellos);
report("hello world, start to first answer", `${hello.toFixed(0)} ms`);
const most = named === undefined ? 150 : 100;
report("program, start to first answer (warm)", `${ms.toFixed(0)} ms`, {
  text: `< ${most} ms`,
  met: ms < most,
});
report("program against hello world", (ms / hello).toFixed(2));
const idle = await measureIdle();
if (idle !== undefined) {
  report("memory of a program idle for 45 s", `${idle.toFixed(0)} MB`, {
    text: "< 90 MB",
    met: idle < 90,
  });
}
