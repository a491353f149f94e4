import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeAll } from "../../core/net/socket.ts";
import { TcpTransport } from "../../core/net/tcp_transport.ts";
import type { Transport } from "../../core/net/transport.ts";
import { content, fileEvents, noise, operations, startFiles, until } from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import type { TestService } from "../support/service.ts";

const idleMs = 5000;
const hostname = "127.0.0.1";

/** Releases the connection without closing it, because TLS will run on top of it. */
function bare(conn: Deno.Conn): Transport {
  return {
    peer: "server",
    local: "client",
    async read() {
      const buffer = new Uint8Array(4096);
      const count = await conn.read(buffer);
      return count === null ? undefined : buffer.subarray(0, count);
    },
    write: (bytes) => writeAll(conn, bytes),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A client on a real socket, up to the reply that lets it start TLS. */
async function greeted(
  service: TestService,
  ...before: readonly (string | RegExp)[]
): Promise<{ conn: Deno.TcpConn; client: FtpClient }> {
  const conn = await Deno.connect({ hostname, port: service.endpoint("ftp").port });
  const client = new FtpClient(bare(conn));
  await client.play(/^220 /, ...before);
  return { conn, client };
}

async function caOf(service: TestService): Promise<string> {
  return await (await fetch(`${service.api.url}/api/v1/tls/ca.pem`)).text();
}

/** The same inside TLS. `before` is sent in the clear. */
async function secured(
  service: TestService,
  ...before: readonly (string | RegExp)[]
): Promise<FtpClient> {
  const { conn } = await greeted(service, ...before, "AUTH TLS", /^234 /);
  const secure = await Deno.startTls(conn, { hostname, caCerts: [await caOf(service)] });
  await secure.handshake();
  return new FtpClient(new TcpTransport(secure));
}

const LOGIN = ["USER ada", /^331 /, "PASS x", /^230 /] as const;
const PRIVATE = ["PBSZ 0", /^200 PBSZ=0$/, "PROT P", /^200 /] as const;

/** A data connection inside TLS; its handshake begins at once, or when `begin` resolves. */
async function secureData(
  service: TestService,
  client: FtpClient,
  begin: Promise<void> = Promise.resolve(),
): Promise<Transport> {
  const port = Number(/\|\|\|(\d+)\|/.exec((await client.ask("EPSV"))[0] ?? "")?.[1]);
  const conn = await Deno.connectTls({ hostname, port, caCerts: [await caOf(service)] });
  begin.then(() => conn.handshake()).catch(() => {});
  return new TcpTransport(conn);
}

async function readAll(data: Transport): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let chunk; (chunk = await data.read({ idleMs })) !== undefined;) chunks.push(chunk.slice());
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

Deno.test("without the setting TLS commands are refused, and FEAT lists none", async () => {
  await using service = await startFiles();
  await using client = await FtpClient.open(service, false);
  for (const command of ["AUTH TLS", "AUTH SSL", "PBSZ 0", "PROT P", "CCC"]) {
    await client.play(command, /^502 .*--ftp-tls/);
  }
  assert(!(await client.ask("FEAT")).join().includes("AUTH"));
});

Deno.test("TLS commands are answered as RFC 4217 and RFC 2228 specify", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  const early = ["PBSZ 0", /^503 /, "PROT P", /^503 /, "CCC", /^503 /, "AUTH", /^501 /];
  await using client = await secured(service, ...early, "AUTH KERBEROS_V4", /^504 /);
  assertEquals((await client.ask("FEAT")).slice(1, -1), [
    " AUTH TLS",
    " EPRT",
    " EPSV",
    " MDTM",
    " MFMT",
    " MLST type*;size*;modify*;perm*;unique*;unix.mode;",
    " PBSZ",
    " PROT",
    " REST STREAM",
    " SIZE",
    " TVFS",
    " UTF8",
  ]);
  await client.play("AUTH TLS", /^503 /, "PROT P", /^503 PBSZ/, "PBSZ many", /^501 /);
  await client.play("PBSZ 65536", /^200 PBSZ=0$/, "PROT E", /^536 /, "PROT S", /^536 /);
  await client.play("PROT X", /^504 /, "PROT", /^501 /, "prot c", /^200 /, "prot p", /^200 /);
  await client.play("CCC", /^534 /, "REIN", /^502 /, "NOOP", /^200 /, "QUIT", /^221 /);
  assertEquals(await client.talk.line(), undefined);
});

Deno.test("a client that was logged in before AUTH must log in again inside TLS", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  await using client = await secured(service, ...LOGIN, "MKD a", /^257 /, "CWD a", /^250 /);
  await client.play("PWD", /^530 /, "PASS x", /^503 /, ...LOGIN, "PWD", /^257 "\/" /);
  await client.play("MKD b", /^257 /, ...PRIVATE, "MKD c", /^257 /);
  assertEquals(fileEvents(service).map(({ meta }) => [meta.tls, meta.prot]), [
    [undefined, undefined],
    [true, "C"],
    [true, "P"],
  ]);
});

Deno.test("cleartext pipelined behind AUTH is discarded and recorded", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  const { conn, client } = await greeted(service);
  await client.talk.send("AUTH TLS\r\nUSER eve\r\nPASS x\r\nMKD evil\r\n");
  await client.play(/^234 /);
  const secure = await Deno.startTls(conn, { hostname, caCerts: [await caOf(service)] });
  await using inside = new FtpClient(new TcpTransport(secure));
  await inside.play("PASS x", /^503 /, ...LOGIN);
  assertMatch(service.rejected.list({}).at(-1)?.reason ?? "", /^28 bytes followed AUTH/);
  assertEquals(operations(service), []);
});

Deno.test("an invalid ClientHello ends only its own connection, and is recorded", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  await using good = await secured(service);
  const { conn, client } = await greeted(service, "AUTH TLS", /^234 /);
  await client.talk.send("Hello there, this is no handshake at all\r\n");
  await until(() => service.rejected.list({}).length > 0);
  assertMatch(service.rejected.list({})[0]!.reason, /^Cannot agree on TLS/);
  conn.close();
  await good.play("NOOP", /^200 /);
});

Deno.test("a ClientHello without AUTH is recorded with a hint", async () => {
  await using service = await startFiles();
  const { conn, client } = await greeted(service);
  await client.talk.send(Uint8Array.of(0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0));
  assertEquals(await client.talk.line(), undefined);
  assertMatch(
    service.rejected.list({})[0]!.reason,
    /^The client began with a TLS handshake: .*tls/,
  );
  conn.close();
});

Deno.test("data connections are private after PROT P, whenever the handshake begins", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  await using client = await secured(service);
  await client.play(...LOGIN, ...PRIVATE);
  for (const [name, early] of [["early", true], ["late", false]] as const) {
    for (const size of [0, 1, 300_000]) {
      const { promise: begin, resolve } = Promise.withResolvers<void>();
      if (early) resolve();
      const data = await secureData(service, client, begin);
      await client.play(`STOR ${name}${size}`, /^150 /);
      resolve();
      await data.write(noise(size, size));
      await data[Symbol.asyncDispose]();
      await client.play(/^226 /);
      assertEquals(await content(service, `/${name}${size}`), noise(size, size));
      const back = await secureData(service, client);
      await client.play(`RETR ${name}${size}`, /^150 /);
      assertEquals(await readAll(back), noise(size, size));
      await back[Symbol.asyncDispose]();
      await client.play(/^226 /);
    }
  }
  const listing = await secureData(service, client);
  await client.play("NLST", /^150 /);
  assertEquals((await readAll(listing)).length > 0, true);
  await listing[Symbol.asyncDispose]();
  await client.play(/^226 /, "PROT C", /^200 /);
  assertMatch(await client.put("STOR clear", noise(10)), /^226 /);
  assertEquals(fileEvents(service).at(-1)?.meta, {
    auth: { user: "ada", password: "x" },
    tls: true,
    prot: "C",
  });
});

Deno.test("a cleartext data connection after PROT P is refused, and the session continues", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  await using client = await secured(service);
  await client.play(...LOGIN, ...PRIVATE);
  const data = await client.data();
  await client.play("STOR clear", /^150 /);
  await data.write(noise(1000));
  await client.play(/^522 /, "NOOP", /^200 /);
  await data[Symbol.asyncDispose]();
  const closed = await client.data();
  await closed[Symbol.asyncDispose]();
  await client.play("STOR closed", /^150 /, /^522 /, "NOOP", /^200 /);
  assertEquals(operations(service), []);
});

Deno.test("ABOR ends a private transfer and discards its bytes", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  await using client = await secured(service);
  await client.play(...LOGIN, ...PRIVATE);
  const data = await secureData(service, client);
  await client.play("STOR a", /^150 /);
  await data.write(noise(100_000));
  await client.play("ABOR", /^426 /, /^226 /, "NOOP", /^200 /);
  await data[Symbol.asyncDispose]();
  assertEquals(operations(service), []);
});

Deno.test("AUTH sent during a transfer takes effect after it", async () => {
  await using service = await startFiles({ ftp: { tls: true } });
  const { conn, client } = await greeted(service, ...LOGIN);
  const data = await client.data();
  await client.play("STOR a", /^150 /);
  await client.talk.send("AUTH TLS\r\n");
  await data.write(noise(1000));
  await data[Symbol.asyncDispose]();
  await client.play(/^226 /, /^234 /);
  const secure = await Deno.startTls(conn, { hostname, caCerts: [await caOf(service)] });
  await using inside = new FtpClient(new TcpTransport(secure));
  await inside.play(...LOGIN, "SIZE a", /^213 1000$/);
});

Deno.test("a stopping service says so inside TLS, too", async () => {
  const service = await startFiles({ ftp: { tls: true } });
  await using client = await secured(service);
  const stopped = service.stop();
  await client.play(/^421 /);
  assertEquals(await client.talk.line(), undefined);
  await stopped;
});
