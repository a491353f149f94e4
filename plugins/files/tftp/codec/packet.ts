/**
 * TFTP packets (RFC 1350 section 5) with options (RFC 2347):
 *
 *   RRQ, WRQ   opcode 1, 2   file 0 mode 0 *( option 0 value 0 )
 *   DATA       opcode 3      block, bytes
 *   ACK        opcode 4      block
 *   ERROR      opcode 5      code, message 0
 *   OACK       opcode 6      *( option 0 value 0 )
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { ByteReader } from "../../../../core/bytes/reader.ts";
import { ByteWriter } from "../../../../core/bytes/writer.ts";

/** Error codes of RFC 1350 and RFC 2347. */
export const TFTP_ERROR = {
  undefined: 0,
  notFound: 1,
  access: 2,
  full: 3,
  illegal: 4,
  unknownTransfer: 5,
  exists: 6,
  options: 8,
} as const;

/** A request to read or write a file. */
export interface Request {
  readonly type: "RRQ" | "WRQ";
  /** As sent: any bytes but NUL. */
  readonly file: Uint8Array;
  /** In lower case. */
  readonly mode: string;
  /** By name in lower case; of a repeated one the first counts. */
  readonly options: ReadonlyMap<string, string>;
}

/** A packet of any kind. */
export type Packet =
  | Request
  | { readonly type: "DATA"; readonly block: number; readonly bytes: Uint8Array }
  | { readonly type: "ACK"; readonly block: number }
  | { readonly type: "ERROR"; readonly code: number; readonly message: string }
  | { readonly type: "OACK"; readonly options: ReadonlyMap<string, string> };

/** Maximum number of options of a packet; few are defined. */
const MAX_OPTIONS = 32;
/** Maximum number of texts: the file name, the mode, and a name and a value per option. */
const MAX_TEXTS = 2 * MAX_OPTIONS + 2;
const NO_SCRATCH = new Uint8Array();
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Parses a datagram. Throws `WireError`. Bytes of DATA are a view. */
export function decodePacket(datagram: Uint8Array): Packet {
  const reader = new ByteReader(datagram);
  const opcode = reader.u16();
  switch (opcode) {
    case 1:
    case 2:
      return decodeRequest(opcode === 1 ? "RRQ" : "WRQ", datagram.subarray(2));
    case 3:
      return { type: "DATA", block: reader.u16(), bytes: reader.bytes(reader.left) };
    case 4:
      return { type: "ACK", block: reader.u16() };
    case 5: {
      const code = reader.u16();
      const message = decoder.decode(reader.bytes(reader.left)).replace(/\0[^]*$/, "");
      return { type: "ERROR", code, message };
    }
    case 6:
      return { type: "OACK", options: toOptions(strings(datagram.subarray(2))) };
    default:
      throw new WireError("syntax", `Cannot read a packet with opcode ${opcode}: expected 1 to 6`);
  }
}

function decodeRequest(type: Request["type"], rest: Uint8Array): Request {
  const [file, mode, ...options] = strings(rest);
  if (file === undefined || mode === undefined) {
    throw new WireError("truncated", `Cannot read a ${type}: file name or mode is missing`);
  }
  return { type, file, mode: decoder.decode(mode).toLowerCase(), options: toOptions(options) };
}

function toOptions(texts: readonly Uint8Array[]): ReadonlyMap<string, string> {
  if (texts.length % 2 !== 0) {
    throw new WireError("truncated", "Cannot read the options: one has no value");
  }
  const options = new Map<string, string>();
  for (let i = 0; i < texts.length; i += 2) {
    const name = decoder.decode(texts[i]).toLowerCase();
    if (!options.has(name)) options.set(name, decoder.decode(texts[i + 1]));
  }
  return options;
}

/** Splits texts that each end with NUL; nothing may follow the last NUL. Throws `WireError`. */
function strings(bytes: Uint8Array): Uint8Array[] {
  const texts: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(0, at);
    if (end < 0) throw new WireError("truncated", "Cannot read a text: it does not end with NUL");
    if (texts.length === MAX_TEXTS) {
      throw new WireError("limit", `Cannot read the options: more than ${MAX_OPTIONS}`);
    }
    texts.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return texts;
}

/** Encodes a packet; DATA goes into `scratch`, if it is large enough. */
export function encodePacket(packet: Packet, scratch = NO_SCRATCH): Uint8Array {
  switch (packet.type) {
    case "RRQ":
    case "WRQ":
      return new ByteWriter().u16(packet.type === "RRQ" ? 1 : 2).bytes(packet.file).u8(0)
        .bytes(zeroEnded([packet.mode, ...[...packet.options].flat()])).take();
    case "DATA": {
      const length = 4 + packet.bytes.length;
      const bytes = scratch.length < length ? new Uint8Array(length) : scratch.subarray(0, length);
      bytes.set([0, 3, packet.block >>> 8 & 0xff, packet.block & 0xff]);
      bytes.set(packet.bytes, 4);
      return bytes;
    }
    case "ACK":
      return Uint8Array.of(0, 4, packet.block >>> 8 & 0xff, packet.block & 0xff);
    case "ERROR":
      return new ByteWriter().u16(5).u16(packet.code).bytes(zeroEnded([packet.message])).take();
    case "OACK":
      return new ByteWriter().u16(6).bytes(zeroEnded([...packet.options].flat())).take();
  }
}

function zeroEnded(texts: readonly string[]): Uint8Array {
  return encoder.encode(texts.map((text) => `${text.replaceAll("\0", "")}\0`).join(""));
}
