import { assertEquals, assertMatch } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { MemoryBlobStore } from "../../../core/blobs/memory.ts";
import { MemoryBudget, unboundedMemory } from "../../../core/memory/budget.ts";
import { UPGRADED_BYTES } from "../../../core/memory/upgrade.ts";
import { BufferedWire } from "../../../core/net/buffered_wire.ts";
import { transportPair } from "../../../core/net/pair.ts";
import {
  DisconnectedError,
  IdleError,
  type Net,
  type Transport,
} from "../../../core/net/transport.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { Tree } from "../vfs/tree.ts";
import { Vfs } from "../vfs/vfs.ts";
import { serveFtp } from "./session.ts";

const idleMs = 2000;
const encoder = new TextEncoder();
const ROOMY = unboundedMemory();
const now = () => new Date(1_700_000_000_000);

/**
 * A session in memory with a client that is logged in. Data connections come from `dial`, in the order they are made. The
 * reply that begins with `lost` cannot be written.
 */
function world(
  { stallMs = idleMs, graceMs = 3, steadyGraceMs = 3, tls = false, lost = "none", memory = ROOMY } =
    {},
) {
  let last = 0;
  const nextId = () => `b${++last}`;
  const blobs = new MemoryBlobStore({ maxBytes: 1e8, nextId, onDrop: () => {} });
  const vfs = new Vfs(new Tree({ journal: { commit() {} }, nowMs: 0 }), { blobs, now });
  const happened: string[] = [];
  const refused: string[] = [];
  const faults: unknown[] = [];
  const dialled: Transport[] = [];
  const no = () => Promise.reject(new Error("Not in this test"));
  const net: Net = {
    listenTcp: () =>
      Promise.resolve({
        port: 4242,
        accept() {
          const wire = dialled.shift();
          return wire === undefined
            ? Promise.reject(new IdleError("Nobody connected"))
            : Promise.resolve(wire);
        },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
    connectTcp: no,
    openUdp: no,
    startTls: () => Promise.reject(new IdleError("No TLS handshake")),
  };
  const [client, server] = transportPair();
  const serving = serveFtp({
    peer: server.peer,
    local: server.local,
    read: (limits) => server.read(limits),
    write: (bytes, limits) =>
      new TextDecoder().decode(bytes).startsWith(lost)
        ? Promise.reject(new DisconnectedError("Reset"))
        : server.write(bytes, limits),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }, {
    handler: {
      vfs,
      admits: () => true,
      actor: () => ({
        provider: "ftp",
        transport: "ftp",
        capture: ({ payload }) => happened.push(`${payload.operation} ${payload.path}`),
      }),
      refuse: ({ reason }) => refused.push(reason),
      fault: (error) => faults.push(error),
      now,
    },
    limits: {
      idleMs,
      stallMs,
      graceMs,
      steadyGraceMs,
      swiftGraceMs: graceMs,
      tlsGraceMs: graceMs,
      passiveHost: undefined,
    },
    net,
    tls,
    ports: undefined,
    acceptMs: idleMs,
    signal: new AbortController().signal,
    memory,
  }).finally(() => server[Symbol.asyncDispose]());
  const lines = new BufferedWire(client);
  return {
    vfs,
    happened,
    refused,
    faults,
    client,
    serving,
    dial(from = "127.0.0.1:50001"): Transport {
      const [near, far] = transportPair({ client: from });
      dialled.push(far);
      return near;
    },
    /** Commands, and the replies that are expected. */
    async play(...script: readonly (string | RegExp)[]): Promise<void> {
      for (const step of script) {
        if (typeof step === "string") await lines.write(encoder.encode(`${step}\r\n`));
        else {
          const line = await lines.line({ maxBytes: 1000, idleMs });
          assertMatch(new TextDecoder().decode(line), step);
        }
      }
    },
  };
}

const LOGIN = [/^220 /, "USER ada", /^331 /, "PASS x", /^230 /] as const;

Deno.test("a connection counts in memory from AUTH TLS to its end, and is refused without room", async () => {
  const memory = new MemoryBudget({ limitBytes: 1.5 * UPGRADED_BYTES, waitMs: 1 });
  const upgraded = world({ tls: true, memory });
  await upgraded.play(/^220 /, "AUTH TLS", /^234 /);
  // There is no handshake, so it ends. Bytes that are released count again.
  await upgraded.serving;
  assertEquals([memory.lentBytes, memory.movedBytes], [0, 2 * UPGRADED_BYTES]);
  using other = memory.lease();
  await other.cover(UPGRADED_BYTES);
  const refused = world({ tls: true, memory });
  await refused.play(
    /^220 /,
    "AUTH TLS",
    /^431 .*memory_limit/,
    "USER ada",
    /^331 /,
    "QUIT",
    /^221 /,
  );
  await refused.serving;
  assertMatch(refused.refused.join(), /^Cannot accept \d+ more bytes for now/);
});

Deno.test("a stalled upload is given up, and the session continues", async () => {
  const { play, dial, refused, happened, serving } = world({ stallMs: 20 });
  await play(...LOGIN, "EPSV", /^229 /);
  const data = dial();
  await play("STOR a", /^150 /);
  await data.write(new Uint8Array(10));
  await play(/^426 .*idle for too long/, "NOOP", /^200 /, "QUIT", /^221 /);
  await serving;
  assertEquals([happened, refused.length], [[], 1]);
  await data[Symbol.asyncDispose]();
});

Deno.test("an upload that drips byte by byte is given up, and the session continues", async () => {
  const { play, dial, happened, serving } = world({ stallMs: 40 });
  await play(...LOGIN, "EPSV", /^229 /);
  const data = dial();
  await play("STOR a", /^150 /);
  let gone = false;
  const dripping = (async () => {
    while (!gone) {
      await data.write(new Uint8Array(1)).catch(() => gone = true);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await play(/^426 .*idle for too long/, "QUIT", /^221 /);
  gone = true;
  await dripping;
  await serving;
  assertEquals(happened, []);
  await data[Symbol.asyncDispose]();
});

for (const [command, lost] of [["STOR a", "426"], ["LIST", "226"]] as const) {
  Deno.test(`the data connection of ${command} is closed when its reply cannot be sent`, async () => {
    const { play, dial, serving } = world({ stallMs: 20, lost });
    await play(...LOGIN, "EPSV", /^229 /);
    const data = dial();
    await play(command, /^150 /);
    assertEquals(await data.read({ idleMs }), undefined);
    await serving;
    await data[Symbol.asyncDispose]();
  });
}

Deno.test("a download that nobody reads is given up, and the session continues", async () => {
  const { play, dial, vfs, serving } = world({ stallMs: 20 });
  using draft = vfs.draft("/a");
  draft.write(0, new Uint8Array(3_000_000));
  await vfs.upload("/a", draft, { provider: "ftp" });
  await play(...LOGIN, "EPSV", /^229 /);
  const data = dial();
  await play("RETR a", /^150 /, /^426 .*idle for too long/, "NOOP", /^200 /, "QUIT", /^221 /);
  await serving;
  await data[Symbol.asyncDispose]();
});

Deno.test("an upload cut off by its client leaves nothing, whichever connection ends first", async () => {
  const orders = [[true, ""], [false, ""], [true, "QUIT\r\n"], [false, "quit\n"], [true, "QU"]];
  for (const [dataFirst, said] of orders as [boolean, string][]) {
    const { play, dial, client, refused, happened, serving } = world();
    await play(...LOGIN, "EPSV", /^229 /);
    const data = dial();
    await play("STOR a", /^150 /);
    await data.write(new Uint8Array(10));
    const ends = dataFirst ? [data, client] : [client, data];
    if (said !== "") await client.write(encoder.encode(said));
    await Promise.all(ends.map((end) => end[Symbol.asyncDispose]()));
    await serving;
    const reason = "Ended a transfer early: The client disconnected; nothing was kept";
    assertEquals([happened, refused[0]], [[], reason], said);
  }
});

Deno.test("after an upload without long pauses, a killed client is not waited for as long as after others", async () => {
  const { play, dial, happened, serving } = world({ graceMs: 3_600_000 });
  await play(...LOGIN, "EPSV", /^229 /);
  const data = dial();
  await play("STOR a", /^150 /);
  const begunMs = performance.now();
  while (performance.now() < begunMs + 50) await data.write(new Uint8Array(10));
  await data[Symbol.asyncDispose]();
  await play(/^226 /, "QUIT", /^221 /);
  await serving;
  assertEquals(happened, ["upload /a"]);
});

Deno.test("a stranger on the data port is turned away", async () => {
  const { play, dial, happened, serving } = world();
  await play(...LOGIN, "EPSV", /^229 /);
  const stranger = dial("192.0.2.9:50001");
  const data = dial();
  await play("STOR a", /^150 /);
  assertEquals(await stranger.read({ idleMs }), undefined);
  await data[Symbol.asyncDispose]();
  await play(/^226 /, "QUIT", /^221 /);
  await serving;
  assertEquals(happened, ["upload /a"]);
  await stranger[Symbol.asyncDispose]();
});

Deno.test("a client that asks for TLS and then stays silent is disconnected and recorded", async () => {
  const { play, client, refused, serving } = world({ tls: true });
  await play(/^220 /, "AUTH TLS", /^234 /);
  await serving;
  assertEquals(await client.read({ idleMs }), undefined);
  assertEquals(refused, ["No TLS handshake"]);
});

Deno.test("QUIT during a transfer is answered after it", async () => {
  const { play, dial, happened, serving } = world();
  await play(...LOGIN, "EPSV", /^229 /);
  const data = dial();
  await play("STOR a", /^150 /, "QUIT");
  await data.write(new Uint8Array(10));
  await data[Symbol.asyncDispose]();
  await play(/^226 /, /^221 /);
  await serving;
  assertEquals(happened, ["upload /a"]);
});

Deno.test("whatever a client sends, the session ends without an error", async () => {
  const verb = fc.constantFrom(
    ...["USER", "PASS", "CWD", "CDUP", "PWD", "MKD", "RMD", "DELE", "RNFR", "RNTO", "SIZE", "MDTM"],
    ...["MFMT", "MLST", "MLSD", "LIST", "NLST", "STAT", "REST", "RETR", "STOR", "APPE", "STOU"],
    ...["PASV", "EPSV", "PORT", "EPRT", "TYPE", "MODE", "STRU", "OPTS", "FEAT", "SITE", "ALLO"],
    ...["ABOR", "AUTH", "PBSZ", "PROT", "CCC", "REIN", "HELP", "NOOP", "XYZZY", ""],
  );
  const word = fc.oneof(
    fc.constantFrom(
      "",
      "a",
      "/",
      "..",
      "a/b",
      "*",
      "-la",
      "20200101000000 a",
      "P",
      "ALL",
      "|1|::1|9|",
    ),
    fc.string({ maxLength: 40 }),
  );
  const line = fc.oneof(
    fc.tuple(verb, word).map(([name, argument]) => encoder.encode(`${name} ${argument}\r\n`)),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => Uint8Array.from([...bytes, 0x0d, 0x0a])),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 25 }), async (lines) => {
      const { play, client, faults, serving } = world();
      await play(...LOGIN);
      for (const bytes of lines) await client.write(bytes).catch(() => {});
      await client.write(encoder.encode("\r\nQUIT\r\n")).catch(() => {});
      await serving;
      assertEquals(faults, []);
    }),
    fuzzed(25),
  );
});
