/** The list of all mails that the default settings hold, compared with sending the same bytes as they are. */
import { startProgram } from "../support/program.ts";
import { mail2Load, median, report } from "./measure.ts";

const HELD = 500;
const RUNS = 30;

await using program = await startProgram();
const { ui = "", ingress = "" } = program.urls;
const { url, headers, body } = mail2Load(ingress, 1);
for (let i = 0; i < HELD; i++) {
  const response = await fetch(url, { method: "POST", headers, body });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`Posted mail ${i}: answered ${response.status}`);
}

async function medianMs(address: string): Promise<{ readonly ms: number; readonly text: string }> {
  const times: number[] = [];
  let text = "";
  for (let i = 0; i < RUNS; i++) {
    const startMs = performance.now();
    text = await (await fetch(address)).text();
    times.push(performance.now() - startMs);
  }
  return { ms: median(times), text };
}

for (const path of ["/api/v1/mail/messages?limit=0", "/api/v1/events?limit=0"]) {
  const list = await medianMs(`${ui}${path}`);
  const rows = JSON.parse(list.text) as unknown[];
  if (rows.length !== HELD) throw new Error(`Listed ${path}: ${rows.length} of ${HELD} mails`);
  await using still = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(list.text),
  );
  const bytes = await medianMs(`http://127.0.0.1:${still.addr.port}`);
  const kb = (list.text.length / 1024).toFixed(0);
  report(`${path}, ${HELD} mails, ${kb} KB`, `${list.ms.toFixed(1)} ms`);
  report("  against the same bytes, ready made", (list.ms / bytes.ms).toFixed(1));
}
