/** Receipts per second for signed and encrypted AS2 messages, and the memory of a large one. */
import { type As2Entity, encrypt, sign, wrap } from "../support/as2.ts";
import { runOk } from "../support/clients.ts";
import { startProgram } from "../support/program.ts";
import { peakMb, report, residentMb } from "./measure.ts";

const SECONDS = 5;
const SMALL = 100_000;
const LARGE = 20_000_000;
const ARGS = ["as2", "--as2-in-memory", "--ui-port=0", "--in-port=0"];

/** Returns an EDI document of this many bytes. */
function plain(bytes: number): As2Entity {
  const segment = "PO1*1*120*EA*9.25*TE*CB*065322-117*PR*RO*VN*AB3542~\r\n";
  const head = "Content-Type: application/edi-x12\r\n\r\nISA*";
  const text = (head + segment.repeat(Math.ceil(bytes / segment.length))).slice(0, bytes);
  return { type: "application/edi-x12", body: new TextEncoder().encode(text) };
}

/** The same, signed with SHA-256 and encrypted with AES-256-CBC. */
async function message(ingress: string, bytes: number): Promise<As2Entity> {
  const pem = await (await fetch(`${ingress}/as2/certificate`)).text();
  return await encrypt(wrap(await sign(plain(bytes).body)), pem);
}

async function post(
  ingress: string,
  { type, body }: As2Entity,
  { seconds, connections }: { seconds: number; connections: number },
): Promise<number> {
  const script = new URL("as2_loop.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--allow-net", script, `${ingress}/as2`, type];
  const { stdout } = await runOk(Deno.execPath(), [...args, `${seconds}`, `${connections}`], {
    stdin: body,
    timeoutMs: (seconds + 30) * 1000,
  });
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}

async function small(): Promise<void> {
  await using program = await startProgram({ args: ARGS });
  const { ingress = "" } = program.urls;
  const sent = await message(ingress, SMALL);
  await post(ingress, sent, { seconds: 1, connections: 8 });
  const perSecond = await post(ingress, sent, { seconds: SECONDS, connections: 8 });
  const bare = await post(ingress, plain(SMALL), { seconds: SECONDS, connections: 8 });
  report("signed and encrypted, 100 KB, a second", perSecond.toFixed(0));
  report("the same in MB a second", (perSecond * SMALL / 1e6).toFixed(1));
  report("in the clear, with a signed receipt, a second", bare.toFixed(0));
  report("signed and encrypted against in the clear", (perSecond / bare).toFixed(2));
}

async function large(): Promise<void> {
  await using program = await startProgram({ args: ARGS });
  const { ingress = "" } = program.urls;
  await post(ingress, await message(ingress, 1000), { seconds: 0.2, connections: 1 });
  const before = await residentMb(program.pid);
  const { type, body } = await message(ingress, LARGE);
  const start = performance.now();
  const response = await fetch(`${ingress}/as2`, {
    method: "POST",
    body,
    headers: {
      "content-type": type,
      "disposition-notification-to": "bench@example.com",
    },
  });
  const receipt = await response.text();
  if (!/MDN-sent-automatically; processed\r\n/.test(receipt)) throw new Error(receipt);
  report("one of 20 MB, milliseconds", (performance.now() - start).toFixed(0));
  const peak = await peakMb(program.pid);
  if (before === undefined || peak === undefined) {
    report("memory", "not measured: no /proc");
    return;
  }
  report("memory before", `${before.toFixed(0)} MB`);
  report("memory at its peak", `${peak.toFixed(0)} MB`);
  report("growth against the message", ((peak - before) / (body.length / 1e6)).toFixed(1));
}

await small();
await large();
