/** Memory of TLS connections: each counts, and what nobody reads stays with its client. */
import { assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { MemoryBudget } from "../../core/memory/budget.ts";
import { createTlsIdentity } from "../../core/tls/identity.ts";
import { clientHello } from "../support/client_hello.ts";
import { openFront, openHeldFront, RawClient } from "../support/raw_http.ts";

const tls = createTlsIdentity({ hosts: [] });
const { ca } = await tls.certificate();

/** Reserved for each connection. */
const CONNECTION_BYTES = 196_608;
/** A client that has sent nothing for this long is taken to be stopped, in milliseconds. */
const STALLED_MS = 1000;
const GET = new TextEncoder().encode("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n");

async function connect(port: number): Promise<Deno.TlsConn> {
  const conn = await Deno.connectTls({ hostname: "localhost", port, caCerts: [ca!] });
  await conn.handshake();
  return conn;
}

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("a TLS connection gets the alert internal_error when memory is short", async () => {
  const memory = new MemoryBudget({ limitBytes: 1.5 * CONNECTION_BYTES, waitMs: 1 });
  await using front = await openFront({ tls, memory });
  {
    using _first = await connect(front.port);
    assertEquals(memory.lentBytes, CONNECTION_BYTES);
    using second = await RawClient.connect(front.port);
    await second.sendBytes(clientHello());
    // RFC 8446 sections 5.1 and 6.2.
    assertEquals(new TextEncoder().encode(await second.rest()).toHex(), "15030100020250");
    assertStringIncludes(front.refused[0]!.reason, "memory_limit");
  }
  await until(() => memory.lentBytes === 0);
  using _third = await connect(front.port);
});

Deno.test("a client that does not complete its ClientHello counts for nothing yet", async () => {
  const memory = new MemoryBudget({ limitBytes: 1.5 * CONNECTION_BYTES, waitMs: 1 });
  await using front = await openFront({ tls, memory });
  using half = await RawClient.connect(front.port);
  await half.sendBytes(clientHello().subarray(0, 20));
  using _other = await connect(front.port);
  assertEquals(memory.lentBytes, CONNECTION_BYTES);
});

Deno.test("a client over TLS cannot send more than little of what nobody reads", async () => {
  await using front = await openHeldFront({ tls });
  using conn = await connect(front.port);
  await conn.write(GET);
  await until(() => front.calls.length === 1);
  const bytes = new Uint8Array(65_536).fill(0x61);
  const most = 64 * 1024 * 1024;
  let sent = 0;
  while (sent < most) {
    const { promise: stalled, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), STALLED_MS);
    const count = await Promise.race([conn.write(bytes).catch(() => undefined), stalled]);
    clearTimeout(timer);
    if (count === undefined) break;
    sent += count;
  }
  front.release();
  // The buffers of four sockets.
  assertLess(sent, most / 2);
});

Deno.test("a body over TLS that is read late arrives whole", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const bytes = crypto.getRandomValues(new Uint8Array(65_536));
  await using front = await openFront({
    tls,
    async handler(call) {
      await released;
      let count = 0;
      let sum = 0;
      for await (const chunk of call.request.body ?? []) {
        count += chunk.length;
        for (const byte of chunk) sum += byte;
      }
      return Response.json([count, sum]);
    },
  });
  using http = Deno.createHttpClient({ caCerts: [ca!] });
  const answered = fetch(`https://localhost:${front.port}/x`, {
    client: http,
    method: "POST",
    body: new Blob(Array(200).fill(bytes)),
  });
  await until(() => front.calls.length === 1);
  release();
  const sum = bytes.reduce((sum, byte) => sum + byte, 0);
  assertEquals(await (await answered).json(), [200 * bytes.length, 200 * sum]);
});

Deno.test("a client over TLS takes one connection of the cap", async () => {
  await using front = await openFront({ tls, maxConnections: 2 });
  using _first = await connect(front.port);
  using _second = await connect(front.port);
  assertEquals(front.server.load?.(), { connections: 2, maxConnections: 2, refused: 0 });
});
