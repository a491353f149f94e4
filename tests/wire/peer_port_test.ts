/** The port for connections between instances: who may use it, and for how long without a request. */
import { assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../core/log.ts";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import { DisconnectedError } from "../../core/net/transport.ts";
import { dial, socketsOf } from "../../core/peers/dial.ts";
import { PeerPort } from "../../core/peers/port.ts";

const HOST = "127.0.0.1";

function openPort(): PeerPort & AsyncDisposable {
  const port = PeerPort.open({ host: HOST, binds: [HOST], port: 0, log: silentLogger });
  return Object.assign(port, { [Symbol.asyncDispose]: () => port.stop({ graceMs: 0 }) });
}

Deno.test("a connection without the key gets nothing", async () => {
  await using port = openPort();
  const { address } = port;
  const request = { listen: { hostname: HOST, port: 0, from: HOST } };
  for (const key of ["", `${address.key}0`, address.key.slice(1)]) {
    await assertRejects(() => dial({ ...address, key }, request), Error, "ended");
  }
  const { conn, answer } = await dial(address, request);
  assertEquals(typeof answer.port, "number");
  conn.close();
});

Deno.test("a connection without a request, or with one that is too long, is closed", async () => {
  await using port = openPort();
  for (const bytes of [[], [0, 0], [0xff, 0xff, 0xff, 0xff]]) {
    await using wire = new TcpTransport(await Deno.connect({ hostname: HOST, port: port.port }));
    await wire.write(new Uint8Array(bytes));
    assertEquals(await wire.read({ idleMs: 5000 }).catch(() => undefined), undefined);
  }
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
