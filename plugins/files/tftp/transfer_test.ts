import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import type { Packet } from "./codec/packet.ts";
import { negotiate } from "./options.ts";
import { type Machine, Receiver, Sender } from "./transfer.ts";

const TIMEOUT = 1000;

function terms(asked: Readonly<Record<string, string>> = {}, size?: number) {
  return negotiate(new Map(Object.entries(asked)), { size, timeoutMs: TIMEOUT });
}

function sender(size: number, asked: Readonly<Record<string, string>> = {}): Sender {
  const agreed = terms(asked, size);
  return new Sender({
    terms: agreed,
    retries: 5,
    openingMs: TIMEOUT,
    size,
    read: (block) =>
      new Uint8Array(
        Math.max(0, Math.min(agreed.blockBytes, size - (block - 1) * agreed.blockBytes)),
      )
        .fill(block & 0xff),
  });
}

const shown = (packets: readonly Packet[]): readonly string[] =>
  packets.map((packet) =>
    packet.type === "DATA"
      ? `DATA ${packet.block} ${packet.bytes.length}`
      : packet.type === "ACK"
      ? `ACK ${packet.block}`
      : packet.type
  );

const ack = (block: number): Packet => ({ type: "ACK", block });
const data = (block: number, size: number): Packet => ({
  type: "DATA",
  block,
  bytes: new Uint8Array(size),
});

Deno.test("a file is sent block by block, with an empty last block if the one before is full", () => {
  const one = sender(1024);
  assertEquals(shown(one.on("start", 0)), ["DATA 1 512"]);
  assertEquals(shown(one.on(ack(1), 0)), ["DATA 2 512"]);
  assertEquals(shown(one.on(ack(2), 0)), ["DATA 3 0"]);
  assertEquals(shown(one.on(ack(3), 0)), []);
  assertEquals(one.outcome, "complete");
});

Deno.test("a repeated ACK causes no retransmission; only a timeout does", () => {
  const one = sender(2000);
  one.on("start", 0);
  assertEquals(shown(one.on(ack(1), 0)), ["DATA 2 512"]);
  assertEquals(shown(one.on(ack(1), 1)), []);
  assertEquals(shown(one.on(ack(0), 1)), []);
  assertEquals(shown(one.on("tick", 999)), []);
  assertEquals(shown(one.on("tick", 1000)), ["DATA 2 512"]);
});

Deno.test("a peer that stops answering is given up after the retries", () => {
  const one = sender(10);
  one.on("start", 0);
  for (let i = 1; i <= 5; i++) assertEquals(one.on("tick", i * TIMEOUT).length, 1);
  assertEquals(one.on("tick", 6 * TIMEOUT), []);
  assertEquals(one.outcome, "failed");
});

Deno.test("options are confirmed first, then a window is sent and resumed where it broke", () => {
  const one = sender(5000, { windowsize: "4", blksize: "1000" });
  assertEquals(shown(one.on("start", 0)), ["OACK"]);
  assertEquals(shown(one.on(ack(0), 0)), [
    "DATA 1 1000",
    "DATA 2 1000",
    "DATA 3 1000",
    "DATA 4 1000",
  ]);
  assertEquals(shown(one.on(ack(2), 0)), ["DATA 3 1000", "DATA 4 1000", "DATA 5 1000", "DATA 6 0"]);
  assertEquals(shown(one.on(ack(6), 0)), []);
  assertEquals(one.outcome, "complete");
});

Deno.test("block numbers continue with 0 after 65 535", () => {
  const one = sender(70_000 * 8, { blksize: "8" });
  one.on("start", 0);
  one.on(ack(0), 0);
  for (let block = 1; block < 65_536; block++) one.on(ack(block & 0xffff), 0);
  assertEquals(shown(one.on(ack(0), 0)), ["DATA 1 8"]);
});

Deno.test("a receiver accepts each block once, and reports a gap once", () => {
  const sizes: number[] = [];
  const one = new Receiver({
    terms: terms({ windowsize: "3" }),
    retries: 5,
    openingMs: TIMEOUT,
    write: (bytes) => sizes.push(bytes.length),
  });
  assertEquals(shown(one.on("start", 0)), ["OACK"]);
  assertEquals(shown(one.on(data(1, 512), 0)), []);
  assertEquals(shown(one.on(data(3, 512), 0)), ["ACK 1"]);
  assertEquals(shown(one.on(data(4, 512), 0)), []);
  assertEquals(shown(one.on(data(2, 512), 0)), []);
  assertEquals(shown(one.on(data(2, 512), 0)), ["ACK 2"]);
  assertEquals(shown(one.on(data(3, 7), 0)), ["ACK 3"]);
  assertEquals(one.outcome, "complete");
  assertEquals(shown(one.on(data(3, 7), 0)), ["ACK 3"]);
  assertEquals(sizes, [512, 512, 7]);
});

Deno.test("an ERROR ends a transfer without an answer", () => {
  const one = new Receiver({ terms: terms(), retries: 5, openingMs: TIMEOUT, write: () => {} });
  assertEquals(shown(one.on("start", 0)), ["ACK 0"]);
  assertEquals(one.on({ type: "ERROR", code: 3, message: "full" }, 0), []);
  assertEquals([one.outcome, one.reason], ["failed", "The client sent error 3: full"]);
});

Deno.test("options are granted within limits, and omitted otherwise", () => {
  const granted = (asked: Readonly<Record<string, string>>, size?: number) =>
    Object.fromEntries(terms(asked, size).granted);
  assertEquals(granted({ blksize: "65535" }), { blksize: "65464" });
  assertEquals(granted({ blksize: "7" }), {});
  assertEquals(granted({ blksize: "abc", windowsize: "0", timeout: "256" }), {});
  assertEquals(granted({ windowsize: "65535", timeout: "255" }), {
    windowsize: "64",
    timeout: "255",
  });
  assertEquals(granted({ tsize: "0" }, 10), { tsize: "10" });
  assertEquals(granted({ tsize: "0" }, 0), {});
  assertEquals(granted({ tsize: "99" }), { tsize: "99" });
  assertEquals(granted({ multicast: "" }), {});
});

Deno.test("a file arrives whole through a network that loses, repeats and reorders", () => {
  const fate = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 50, maxLength: 200 });
  const window = fc.integer({ min: 1, max: 8 });
  fc.assert(
    fc.property(fate, window, fc.integer({ min: 0, max: 3000 }), (fates, windowsize, size) => {
      const asked = { windowsize: String(windowsize), blksize: "100" };
      const bytes = Uint8Array.from({ length: size }, (_, i) => i * 31 & 0xff);
      const from = new Sender({
        terms: terms(asked, size),
        retries: 1000,
        openingMs: TIMEOUT,
        size,
        read: (block) => bytes.subarray((block - 1) * 100, block * 100),
      });
      const got: number[] = [];
      // The client side of a download: its options are agreed by the OACK that it answers with ACK 0.
      const to = new Receiver({
        terms: { ...terms(asked), granted: new Map() },
        retries: 1000,
        openingMs: TIMEOUT,
        write: (block) => got.push(...block),
      });
      let turn = 0;
      let nowMs = 0;
      const through = (packets: readonly Packet[]): Packet[] =>
        packets.flatMap((packet) => {
          const fate = fates[turn++ % fates.length]!;
          return turn > 2000 || fate > 2 ? [packet] : fate === 0 ? [] : [packet, packet];
        });
      let toClient = through(from.on("start", nowMs));
      for (let round = 0; round < 5000 && to.outcome === "running"; round++) {
        if (fates[turn % fates.length] === 9) toClient.reverse();
        const toServer = through(
          toClient.flatMap((packet) => packet.type === "OACK" ? [ack(0)] : to.on(packet, nowMs)),
        );
        toClient = through(toServer.flatMap((packet) => from.on(packet, nowMs)));
        if (toClient.length > 0) continue;
        nowMs += TIMEOUT;
        const late = (machine: Machine) => through(machine.on("tick", nowMs));
        toClient = [...late(from), ...late(to).flatMap((packet) => from.on(packet, nowMs))];
      }
      assertEquals(to.outcome, "complete");
      assertEquals(got, [...bytes]);
      assert(from.outcome !== "failed");
    }),
  );
});

Deno.test("a window is granted as far as it fits in the usual socket buffer", () => {
  const table: [block: string, asked: string, granted: string][] = [
    ["512", "64", "64"],
    ["1024", "64", "64"],
    ["8192", "64", "8"],
    ["8192", "4", "4"],
    ["65464", "16", "1"],
  ];
  for (const [blksize, windowsize, expected] of table) {
    assertEquals(terms({ blksize, windowsize }).granted.get("windowsize"), expected, blksize);
  }
});

Deno.test("a client's longer timeout applies only once the client has answered", () => {
  const silent = sender(5000, { timeout: "255" });
  assertEquals(shown(silent.on("start", 0)), ["OACK"]);
  for (let i = 1; i <= 6; i++) silent.on("tick", i * TIMEOUT);
  assertEquals(silent.outcome, "failed");
  const slow = sender(5000, { timeout: "255" });
  slow.on("start", 0);
  slow.on(ack(0), 0);
  assertEquals(slow.wakeAtMs, 255_000);
  const hasty = sender(5000, { timeout: "1" });
  hasty.on("start", 0);
  assertEquals(hasty.wakeAtMs, 1000);
});
