import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { readSettings, readTime, writeAttributes, writeWcc } from "./nfs3.ts";
import { markOf } from "./record.ts";
import { beginReply, decodeCall, encodeFault, endReply } from "./rpc.ts";
import { XdrReader, XdrWriter } from "./xdr.ts";

const hex = (text: string): Uint8Array => Uint8Array.fromHex(text.replaceAll(/\s/g, ""));

Deno.test("XDR is encoded as RFC 4506 specifies", () => {
  const writer = new XdrWriter(4).u32(1).u64(2 ** 40 + 3).bool(true).opaque(hex("616263"))
    .fixed(hex("ff")).opaque(new Uint8Array());
  assertEquals(
    writer.take().toHex(),
    hex(`00000001 00000100 00000003 00000001 00000003 61626300 ff000000 00000000`).toHex(),
  );
});

Deno.test("encoded values decode to themselves", () => {
  const value = fc.oneof(
    fc.record({ type: fc.constant("u32" as const), value: fc.nat(0xffff_ffff) }),
    fc.record({ type: fc.constant("u64" as const), value: fc.maxSafeNat() }),
    fc.record({ type: fc.constant("bool" as const), value: fc.boolean() }),
    fc.record({ type: fc.constant("opaque" as const), value: fc.uint8Array({ maxLength: 300 }) }),
    fc.record({ type: fc.constant("fixed" as const), value: fc.uint8Array({ maxLength: 20 }) }),
  );
  fc.assert(
    fc.property(fc.array(value), fc.integer({ min: 1, max: 64 }), (values, room) => {
      const writer = new XdrWriter(room);
      for (const { type, value } of values) {
        if (type === "bool") writer.bool(value);
        else if (type === "u32") writer.u32(value);
        else if (type === "u64") writer.u64(value);
        else writer[type](value);
      }
      assertEquals(writer.length % 4, 0);
      const reader = new XdrReader(writer.take());
      for (const { type, value } of values) {
        if (type === "opaque") assertEquals(reader.opaque(300), value);
        else if (type === "fixed") assertEquals(reader.fixed(value.length), value);
        else assertEquals(reader[type](), value);
      }
      assertEquals(reader.rest.length, 0);
    }),
    fuzzed(),
  );
});

Deno.test("long bytes at the end are not copied, and count in the position", () => {
  const parts = [new Uint8Array(20_000).fill(7), new Uint8Array(5000).fill(8)];
  const reply = endReply(beginReply(7).opaqueLast(parts));
  assertEquals([reply[0]?.length, reply[1] === parts[0], reply[2] === parts[1]], [32, true, true]);
  assertEquals(reply.length, 3);
  assertEquals(reply[0]?.toHex().slice(0, 8), (0x8000_0000 + 28 + 25_000).toString(16));
  const odd = endReply(beginReply(7).opaqueLast([new Uint8Array(20_001)]));
  assertEquals(odd.map(({ length }) => length), [32, 20_001, 3]);
  assertEquals(odd[0]?.toHex().slice(0, 8), (0x8000_0000 + 28 + 20_004).toString(16));
});

Deno.test("short bytes at the end are copied, in however many parts they come", () => {
  const parts = [hex("6162"), new Uint8Array(), hex("63")];
  const writer = new XdrWriter(4).opaqueLast(parts);
  assertEquals([writer.take(), writer.tail.length], [hex("00000003 61626300"), 0]);
  assertEquals(new XdrWriter().opaqueLast([]).take(), hex("00000000"));
});

Deno.test("the loan of bytes at the end ends once they are copied, or lasts until they are sent", () => {
  let ended = 0;
  const loan = { [Symbol.dispose]: () => void ended++ };
  const short = new XdrWriter().opaqueLast([hex("61")], loan);
  assertEquals([short.takeLoan(), ended], [undefined, 1]);
  const long = new XdrWriter().opaqueLast([new Uint8Array(20_000)], loan);
  long.cut(0);
  assertEquals([long.takeLoan(), long.takeLoan(), ended], [loan, undefined, 1]);
});

Deno.test("bytes cut from a writer leave no trace", () => {
  const writer = new XdrWriter().u32(1).u32(0xffff_ffff).u32(0xffff_ffff);
  writer.cut(4);
  writer.fixed(hex("616263"));
  assertEquals(writer.take(), hex("00000001 61626300"));
});

Deno.test.each<[string, (reader: XdrReader) => unknown, string]>([
  ["a word cut short", (reader) => reader.u32(), "0000"],
  ["a hyper cut short", (reader) => reader.u64(), "0000000000"],
  ["opaque data without its filling", (reader) => reader.fixed(3), "616263"],
  ["a length beyond the end", (reader) => reader.opaque(100), "00000004 616263"],
  ["a length beyond the limit", (reader) => reader.opaque(3), "00000004 61626364"],
  ["a length of four thousand million", (reader) => reader.opaque(Infinity), "ffffffff"],
  ["a boolean that is neither", (reader) => reader.bool(), "00000002"],
  ["a choice beyond the last", (reader) => reader.choice(2), "00000003"],
  ["a time with too many nanoseconds", (reader) => readTime(reader), "00000000 3b9aca00"],
])("%s is refused", (_what, read, bytes) => {
  assertThrows(() => read(new XdrReader(hex(bytes))), WireError);
});

const HEAD = "00000007 00000000 00000002 000186a3 00000003 00000001";
const UNIX = "00000001 0000001c 00000000 00000003 61646100 000003e8 00000064 00000001 00000064";

Deno.test("a call is read up to its arguments", () => {
  const received = decodeCall(hex(`${HEAD} ${UNIX} 00000000 00000000 cafe0000`));
  assert(received.type === "call");
  const { arguments: args, credentialBody, ...call } = received.call;
  assertEquals(credentialBody.length, 28);
  assertEquals(call, {
    ...{ xid: 7, program: 100_003, version: 3, procedure: 1 },
    credential: { flavor: "unix", machine: "ada", uid: 1000, gid: 100, gids: [100] },
  });
  assertEquals(args.rest, hex("cafe0000"));
  const none = decodeCall(hex(`${HEAD} 00000000 00000000 00000000 00000000`));
  assertEquals(none.type === "call" && none.call.credential, { flavor: "none" });
});

Deno.test.each<[string, string, string]>([
  [
    "RPC version 3",
    "00000007 00000000 00000003 000186a3 00000003 00000001",
    "80000018 00000007 00000001 00000001 00000000 00000002 00000002",
  ],
  [
    "a credential of GSS",
    `${HEAD} 00000006 00000000 00000000 00000000`,
    "80000014 00000007 00000001 00000001 00000001 00000002",
  ],
  [
    "an AUTH_SYS credential cut short",
    `${HEAD} 00000001 00000004 00000000 00000000 00000000`,
    "80000014 00000007 00000001 00000001 00000001 00000001",
  ],
  [
    "an AUTH_SYS credential with 17 groups",
    `${HEAD} 00000001 00000014 ${"00000000".repeat(4)} 00000011 00000000 00000000`,
    "80000014 00000007 00000001 00000001 00000001 00000001",
  ],
  [
    "a call cut short",
    HEAD,
    "80000018 00000007 00000001 00000000 00000000 00000000 00000004",
  ],
  [
    "a credential of 401 bytes",
    `${HEAD} 00000000 00000191 ${"00".repeat(404)} 00000000 00000000`,
    "80000018 00000007 00000001 00000000 00000000 00000000 00000004",
  ],
])("%s is answered by the fault for it", (_what, call, reply) => {
  const received = decodeCall(hex(call));
  assertEquals(received.type === "refused" && received.reply[0]?.toHex(), hex(reply).toHex());
});

Deno.test.each<[string, string]>([
  ["nothing", ""],
  ["three bytes", "000000"],
  ["an xid alone", "00000007"],
  ["a reply", "00000007 00000001 00000000"],
  ["a message of no kind", "00000007 00000002"],
])("%s is no call, and cannot be answered", (_what, bytes) => {
  assertThrows(() => decodeCall(hex(bytes)), WireError);
});

Deno.test("errors are encoded as RFC 5531 section 9 specifies", () => {
  const of = (fault: Parameters<typeof encodeFault>[1]): string =>
    encodeFault(1, fault)[0]!.toHex().slice(40);
  assertEquals(of({ type: "program unavailable" }), "0000000000000001");
  assertEquals(
    of({ type: "program mismatch", low: 3, high: 3 }),
    "00000000000000020000000300000003",
  );
  assertEquals(of({ type: "procedure unavailable" }), "0000000000000003");
  assertEquals(of({ type: "garbage arguments" }), "0000000000000004");
  assertEquals(of({ type: "system error" }), "0000000000000005");
  assertEquals(
    endReply(beginReply(7).u32(9))[0]?.toHex(),
    hex("8000001c 00000007 00000001 00000000 00000000 00000000 00000000 00000009").toHex(),
  );
  assertEquals(markOf(28), 0x8000_001c);
});

Deno.test("any bytes are a call, are refused, or throw a WireError", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        decodeCall(bytes);
        const reader = new XdrReader(bytes);
        readSettings(reader);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
      }
    }),
    fuzzed(500),
  );
});

Deno.test("attributes are encoded as fattr3, with times to the microsecond", () => {
  const attributes = {
    ...{ dir: false, mode: 0o644, links: 1, uid: 2, gid: 3, size: 2 ** 33, id: 9 },
    ...{ atimeMs: -5, mtimeMs: 1_700_000_000_123.456, ctimeMs: 1e17 },
  };
  const out = new XdrWriter();
  writeAttributes(out, attributes);
  assertEquals(
    out.take().toHex(),
    hex(`00000001 000001a4 00000001 00000002 00000003 0000000200000000 0000000200000000
      0000000000000000 0000000000000001 0000000000000009
      0000000000000000 6553f100 075bca00 ffffffff 00000000`).toHex(),
  );
  const wcc = new XdrWriter();
  writeWcc(wcc, { before: { size: 1, mtimeMs: 1000, ctimeMs: 2000 }, after: undefined });
  assertEquals(
    wcc.take(),
    hex("00000001 0000000000000001 0000000100000000 0000000200000000 00000000"),
  );
});

Deno.test("settings are read with and without each part", () => {
  const read = (bytes: string) => readSettings(new XdrReader(hex(bytes)));
  assertEquals(read("00000000".repeat(6)), {});
  assertEquals(
    read(
      "00000001 0000f1ff 00000001 00000005 00000001 00000006 00000001 0000000000000007 00000001" +
        "00000002 00000001 1dcd6500",
    ),
    { mode: 0o777, size: 7, atimeMs: "now", mtimeMs: 1500 },
  );
  assertThrows(() => read(`${"00000000".repeat(4)} 00000003`), WireError);
});
