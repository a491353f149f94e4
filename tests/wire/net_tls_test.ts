import { assert, assertEquals, assertRejects } from "@std/assert";
import { BufferedWire } from "../../core/net/buffered_wire.ts";
import { createNet } from "../../core/net/net.ts";
import { serveTcp } from "../../core/net/tcp.ts";
import { DisconnectedError, IdleError, type Transport } from "../../core/net/transport.ts";
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { clientTest, runProgram } from "../support/clients.ts";
import { scratch, until } from "../support/files.ts";

const idleMs = 5000;
const limits = { maxBytes: 1000, idleMs };
const tls = createTlsIdentity();
const net = createNet({ tls });

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function text(read: Uint8Array | undefined): string {
  return new TextDecoder().decode(read);
}

/** A protocol that knows STARTTLS and ECHO. */
async function converse(wire: Transport): Promise<void> {
  const lines = new BufferedWire(wire);
  await lines.write(bytes("220 ready\r\n"));
  for (;;) {
    const line = text(await lines.line(limits)).trim();
    if (line.startsWith("EHLO")) await lines.write(bytes("250-x\r\n250 STARTTLS\r\n"));
    else if (line === "STARTTLS") {
      lines.discard();
      await lines.write(bytes("220 go ahead\r\n"));
      await using secure = await net.startTls(lines, { handshakeMs: 2000 });
      assertEquals([secure.peer, secure.local], [wire.peer, wire.local]);
      const inside = new BufferedWire(secure);
      for (;;) {
        const read = await inside.line({ maxBytes: 1_000_000, idleMs });
        if (read === undefined) return;
        await inside.write(read);
        if (text(read) === "QUIT\r\n") return;
      }
    } else return;
  }
}

async function serving(
  use: (port: number, errors: unknown[]) => Promise<void>,
  implicit = false,
): Promise<void> {
  const errors: unknown[] = [];
  const server = await serveTcp({
    hostname: "127.0.0.1",
    port: 0,
    maxConnections: 10,
    serve: implicit ? async (wire) => await wire.write((await wire.read({ idleMs }))!) : converse,
    onError: (error) => errors.push(error),
    ...(implicit ? { tls } : {}),
  });
  try {
    await use(server.port, errors);
  } finally {
    await server.stop({ graceMs: 1000 });
  }
}

async function upgrade(port: number, ahead = ""): Promise<Deno.TlsConn> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const buffer = new Uint8Array(1000);
  assertEquals(text(buffer.subarray(0, (await conn.read(buffer))!)), "220 ready\r\n");
  await conn.write(bytes(`STARTTLS\r\n${ahead}`));
  assertEquals(text(buffer.subarray(0, (await conn.read(buffer))!)), "220 go ahead\r\n");
  const { ca } = await tls.certificate();
  return await Deno.startTls(conn, { hostname: "localhost", caCerts: [ca!] });
}

Deno.test("startTls() continues a conversation over TLS", async () => {
  await serving(async (port, errors) => {
    using conn = await upgrade(port);
    const line = `${"x".repeat(200_000)}\r\n`;
    const writing = conn.write(bytes("hello\r\n"));
    const buffer = new Uint8Array(65_536);
    await writing;
    assertEquals(text(buffer.subarray(0, (await conn.read(buffer))!)), "hello\r\n");
    const sending = (async () => {
      const all = bytes(line);
      for (let at = 0; at < all.length;) at += await conn.write(all.subarray(at));
    })();
    let got = 0;
    while (got < line.length) got += (await conn.read(buffer))!;
    await sending;
    await conn.write(bytes("QUIT\r\n"));
    assertEquals(text(buffer.subarray(0, (await conn.read(buffer))!)), "QUIT\r\n");
    assertEquals(await conn.read(buffer), null);
    assertEquals(errors, []);
  });
});

Deno.test("cleartext commands pipelined behind STARTTLS are discarded", async () => {
  await serving(async (port) => {
    using conn = await upgrade(port, "INJECTED\r\n");
    await conn.write(bytes("real\r\n"));
    const buffer = new Uint8Array(1000);
    assertEquals(text(buffer.subarray(0, (await conn.read(buffer))!)), "real\r\n");
  });
});

Deno.test("a client that never starts the handshake is an IdleError; one that sends garbage is a DisconnectedError", async () => {
  for (
    const [nonsense, kind] of [["", IdleError], ["EHLO again\r\n", DisconnectedError]] as const
  ) {
    const [client, server] = await connectedPair();
    const started = net.startTls(server, { handshakeMs: nonsense === "" ? 20 : 2000 });
    if (nonsense !== "") await client.write(bytes(nonsense));
    await assertRejects(() => started, kind);
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  }
});

async function connectedPair(): Promise<readonly [Transport, Transport]> {
  await using listener = await net.listenTcp({ hostname: "127.0.0.1", port: 0 });
  const client = await net.connectTcp({ hostname: "127.0.0.1", port: listener.port, idleMs });
  return [client, await listener.accept({ idleMs })];
}

Deno.test("serveTcp() speaks TLS from the first byte when configured to", async () => {
  await serving(async (port, errors) => {
    const { ca } = await tls.certificate();
    using conn = await Deno.connectTls({ hostname: "localhost", port, caCerts: [ca!] });
    await conn.write(bytes("ping"));
    const buffer = new Uint8Array(100);
    assertEquals(text(buffer.subarray(0, (await conn.read(buffer))!)), "ping");
    const plain = await net.connectTcp({ hostname: "127.0.0.1", port, idleMs });
    await plain.write(bytes("GET / HTTP/1.1\r\n\r\n"));
    while (await plain.read({ idleMs }).catch(() => undefined) !== undefined);
    await plain[Symbol.asyncDispose]();
    assert(errors[0] instanceof DisconnectedError, String(errors));
  }, true);
});

clientTest("openssl s_client completes STARTTLS", ["openssl"], async ({ openssl }) => {
  const { ca } = await tls.certificate();
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, ca!);
  await serving(async (port, errors) => {
    const { code, stdout, stderr } = await runProgram(openssl, [
      "s_client",
      "-quiet",
      "-verify_return_error",
      "-CAfile",
      file,
      "-starttls",
      "smtp",
      "-connect",
      `localhost:${port}`,
      "-4",
      "-servername",
      "localhost",
    ], { stdin: "hello\r\nQUIT\r\n" });
    assertEquals(code, 0, stderr);
    assertEquals(stdout, "hello\r\nQUIT\r\n");
    assertEquals(errors, []);
  });
  await Deno.remove(file);
});

clientTest("session tickets are sent before the session says anything", ["openssl"], async (
  { openssl },
) => {
  await using folder = await scratch();
  const ticket = `${folder.path}/ticket`;
  const seen = Promise.withResolvers<void>();
  const server = await serveTcp({
    hostname: "127.0.0.1",
    port: 0,
    maxConnections: 10,
    async serve(wire) {
      await using _secure = await net.startTls(wire, { handshakeMs: 2000 });
      await seen.promise;
    },
    onError: (error) => seen.reject(error),
  });
  const child = new Deno.Command(openssl, {
    args: ["s_client", "-connect", `127.0.0.1:${server.port}`, "-sess_out", ticket],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await until(() => Deno.stat(ticket).then(({ size }) => size > 0, () => false), 20_000);
  } finally {
    seen.resolve();
    await child.stdin.close();
    await child.status;
    await server.stop({ graceMs: 1000 });
  }
});
