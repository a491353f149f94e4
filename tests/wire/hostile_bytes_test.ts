/**
 * Every listener against every kind of wrong peer: the process survives, each connection ends in
 * time, and the journal, an event or the response has the reason.
 */
import { assert, assertEquals } from "@std/assert";
import { runToEnd } from "../cli/console.ts";
import {
  endOf,
  HOSTILE,
  IMPATIENT,
  latin1,
  tcpListeners,
  untilEnded,
  writeAll,
} from "../support/hostile.ts";
import { startService, type TestService } from "../support/service.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { isSet } from "../support/settings.ts";

/** Every listener named here must exist, so that none is skipped unnoticed. */
const EXPECTED = [
  "ui",
  "ingress",
  "mail/smtp",
  "files/ftp",
  "files/sftp",
  "files/nfs",
  "s3/http",
  "hl7/mllp",
];

/** Longest time a connection may stay open after its client's last byte. */
const END_MS = 8000;

/**
 * Valid input: answered or ignored. RFC 9112 section 2.2 allows empty lines before a request, and
 * some engines keep an MLLP connection alive with them. Over HTTP/2 the platform itself handles
 * protocol errors.
 */
const NEEDS_NO_NOTE: readonly (readonly [listener: string, what: string])[] = [
  ["ui", "HTTP"],
  ["ui", "many empty lines"],
  ["ingress", "many empty lines"],
  ["ingress", "cleartext HTTP/2"],
  ["s3/http", "HTTP"],
  ["s3/http", "many empty lines"],
  ["s3/http", "cleartext HTTP/2"],
  ["files/ftp", "FTP"],
  ["files/ftp", "many empty lines"],
  ["files/nfs", "ONC RPC"],
  ["hl7/mllp", "many empty lines"],
];

function tally({ events, rejected }: TestService): number {
  return events.count() + rejected.count;
}

/** Every sample of every plugin is still accepted, as by a service that was never attacked. */
async function assertServes(
  service: TestService,
  log: readonly string[] = service.log,
): Promise<void> {
  const { code, stderr } = await runToEnd(["demo", "--url", service.api.url], {
    plugins: STANDARD_PLUGINS,
  });
  assertEquals([code, stderr], [0, ""]);
  assertEquals(log, []);
}

Deno.test("a client that speaks another protocol is disconnected, and the reason is recorded", async () => {
  await using service = await startService({ config: IMPATIENT });
  const listeners = await tcpListeners(service);
  assertEquals(EXPECTED.filter((name) => listeners.every((one) => one.name !== name)), []);
  const silent: string[] = [];
  for (const { name, port } of listeners) {
    for (const [what, bytes] of Object.entries(HOSTILE)) {
      const before = tally(service);
      const { open } = await untilEnded(port, {
        limitMs: END_MS,
        async talk(conn) {
          await writeAll(conn, bytes);
          await conn.closeWrite();
        },
      });
      assert(!open, `${name} keeps a connection open after ${what}`);
      const noteless = NEEDS_NO_NOTE.some(([one, other]) => one === name && other === what);
      if (tally(service) === before && !noteless) silent.push(`${name}: ${what}`);
    }
  }
  assertEquals(silent, []);
  await assertServes(service);
});

Deno.test("hostile bytes in small pieces on all listeners at once disturb no other client", async () => {
  await using service = await startService({ config: IMPATIENT });
  const listeners = await tcpListeners(service);
  const attacks = listeners.flatMap(({ name, port }) =>
    Object.entries(HOSTILE).map(async ([what, bytes], index) => {
      const { open } = await untilEnded(port, {
        limitMs: 2 * END_MS,
        async talk(conn) {
          await writeAll(conn, bytes.subarray(0, 20_000), 1 + 97 * index);
          await conn.closeWrite();
        },
      });
      return open ? [`${name}: ${what}`] : [];
    })
  );
  const serving = assertServes(service);
  assertEquals((await Promise.all(attacks)).flat(), []);
  await serving;
});

/** Starts like the protocol, then drips one letter at a time without end. */
const BEGINNINGS: readonly (readonly [listener: string, what: string])[] = [
  ["mail/smtp", "EHLO a"],
  ["mail/smtp", "a".repeat(70_000)],
  ["mail/smtp", "EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<b@b.example>\r\nDATA\r\nS: a"],
  [
    "mail/smtp",
    "EHLO a\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<b@b.example>\r\nBDAT 9999 LAST\r\na",
  ],
  ["files/ftp", "USER a"],
  ["files/ftp", "a".repeat(70_000)],
  ["files/sftp", "SSH-2.0-a"],
  ["files/nfs", "\x80\0\x28\0\0\0"],
  ["s3/http", "GET /a"],
  ["s3/http", "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\na"],
  ["s3/http", "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9999\r\na"],
  ["hl7/mllp", "\x0bMSH|"],
  ["hl7/mllp", "MSH|"],
];

/** Listeners whose timeouts are not settings; `tests/wire/http_slow_test.ts` covers the server they are built on. */
const PATIENT = ["ui", "ingress"];

Deno.test("a client that stalls or drips byte by byte is disconnected", async () => {
  await using service = await startService({ config: IMPATIENT });
  const listeners = await tcpListeners(service);
  const known = new Set(BEGINNINGS.map(([name]) => name));
  assertEquals(
    listeners.map(({ name }) => name).filter((name) => !known.has(name)),
    PATIENT,
  );
  const slow = async (index: number, drips: boolean): Promise<string[]> => {
    const [listener, beginning] = BEGINNINGS[index]!;
    const { port } = listeners.find(({ name }) => name === listener)!;
    const { open } = await untilEnded(port, {
      limitMs: 2 * END_MS,
      async talk(conn) {
        await writeAll(conn, latin1(beginning));
        while (drips) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          await writeAll(conn, latin1("a"));
        }
      },
    });
    return open ? [`${listener}, ${index}${drips ? ", byte by byte" : ""}`] : [];
  };
  const kept = await Promise.all(
    BEGINNINGS.flatMap((_, index) => [slow(index, false), slow(index, true)]),
  );
  assertEquals(kept.flat(), []);
  await assertServes(service);
});

/** `LOAD=1` opens almost as many idle connections as HTTP listeners accept; the rest stay free for the next clients. */
const IDLE = isSet("LOAD", "1") ? 1990 : 60;

/** Providers whose cap is a setting. */
const CAPPED: readonly (readonly [plugin: string, provider: string])[] = [
  ["mail", "smtp"],
  ["files", "ftp"],
  ["files", "sftp"],
  ["files", "nfs"],
  ["hl7", "mllp"],
];

/** Settings that let those providers accept as many connections at a time. */
function capped(max_connections: number): Record<string, unknown> {
  const plugins: Record<string, { providers: Record<string, unknown> }> = {};
  for (const [plugin, provider] of CAPPED) {
    (plugins[plugin] ??= { providers: {} }).providers[provider] = { max_connections };
  }
  return { plugins };
}

async function openIdle(port: number, count: number): Promise<readonly Deno.TcpConn[]> {
  const conns: Deno.TcpConn[] = [];
  for (let i = 0; i < count; i++) conns.push(await Deno.connect({ hostname: "127.0.0.1", port }));
  return conns;
}

Deno.test(`${IDLE} idle connections to each listener do not block other clients`, async () => {
  await using service = await startService({ config: capped(2000) });
  for (const { name, port } of await tcpListeners(service)) {
    const idle = await openIdle(port, IDLE);
    try {
      const { open, said } = await untilEnded(port, {
        limitMs: END_MS,
        async talk(conn) {
          await writeAll(conn, HOSTILE["a line without end"]!);
          await conn.closeWrite();
        },
      });
      assert(!open, name);
      assert(said !== "" || name === "files/nfs" || name === "hl7/mllp", name);
    } finally {
      for (const conn of idle) conn.close();
    }
  }
  await assertServes(service);
});

Deno.test("connections over the cap are closed at once, and the others continue", async () => {
  const cap = 3;
  await using service = await startService({ config: capped(cap) });
  for (const [plugin, provider] of CAPPED) {
    const { port } = service.endpoint(`${plugin}/${provider}`);
    const release = Promise.withResolvers<void>();
    const within = (await openIdle(port, cap)).map((conn) =>
      endOf(conn, {
        limitMs: END_MS,
        async talk() {
          await release.promise;
          await writeAll(conn, HOSTILE["a line without end"]!);
          await conn.closeWrite();
        },
      })
    );
    const over = await untilEnded(port, { limitMs: END_MS, talk: () => Promise.resolve() });
    const before = service.rejected.count;
    release.resolve();
    const ends = await Promise.all(within);
    assertEquals([provider, over.open, ...ends.map(({ open }) => open)], [
      provider,
      false,
      ...ends.map(() => false),
    ]);
    assertEquals(service.rejected.count - before, cap, provider);
  }
  const isFull = (line: string): boolean => line.includes("Cannot accept more connections");
  assertEquals(service.log.filter(isFull).length, CAPPED.length);
  await assertServes(service, service.log.filter((line) => !isFull(line)));
});
