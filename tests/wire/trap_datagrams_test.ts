/** Datagrams that no sender should send, over a real socket. */
import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { startService, type TestService } from "../support/service.ts";

/** A version 2c inform without a binding: request id 1, community "public". */
const INFORM = Uint8Array.fromHex(
  "3018020101" + "04067075626c6963" + "a60b020101020100020100" + "3000",
);

/** A client socket that reads one response at a time. */
class Client implements Disposable {
  readonly #socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
  readonly #to: Deno.NetAddr;

  constructor(service: TestService) {
    const { port } = service.endpoint("trap");
    this.#to = { hostname: "127.0.0.1", port, transport: "udp" };
  }

  async send(bytes: Uint8Array): Promise<void> {
    await this.#socket.send(bytes, this.#to);
  }

  async answer(): Promise<Uint8Array> {
    return (await this.#socket.receive())[0];
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }
}

Deno.test("an inform is answered bit for bit, even after garbage", async () => {
  await using service = await startService({ plugins: [snmp], logLevel: "debug" });
  using client = new Client(service);
  const garbage: Uint8Array[] = [
    new Uint8Array(0),
    Uint8Array.of(0x30),
    Uint8Array.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff),
    new Uint8Array(60_000).fill(0x30),
    new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"),
    INFORM.subarray(0, 20),
  ];
  for (const bytes of garbage) await client.send(bytes);
  await client.send(INFORM);
  const expected = INFORM.slice();
  expected[13] = 0xa2;
  assertEquals(await client.answer(), expected);
  const events = service.events.list({ plugin: "snmp" }).toReversed() as CapturedEvent<SnmpTrap>[];
  assertEquals(events.map(({ raw }) => raw.body), [...garbage, INFORM]);
  for (const { payload, meta, raw } of events.slice(0, -1)) {
    assert(payload.decode_error !== undefined);
    assertEquals(meta.decode_error, payload.decode_error);
    assertEquals([raw.transport, raw.text, raw.peer_addr], ["udp", false, meta.peer_addr]);
  }
  assertEquals(events[5]?.payload.version, "2c");
  assertEquals(service.log.filter((line) => !line.includes(" INFO ")), []);
});

Deno.test("a trap of 60 000 octets arrives whole", async () => {
  await using service = await startService({ plugins: [snmp] });
  using client = new Client(service);
  const text = new TextEncoder().encode("x".repeat(59_900));
  const long = (tag: number, content: Uint8Array): Uint8Array =>
    Uint8Array.of(tag, 0x82, content.length >> 8, content.length & 0xff, ...content);
  const binding = long(0x30, Uint8Array.of(0x06, 1, 0x2b, ...long(0x04, text)));
  const pdu = Uint8Array.of(2, 1, 1, 2, 1, 0, 2, 1, 0, ...long(0x30, binding));
  const head = Uint8Array.of(2, 1, 1, 4, 1, 0x78);
  await client.send(long(0x30, Uint8Array.of(...head, ...long(0xa7, pdu))));
  const { payload } = await service.waitFor<SnmpTrap>("snmp.trap");
  assertEquals(payload.decode_error, undefined);
  assertEquals(payload.varbinds[0]?.value.length, 59_900);
});

Deno.test("traps can be read through the generic events API alone", async () => {
  await using service = await startService({ plugins: [snmp] });
  using client = new Client(service);
  await client.send(INFORM);
  const { id } = await service.waitFor("snmp.trap");
  const [listed] = await service.getJson<Record<string, unknown>[]>("/events?plugin=snmp");
  assertEquals(listed?.id, id);
  const one = await service.getJson<{ raw: { body: string }; payload: unknown }>(`/events/${id}`);
  assertEquals(Uint8Array.fromBase64(one.raw.body), INFORM);
  assertEquals(one.payload, {
    version: "2c",
    inform: true,
    community: "public",
    request_id: 1,
    varbinds: [],
  });
  await service.getJson("/snmp/openapi.json", 404);
});
