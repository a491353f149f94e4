import { assertEquals } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { TicketHold } from "./ticket_hold.ts";

const HANDSHAKE = 22;
const CHANGE_CIPHER = 20;
const DATA = 23;

function record(type: number, size: number): number[] {
  return [type, 3, 3, size >> 8, size & 255, ...Array.from({ length: size }, () => DATA)];
}

function sent(hold: TicketHold, bytes: readonly number[]): number[] {
  return [...hold.send(Uint8Array.from(bytes))];
}

function receive(hold: TicketHold, ...records: readonly number[][]): void {
  hold.receive(Uint8Array.from(records.flat()));
}

function released(hold: TicketHold): number[] {
  return hold.release().flatMap((bytes) => [...bytes]);
}

const SERVER_HELLO = [...record(HANDSHAKE, 90), ...record(CHANGE_CIPHER, 1), ...record(DATA, 900)];
const TICKETS = [...record(DATA, 174), ...record(DATA, 174)];

Deno.test("TLS 1.3 tickets wait until they are released, and nothing waits afterwards", () => {
  const hold = new TicketHold();
  receive(hold, record(HANDSHAKE, 300));
  assertEquals(sent(hold, SERVER_HELLO), SERVER_HELLO);
  receive(hold, record(CHANGE_CIPHER, 1), record(DATA, 53));
  assertEquals(sent(hold, TICKETS), []);
  assertEquals(released(hold), TICKETS);
  assertEquals(sent(hold, record(DATA, 10)), record(DATA, 10));
  assertEquals(released(hold), []);
});

Deno.test("the last flight of a TLS 1.2 handshake is never delayed, whatever the client sends early", () => {
  const hold = new TicketHold();
  receive(hold, record(HANDSHAKE, 300));
  assertEquals(sent(hold, record(HANDSHAKE, 2000)), record(HANDSHAKE, 2000));
  receive(hold, record(HANDSHAKE, 70), record(CHANGE_CIPHER, 1), record(HANDSHAKE, 40));
  receive(hold, record(DATA, 500));
  const last = [...record(HANDSHAKE, 200), ...record(CHANGE_CIPHER, 1), ...record(HANDSHAKE, 40)];
  assertEquals(sent(hold, last), last);
});

Deno.test("records are held from the same byte on, wherever they are cut", () => {
  const server = [...SERVER_HELLO, ...TICKETS];
  const client = [...record(HANDSHAKE, 300), ...record(CHANGE_CIPHER, 1), ...record(DATA, 53)];
  const cuts = fc.array(fc.nat({ max: server.length }), { maxLength: 8 });
  fc.assert(fc.property(cuts, cuts, (clientCuts, serverCuts) => {
    const hold = new TicketHold();
    const hello = pieces(SERVER_HELLO, serverCuts).flatMap((piece) => sent(hold, piece));
    assertEquals(hello, SERVER_HELLO);
    for (const piece of pieces(client, clientCuts)) hold.receive(Uint8Array.from(piece));
    assertEquals(pieces(TICKETS, serverCuts).flatMap((piece) => sent(hold, piece)), []);
    assertEquals(released(hold), TICKETS);
  }));
});

function pieces(bytes: readonly number[], cuts: readonly number[]): number[][] {
  const at = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, i) => bytes.slice(at[i], end));
}
