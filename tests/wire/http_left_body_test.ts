/** Clients that leave inside a request body, in every way: none of them is an error of the service. */
import { Buffer } from "node:buffer";
import http2 from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { assertEquals, assertGreater } from "@std/assert";
import { startService, type TestService } from "../support/service.ts";

/** Targets of bodies. */
interface Place {
  readonly port: number;
  readonly request: string;
  readonly secure?: boolean;
}

function placesOf(service: TestService): Readonly<Record<string, Place>> {
  const { api, ingress } = service;
  const s3 = service.endpoint("http");
  return {
    "an expectation": { port: api.port, request: "POST /api/v1/expect" },
    "an import": { port: api.port, request: "POST /api/v1/import" },
    "a route without a body": { port: api.port, request: "DELETE /api/v1/events" },
    "a route that does not exist": { port: api.port, request: "POST /api/v1/nope" },
    "a mail": { port: ingress.port, request: "POST /v3/mail/send" },
    "an unmatched path": { port: ingress.port, request: "POST /nope" },
    "an object": { port: s3.port, request: "PUT /bucket/key" },
    "a mail within TLS": { port: ingress.port, request: "POST /v3/mail/send", secure: true },
  };
}

const FRAMINGS: Readonly<Record<string, string>> = {
  "of known length": "Content-Length: 50000\r\n\r\nabc",
  "in chunks": "Transfer-Encoding: chunked\r\n\r\n5\r\nabc",
  "that waits to be asked for": "Content-Length: 50000\r\nExpect: 100-continue\r\n\r\n",
};

/** Ways to leave. */
const LEAVINGS: Readonly<Record<string, (socket: Socket) => void>> = {
  "closes": (socket) => socket.end(),
  "resets": (socket) => socket.resetAndDestroy(),
};

async function leave(
  { port, secure }: Place,
  words: string,
  how: (socket: Socket) => void,
): Promise<void> {
  const tcp = connectTcp(port, "127.0.0.1");
  const closed = new Promise((resolve) => tcp.once("close", resolve));
  const socket = secure ? connectTls({ socket: tcp, rejectUnauthorized: false }) : tcp;
  for (const each of [tcp, socket]) each.on("error", () => {});
  await new Promise((resolve) => socket.once(secure ? "secureConnect" : "connect", resolve));
  await new Promise((resolve) => socket.write(words, resolve));
  // Earlier responses are read, so that the connection ends without a reset.
  socket.resume();
  how(tcp);
  await closed;
}

Deno.test("a client that leaves inside a body is not logged as an error", async (t) => {
  await using service = await startService();
  await (await fetch(`${service.endpoint("http").url}/bucket`, { method: "PUT" })).body?.cancel();
  for (const [name, place] of Object.entries(placesOf(service))) {
    for (const [kind, framing] of Object.entries(FRAMINGS)) {
      for (const [ends, how] of Object.entries(LEAVINGS)) {
        await t.step(`${name} ${kind}: the client ${ends} the connection`, async () => {
          await leave(place, `${place.request} HTTP/1.1\r\nHost: localhost\r\n${framing}`, how);
          await service.getJson("/health");
        });
      }
    }
  }
  await service.stop();
  assertEquals(service.log, []);
  assertGreater(service.rejected.count, 0);
});

Deno.test("a client that leaves inside an HTTP/2 body is not logged as an error", async () => {
  await using service = await startService();
  for (const { url } of [service.ingress, service.endpoint("http")]) {
    for (const path of ["/v3/mail/send", "/nope/key"]) {
      const session = http2.connect(url);
      session.on("error", () => {});
      const closed = new Promise<void>((resolve) => session.once("close", () => resolve()));
      const stream = session.request({ ":method": "PUT", ":path": path });
      stream.on("error", () => {});
      await new Promise<void>((resolve) => stream.write(Buffer.from("abc"), () => resolve()));
      session.destroy();
      await closed;
    }
  }
  await service.stop();
  assertEquals(service.log, []);
});
