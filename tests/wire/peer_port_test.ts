/** The port for connections between instances: who may use it, and for how long without a request. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createLogger, silentLogger } from "../../core/log.ts";
import { concat } from "../../core/bytes/concat.ts";
import { addressOf } from "../../core/net/address.ts";
import { closeQuietly, writeAll } from "../../core/net/socket.ts";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import { DisconnectedError } from "../../core/net/transport.ts";
import { dial, socketsOf } from "../../core/peers/dial.ts";
import { readFrame, writeFrame } from "../../core/peers/frame.ts";
import { PeerPort } from "../../core/peers/port.ts";
import { sealAsCalled, sealAsCaller } from "../../core/peers/sealed.ts";

import { isSame, noise } from "../support/files.ts";

const HOST = "127.0.0.1";

function openPort(log = silentLogger): PeerPort & AsyncDisposable {
  const port = PeerPort.open({ host: HOST, binds: [HOST], port: 0, log });
  return Object.assign(port, { [Symbol.asyncDispose]: () => port.stop({ graceMs: 0 }) });
}

Deno.test("a connection without the key gets nothing", async () => {
  await using port = openPort();
  const { address } = port;
  const request = { listen: { hostname: HOST, port: 0, from: HOST } };
  const { key } = address;
  for (
    const other of ["", `${key}00`, key.slice(2), `${key.slice(0, -1)}${key.endsWith("0") ? 1 : 0}`]
  ) {
    await assertRejects(() => dial({ ...address, key: other }, request), Error, "cut");
  }
  const { conn, answer } = await dial(address, request);
  assertEquals(typeof answer.port, "number");
  conn.close();
});

/** What passes between a caller and the port, in both directions. */
class Wire implements AsyncDisposable {
  readonly sent: Uint8Array[] = [];
  readonly received: Uint8Array[] = [];
  readonly #listener = Deno.listen({ hostname: HOST, port: 0 });
  readonly #done: Promise<void>;

  /** Passes one connection on; `change` may damage what the caller sends. */
  constructor(to: number, change: (chunk: Uint8Array, index: number) => void = () => {}) {
    this.#done = this.#pass(to, change);
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  async #pass(to: number, change: (chunk: Uint8Array, index: number) => void): Promise<void> {
    using caller = await this.#listener.accept();
    using port = await Deno.connect({ hostname: HOST, port: to });
    const copy = async (from: Deno.Conn, into: Deno.Conn, seen: Uint8Array[]): Promise<void> => {
      const buffer = new Uint8Array(65_536);
      for (;;) {
        const count = await from.read(buffer).catch(() => null);
        if (count === null) break;
        const chunk = buffer.slice(0, count);
        if (seen === this.sent) change(chunk, seen.length);
        seen.push(chunk);
        await writeAll(into, chunk).catch(() => {});
      }
      await into.closeWrite().catch(() => {});
    };
    await Promise.all([copy(caller, port, this.sent), copy(port, caller, this.received)]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#done;
  }
}

function latin1(chunks: readonly Uint8Array[]): string {
  return chunks.map((chunk) => new TextDecoder("latin1").decode(chunk)).join("");
}

const LISTEN = { listen: { hostname: HOST, port: 0, from: HOST } };

Deno.test("who listens on the network sees neither key nor request, and cannot repeat them", async () => {
  await using port = openPort();
  using target = Deno.listen({ hostname: HOST, port: 0 });
  const request = { connect: { hostname: HOST, port: target.addr.port } };
  const { key } = port.address;
  const reach = async (at: number): Promise<void> => {
    const { conn, answer } = await dial({ ...port.address, port: at }, request);
    using reached = await target.accept();
    assertEquals(addressOf(reached.remoteAddr), answer.local);
    conn.close();
  };
  const sent: Uint8Array[] = [];
  {
    await using wire = new Wire(port.port);
    await reach(wire.port);
    sent.push(...wire.sent);
    const seen = latin1([...wire.sent, ...wire.received]);
    for (const secret of [key, latin1([Uint8Array.fromHex(key)]), "connect"]) {
      assertEquals(seen.includes(secret), false, secret);
    }
  }
  {
    await using again = new TcpTransport(await Deno.connect({ hostname: HOST, port: port.port }));
    for (const chunk of sent) await again.write(chunk).catch(() => {});
    while (await again.read({ idleMs: 5000 }).catch(() => undefined) !== undefined);
  }
  // The next one to arrive is not that of the repeated bytes.
  await reach(port.port);
});

Deno.test("a request that was changed on the way is not carried out", async () => {
  await using port = openPort();
  // The hello comes first; what is behind it is encrypted.
  await using wire = new Wire(port.port, (chunk, index) => {
    if (index > 0) chunk[chunk.length - 1]! ^= 1;
  });
  await assertRejects(() => dial({ ...port.address, port: wire.port }, LISTEN));
});

Deno.test("an instance of a version that did not encrypt is refused with the reason, on either side", async () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  await using port = openPort(createLogger({ level: "warn", write, now: () => new Date() }));
  const { key } = port.address;
  await assertRejects(
    () => dial({ ...port.address, isSealed: false }, LISTEN),
    DisconnectedError,
    "older version",
  );
  for (let turn = 0; turn < 2; turn++) {
    using old = await Deno.connect({ hostname: HOST, port: port.port });
    await writeFrame(old, { ...LISTEN, key });
    assertStringIncludes(String((await readFrame(old)).error), "encrypted; update");
  }
  assertEquals(lines.length, 1);
  assertStringIncludes(lines[0]!, "older version");
});

Deno.test("a connection without a request, or with one that is too long, is closed", async () => {
  await using port = openPort();
  const { key } = port.address;
  for (const isSealed of [false, true]) {
    for (const bytes of [[], [0, 0], [0xff, 0xff, 0xff, 0xff]]) {
      using plain = await Deno.connect({ hostname: HOST, port: port.port });
      const conn = isSealed ? await sealAsCaller(plain, key) : plain;
      if (bytes.length > 0) await conn.write(new Uint8Array(bytes));
      assertEquals(await plain.read(new Uint8Array(1)).catch(() => null), null);
    }
  }
});

Deno.test("encrypted bytes arrive unchanged, and an end is not mistaken for a cut connection", async () => {
  using listener = Deno.listen({ hostname: HOST, port: 0 });
  const key = crypto.getRandomValues(new Uint8Array(32)).toHex();
  const open = async () => {
    const plain = await Deno.connect({ hostname: HOST, port: listener.addr.port });
    const [caller, called] = await Promise.all([
      sealAsCaller(plain, key),
      listener.accept().then((conn) => sealAsCalled(conn, key)),
    ]);
    return { caller, called, [Symbol.dispose]: () => [caller, called].forEach(closeQuietly) };
  };
  const collect = async (conn: Pick<Deno.Conn, "read">): Promise<Uint8Array> => {
    const chunks: Uint8Array[] = [];
    const buffer = new Uint8Array(10_000);
    for (let count; (count = await conn.read(buffer)) !== null;) {
      chunks.push(buffer.slice(0, count));
    }
    return concat(chunks);
  };
  {
    using pair = await open();
    const send = async (conn: typeof pair.caller, sizes: readonly number[]): Promise<void> => {
      for (const size of sizes) await writeAll(conn, noise(size, size + 1));
      await conn.closeWrite();
    };
    const sizes = [1, 0, 65_535, 65_536, 65_537, 300_000, 17];
    const [up, down] = await Promise.all([
      collect(pair.called),
      collect(pair.caller),
      send(pair.caller, sizes),
      send(pair.called, sizes.toReversed()),
    ]);
    assert(isSame(up, concat(sizes.map((size) => noise(size, size + 1)))));
    assert(isSame(down, concat(sizes.toReversed().map((size) => noise(size, size + 1)))));
  }
  using pair = await open();
  await pair.caller.write(new Uint8Array(10));
  pair.caller.close();
  await assertRejects(() => collect(pair.called), Deno.errors.UnexpectedEof);
});

Deno.test("strangers that send nothing do not keep other instances out", async () => {
  await using port = openPort();
  const strangers: Deno.TcpConn[] = [];
  try {
    for (let i = 0; i < 200; i++) {
      strangers.push(await Deno.connect({ hostname: HOST, port: port.port }));
    }
    const request = { listen: { hostname: HOST, port: 0, from: HOST } };
    const { conn, answer } = await dial(port.address, request);
    assertEquals(typeof answer.port, "number");
    conn.close();
  } finally {
    for (const conn of strangers) conn.close();
  }
});

Deno.test("a request that is unknown, or for a listener that is not served here, is refused", async () => {
  await using port = openPort();
  const about = { on: "files/ftp", peer: "127.0.0.1:1", local: "127.0.0.1:2" };
  for (const request of [{ serve: about }, { other: {} }]) {
    await assertRejects(() => dial(port.address, request), DisconnectedError);
  }
});

Deno.test("a session has sockets on the machine of another instance", async () => {
  await using port = openPort();
  const sockets = socketsOf(port.address, { from: HOST });
  {
    await using listener = await sockets.listenTcp({ hostname: HOST, port: 0 });
    await using client = new TcpTransport(
      await Deno.connect({ hostname: HOST, port: listener.port }),
    );
    await using wire = await listener.accept({ idleMs: 5000 });
    assertEquals([wire.peer, wire.local], [client.local, client.peer]);
    await client.write(new Uint8Array([1, 2, 3]));
    assertEquals(await wire.read({ idleMs: 5000 }), new Uint8Array([1, 2, 3]));
  }
  const target = Deno.listen({ hostname: HOST, port: 0 });
  const accepting = target.accept();
  await using wire = await sockets.connectTcp({
    hostname: HOST,
    port: target.addr.port,
    idleMs: 5000,
  });
  await using other = new TcpTransport(await accepting);
  target.close();
  assertEquals([wire.peer, wire.local], [other.local, other.peer]);
  await other.write(new Uint8Array([4]));
  assertEquals(await wire.read({ idleMs: 5000 }), new Uint8Array([4]));
});
