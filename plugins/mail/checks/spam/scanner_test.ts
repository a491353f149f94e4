import { assert, assertEquals } from "@std/assert";
import type { Transport } from "../../../../core/plugin.ts";
import { PAUSE_MS, type ScanContext, SpamScanner } from "./scanner.ts";

const FINE = "SPAMD/1.1 0 EX_OK\r\nSpam: False ; 0.0 / 5.0\r\n\r\n";
const MESSAGE = new TextEncoder().encode("Subject: a\r\n\r\nb");

/** A connection with one response, sent after `ready`. */
function wire(answer: string, ready: Promise<void> = Promise.resolve()): Transport {
  let sent = false;
  return {
    peer: "127.0.0.1:783",
    local: "127.0.0.1:1",
    async read() {
      await ready;
      if (sent) return undefined;
      sent = true;
      return new TextEncoder().encode(answer);
    },
    write: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

Deno.test("four messages are scanned at a time", async () => {
  const open: (() => void)[] = [];
  let connected = 0;
  const ctx: ScanContext = {
    now: () => new Date(0),
    connect: () => {
      connected++;
      const { promise, resolve } = Promise.withResolvers<void>();
      open.push(resolve);
      return Promise.resolve(wire(FINE, promise));
    },
  };
  const scanner = new SpamScanner();
  const scans = Array.from({ length: 10 }, () => scanner.scan(MESSAGE, ctx));
  for (let done = 0; done < 10; done++) {
    while (open.length === 0) await Promise.resolve();
    assert(connected - done <= 4, `${connected} connections, ${done} of them closed`);
    open.shift()!();
    await Promise.race(scans);
  }
  assertEquals((await Promise.all(scans)).map((scan) => "report" in scan), Array(10).fill(true));
});

Deno.test("after a failure no request is made for a while", async () => {
  let nowMs = 0;
  let connected = 0;
  const ctx: ScanContext = {
    now: () => new Date(nowMs),
    connect: () => {
      connected++;
      return connected === 1
        ? Promise.reject(new Error("Connection refused"))
        : Promise.resolve(wire(FINE));
    },
  };
  const scanner = new SpamScanner();
  assertEquals(await scanner.scan(MESSAGE, ctx), { failure: "Connection refused" });
  nowMs = PAUSE_MS - 1;
  assertEquals(await scanner.scan(MESSAGE, ctx), { failure: "Connection refused" });
  assertEquals(connected, 1);
  nowMs = PAUSE_MS;
  assert("report" in await scanner.scan(MESSAGE, ctx));
});

Deno.test("an answer that does not end, or does not come, is cut", async () => {
  const now = () => new Date(0);
  const endless: Transport = {
    ...wire(""),
    read: () => Promise.resolve(new Uint8Array(65_536)),
  };
  const long = await new SpamScanner().scan(MESSAGE, {
    now,
    connect: () => Promise.resolve(endless),
  });
  assertEquals(long, { failure: "it answered more than 262144 bytes" });
  const late = await new SpamScanner({ connectMs: 10, answerMs: 10 }).scan(MESSAGE, {
    now,
    connect: (_, { signal }) => {
      const { promise, reject } = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => reject(new Error("Aborted")));
      return Promise.resolve(wire(FINE, promise));
    },
  });
  assertEquals(late, { failure: "no response in 10 ms" });
});
