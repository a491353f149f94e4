import { assert, assertEquals, assertRejects } from "@std/assert";
import { createLogger } from "../log.ts";
import { acceptLoop, acceptNext } from "./accept.ts";

/** Result of an accept: the number of a connection, or an error. */
type Given = number | Error;

class FakeConn {
  closed = false;

  constructor(readonly number: number) {}

  close(): void {
    this.closed = true;
  }
}

/** Accepts until the listener has no more results; returns the log and the accepted connections. */
async function run(given: readonly Given[], fault?: Error) {
  const stopping = new AbortController();
  const lines: string[] = [];
  const conns: FakeConn[] = [];
  const left = [...given];
  let pauses = 0;
  const listener = {
    accept(): Promise<Deno.Conn> {
      const next = left.shift();
      if (next === undefined) {
        stopping.abort();
        return Promise.reject(new Deno.errors.Interrupted());
      }
      if (next instanceof Error) return Promise.reject(next);
      const conn = new FakeConn(next);
      conns.push(conn);
      return Promise.resolve(conn as unknown as Deno.Conn);
    },
  };
  const timers = globalThis.setTimeout;
  globalThis.setTimeout = ((task: () => void, ms: number) => {
    if (ms > 0) pauses++;
    return timers(task, 0);
  }) as typeof setTimeout;
  try {
    await acceptLoop(listener, {
      signal: stopping.signal,
      log: createLogger({
        level: "info",
        write: (line) => lines.push(line),
        now: () => new Date(),
      }),
      port: 25,
      take: () => {
        if (fault !== undefined) throw fault;
      },
    });
  } finally {
    globalThis.setTimeout = timers;
  }
  return { lines, conns, pauses };
}

const RESET = new Deno.errors.NotConnected("Transport endpoint is not connected (os error 107)");
const NO_DESCRIPTORS = Object.assign(new Error("Too many open files (os error 24)"), {
  code: "EMFILE",
});

Deno.test("a connection reset before accept causes no pause, and many of them log two lines", async () => {
  const { lines, conns, pauses } = await run([...Array(200).fill(RESET), 1]);
  assertEquals([conns.length, pauses], [1, 0]);
  assertEquals(lines.length, 2, lines.join("\n"));
  assert(
    lines[0]!.includes("INFO  Connections were lost before they were accepted port=25 error="),
  );
  assert(lines[1]!.endsWith("Connections were lost before they were accepted port=25 count=199"));
});

Deno.test("without file descriptors accept is retried after a pause, and many failures log two lines", async () => {
  const { lines, conns, pauses } = await run([...Array(10).fill(NO_DESCRIPTORS), 1]);
  assertEquals([conns.length, pauses], [1, 10]);
  assertEquals(lines.length, 2, lines.join("\n"));
  assert(lines[0]!.includes("WARN  Cannot accept connections, trying again port=25 error="));
  assert(lines[1]!.endsWith("port=25 count=9"));
});

for (const [name, fault] of Object.entries({ "a reset": RESET, "a fault": new Error("odd") })) {
  Deno.test(`${name} while a connection is accepted closes it, and the next one is accepted`, async () => {
    const { conns } = await run([1, 2], fault);
    assertEquals(conns.map(({ closed }) => closed), [true, true]);
  });
}

Deno.test("acceptNext() skips reset connections, but not a closed listener", async () => {
  const given: Given[] = [RESET, RESET, 3];
  const accept = (): Promise<Given> => {
    const next = given.shift() ?? new Deno.errors.BadResource("closed");
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  assertEquals(await acceptNext({ accept }), 3);
  await assertRejects(() => acceptNext({ accept }), Deno.errors.BadResource);
});
