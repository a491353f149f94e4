import { assert, assertEquals, assertRejects } from "@std/assert";
import { isAddressInUse } from "../../core/net/address.ts";
import { createNet } from "../../core/net/net.ts";
import { serveUdp } from "../../core/net/udp.ts";
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { jumpingClock } from "../support/jumping_clock.ts";

const net = createNet({ tls: createTlsIdentity() });

Deno.test("a datagram is received whole and answered", async () => {
  const server = await serveUdp({
    hostname: "127.0.0.1",
    port: 0,
    receive: (datagram) => datagram.reply(datagram.bytes.toReversed()),
    onError: (error) => assertEquals(error, undefined),
  });
  await using socket = await net.openUdp({ hostname: "127.0.0.1" });
  for (const size of [1, 1500, 60_000]) {
    await socket.send(new Uint8Array(size).fill(1, 0, 1), `127.0.0.1:${server.port}`);
    const answer = await socket.receive();
    assertEquals(answer?.bytes, new Uint8Array(size).fill(1, size - 1));
    assertEquals(answer?.peer, `127.0.0.1:${server.port}`);
  }
  await server.stop({ graceMs: 100 });
});

Deno.test("a handler that throws is reported, and the next datagram is handled", async () => {
  const errors: unknown[] = [];
  const server = await serveUdp({
    hostname: "127.0.0.1",
    port: 0,
    receive(datagram) {
      if (datagram.bytes[0] === 0) throw new Error("boom");
      return datagram.reply(datagram.bytes);
    },
    onError: (error) => errors.push(error),
  });
  await using socket = await net.openUdp({ hostname: "127.0.0.1" });
  await socket.send(Uint8Array.of(0), `127.0.0.1:${server.port}`);
  await socket.send(Uint8Array.of(1), `127.0.0.1:${server.port}`);
  assertEquals((await socket.receive())?.bytes, Uint8Array.of(1));
  assertEquals(errors.map(String), ["Error: boom"]);
  await server.stop({ graceMs: 100 });
});

Deno.test("after an hour without datagrams, each is received at once", async () => {
  using clock = jumpingClock();
  const server = await serveUdp({
    hostname: "127.0.0.1",
    port: 0,
    receive: (datagram) => datagram.reply(datagram.bytes),
    onError: (error) => assertEquals(error, undefined),
  });
  await using socket = await net.openUdp({ hostname: "127.0.0.1" });
  for (const byte of [1, 2, 3, 4]) {
    await socket.send(Uint8Array.of(byte), `127.0.0.1:${server.port}`);
    assertEquals((await socket.receive())?.bytes, Uint8Array.of(byte));
    if (byte === 1) clock.jump(3_600_000);
  }
  assertEquals(clock.pausesMs.filter((ms) => ms > 0), []);
  await server.stop({ graceMs: 0 });
});

Deno.test("localhost receives datagrams over both address families", async () => {
  const server = await serveUdp({
    hostname: "localhost",
    port: 0,
    receive: (datagram) => datagram.reply(datagram.bytes),
    onError: (error) => assertEquals(error, undefined),
  });
  for (const [hostname, to] of [["127.0.0.1", "127.0.0.1"], ["::1", "[::1]"]] as const) {
    await using socket = await net.openUdp({ hostname });
    await socket.send(Uint8Array.of(7), `${to}:${server.port}`);
    assertEquals((await socket.receive())?.bytes, Uint8Array.of(7));
  }
  await server.stop({ graceMs: 100 });
});

Deno.test("a UDP port in use has its own error class", async () => {
  const options = { hostname: "127.0.0.1", receive: () => {}, onError: () => {} };
  const server = await serveUdp({ ...options, port: 0 });
  const error = await assertRejects(() => serveUdp({ ...options, port: server.port }));
  assert(isAddressInUse(error), String(error));
  await server.stop({ graceMs: 100 });
});

Deno.test("receive() ends when the socket is closed", async () => {
  const socket = await net.openUdp({ hostname: "127.0.0.1" });
  const received = socket.receive();
  await socket[Symbol.asyncDispose]();
  assertEquals([await received, await socket.receive()], [undefined, undefined]);
});

Deno.test("datagrams also work without the unstable API", async () => {
  // A program that only imports the library may run without the flag that enables it.
  const script = `
    import { serveUdp } from "${import.meta.resolve("../../core/net/udp.ts")}";
    import { createNet } from "${import.meta.resolve("../../core/net/net.ts")}";
    if ("listenDatagram" in Deno) throw new Error("unstable interface is on");
    const identity = { certificate: () => Promise.reject(new Error("unused")) };
    const server = await serveUdp({ hostname: "localhost", port: 0,
      receive: (datagram) => datagram.reply(datagram.bytes), onError: console.error });
    const socket = await createNet({ tls: identity }).openUdp({ hostname: "127.0.0.1" });
    await socket.send(new TextEncoder().encode("pong"), "127.0.0.1:" + server.port);
    console.log(new TextDecoder().decode((await socket.receive()).bytes));
    await socket[Symbol.asyncDispose]();
    await server.stop({ graceMs: 100 });
    try {
      const again = { hostname: "127.0.0.1", port: 0, receive() {}, onError: console.error };
      const first = await serveUdp(again);
      await serveUdp({ ...again, port: first.port }).catch((error) => console.log(error.code));
      await first.stop({ graceMs: 100 });
    } catch (error) {
      console.log(error);
    }
  `;
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/map.json`, JSON.stringify({ imports: IMPORTS }));
    await Deno.writeTextFile(`${folder}/main.ts`, script);
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-config",
        `--import-map=${folder}/map.json`,
        "--allow-net",
        "--no-prompt",
        `${folder}/main.ts`,
      ],
    }).output();
    assertEquals(
      new TextDecoder().decode(stdout),
      "pong\nEADDRINUSE\n",
      new TextDecoder().decode(stderr),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const IMPORTS: Record<string, string> =
  JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url))).imports;
