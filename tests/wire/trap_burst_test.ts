/** A flood of traps, and its effect on the other protocols. */
import { assert, assertEquals, assertGreater, assertLess, assertStringIncludes } from "@std/assert";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import { skipTest } from "../support/clients.ts";
import { MllpClient } from "../support/mllp.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

const BURST = 50_000;
/** A version 2c linkDown with its two leading bindings. */
const TRAP = "304002010104067075626c6963a7330201010201000201003028300d06082b0601020101" +
  "03004301013017060a2b06010603010104010006092b0601060301010503";

/** Sends from a separate process, as fast as it can. */
const FLOOD = `
const [port, count, hex] = Deno.args;
const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
const to = { hostname: "127.0.0.1", port: Number(port), transport: "udp" };
const bytes = Uint8Array.fromHex(hex);
for (let sent = 0; sent < Number(count); sent++) await socket.send(bytes, to);
socket.close();
`;

async function flood(port: number, count: number): Promise<void> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--unstable-net", FLOOD, `${port}`, `${count}`, TRAP],
    stdin: "null",
    stderr: "inherit",
  });
  const { success } = await child.output();
  assert(success, "the sender failed");
}

/**
 * Datagrams dropped by the kernel because the receive buffer of the socket was full (proc(5), last
 * column).
 */
async function dropped(port: number): Promise<number | undefined> {
  const sockets = await Deno.readTextFile("/proc/net/udp").catch(() => undefined);
  if (sockets === undefined) return undefined;
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const line = sockets.split("\n").find((text) => text.includes(`0100007F:${hex} `));
  return Number(line?.trim().split(/\s+/).at(-1));
}

/**
 * Sends markers until one arrives, after the rest of the flood in the buffer. Returns the number
 * sent.
 */
async function drain(service: TestService): Promise<number> {
  const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  const { port } = service.endpoint("trap");
  try {
    for (let sent = 1; sent <= 10; sent++) {
      await socket.send(Uint8Array.of(sent), { hostname: "127.0.0.1", port, transport: "udp" });
      const marker = { search: "undecodable", timeoutMs: 2000 };
      if (await service.waitFor("snmp.trap", marker).catch(() => undefined)) return sent;
    }
  } finally {
    socket.close();
  }
  throw new Error("Waited for a datagram behind the flood: none of 10 arrived");
}

Deno.test("a burst of 50 000 traps loses none that the kernel delivered, and other protocols are served meanwhile", async (t) => {
  await using service = await startService({
    plugins: [snmp, hl7, toy],
    config: { storage: { plugin_capacity: { snmp: 2 * BURST } } },
  });
  const { port } = service.endpoint("trap");
  if (await dropped(port) === undefined) return skipTest(t, "/proc/net/udp", "is absent");
  const flooding = flood(port, BURST);
  const slowest = await measure(service, flooding);
  await flooding;
  const markers = await drain(service);
  const lost = await dropped(port);
  assertEquals(service.events.count("snmp") + lost!, BURST + markers);
  assertGreater(service.events.count("snmp"), BURST / 100);
  console.log(`${service.events.count("snmp")} traps kept, ${lost} dropped by the kernel`, slowest);
  assertLess(Math.max(slowest.http, slowest.mllp), 2000);
});

/** Sends HTTP and MLLP requests in turn while `flooding` lasts. Returns the longest waits, in milliseconds. */
async function measure(
  service: TestService,
  flooding: Promise<void>,
): Promise<{ readonly http: number; readonly mllp: number }> {
  using client = await MllpClient.open(service.endpoint("mllp"));
  const slowest = { http: 0, mllp: 0 };
  let ended = false;
  void flooding.finally(() => ended = true);
  for (let id = 0; !ended || id < 10; id++) {
    let from = performance.now();
    const answer = await fetch(`${service.ingress.url}/toy/send`, { method: "POST", body: "x" });
    await answer.body?.cancel();
    slowest.http = Math.max(slowest.http, performance.now() - from);
    from = performance.now();
    await client.sendMessage(`MSH|^~\\&|A|B|C|D|1||ADT^A01|${id}|P|2.5\r`);
    assertStringIncludes(await client.answer() ?? "", `MSA|AA|${id}\r`);
    slowest.mllp = Math.max(slowest.mllp, performance.now() - from);
  }
  return slowest;
}
