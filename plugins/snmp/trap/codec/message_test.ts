import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../../tests/support/fast_check.ts";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { fuzzed } from "../../../../tests/support/fuzz.ts";
import { claimedVersion, decodeNotification } from "./message.ts";

/** An element with a length in short form, or in the long form of `lengthOctets` octets. */
function tlv(tag: number, content: readonly number[], lengthOctets = 0): number[] {
  const { length } = content;
  if (lengthOctets === 0 && length < 128) return [tag, length, ...content];
  const count = lengthOctets || 2;
  const octets = Array.from({ length: count }, (_, i) => (length >>> (8 * (count - 1 - i))) & 0xff);
  return [tag, 0x80 | count, ...octets, ...content];
}

const text = (value: string): number[] => [...new TextEncoder().encode(value)];
const COMMUNITY = tlv(0x04, text("public"));
const SYS_UP_TIME = [0x2b, 6, 1, 2, 1, 1, 3, 0];
const TRAP_OID = [0x2b, 6, 1, 6, 3, 1, 1, 4, 1, 0];
const LINK_DOWN = [0x2b, 6, 1, 6, 3, 1, 1, 5, 3];

function varbind(name: readonly number[], value: readonly number[]): number[] {
  return tlv(0x30, [...tlv(0x06, name), ...value]);
}

const LEADING = [
  ...varbind(SYS_UP_TIME, tlv(0x43, [0x01, 0x00])),
  ...varbind(TRAP_OID, tlv(0x06, LINK_DOWN)),
];

interface V2 {
  readonly tag?: number;
  readonly id?: readonly number[];
  readonly error?: readonly number[];
  readonly varbinds?: readonly number[];
  readonly version?: readonly number[];
}

function v2(options: V2 = {}): Uint8Array {
  const pdu = tlv(options.tag ?? 0xa7, [
    ...tlv(0x02, options.id ?? [0x12, 0x34]),
    ...tlv(0x02, options.error ?? [0]),
    ...tlv(0x02, [0]),
    ...tlv(0x30, options.varbinds ?? LEADING, 2),
  ], 2);
  const version = tlv(0x02, options.version ?? [1]);
  return Uint8Array.from(tlv(0x30, [...version, ...COMMUNITY, ...pdu], 2));
}

function v1(
  fields: { generic?: number[]; specific?: number[]; agent?: number[] } = {},
): Uint8Array {
  const pdu = tlv(0xa4, [
    ...tlv(0x06, [0x2b, 6, 1, 4, 1, 0xbf, 0x08, 3, 2, 10]),
    ...tlv(0x40, fields.agent ?? [10, 0, 0, 1]),
    ...tlv(0x02, fields.generic ?? [6]),
    ...tlv(0x02, fields.specific ?? [17]),
    ...tlv(0x43, [0xff, 0xff, 0xff, 0xff]),
    ...tlv(0x30, varbind([0x2b, 6, 1], tlv(0x02, [0xff]))),
  ]);
  return Uint8Array.from(tlv(0x30, [...tlv(0x02, [0]), ...COMMUNITY, ...pdu]));
}

/** The only binding of a trap with this value. */
function valueOf(value: readonly number[]) {
  const [read] = decodeNotification(v2({ varbinds: varbind([0x2b, 6, 1], value) })).varbinds;
  const { oid, ...rest } = read!;
  assertEquals(oid, "1.3.6.1");
  return rest;
}

Deno.test("a version 1 trap is decoded field by field", () => {
  assertEquals(decodeNotification(v1()), {
    version: "1",
    community: "public",
    inform: false,
    requestId: 0,
    v1: {
      enterpriseOid: "1.3.6.1.4.1.8072.3.2.10",
      agentAddress: "10.0.0.1",
      genericTrap: 6,
      specificTrap: 17,
      timestamp: 4_294_967_295,
    },
    varbinds: [{ oid: "1.3.6.1", type: "Integer", value: "-1", binary: false }],
  });
});

Deno.test("a version 2c trap is decoded, including its leading bindings", () => {
  const { varbinds, ...rest } = decodeNotification(v2());
  assertEquals(rest, { version: "2c", community: "public", inform: false, requestId: 0x1234 });
  assertEquals(varbinds.map(({ oid, type, value }) => [oid, type, value]), [
    ["1.3.6.1.2.1.1.3.0", "TimeTicks", "256"],
    ["1.3.6.1.6.3.1.1.4.1.0", "ObjectIdentifier", "1.3.6.1.6.3.1.1.5.3"],
  ]);
});

Deno.test("an inform is answered with its own bits and another PDU tag, without error", () => {
  const datagram = v2({ tag: 0xa6, id: [0x80, 0, 0, 0], error: [5] });
  const { inform, requestId, response } = decodeNotification(datagram);
  assertEquals([inform, requestId], [true, 0x80000000]);
  const expected = v2({ tag: 0xa2, id: [0x80, 0, 0, 0], error: [0] });
  assertEquals(response, expected);
});

Deno.test("request ids are read as unsigned 32 bits, however they are encoded", () => {
  const id = (...octets: number[]) => decodeNotification(v2({ id: octets })).requestId;
  assertEquals(id(0x7f), 127);
  assertEquals(id(0xff), 4_294_967_295);
  assertEquals(id(0x00, 0xff, 0xff, 0xff, 0xff), 4_294_967_295);
  assertEquals(id(0x80, 0x00, 0x00, 0x00), 2_147_483_648);
});

Deno.test.each([
  { title: "Integer", wire: tlv(0x02, [0x80, 0, 0, 0]), value: "-2147483648" },
  { title: "Integer", wire: tlv(0x02, [0x00, 0x80]), value: "128" },
  { title: "Counter32", wire: tlv(0x41, [0xff, 0xff, 0xff, 0xff]), value: "4294967295" },
  { title: "Counter32", wire: tlv(0x41, [0, 0xff, 0xff, 0xff, 0xff]), value: "4294967295" },
  { title: "Gauge32", wire: tlv(0x42, [0x80]), value: "128" },
  { title: "TimeTicks", wire: tlv(0x43, [0]), value: "0" },
  {
    title: "Counter64",
    wire: tlv(0x46, [0, 255, 255, 255, 255, 255, 255, 255, 255]),
    value: "18446744073709551615",
  },
  { title: "Counter64", wire: tlv(0x46, Array(8).fill(255)), value: "18446744073709551615" },
  { title: "Uinteger32", wire: tlv(0x47, [1, 0]), value: "256" },
  { title: "IPAddress", wire: tlv(0x40, [192, 0, 2, 1]), value: "192.0.2.1" },
  { title: "OctetString", wire: tlv(0x04, text("Grüße\r\n\t!")), value: "Grüße\r\n\t!" },
  { title: "OctetString", wire: tlv(0x04, []), value: "" },
  { title: "Null", wire: tlv(0x05, []), value: "" },
  { title: "NoSuchObject", wire: tlv(0x80, []), value: "" },
  { title: "NoSuchInstance", wire: tlv(0x81, []), value: "" },
  { title: "EndOfMibView", wire: tlv(0x82, []), value: "" },
])("a value of type $title reads as people write it", ({ title, wire, value }) => {
  assertEquals(valueOf(wire), { type: title, value, binary: false });
});

Deno.test.each([
  { title: "OctetString", wire: tlv(0x04, [0, 1, 0xfe]), value: "0001fe" },
  { title: "OctetString", wire: tlv(0x04, [0x41, 0x0c]), value: "410c" },
  { title: "OctetString", wire: tlv(0x04, [0xc3]), value: "c3" },
  { title: "Opaque", wire: tlv(0x44, [4, 1, 0x41]), value: "040141" },
  { title: "Opaque", wire: tlv(0x44, []), value: "" },
  { title: "NsapAddress", wire: tlv(0x45, [1, 2]), value: "0102" },
  { title: "IPAddress", wire: tlv(0x40, [1, 2, 3]), value: "010203" },
  { title: "Unknown(0x1f)", wire: tlv(0x1f, [9]), value: "09" },
  { title: "Unknown(0x30)", wire: tlv(0x30, [5, 0]), value: "0500" },
])("a binary $title is dumped as hex", ({ title, wire, value }) => {
  assertEquals(valueOf(wire), { type: title, value, binary: true });
});

Deno.test("numbers wrapped in an Opaque are read in addition to the hex", () => {
  const wrapped = (...content: number[]) => valueOf(tlv(0x44, content)).wrapped;
  assertEquals(wrapped(0x9f, 0x78, 4, 0x40, 0x48, 0xf5, 0xc3), { type: "Float", value: "3.14" });
  assertEquals(wrapped(0x9f, 0x79, 8, 0xbf, 0xf8, 0, 0, 0, 0, 0, 0), {
    type: "Double",
    value: "-1.5",
  });
  assertEquals(wrapped(0x9f, 0x7a, 1, 0xfe), { type: "Integer64", value: "-2" });
  assertEquals(wrapped(0x9f, 0x7b, 2, 0xff, 0xff), { type: "Unsigned64", value: "65535" });
  assertEquals(wrapped(0x9f, 0x78, 4, 0x40), undefined);
  assertEquals(wrapped(0x9f, 0x78, 3, 0x40, 0x48, 0xf5), undefined);
  assertEquals(wrapped(0x9f, 0x7b, 0), undefined);
});

Deno.test.each([
  { title: "0.0", wire: [0] },
  { title: "0.0", wire: [] },
  { title: "0.39", wire: [39] },
  { title: "1.0", wire: [40] },
  { title: "1.39", wire: [79] },
  { title: "2.0", wire: [80] },
  { title: "2.100.4", wire: [0x81, 0x34, 4] },
  { title: "2.999.3", wire: [0x88, 0x37, 3] },
  { title: "1.3.4294967295", wire: [0x2b, 0x8f, 0xff, 0xff, 0xff, 0x7f] },
  {
    title: "2.25.340282366920938463463374607431768211455",
    wire: [0x69, 0x83, ...Array(17).fill(0xff), 0x7f],
  },
])("an object identifier decodes to $title", ({ title, wire }) => {
  assertEquals(valueOf(tlv(0x06, wire)), { type: "ObjectIdentifier", value: title, binary: false });
});

Deno.test("lengths may take four octets, as some agents always send them", () => {
  const value = tlv(0x04, text("up"), 4);
  assertEquals(valueOf(value).value, "up");
});

Deno.test("a community that is not text is read octet by octet", () => {
  const pdu = tlv(0xa7, [...tlv(2, [1]), ...tlv(2, [0]), ...tlv(2, [0]), ...tlv(0x30, [])]);
  const message = tlv(0x30, [...tlv(2, [1]), ...tlv(4, [0xff, 0x00, 0x41]), ...pdu]);
  const { community, varbinds } = decodeNotification(Uint8Array.from(message));
  assertEquals([community, varbinds.length], ["\u00ff\u0000A", 0]);
});

Deno.test.each([
  { title: "nothing", bytes: [], says: "nothing is left" },
  { title: "text", bytes: text("hello"), says: "expected tag 0x30, got 0x68" },
  { title: "an octet behind the message", bytes: [...v2(), 0], says: "1 octets follow its end" },
  { title: "a length beyond the end", bytes: [0x30, 0x10, 2], says: "it claims 16 octets" },
  { title: "an indefinite length", bytes: [0x30, 0x80, 0, 0], says: "no indefinite lengths" },
  { title: "a length of five octets", bytes: [0x30, 0x85, 0, 0, 0, 0, 0], says: "takes 5 octets" },
  { title: "version 3", bytes: [...v2({ version: [3] })], says: 'version "3"' },
  { title: "a GetRequest", bytes: [...v2({ tag: 0xa0 })], says: "GetRequest of version 2c" },
  { title: "an unknown PDU", bytes: [...v2({ tag: 0xaf })], says: "PDU 0xaf of version 2c" },
  { title: "a v2 trap in version 1", bytes: [...v2({ version: [0] })], says: "expects Trap" },
  { title: "an empty integer", bytes: [...v2({ id: [] })], says: "at least one octet" },
  { title: "a large integer", bytes: [...v2({ id: Array(10).fill(1) })], says: "64 bits" },
  { title: "a short agent address", bytes: [...v1({ agent: [1, 2] })], says: "expected 4 octets" },
  {
    title: "a huge trap number",
    bytes: [...v1({ generic: Array(8).fill(0x7f) })],
    says: "53 bits",
  },
  {
    title: "an unfinished arc",
    bytes: [...v2({ varbinds: varbind([0x2b, 0x86], tlv(5, [])) })],
    says: "does not end",
  },
  {
    title: "an arc with a filler",
    bytes: [...v2({ varbinds: varbind([0x2b, 0x80, 1], tlv(5, [])) })],
    says: "filler",
  },
  {
    title: "an endless arc",
    bytes: [...v2({ varbinds: varbind([0x2b, ...Array(30).fill(0xff), 1], tlv(5, [])) })],
    says: "31 octets",
  },
  {
    title: "a binding of three",
    bytes: [...v2({ varbinds: varbind([0x2b], [...tlv(5, []), ...tlv(5, [])]) })],
    says: "2 octets follow",
  },
  {
    title: "a NULL with content",
    bytes: [...v2({ varbinds: varbind([0x2b], tlv(5, [1])) })],
    says: "a Null has no content",
  },
])("$title is refused with the reason", ({ bytes, says }) => {
  assertThrows(() => decodeNotification(Uint8Array.from(bytes)), WireError, says);
});

Deno.test("every truncation of a good datagram is refused", () => {
  for (const whole of [v1(), v2(), v2({ tag: 0xa6 })]) {
    for (let length = 0; length < whole.length; length++) {
      assertThrows(() => decodeNotification(whole.slice(0, length)), WireError);
    }
  }
});

Deno.test("changed octets are a notification or a WireError, nothing else", () => {
  const base = v2({ tag: 0xa6, varbinds: [...LEADING, ...varbind([0x88, 0x37], tlv(0x44, []))] });
  const change = fc.tuple(fc.nat(base.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
      const bytes = base.slice();
      for (const [at, octet] of changes) bytes[at] = octet;
      assertOnlyWireError(bytes);
    }),
    fuzzed(2000),
  );
});

Deno.test("garbage throws a WireError, with at most its version", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assertOnlyWireError(bytes);
      assertOnlyWireError(Uint8Array.of(0x30, bytes.length & 0x7f, ...bytes));
    }),
    fuzzed(1000),
  );
});

Deno.test("the version is reported even if the rest cannot be read", () => {
  assertEquals(claimedVersion(v2().slice(0, 12)), "2c");
  assertEquals(claimedVersion(v1().slice(0, 6)), "1");
  assertEquals(claimedVersion(v2({ version: [3] })), "3");
  assertEquals(claimedVersion(Uint8Array.of(0x30, 0x84)), "");
  assertEquals(claimedVersion(new Uint8Array()), "");
});

function assertOnlyWireError(bytes: Uint8Array): void {
  try {
    const { response } = decodeNotification(bytes);
    assert(response === undefined || response.length === bytes.length);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
  assert(typeof claimedVersion(bytes) === "string");
}
