import { assert, assertEquals, assertMatch } from "@std/assert";
import { openUdpSocket } from "../../core/net/udp.ts";
import type { UdpSocket } from "../../core/net/transport.ts";
import { decodePacket, encodePacket, type Packet } from "../../plugins/files/tftp/codec/packet.ts";
import { content, noise, operations, paths, startFiles, until } from "../support/files.ts";
import type { TestService } from "../support/service.ts";

/** A client on its own socket; it follows the port that answers. */
class Client implements AsyncDisposable {
  readonly #socket: UdpSocket;
  readonly listener: string;
  peer: string;

  constructor(socket: UdpSocket, listener: string) {
    this.#socket = socket;
    this.listener = listener;
    this.peer = listener;
  }

  static async open(service: TestService): Promise<Client> {
    const socket = await openUdpSocket({ hostname: "127.0.0.1" });
    return new Client(socket, `127.0.0.1:${service.endpoint("tftp").port}`);
  }

  async send(packet: Packet | Uint8Array, to = this.peer): Promise<void> {
    await this.#socket.send(packet instanceof Uint8Array ? packet : encodePacket(packet), to);
  }

  async request(
    type: "RRQ" | "WRQ",
    file: string,
    options: Record<string, string> = {},
  ): Promise<Packet> {
    this.peer = this.listener;
    const bytes = new TextEncoder().encode(file);
    await this.send({
      type,
      file: bytes,
      mode: "octet",
      options: new Map(Object.entries(options)),
    });
    return await this.receive();
  }

  async receive(): Promise<Packet> {
    const datagram = await this.#socket.receive();
    assert(datagram !== undefined, "The socket was closed");
    this.peer = datagram.peer;
    return decodePacket(datagram.bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#socket[Symbol.asyncDispose]();
  }
}

const data = (block: number, bytes: Uint8Array): Packet => ({ type: "DATA", block, bytes });

Deno.test("an upload exists, exactly once, when its last block is acknowledged", async () => {
  await using service = await startFiles();
  await using client = await Client.open(service);
  const bytes = noise(700);
  assertEquals(await client.request("WRQ", "dir\\a.bin"), { type: "ACK", block: 0 });
  assertEquals(client.peer === client.listener, false);
  await client.send(data(1, bytes.subarray(0, 512)));
  assertEquals(await client.receive(), { type: "ACK", block: 1 });
  assertEquals(operations(service), []);
  await client.send(data(2, bytes.subarray(512)));
  assertEquals(await client.receive(), { type: "ACK", block: 2 });
  assertEquals(await content(service, "/dir/a.bin"), bytes);
  await client.send(data(2, bytes.subarray(512)));
  assertEquals(await client.receive(), { type: "ACK", block: 2 });
  assertEquals(operations(service), ["mkdir /dir", "upload /dir/a.bin"]);
  const event = service.events.list({ type: "files.upload" })[0]!;
  assertEquals(event.raw.transport, "udp");
  assertEquals(event.meta, { mode: "octet", block_size: 512 });
  // The same port may send another request while the last block could still be retransmitted.
  const first = await client.request("RRQ", "/dir/a.bin", { blksize: "1000", tsize: "0" });
  assertEquals(first, { type: "OACK", options: new Map([["blksize", "1000"], ["tsize", "700"]]) });
  await client.send({ type: "ACK", block: 0 });
  assertEquals(await client.receive(), data(1, bytes));
  await client.send({ type: "ACK", block: 1 });
});

Deno.test("an upload that the client ends with an ERROR leaves nothing", async () => {
  await using service = await startFiles();
  await using client = await Client.open(service);
  await client.request("WRQ", "a");
  await client.send(data(1, noise(512)));
  await client.receive();
  await client.send({ type: "ERROR", code: 0, message: "changed my mind" });
  await until(() => service.rejected.list({}).length > 0);
  assertMatch(service.rejected.list({})[0]!.reason, /changed my mind/);
  assertEquals(await paths(service), []);
});

Deno.test("packets from another client get an ERROR and change nothing", async () => {
  await using service = await startFiles();
  await using client = await Client.open(service);
  await using stranger = await Client.open(service);
  await client.request("WRQ", "a");
  await stranger.send(data(1, noise(10)), client.peer);
  assertEquals(await stranger.receive(), {
    type: "ERROR",
    code: 5,
    message: "This port serves another client",
  });
  await client.send(data(1, noise(10, 2)));
  await client.receive();
  assertEquals(await content(service, "/a"), noise(10, 2));
});

const REFUSED: readonly (readonly [
  type: "RRQ" | "WRQ",
  file: string,
  code: number,
  options?: Record<string, string>,
])[] = [
  ["RRQ", "nope", 1],
  ["RRQ", "dir", 1],
  ["WRQ", "a\nb", 2],
  ["WRQ", "n".repeat(256), 2],
  ["WRQ", "a", 3, { tsize: "67108865" }],
];

Deno.test("an unserviceable request is refused with its error code and recorded", async () => {
  await using service = await startFiles();
  await using client = await Client.open(service);
  await client.request("WRQ", "dir/f");
  await client.send(data(1, noise(1)));
  await client.receive();
  for (const [type, file, code, options] of REFUSED) {
    const answer = await client.request(type, file, options);
    assertEquals(answer.type === "ERROR" && answer.code, code, `${type} ${file}`);
  }
  assertEquals(service.rejected.list({}).length, REFUSED.length);
  client.peer = client.listener;
  for (
    const garbage of [
      "",
      "\0",
      "\0\x09",
      "\0\x01abc",
      "\0\x02a\0mail\0",
      "\0\x01a\0octet\0blksize\0",
    ]
  ) {
    await client.send(Uint8Array.from(garbage, (char) => char.charCodeAt(0)), client.listener);
    const answer = await client.receive();
    assertEquals(answer.type === "ERROR" && answer.code, 4, JSON.stringify(garbage));
  }
  assertEquals(await paths(service), ["/dir", "/dir/f"]);
});

Deno.test("a duplicate request starts one transfer", async () => {
  await using service = await startFiles();
  await using client = await Client.open(service);
  const request: Packet = {
    type: "WRQ",
    file: new TextEncoder().encode("a"),
    mode: "octet",
    options: new Map(),
  };
  await client.send(request);
  await client.send(request);
  assertEquals(await client.receive(), { type: "ACK", block: 0 });
  await client.send(data(1, noise(3)));
  assertEquals(await client.receive(), { type: "ACK", block: 1 });
  assertEquals(operations(service), ["upload /a"]);
});

Deno.test("a client that goes silent is given up, and its file dropped", async () => {
  await using service = await startFiles({ tftp: { timeout_seconds: 1, retries: 1 } });
  await using client = await Client.open(service);
  await client.request("WRQ", "a");
  assertEquals(await client.receive(), { type: "ACK", block: 0 });
  await until(() => service.rejected.list({}).length > 0);
  assertMatch(service.rejected.list({})[0]!.reason, /stopped answering/);
  assertEquals(await paths(service), []);
});

Deno.test("after a reset, only a client that goes on sending keeps its transfer", async () => {
  await using service = await startFiles({ tftp: { timeout_seconds: 2, retries: 2 } });
  await using silent = await Client.open(service);
  await using active = await Client.open(service);
  await silent.request("WRQ", "silent", { timeout: "4" });
  await silent.send(data(1, noise(512)));
  assertEquals(await silent.receive(), { type: "ACK", block: 1 });
  assertEquals(await active.request("WRQ", "active"), { type: "ACK", block: 0 });
  await service.reset();
  let block = 0;
  while (service.rejected.list({}).length === 0) {
    await active.send(data(++block, noise(512)));
    assertEquals(await active.receive(), { type: "ACK", block });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assertMatch(service.rejected.list({})[0]!.reason, /stopped answering before a reset/);
  const answer = await silent.receive();
  assertMatch(answer.type === "ERROR" ? answer.message : "", /before a reset/);
  await active.send(data(++block, noise(3)));
  assertEquals(await active.receive(), { type: "ACK", block });
  assertEquals(await paths(service), ["/active"]);
});
