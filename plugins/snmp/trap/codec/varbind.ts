/**
 * Variable bindings (RFC 3416 section 3): SEQUENCE { name OBJECT IDENTIFIER, value }. The type is the one on the wire,
 * not the one a MIB would promise:
 *
 *   02 INTEGER   04 OCTET STRING   05 NULL   06 OBJECT IDENTIFIER
 *   40 IpAddress  41 Counter32  42 Gauge32  43 TimeTicks  44 Opaque  45 NsapAddress  46 Counter64  47 UInteger32
 *   80 noSuchObject   81 noSuchInstance   82 endOfMibView
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import {
  type BerReader,
  type Element,
  hex,
  INTEGER,
  NULL,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  SEQUENCE,
  toInteger,
  toOid,
  toUnsigned,
} from "./ber.ts";
import { decodeText } from "./text.ts";

/** IpAddress, [APPLICATION 0]. */
export const IP_ADDRESS = 0x40;
/** TimeTicks, [APPLICATION 3]. */
export const TIME_TICKS = 0x43;

/** One name and its value. */
export interface Varbind {
  /** Dotted, without a leading dot. */
  readonly oid: string;
  /** Name of the type on the wire; `Unknown(0x1f)` for a tag that SNMP does not define. */
  readonly type: string;
  /** Readable value: decimal, dotted, text, or lower-case hex. */
  readonly value: string;
  /** Whether `value` is a hex dump. */
  readonly binary: boolean;
  /** The number inside an Opaque, by the convention of the net-snmp programs. */
  readonly wrapped?: Wrapped;
}

/** A number of a type that SNMP lacks, carried inside an Opaque. */
export interface Wrapped {
  readonly type: "Float" | "Double" | "Integer64" | "Unsigned64";
  /** Decimal. */
  readonly value: string;
}

type Reading = Omit<Varbind, "oid">;
type Reader = (content: Uint8Array, what: string) => Reading;

const READERS: ReadonlyMap<number, Reader> = new Map([
  [INTEGER, (content, what) => plain("Integer", toInteger(content, what))],
  [OCTET_STRING, (content) => toText("OctetString", content)],
  [NULL, (content, what) => empty("Null", { content, what })],
  [OBJECT_IDENTIFIER, (content, what) => plain("ObjectIdentifier", toOid(content, what))],
  [
    IP_ADDRESS,
    (content) =>
      content.length === 4 ? plain("IPAddress", content.join(".")) : dump("IPAddress", content),
  ],
  [0x41, (content, what) => plain("Counter32", toUnsigned(content, what))],
  [0x42, (content, what) => plain("Gauge32", toUnsigned(content, what))],
  [TIME_TICKS, (content, what) => plain("TimeTicks", toUnsigned(content, what))],
  [0x44, toOpaque],
  [0x45, (content) => dump("NsapAddress", content)],
  [0x46, (content, what) => plain("Counter64", toUnsigned(content, what))],
  [0x47, (content, what) => plain("Uinteger32", toUnsigned(content, what))],
  [0x80, (content, what) => empty("NoSuchObject", { content, what })],
  [0x81, (content, what) => empty("NoSuchInstance", { content, what })],
  [0x82, (content, what) => empty("EndOfMibView", { content, what })],
]);

/** Reads `VarBindList ::= SEQUENCE OF VarBind`, which must be the last element. Throws `WireError` only. */
export function readVarbinds(pdu: BerReader): Varbind[] {
  const list = pdu.inside(pdu.expect(SEQUENCE, "the variable bindings"));
  pdu.end("the PDU");
  const varbinds: Varbind[] = [];
  try {
    while (list.left > 0) varbinds.push(readVarbind(list));
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new WireError(error.code, `${error.message} (variable binding ${varbinds.length + 1})`);
  }
  return varbinds;
}

function readVarbind(list: BerReader): Varbind {
  const pair = list.inside(list.expect(SEQUENCE, "the variable binding"));
  const name = pair.expect(OBJECT_IDENTIFIER, "the name");
  const value = pair.next("the value");
  pair.end("the variable binding");
  return { oid: toOid(name.content, "the name"), ...toReading(value, "the value") };
}

function toReading({ tag, content }: Element, what: string): Reading {
  const read = READERS.get(tag);
  return read === undefined ? dump(`Unknown(${hex(tag)})`, content) : read(content, what);
}

function plain(type: string, value: number | bigint | string): Reading {
  return { type, value: `${value}`, binary: false };
}

function dump(type: string, content: Uint8Array): Reading {
  return { type, value: content.toHex(), binary: true };
}

function empty(type: string, { content, what }: { content: Uint8Array; what: string }): Reading {
  if (content.length > 0) {
    throw new WireError("syntax", `Cannot read ${what}: a ${type} has no content`);
  }
  return plain(type, "");
}

function toText(type: string, content: Uint8Array): Reading {
  const text = decodeText(content);
  return text === undefined ? dump(type, content) : plain(type, text);
}

const FLOATS: ReadonlyMap<number, Wrapped["type"]> = new Map([
  [0x78, "Float"],
  [0x79, "Double"],
  [0x7a, "Integer64"],
  [0x7b, "Unsigned64"],
]);

/** Octets 9f 78 to 9f 7b and a length before the number: draft-perkins-opaque-01 and the net-snmp library. */
function toOpaque(content: Uint8Array, what: string): Reading {
  const opaque = dump("Opaque", content);
  const type = content[0] === 0x9f ? FLOATS.get(content[1] ?? 0) : undefined;
  const inner = content.subarray(3);
  if (type === undefined || content[2] !== inner.length) return opaque;
  const value = toWrapped(type, { inner, what });
  return value === undefined ? opaque : { ...opaque, wrapped: { type, value } };
}

function toWrapped(
  type: Wrapped["type"],
  { inner, what }: { inner: Uint8Array; what: string },
): string | undefined {
  const view = new DataView(inner.buffer, inner.byteOffset, inner.byteLength);
  switch (type) {
    case "Float":
      // The shortest decimal that parses to the same single-precision number.
      return inner.length === 4 ? `${Number(view.getFloat32(0).toPrecision(7))}` : undefined;
    case "Double":
      return inner.length === 8 ? `${view.getFloat64(0)}` : undefined;
    case "Integer64":
      return fits(inner) ? `${toInteger(inner, what)}` : undefined;
    case "Unsigned64":
      return fits(inner) ? `${toUnsigned(inner, what)}` : undefined;
  }
}

function fits({ length, 0: first }: Uint8Array): boolean {
  return length > 0 && (length <= 8 || (length === 9 && first === 0));
}
