/**
 * Messages of SNMP version 3 (RFC 3412 section 6) with the User-based Security Model (RFC 3414 section 2.4):
 *
 * SEQUENCE { version 3, SEQUENCE { id, max-size, flags, model 3 }, OCTET STRING { SEQUENCE { engine id, boots, time,
 *   user, authentication, privacy } }, scoped PDU, or OCTET STRING with it encrypted }
 *
 * scoped PDU = SEQUENCE { context engine id, context name, PDU }
 *
 * @module
 */
import { WireError } from "../../../../core/bytes/decoder.ts";
import { BerReader, INTEGER, OCTET_STRING, SEQUENCE, toInteger } from "./ber.ts";
import { encodeElement, encodeOctets, encodeOid, encodeUnsigned } from "./ber_writer.ts";
import { type Notification, readNotification } from "./message.ts";
import { decodeText } from "./text.ts";

/** Flags of a message. */
export const AUTH = 1;
export const PRIV = 2;
export const REPORTABLE = 4;

const USM = 3;
const REPORT = 0xa8;
const COUNTER32 = 0x41;
/** Longest engine id (RFC 3411 section 5, SnmpEngineID) and user name (RFC 3414 section 2.4), in octets. */
const MAX_NAME = 32;
/** Largest message that is taken, in octets: the largest datagram. */
const MAX_SIZE = 65_507;

/** Security parameters of a message. */
export interface Security {
  /** Authoritative engine: of a trap its sender, of an inform its receiver. Empty to discover it. */
  readonly engineId: Uint8Array;
  readonly boots: number;
  /** Seconds. */
  readonly time: number;
  readonly user: string;
}

/** A message as sent. */
export interface MessageV3 extends Security {
  readonly id: number;
  readonly flags: number;
  readonly authentication: Uint8Array;
  /** Offset of `authentication` in the datagram. */
  readonly authenticationAt: number;
  readonly privacy: Uint8Array;
  /** The scoped PDU, or its encryption. */
  readonly data: Uint8Array;
}

/** Decodes a message. Throws `WireError` for anything that is not exactly one. */
export function decodeV3(datagram: Uint8Array): MessageV3 {
  const whole = new BerReader(datagram);
  const message = whole.inside(whole.expect(SEQUENCE, "the message"));
  whole.end("the message");
  message.expect(INTEGER, "the version");
  const global = message.inside(message.expect(SEQUENCE, "the global data"));
  const id = readNumber(global, "the message id");
  readNumber(global, "the largest size");
  const [flags = 0] = global.expect(OCTET_STRING, "the flags").content;
  const model = readNumber(global, "the security model");
  if (model !== USM) {
    throw new WireError("syntax", `Cannot accept security model ${model}: only USM (3) is known`);
  }
  if ((flags & (AUTH | PRIV)) === PRIV) {
    throw new WireError("syntax", "Cannot accept privacy without authentication");
  }
  const parameters = message.expect(OCTET_STRING, "the security parameters");
  const around = message.inside(parameters);
  const fields = around.inside(around.expect(SEQUENCE, "the security parameters"));
  const engineId = readName(fields, "the engine id");
  const boots = readNumber(fields, "the engine boots");
  const time = readNumber(fields, "the engine time");
  const user = readName(fields, "the user name");
  const authentication = fields.expect(OCTET_STRING, "the authentication");
  const privacy = fields.expect(OCTET_STRING, "the privacy parameters").content;
  const isEncrypted = (flags & PRIV) !== 0;
  const data = message.expect(isEncrypted ? OCTET_STRING : SEQUENCE, "the scoped PDU");
  message.end("the message");
  return {
    id,
    flags,
    engineId,
    boots,
    time,
    user: decodeText(user) ?? user.toHex(),
    authentication: authentication.content,
    authenticationAt: authentication.contentAt,
    privacy,
    data: isEncrypted
      ? data.content
      : datagram.subarray(data.tagAt, data.contentAt + data.content.length),
  };
}

/** Decodes a scoped PDU; padding may follow it. The response has its form. Throws `WireError`. */
export function decodeScoped(
  data: Uint8Array,
): { readonly context: string; readonly notification: Notification } {
  const whole = new BerReader(data);
  const scoped = whole.inside(whole.expect(SEQUENCE, "the scoped PDU"));
  scoped.expect(OCTET_STRING, "the context engine id");
  const context = scoped.expect(OCTET_STRING, "the context name").content;
  const pdu = scoped.next("the PDU");
  scoped.end("the scoped PDU");
  return {
    context: decodeText(context) ?? context.toHex(),
    notification: readNotification(scoped.inside(pdu), { pdu, datagram: data, version: "3" }),
  };
}

/** Encodes a scoped PDU with a report of one counter and its value (RFC 3412 section 7.2.13). */
export function encodeReport(
  engineId: Uint8Array,
  { oid, value }: { readonly oid: string; readonly value: number },
): Uint8Array {
  const binding = encodeElement(SEQUENCE, encodeOid(oid), encodeUnsigned(value, COUNTER32));
  const pdu = encodeElement(
    REPORT,
    encodeUnsigned(0),
    encodeUnsigned(0),
    encodeUnsigned(0),
    encodeElement(SEQUENCE, binding),
  );
  return encodeElement(SEQUENCE, encodeOctets(engineId), encodeOctets(new Uint8Array()), pdu);
}

/** Encodes a message. Its authentication is zeros so far; it goes to `authenticationAt`. */
export function encodeV3(
  { id, flags, security: { engineId, boots, time, user }, authenticationBytes, privacy, data }: {
    readonly id: number;
    readonly flags: number;
    readonly security: Security;
    readonly authenticationBytes: number;
    readonly privacy: Uint8Array;
    readonly data: Uint8Array;
  },
): { readonly bytes: Uint8Array; readonly authenticationAt: number } {
  const parameters = encodeElement(
    SEQUENCE,
    encodeOctets(engineId),
    encodeUnsigned(boots),
    encodeUnsigned(time),
    encodeOctets(new TextEncoder().encode(user)),
    encodeOctets(new Uint8Array(authenticationBytes)),
    encodeOctets(privacy),
  );
  const global = encodeElement(
    SEQUENCE,
    encodeUnsigned(id),
    encodeUnsigned(MAX_SIZE),
    encodeOctets(Uint8Array.of(flags)),
    encodeUnsigned(USM),
  );
  const body = (flags & PRIV) === 0 ? data : encodeOctets(data);
  const bytes = encodeElement(
    SEQUENCE,
    encodeUnsigned(3),
    global,
    encodeOctets(parameters),
    body,
  );
  // Behind it are only the privacy parameters and the data.
  const after = encodeOctets(privacy).length + body.length;
  return { bytes, authenticationAt: bytes.length - after - authenticationBytes };
}

/** Keys are kept by engine and user: longer ones would fill the memory. */
function readName(reader: BerReader, what: string): Uint8Array {
  const { content } = reader.expect(OCTET_STRING, what);
  if (content.length <= MAX_NAME) return content;
  throw new WireError(
    "limit",
    `Cannot read ${what}: it has ${content.length} octets, at most ${MAX_NAME} are allowed`,
  );
}

function readNumber(reader: BerReader, what: string): number {
  const value = Number(toInteger(reader.expect(INTEGER, what).content, what));
  if (value >= 0 && value <= 0x7fffffff) return value;
  throw new WireError("limit", `Cannot read ${what}: expected an integer from 0 to 2147483647`);
}
