import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { isAddressInUse } from "../../core/net/address.ts";
import { BufferedWire } from "../../core/net/buffered_wire.ts";
import { createNet } from "../../core/net/net.ts";
import { serveTcp, type ServeTcpOptions } from "../../core/net/tcp.ts";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import { DisconnectedError, IdleError, type Transport } from "../../core/net/transport.ts";
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { resetMany } from "../support/resets.ts";

const idleMs = 5000;
const limits = { maxBytes: 1000, idleMs };
const net = createNet({ tls: createTlsIdentity() });

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function readAll(wire: Transport): Promise<string> {
  let text = "";
  for (;;) {
    const chunk = await wire.read({ idleMs });
    if (chunk === undefined) return text;
    text += new TextDecoder().decode(chunk);
  }
}

/** Echoes lines until QUIT. */
async function echo(wire: Transport): Promise<void> {
  const lines = new BufferedWire(wire);
  for (;;) {
    const line = await lines.line(limits);
    if (line === undefined) return;
    await lines.write(line);
    if (new TextDecoder().decode(line) === "QUIT\r\n") return;
  }
}

type Overrides = Partial<ServeTcpOptions>;

async function serving(
  overrides: Overrides,
  use: (port: number, errors: unknown[]) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const server = await serveTcp({
    hostname: "127.0.0.1",
    port: 0,
    maxConnections: 10,
    serve: echo,
    onError: (error) => errors.push(error),
    ...overrides,
  });
  try {
    await use(server.port, errors);
  } finally {
    await server.stop({ graceMs: 1000 });
  }
}

function connect(port: number, hostname = "127.0.0.1"): Promise<Transport> {
  return net.connectTcp({ hostname, port, idleMs });
}

Deno.test("a conversation reads what the client sends, and its last reply arrives", async () => {
  await serving({}, async (port, errors) => {
    await using client = await connect(port);
    assertEquals(client.peer, `127.0.0.1:${port}`);
    // The rest is never read; our answer must still arrive.
    await client.write(bytes(`hello\r\nQUIT\r\n${"x".repeat(100_000)}`));
    assertEquals(await readAll(client), "hello\r\nQUIT\r\n");
    assertEquals(errors, []);
  });
});

Deno.test("a failing conversation does not affect others", async () => {
  const options: Overrides = {
    async serve(wire) {
      const line = await new BufferedWire(wire).line(limits);
      if (line?.[0] === 0x21) throw new Error("boom");
      await wire.write(bytes("fine"));
    },
  };
  await serving(options, async (port, errors) => {
    await using bad = await connect(port);
    await using good = await connect(port);
    await bad.write(bytes("!\r\n"));
    assertEquals(await readAll(bad), "");
    await good.write(bytes("ok\r\n"));
    assertEquals(await readAll(good), "fine");
    assertEquals(errors.map(String), ["Error: boom"]);
  });
});

Deno.test("a connection over the cap is refused with a reason, and a freed slot is reused", async () => {
  await serving({ maxConnections: 1, busyReply: bytes("421 busy\r\n") }, async (port) => {
    const first = await connect(port);
    await first.write(bytes("a\r\n"));
    assert(await first.read({ idleMs }));
    await using second = await connect(port);
    assertEquals(await readAll(second), "421 busy\r\n");
    await first.write(bytes("QUIT\r\n"));
    assertEquals(await readAll(first), "QUIT\r\n");
    await first[Symbol.asyncDispose]();
    for (;;) {
      await using next = await connect(port);
      await next.write(bytes("QUIT\r\n"));
      // The slot is freed a moment after the client sees the end.
      if (await readAll(next).catch(() => "") === "QUIT\r\n") break;
    }
  });
});

Deno.test("a logged-in client keeps its slot on a full listener", async () => {
  const options: Overrides = {
    maxConnections: 1,
    logsIn: true,
    busyReply: bytes("421 busy\r\n"),
    async serve(wire, place) {
      place.keep();
      await wire.write(bytes("in"));
      await wire.read({ idleMs });
    },
  };
  await serving(options, async (port) => {
    await using first = await connect(port);
    assert(await first.read({ idleMs }));
    await using second = await connect(port);
    assertEquals(await readAll(second), "421 busy\r\n");
  });
});

Deno.test("silence is an IdleError, after which the connection still works", async () => {
  const { promise: seen, resolve } = Promise.withResolvers<unknown>();
  const options: Overrides = {
    async serve(wire) {
      resolve(await wire.read({ idleMs: 10 }).catch((error) => error));
      await wire.write(bytes("still there?"));
      await wire.write((await wire.read({ idleMs }))!);
    },
  };
  await serving(options, async (port) => {
    await using client = await connect(port);
    assert(await seen instanceof IdleError);
    await client.write(bytes(" yes"));
    assertEquals(await readAll(client), "still there? yes");
  });
});

Deno.test("writing to a peer that does not read is an IdleError", async () => {
  const { promise: seen, resolve } = Promise.withResolvers<unknown>();
  const options: Overrides = {
    async serve(wire) {
      const chunk = new Uint8Array(1024 * 1024);
      for (;;) {
        try {
          await wire.write(chunk, { idleMs: 50 });
        } catch (error) {
          return resolve(error);
        }
      }
    },
  };
  await serving(options, async (port) => {
    await using _client = await connect(port);
    assert(await seen instanceof IdleError);
  });
});

Deno.test("returned chunks stay valid, and concurrent writes do not interleave", async () => {
  const size = 300_000;
  const { promise: received, resolve } = Promise.withResolvers<Uint8Array[]>();
  const options: Overrides = {
    async serve(wire) {
      const chunks: Uint8Array[] = [];
      for (let left = size * 3; left > 0;) {
        const chunk = await wire.read({ idleMs });
        if (chunk === undefined) break;
        chunks.push(chunk);
        left -= chunk.length;
      }
      resolve(chunks);
    },
  };
  await serving(options, async (port) => {
    await using client = await connect(port);
    await Promise.all([1, 2, 3].map((fill) => client.write(new Uint8Array(size).fill(fill))));
    const all = new Uint8Array(await new Blob(await received as BlobPart[]).arrayBuffer());
    assertEquals(all.length, size * 3);
    for (const at of [0, size - 1, size, 2 * size - 1, 2 * size, 3 * size - 1]) {
      assertEquals(all[at], Math.floor(at / size) + 1);
    }
  });
});

Deno.test("localhost is served on both loopback addresses, and on the same port", async () => {
  await serving({ hostname: "localhost" }, async (port) => {
    for (const hostname of ["127.0.0.1", "::1"]) {
      await using client = await connect(port, hostname);
      await client.write(bytes("QUIT\r\n"));
      assertEquals(await readAll(client), "QUIT\r\n");
      assertStringIncludes(client.peer, hostname === "::1" ? "[::1]:" : "127.0.0.1:");
    }
  });
});

Deno.test("a port in use has its own error class", async () => {
  await serving({}, async (port) => {
    for (const hostname of ["127.0.0.1", "localhost"]) {
      const error = await assertRejects(() => serving({ hostname, port }, () => Promise.resolve()));
      assert(isAddressInUse(error), String(error));
    }
  });
});

Deno.test("a stop lets a conversation finish", async () => {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const server = await serveTcp({
    hostname: "127.0.0.1",
    port: 0,
    maxConnections: 10,
    async serve(wire) {
      resolve();
      await echo(wire);
    },
    onError: () => {},
  });
  await using client = await connect(server.port);
  await started;
  const stopped = server.stop({ graceMs: idleMs });
  await assertRejects(() => connect(server.port), DisconnectedError);
  await client.write(bytes("QUIT\r\n"));
  assertEquals(await readAll(client), "QUIT\r\n");
  await stopped;
});

Deno.test("a stop cuts off a conversation that outlasts the grace period", async () => {
  const errors: unknown[] = [];
  const server = await serveTcp({
    hostname: "127.0.0.1",
    port: 0,
    maxConnections: 10,
    serve: echo,
    onError: (error) => errors.push(error),
  });
  await using client = await connect(server.port);
  await client.write(bytes("a\r\n"));
  await client.read({ idleMs });
  await server.stop({ graceMs: 10 });
  assert(errors[0] instanceof DisconnectedError, String(errors));
  await readAll(client).catch(() => "");
});

Deno.test("listenTcp() hands a late connection to the next accept", async () => {
  await using listener = await net.listenTcp({ hostname: "127.0.0.1", port: 0 });
  await assertRejects(() => listener.accept({ idleMs: 5 }), IdleError, "No connection");
  await using client = await connect(listener.port);
  await using served = await listener.accept({ idleMs });
  await client.write(bytes("x"));
  assertEquals(await served.read({ idleMs }), bytes("x"));
});

Deno.test("listenTcp() closes a connection that came before any accept", async () => {
  const listener = await net.listenTcp({ hostname: "127.0.0.1", port: 0 });
  using client = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
  await listener[Symbol.asyncDispose]();
  // An end or a reset, depending on whether the platform had accepted it.
  assertEquals(await client.read(new Uint8Array(1)).catch(() => null), null);
});

Deno.test("listenTcp() closes while an accept is pending", async () => {
  const listener = await net.listenTcp({ hostname: "127.0.0.1", port: 0 });
  await assertRejects(() => listener.accept({ idleMs: 5 }), IdleError);
  await listener[Symbol.asyncDispose]();
});

Deno.test("a transport reports the client address it was given", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const connecting = Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port });
  await using server = new TcpTransport(await listener.accept(), { peer: "192.0.2.1:5" });
  await using client = new TcpTransport(await connecting);
  assertEquals(server.peer, "192.0.2.1:5");
  assertEquals(client.peer, server.local);
});

Deno.test("transient chunks arrive in order, whatever their number", async () => {
  const total = 3_000_000;
  const sent = Uint8Array.from({ length: total }, (_, i) => (i * 31 + (i >> 8)) & 255);
  let wrong = -1;
  const done = Promise.withResolvers<number>();
  await serving({
    async serve(wire) {
      let at = 0;
      for (let part; (part = await wire.read({ idleMs, reuse: true })) !== undefined;) {
        for (let i = 0; i < part.length; i++) if (part[i] !== sent[at + i]) wrong = at + i;
        at += part.length;
      }
      done.resolve(at);
    },
  }, async (port) => {
    const wire = await connect(port);
    await wire.write(sent);
    await wire[Symbol.asyncDispose]();
    assertEquals([await done.promise, wrong], [total, -1]);
  });
});

Deno.test("lines are read through one small buffer, however many arrive at once", async () => {
  const lines = Array.from({ length: 60_000 }, (_, at) => `${at} ${"x".repeat(at % 97)}\n`);
  const done = Promise.withResolvers<number>();
  const buffers = new Set<ArrayBufferLike>();
  await serving({
    async serve(wire) {
      const reader = new BufferedWire(wire, { reuse: true });
      let wrong = 0;
      for (const expected of lines) {
        const line = await reader.line({ maxBytes: 1000, idleMs });
        if (line === undefined || new TextDecoder().decode(line) !== expected) wrong++;
        // A line that was cut is in a buffer of its own, of exactly its size.
        if (line !== undefined && line.buffer.byteLength > line.length) buffers.add(line.buffer);
      }
      done.resolve(wrong);
    },
  }, async (port) => {
    const wire = await connect(port);
    await wire.write(bytes(lines.join("")));
    assertEquals(await done.promise, 0);
    await wire[Symbol.asyncDispose]();
  });
  // The first one is smaller.
  const sizes = [...buffers].map(({ byteLength }) => byteLength);
  assertEquals(sizes.filter((size) => size > 65_536), []);
  assert(sizes.length <= 2, `${sizes.length} buffers`);
});

Deno.test("a read fills the given buffer, in order with other reads", async () => {
  const sent = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31 + (i >> 8)) & 255);
  const got = new Uint8Array(sent.length);
  const done = Promise.withResolvers<boolean>();
  await serving({
    async serve(wire) {
      let inPlace = true;
      for (let at = 0, turn = 0; at < got.length; turn++) {
        const into = turn % 3 > 0 ? got.subarray(at, at + 20_000) : undefined;
        const part = await wire.read({ idleMs, into, reuse: turn % 2 === 0 });
        if (part === undefined) break;
        if (into === undefined) got.set(part, at);
        else inPlace &&= part.buffer === got.buffer && part.byteOffset === at;
        at += part.length;
      }
      done.resolve(inPlace);
    },
  }, async (port) => {
    const wire = await connect(port);
    await wire.write(sent);
    assertEquals([await done.promise, got], [true, sent]);
    await wire[Symbol.asyncDispose]();
  });
});

Deno.test("a buffer may be given up while a read into it that timed out continues", async () => {
  const { promise: seen, resolve } = Promise.withResolvers<unknown>();
  await serving({
    async serve(wire) {
      const into = new Uint8Array(100);
      const error = await wire.read({ idleMs: 10, into }).catch((error) => error);
      into.buffer.transfer(0);
      resolve(error);
      assertEquals(await wire.read({ idleMs }), new Uint8Array(0));
      await wire.write((await wire.read({ idleMs }))!);
    },
  }, async (port, errors) => {
    await using client = await connect(port);
    assert(await seen instanceof IdleError);
    await client.write(bytes("lost"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.write(bytes("kept"));
    assertEquals([await readAll(client), errors], ["kept", []]);
  });
});

Deno.test("a client that keeps dripping bytes after the farewell is cut off", async () => {
  let isOver = false;
  const serve = async (wire: Transport): Promise<void> => {
    await wire.read({ idleMs });
    await wire[Symbol.asyncDispose]();
    isOver = true;
  };
  await serving({ serve }, async (port) => {
    using client = await Deno.connect({ hostname: "127.0.0.1", port });
    while (!isOver) {
      await client.write(bytes("x")).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});

Deno.test("a connection that was reset while nobody waited for it is skipped", async () => {
  await using listener = await net.listenTcp({ hostname: "127.0.0.1", port: 0 });
  await resetMany(listener.port, { count: 3 });
  // The first of them was accepted in the meantime.
  await new Promise((resolve) => setTimeout(resolve, 10));
  await using client = await connect(listener.port);
  await using accepted = await listener.accept({ idleMs });
  assertEquals(accepted.peer, client.local);
  await client.write(bytes("kept"));
  assertEquals(new TextDecoder().decode(await accepted.read({ idleMs })), "kept");
});
