/**
 * Real traffic, mutated at random, over the sockets of every listener: each conversation ends, no error is logged,
 * nothing stays open, and a correct client is served afterwards. `FUZZ_RUNS=2000` runs that many conversations per
 * listener; `FUZZ_SEED` repeats a run.
 */
import { assert, assertEquals } from "@std/assert";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { fuzzed, mutate, numbersFrom } from "../support/fuzz.ts";
import { FUZZ_TARGETS } from "../support/fuzz_targets.ts";
import { HOSTILE, IMPATIENT, tcpListeners, untilEnded, writeAll } from "../support/hostile.ts";
import { realTraffic } from "../support/real_traffic.ts";
import { startService, type TestService } from "../support/service.ts";
import { tapDemo } from "../support/tap.ts";

/** Longest time until a conversation ends: a little over five times what a listener waits for a body. */
const END_MS = 12_000;
/** Conversations at a time with each listener. */
const AT_A_TIME = 12;
/** Files of a level share a process, so descriptors of another one also count until it ends. A leak outlasts it. */
const SETTLE_MS = 60_000;
/** Extra descriptors that may be open: connections that HTTP clients keep alive. */
const KEPT_ALIVE = 4;

const { numRuns: RUNS, seed: SEED = crypto.getRandomValues(new Int32Array(1))[0]! } = fuzzed(12);

type Random = (below: number) => number;

/** Descriptors of this process, or nothing where there is no `/proc`. */
async function descriptors(): Promise<number> {
  try {
    return (await Array.fromAsync(Deno.readDir("/proc/self/fd"))).length;
  } catch {
    return 0;
  }
}

/** Every sample is accepted. */
async function assertServed({ api }: TestService): Promise<void> {
  const { code, stderr } = await runToEnd(["demo", "--url", api.url], {
    plugins: STANDARD_PLUGINS,
  });
  assertEquals([code, stderr], [0, ""]);
}

/** Every sample is still accepted, no error was logged, and no more descriptors are open than before. */
async function assertUnharmed(service: TestService, before: number): Promise<void> {
  const faults = service.log.filter((line) => !line.includes("Dropped the oldest"));
  assertEquals(faults, [], `Repeat with FUZZ_SEED=${SEED}`);
  await assertServed(service);
  const untilMs = performance.now() + SETTLE_MS;
  let after = await descriptors();
  while (after > before + KEPT_ALIVE && performance.now() < untilMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    after = await descriptors();
  }
  assert(after <= before + KEPT_ALIVE, `${after} descriptors, not ${before}: FUZZ_SEED=${SEED}`);
}

/** Sends one mutated conversation in chunks of any size, and ends cleanly or not. */
async function converse(port: number, bytes: Uint8Array, random: Random): Promise<boolean> {
  const step = 1 + random(2 * bytes.length + 1);
  const cut = random(4) === 0;
  const { open } = await untilEnded(port, {
    limitMs: END_MS,
    async talk(conn) {
      await writeAll(conn, bytes, step);
      if (cut) conn.close();
      else await conn.closeWrite();
    },
  });
  return !open;
}

Deno.test(`${RUNS} mutated conversations with each listener end and leave nothing behind: FUZZ_SEED=${SEED}`, async () => {
  await using service = await startService({ config: IMPATIENT });
  const listeners = await tcpListeners(service);
  const said = await tapDemo(service, listeners);
  const before = await descriptors();
  const kept = await Promise.all(listeners.map(async ({ name, port }, index) => {
    const random = numbersFrom(SEED + index);
    // Starts from real clients, and from clients of other protocols.
    const seeds = [...said.get(name) ?? [], ...Object.values(HOSTILE)];
    const kept: string[] = [];
    let left = RUNS;
    await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
      while (left-- > 0) {
        const bytes = mutate(seeds, random);
        if (!await converse(port, bytes, random)) kept.push(`${name}: ${bytes.toHex()}`);
      }
    }));
    return kept;
  }));
  assertEquals(kept.flat(), [], `Repeat with FUZZ_SEED=${SEED}`);
  assert(said.size === listeners.length && said.get("mail/smtp")!.length > 0);
  await assertUnharmed(service, before);
});

Deno.test(`mutated datagrams are accepted or refused and leave nothing behind: FUZZ_SEED=${SEED}`, async () => {
  await using service = await startService({
    config: {
      plugins: {
        files: { providers: { tftp: { timeout_seconds: 1, retries: 1 } } },
        snmp: { providers: { trap: { users: [{ name: "ada", auth_password: "analytical" }] } } },
      },
    },
  });
  const real = await realTraffic();
  // Its clients keep connections, which those of the last check use again.
  await assertServed(service);
  const before = await descriptors();
  const { numRuns } = fuzzed(500);
  for (const [target, listener] of [["tftp", "files/tftp"], ["snmp", "snmp/trap"]] as const) {
    // Of every version of the protocol.
    const seeds = FUZZ_TARGETS.filter(({ name }) => name.split("-")[0] === target)
      .flatMap(({ seeds }) => seeds);
    const { port } = service.endpoint(listener);
    const random = numbersFrom(SEED);
    const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
    let answers = 0;
    const listening = (async () => {
      for await (const _answer of socket) answers++;
    })();
    const send = (bytes: Uint8Array) =>
      socket.send(bytes, { hostname: "127.0.0.1", port, transport: "udp" });
    for (let i = 0; i < numRuns; i++) {
      await send(mutate([...seeds, ...real.get(target) ?? []], random));
      // Keeps the kernel from dropping any.
      if (i % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    // A busy machine is slow and may drop some; unmutated datagrams are answered eventually.
    for (let i = 0; answers === 0 && i < 200; i++) {
      for (const bytes of real.get(target) ?? []) await send(bytes);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    socket.close();
    await listening;
    assert(answers > 0, `${listener} answered nothing`);
  }
  await assertUnharmed(service, before);
});
