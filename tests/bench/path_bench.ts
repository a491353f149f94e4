/** The source files that a mail2 POST passes through, by V8's coverage of each of a few more POSTs after many. */
import { expanded, SERVE_PERMISSIONS } from "../../scripts/permissions.ts";
import { startProgram } from "../support/program.ts";
import { mail2Load, report } from "./measure.ts";
import { freePort } from "../support/free_port.ts";

/** Until the caches of the program are warm. */
const WARM_POSTS = 100;
/** A file belongs to the path if each of these passes through it: a timer may fire during one of them. */
const COUNTED_POSTS = 5;
/** Until the program has done what it puts off at its start, such as the check for unused variables. */
const START_MS = 3000;
const ROOT = new URL("../../", import.meta.url).href;

/** The part of V8's inspector protocol in use: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

const inspectorPort = freePort();
const permissions = [
  ...expanded(SERVE_PERMISSIONS, (name) => Deno.env.get(name)),
  `--inspect=127.0.0.1:${inspectorPort}`,
];
// With the default log level.
await using program = await startProgram({ permissions, env: { SERVICE_LOG_LEVEL: "info" } });
const { url, headers, body } = mail2Load(program.urls.ingress ?? "", 0);
const inspector = await openInspector();
for (let i = 0; i < WARM_POSTS; i++) await post();
await new Promise((resolve) => setTimeout(resolve, START_MS));
await inspector.ask("Profiler.enable");
// Disables optimization from here on, because inlined calls are not counted.
await inspector.ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
// Taking the coverage resets the counts.
await inspector.ask("Profiler.takePreciseCoverage");
let common: ReadonlySet<string> | undefined;
for (let i = 0; i < COUNTED_POSTS; i++) {
  await post();
  const files = filesOf(await inspector.ask("Profiler.takePreciseCoverage") as Coverage);
  common = common?.intersection(files) ?? files;
}
inspector.close();

const passed = [...common ?? []].toSorted();
for (const file of passed) console.log(`  ${file}`);
report("files that a mail2 POST passes through", String(passed.length), {
  text: "<= 15",
  met: passed.length <= 15,
});

function filesOf({ result }: Coverage): ReadonlySet<string> {
  const called = result.filter(({ url, functions }) =>
    url.startsWith(ROOT) && functions.some(({ ranges }) => ranges[0]!.count > 0)
  );
  return new Set(called.map(({ url }) => url.slice(ROOT.length)));
}

async function post(): Promise<void> {
  const response = await fetch(url, { method: "POST", headers, body });
  await response.body?.cancel();
  if (response.status !== 202) throw new Error(`Posted a mail: answered ${response.status}`);
}

async function openInspector(): Promise<
  { ask(method: string, params?: object): Promise<unknown>; close(): void }
> {
  const targets = await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json();
  const socket = new WebSocket(targets[0].webSocketDebuggerUrl);
  await new Promise((resolve) => socket.onopen = resolve);
  let asked = 0;
  return {
    ask(method, params = {}) {
      const id = ++asked;
      socket.send(JSON.stringify({ id, method, params }));
      return new Promise((resolve) => {
        socket.addEventListener("message", function onMessage({ data }) {
          const message = JSON.parse(data);
          if (message.id !== id) return;
          socket.removeEventListener("message", onMessage);
          resolve(message.result);
        });
      });
    },
    close: () => socket.close(),
  };
}
