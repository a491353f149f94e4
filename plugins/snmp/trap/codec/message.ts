/**
 * Notifications of SNMP. Version 1 (RFC 1157 sections 4 and 4.1.6):
 *
 * SEQUENCE { version 0, community, [4] { enterprise, agent-addr, generic-trap, specific-trap, time-stamp, bindings } }
 *
 * version 2c (RFC 1901 section 3, RFC 3416 sections 3, 4.2.6 and 4.2.7), where [7] is a trap and [6] an inform:
 *
 *   SEQUENCE { version 1, community, [7] or [6] { request-id, error-status, error-index, bindings } }
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import {
  BerReader,
  type Element,
  hex,
  INTEGER,
  OBJECT_IDENTIFIER,
  OCTET_STRING,
  SEQUENCE,
  toInteger,
  toOid,
  toUnsigned,
} from "./ber.ts";
import { decodeText } from "./text.ts";
import { IP_ADDRESS, readVarbinds, TIME_TICKS, type Varbind } from "./varbind.ts";

const RESPONSE = 0xa2;
const TRAP_V1 = 0xa4;
const INFORM = 0xa6;
const TRAP_V2 = 0xa7;

/** PDUs by tag (RFC 3416 section 3). */
const PDU_NAMES: Readonly<Record<number, string>> = {
  0xa0: "GetRequest",
  0xa1: "GetNextRequest",
  [RESPONSE]: "Response",
  0xa3: "SetRequest",
  [TRAP_V1]: "Trap",
  0xa5: "GetBulkRequest",
  [INFORM]: "InformRequest",
  [TRAP_V2]: "SNMPv2-Trap",
  0xa8: "Report",
};

/** Fields that only a version 1 trap has. */
export interface TrapV1 {
  readonly enterpriseOid: string;
  readonly agentAddress: string;
  readonly genericTrap: number;
  readonly specificTrap: number;
  /** Hundredths of a second since the agent started. */
  readonly timestamp: number;
}

/** A notification as sent. */
export interface Notification {
  readonly version: "1" | "2c" | "3";
  /** Empty in version 3, which has users. */
  readonly community: string;
  /** Whether the sender waits for a response. */
  readonly inform: boolean;
  /** Unsigned, 32 bits; 0 in version 1, which has none. */
  readonly requestId: number;
  readonly varbinds: readonly Varbind[];
  /** Present in version 1. */
  readonly v1?: TrapV1;
  /** The response to an inform. */
  readonly response?: Uint8Array;
  /** Offset of the last octet of the error status. */
  readonly statusAt?: number;
}

/** Decodes a datagram. Throws `WireError` for anything that is not exactly one notification of version 1 or 2c. */
export function decodeNotification(datagram: Uint8Array): Notification {
  const whole = new BerReader(datagram);
  const message = whole.inside(whole.expect(SEQUENCE, "the message"));
  whole.end("the message");
  const version = toVersion(message.expect(INTEGER, "the version").content);
  if (version !== "1" && version !== "2c") {
    throw new WireError(
      "syntax",
      `Cannot decode SNMP version "${version}": versions 1, 2c and 3 are decoded`,
    );
  }
  const community = toCommunity(message.expect(OCTET_STRING, "the community").content);
  const pdu = message.next("the PDU");
  message.end("the message");
  checkPdu(pdu.tag, version);
  const fields = message.inside(pdu);
  return version === "1"
    ? { version, community, inform: false, requestId: 0, ...readTrapV1(fields) }
    : { version, community, ...readPduV2(fields, { pdu, datagram }) };
}

/** Reads the PDU of a version 3 message, decrypted. Throws `WireError`. */
export function readNotification(
  fields: BerReader,
  about: { readonly pdu: Element; readonly datagram: Uint8Array; readonly version: "3" },
): Notification {
  checkPdu(about.pdu.tag, about.version);
  return { version: about.version, community: "", ...readPduV2(fields, about) };
}

/** Returns the version that an undecodable datagram claims, if readable; else empty. */
export function claimedVersion(datagram: Uint8Array): string {
  if (datagram[0] !== SEQUENCE) return "";
  const longForm = (datagram[1] ?? 0) & 0x80 ? datagram[1]! & 0x7f : 0;
  const reader = new BerReader(datagram, { from: Math.min(2 + longForm, datagram.length) });
  try {
    return toVersion(reader.expect(INTEGER, "the version").content);
  } catch (error) {
    if (error instanceof WireError) return "";
    throw error;
  }
}

function toVersion(content: Uint8Array): string {
  const version = toInteger(content, "the version");
  return version === 0 ? "1" : version === 1 ? "2c" : `${version}`;
}

/** The community is an octet string; unless it is text it is read as Latin-1, which has every octet. */
function toCommunity(content: Uint8Array): string {
  return decodeText(content) ??
    Array.from(content, (octet) => String.fromCharCode(octet)).join("");
}

function checkPdu(tag: number, version: Notification["version"]): void {
  const fits = version === "1" ? tag === TRAP_V1 : tag === TRAP_V2 || tag === INFORM;
  if (fits) return;
  const expected = version === "1" ? "Trap" : "SNMPv2-Trap or InformRequest";
  throw new WireError(
    "syntax",
    `Cannot accept a ${PDU_NAMES[tag] ?? `PDU ${hex(tag)}`} of version ${version}: ` +
      `a trap receiver expects ${expected}`,
  );
}

function readTrapV1(fields: BerReader): Pick<Notification, "v1" | "varbinds"> {
  const enterprise = fields.expect(OBJECT_IDENTIFIER, "the enterprise");
  const agent = fields.expect(IP_ADDRESS, "the agent address");
  if (agent.content.length !== 4) {
    throw new WireError(
      "syntax",
      `Cannot read the agent address: expected 4 octets, got ${agent.content.length}`,
    );
  }
  const genericTrap = readNumber(fields, "the generic trap");
  const specificTrap = readNumber(fields, "the specific trap");
  const timestamp = fields.expect(TIME_TICKS, "the time stamp");
  return {
    v1: {
      enterpriseOid: toOid(enterprise.content, "the enterprise"),
      agentAddress: agent.content.join("."),
      genericTrap,
      specificTrap,
      timestamp: to32Bits(toUnsigned(timestamp.content, "the time stamp")),
    },
    varbinds: readVarbinds(fields),
  };
}

function readPduV2(
  fields: BerReader,
  { pdu, datagram }: { pdu: Element; datagram: Uint8Array },
): Pick<Notification, "inform" | "requestId" | "varbinds" | "response" | "statusAt"> {
  const id = fields.expect(INTEGER, "the request id");
  const errors = [
    fields.expect(INTEGER, "the error status"),
    fields.expect(INTEGER, "the error index"),
  ];
  const varbinds = readVarbinds(fields);
  const inform = pdu.tag === INFORM;
  return {
    inform,
    requestId: to32Bits(toInteger(id.content, "the request id")),
    varbinds,
    ...(inform
      ? {
        response: toResponse(datagram, { pdu, errors }),
        statusAt: errors[0]!.contentAt + errors[0]!.content.length - 1,
      }
      : {}),
  };
}

/**
 * Turns the message into a Response without error (RFC 3416 section 4.2.7). Changing a copy, rather than encoding
 * again, returns every value bit by bit.
 */
function toResponse(
  datagram: Uint8Array,
  { pdu, errors }: { pdu: Element; errors: readonly Element[] },
): Uint8Array {
  const response = datagram.slice();
  response[pdu.tagAt] = RESPONSE;
  for (const { contentAt, content } of errors) {
    response.fill(0, contentAt, contentAt + content.length);
  }
  return response;
}

function readNumber(fields: BerReader, what: string): number {
  const value = Number(toInteger(fields.expect(INTEGER, what).content, what));
  if (Number.isSafeInteger(value)) return value;
  throw new WireError("limit", `Cannot read ${what}: it has more than 53 bits`);
}

function to32Bits(value: number | bigint): number {
  return typeof value === "number" ? value >>> 0 : Number(BigInt.asUintN(32, value));
}
