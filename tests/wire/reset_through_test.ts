/** Resets through TLS, FTP data connections and HTTP/2. */
import { assertEquals, assertRejects } from "@std/assert";
import http2 from "node:http2";
import { files } from "../../plugins/files/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const encoder = new TextEncoder();

async function caOf(service: TestService): Promise<string> {
  return await (await fetch(`${service.api.url}/api/v1/tls/ca.pem`)).text();
}

/** Reads until `ends` matches, or the end. */
async function readUntil(conn: Deno.Conn, ends: RegExp): Promise<string> {
  const buffer = new Uint8Array(4096);
  let text = "";
  while (!ends.test(text)) {
    const count = await conn.read(buffer);
    if (count === null) break;
    text += new TextDecoder().decode(buffer.subarray(0, count));
  }
  return text;
}

Deno.test("a TLS-only port resets its connections and continues as before", async () => {
  await using service = await startService({
    plugins: [mail],
    config: { plugins: { mail: { providers: { smtp: { tls_port: 0 } } } } },
  });
  const caCerts = [await caOf(service)];
  const { port } = service.endpoint("mail/smtp/tls");
  const greeting = async (): Promise<string> => {
    using conn = await Deno.connectTls({ hostname: "localhost", port, caCerts });
    return await readUntil(conn, /\r\n/);
  };
  assertEquals((await greeting()).slice(0, 4), "220 ");
  using fault = await service.fault({ on: "mail/smtp", phase: "connect", outcome: ["reset"] });
  await assertRejects(greeting, Deno.errors.ConnectionReset);
  assertEquals([(await greeting()).slice(0, 4), fault.hits], ["220 ", 1]);
  assertEquals(service.log, []);
});

/** Logs in, and sends commands one by one. */
async function ftp(
  service: TestService,
  { tls, caCerts }: { tls: boolean; caCerts: string[] },
): Promise<{ say(line: string): Promise<string>; read(): Promise<string> } & Disposable> {
  const { port } = service.endpoint("ftp");
  const plain = await Deno.connect({ hostname: "127.0.0.1", port });
  let conn: Deno.Conn = plain;
  let held = "";
  const read = async (): Promise<string> => {
    for (;;) {
      const reply = /^(?:\d{3}-[^]*?\r\n)?\d{3} .*\r\n/.exec(held)?.[0];
      if (reply === undefined) held += await readUntil(conn, /\r\n/);
      else {
        held = held.slice(reply.length);
        return reply;
      }
    }
  };
  const say = async (line: string): Promise<string> => {
    await conn.write(encoder.encode(`${line}\r\n`));
    return await read();
  };
  await read();
  if (tls) {
    await say("AUTH TLS");
    conn = await Deno.startTls(plain, { hostname: "localhost", caCerts });
    await say("PBSZ 0");
    await say("PROT P");
  }
  await say("USER ada");
  await say("PASS secret");
  return { say, read, [Symbol.dispose]: () => conn.close() };
}

for (const tls of [false, true]) {
  for (const mode of ["passive", "active"] as const) {
    const how = `${mode}${tls ? ", within TLS" : ""}`;
    Deno.test(`an FTP data connection is reset: ${how}`, async () => {
      await using service = await startService({
        plugins: [files],
        config: { plugins: { files: { providers: { ftp: { tls: true } } } } },
      });
      const caCerts = [await caOf(service)];
      using fault = await service.fault({ on: "files/ftp", phase: "transfer", outcome: ["reset"] });
      using control = await ftp(service, { tls, caCerts });
      /** The data connection of an upload, which the service closes. */
      const open = async (): Promise<Deno.Conn> => {
        if (mode === "passive") {
          const port = Number(/\|\|\|(\d+)\|/.exec(await control.say("EPSV"))![1]);
          const conn = await Deno.connect({ hostname: "127.0.0.1", port });
          await control.say("STOR /a");
          return conn;
        }
        using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
        await control.say(`EPRT |1|127.0.0.1|${listener.addr.port}|`);
        const [conn] = await Promise.all([listener.accept(), control.say("STOR /a")]);
        return conn;
      };
      const secured = async (conn: Deno.Conn): Promise<Deno.Conn> =>
        tls ? await Deno.startTls(conn as Deno.TcpConn, { hostname: "localhost", caCerts }) : conn;
      {
        using data = await secured(await open());
        await assertRejects(() => data.read(new Uint8Array(1)), Deno.errors.ConnectionReset);
      }
      assertEquals([(await control.read()).slice(0, 4), fault.hits], ["426 ", 1]);
      assertEquals(service.events.count(), 0);
      const data = await secured(await open());
      await data.write(encoder.encode("hello"));
      data.close();
      assertEquals((await control.read()).slice(0, 4), "226 ");
      assertEquals(service.events.count(), 1);
    });
  }
}

const MAIL = JSON.stringify({
  from: "a@example.com",
  to: "b@example.com",
  subject: "Hi",
  text: "Hi",
});

for (const tls of [false, true]) {
  const how = tls ? "within TLS" : "in the clear";
  Deno.test(`over HTTP/2 a reset ends the stream, and a close sends GOAWAY: ${how}`, async () => {
    await using service = await startService({ plugins: [mail] });
    const { port } = service.ingress;
    const ca = await caOf(service);
    const outcome = ["reset", "close"];
    using fault = await service.fault({ on: "mail/mail3", outcome });
    const found: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      const session = http2.connect(`${tls ? "https" : "http"}://localhost:${port}`, { ca });
      let goaway: unknown = "none";
      session.on("goaway", (code: number) => goaway = code);
      session.on("error", () => {});
      const closed = Promise.withResolvers<void>();
      session.on("close", () => closed.resolve());
      const stream = session.request({
        ":method": "POST",
        ":path": "/emails",
        "content-type": "application/json",
      });
      const status = await new Promise((resolve) => {
        stream.on("response", (headers) => resolve(headers[":status"]));
        stream.on("error", () => {});
        stream.on("close", () => resolve("none"));
        stream.end(MAIL);
      });
      if (n === 2) session.close();
      stream.resume();
      await closed.promise;
      found.push([status, goaway, ...(n === 0 ? [stream.rstCode] : [])]);
    }
    // INTERNAL_ERROR, NO_ERROR: RFC 9113 section 7.
    assertEquals(found, [["none", 2, 2], ["none", 0], [200, "none"]]);
    assertEquals(fault.hits, 2);
  });
}
