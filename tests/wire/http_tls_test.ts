import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { openFront, RawClient, tell } from "../support/raw_http.ts";
import { clientHello } from "../support/client_hello.ts";

const HOST = "api.example.org";
const tls = createTlsIdentity({ hosts: [HOST] });
const { ca } = await tls.certificate();

async function client(port: number, alpnProtocols = ["http/1.1"], hostname = "localhost") {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const peer = `127.0.0.1:${conn.localAddr.port}`;
  const secure = await Deno.startTls(conn, { hostname, caCerts: [ca!], alpnProtocols });
  return { conn: secure, peer };
}

async function exchange(conn: Deno.Conn, request: string): Promise<string> {
  await conn.write(new TextEncoder().encode(request));
  const buffer = new Uint8Array(65_536);
  return new TextDecoder().decode(buffer.subarray(0, (await conn.read(buffer))!));
}

const GET = "GET /x?y HTTP/1.1\r\nHost: localhost\r\nX-One: 1\r\n\r\n";

Deno.test("TLS and cleartext share the port", async () => {
  await using front = await openFront({ tls });
  const { conn, peer } = await client(front.port);
  using _conn = conn;
  for (let i = 0; i < 3; i++) {
    const answer = await exchange(conn, GET);
    const told = JSON.parse(answer.slice(answer.indexOf("{")));
    assertEquals([told.target, told.version, told.peer], ["/x?y", "1.1", peer]);
    assertEquals(told.rawHeaders, [["Host", "localhost"], ["X-One", "1"]]);
  }
  assertEquals(front.calls[0]!.tls, true);
  assertEquals(front.calls[0]!.local, `127.0.0.1:${front.port}`);
  assertEquals((await (await fetch(`${front.url}/plain`)).json()).target, "/plain");
  assertEquals(front.calls[3]!.tls, false);
  assertEquals(front.faults, []);
});

Deno.test("HTTP/2 is negotiated inside TLS even when cleartext HTTP/2 is off", async () => {
  await using front = await openFront({ tls, h2c: false });
  using http = Deno.createHttpClient({ caCerts: [ca!], http1: false });
  const url = `https://localhost:${front.port}/two`;
  const bodies = await Promise.all(Array.from({ length: 10 }, async (_, i) => {
    const response = await fetch(url, { client: http, method: "POST", body: `${i}` });
    return await response.json();
  }));
  assertEquals(bodies.map(({ version }) => version), Array(10).fill("2"));
  assertEquals(bodies.map(({ body }) => Number(body)), Array.from({ length: 10 }, (_, i) => i));
  assertEquals(new Set(front.calls.map(({ peer }) => peer)).size, 1);
});

Deno.test("a host that needs its own certificate gets it, at the same time as others", async () => {
  const tls = createTlsIdentity({ deepHosts: [".example.org"] });
  const { ca } = await tls.certificate();
  await using front = await openFront({ tls });
  const hosts = ["a.b.example.org", "localhost", "c.d.example.org", "A.B.example.org"];
  await Promise.all(hosts.map(async (hostname) => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: front.port });
    // Throws unless the certificate is for the host.
    using secure = await Deno.startTls(conn, { hostname, caCerts: [ca!] });
    await secure.handshake();
    const client = new RawClient(secure as Deno.TlsConn);
    await client.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assertEquals((await client.told()).target, "/x");
  }));
});

Deno.test("a client that does not trust the CA is recorded", async () => {
  await using front = await openFront({ tls });
  const error = await fetch(`https://localhost:${front.port}/`).catch((error) => error);
  assert(error instanceof TypeError);
  while (front.refused.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  assertStringIncludes(front.refused[0]!.reason, "Cannot agree on TLS");
  assertEquals(front.faults, []);
});

Deno.test("a handshake that stalls is given up", async () => {
  await using front = await openFront({ tls, limits: { headMs: 30 } });
  using raw = await RawClient.connect(front.port);
  await raw.send("\x16\x03\x01\x02\x00\x01\x00");
  assertEquals(await raw.rest(), "");
  assertStringIncludes(front.refused[0]!.reason, "Nothing was received for 30 ms");
});

Deno.test("a large body passes through TLS both ways", async () => {
  await using front = await openFront({
    tls,
    handler: async (call) => new Response(await call.request.arrayBuffer()),
  });
  using http = Deno.createHttpClient({ caCerts: [ca!] });
  const body = crypto.getRandomValues(new Uint8Array(65_536));
  const large = new Uint8Array(5_000_000);
  for (let at = 0; at < large.length; at += body.length) {
    large.set(body.subarray(0, large.length - at), at);
  }
  const response = await fetch(`https://localhost:${front.port}/`, {
    client: http,
    method: "POST",
    body: large,
  });
  assertEquals(new Uint8Array(await response.arrayBuffer()), large);
});

async function tunnel(
  port: number,
  target: string,
): Promise<{ conn: Deno.TcpConn; answer: string }> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  return {
    conn,
    answer: await exchange(conn, `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`),
  };
}

Deno.test("a tunnel to a known host is terminated here", async () => {
  await using front = await openFront({ tls, tunnelHosts: [HOST] });
  const { conn, answer } = await tunnel(front.port, `${HOST}:443`);
  assertMatch(answer, /^HTTP\/1\.1 200 [^\r\n]+\r\n\r\n$/);
  using secure = await Deno.startTls(conn, { hostname: HOST, caCerts: [ca!] });
  assertStringIncludes(await exchange(secure, GET), '"target":"/x?y"');
  assertEquals(front.calls[0]!.tls, true);
  assertEquals(front.refused, []);
});

for (const target of ["other.example.org:443", `${HOST}:22`, "127.0.0.1:443"]) {
  Deno.test(`a tunnel to ${target} is refused and recorded, and nothing is dialed`, async () => {
    await using front = await openFront({ tls, tunnelHosts: [HOST] });
    const { conn, answer } = await tunnel(front.port, target);
    assertMatch(answer, /^HTTP\/1\.1 502 /);
    assertEquals([front.refused[0]!.method, front.refused[0]!.path], ["CONNECT", target]);
    conn.close();
  });
}

Deno.test("no tunnel is opened on a connection that already carried a request", async () => {
  await using front = await openFront({ tls, tunnelHosts: [HOST] });
  using raw = await RawClient.connect(front.port);
  await raw.send(`${GET}CONNECT ${HOST}:443 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  assertEquals((await raw.told()).target, "/x?y");
  assertEquals((await raw.answer()).status, 502);
});

Deno.test("a stop lets an answer inside TLS finish", async () => {
  const { promise: called, resolve: call } = Promise.withResolvers<void>();
  const { promise: release, resolve: answer } = Promise.withResolvers<void>();
  const front = await openFront({
    tls,
    async handler(http) {
      call();
      await release;
      return await tell(http);
    },
  });
  const { conn } = await client(front.port);
  using _conn = conn;
  const answered = exchange(conn, GET);
  await called;
  const stopped = front.server.stop({ graceMs: 5000 });
  answer();
  assertStringIncludes(await answered, '"target":"/x?y"');
  assertEquals(await conn.read(new Uint8Array(10)), null);
  conn.closeWrite().catch(() => {});
  await stopped;
});

Deno.test("a missing certificate is logged, and cleartext still works", async () => {
  await using front = await openFront({
    tls: { certificate: () => Promise.reject(new Error("no certificate today")) },
  });
  using raw = await RawClient.connect(front.port);
  await raw.sendBytes(clientHello());
  assertEquals(await raw.rest(), "");
  assertStringIncludes(front.faults.join(), "no certificate today");
  assertEquals((await (await fetch(`${front.url}/plain`)).json()).target, "/plain");
});
