import { assertEquals } from "@std/assert";
import type { Net, Transport } from "../../../core/net/transport.ts";
import { DataChannel, type Protection } from "./data_channel.ts";

/**
 * A channel on a machine where only ports accepted by `isFree` are available, and the ports it
 * tried.
 */
function world(isFree: (port: number) => boolean) {
  const asked: number[] = [];
  const net: Pick<Net, "listenTcp"> = {
    listenTcp({ port }) {
      asked.push(port);
      if (!isFree(port)) return Promise.reject(new Deno.errors.AddrInUse("Address in use"));
      return Promise.resolve({
        port: port === 0 ? 32_768 : port,
        accept: () => Promise.reject(new Error("Nobody connects here")),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    },
  };
  const control = { peer: "127.0.0.1:50000", local: "127.0.0.1:21" };
  const channel = new DataChannel(control, {
    net: net as Net,
    ports: undefined,
    acceptMs: 1000,
  });
  return { asked, channel };
}

Deno.test("a passive port is none that Linux gives to clients, and not the same each time", async () => {
  const { asked, channel } = world(() => true);
  for (let i = 0; i < 20; i++) assertEquals(await channel.listen(), asked.at(-1));
  assertEquals(asked.filter((port) => port < 61_000 || port > 65_535), []);
  assertEquals(new Set(asked).size > 1, true);
});

Deno.test("where the dynamic ports are taken, the system finds another one", async () => {
  const { asked, channel } = world((port) => port === 0);
  assertEquals(await channel.listen(), 32_768);
  assertEquals(asked.length, 5);
});

/** A data connection that its client closes with `close`, and what was done to it. */
function connection() {
  const calls: string[] = [];
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const wire: Transport = {
    peer: "127.0.0.1:50001",
    local: "127.0.0.1:61000",
    read: () => Promise.resolve(undefined),
    write: () => Promise.resolve(),
    abort: () => void calls.push("abort"),
    [Symbol.asyncDispose]() {
      calls.push("end");
      return closed;
    },
  };
  return { calls, wire, close };
}

Deno.test("the end of a download waits for the client to close the connection too", async () => {
  const { channel } = world(() => true);
  for (const protection of ["C", "P"] as Protection[]) {
    const { calls, wire, close } = connection();
    let ended = false;
    const ending = channel.end(wire, protection).then(() => ended = true);
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals([ended, calls], [false, ["end"]]);
    close();
    await ending;
    assertEquals(calls, ["end"]);
  }
});

const KEPT_OPEN: readonly [Protection, string[], string[]][] = [
  ["C", ["end", "abort"], ["abort"]],
  ["P", ["end", "end"], ["end"]],
];
for (const [protection, first, next] of KEPT_OPEN) {
  Deno.test(`a client that keeps connections of protection ${protection} open is waited for three times`, async () => {
    const { channel } = world(() => true);
    const end = async (): Promise<readonly string[]> => {
      const { calls, wire } = connection();
      await channel.end(wire, protection);
      return calls;
    };
    assertEquals([await end(), await end(), await end(), await end()], [first, first, first, next]);
  });
}

Deno.test("a client that closed a connection late is waited for again", async () => {
  const { channel } = world(() => true);
  for (let round = 0; round < 3; round++) {
    const late = connection();
    await channel.end(late.wire, "C");
    assertEquals(late.calls, ["end", "abort"]);
    const { calls, wire, close } = connection();
    close();
    await channel.end(wire, "C");
    assertEquals(calls, ["end"]);
  }
});
