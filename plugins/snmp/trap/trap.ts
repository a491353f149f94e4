import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import type { NewEvent } from "../../../core/events/event.ts";
import type { SnmpTrap, SnmpV1, SnmpV2, SnmpVarbind } from "../model.ts";
import { GENERIC_TRAPS, toName } from "../names.ts";
import { claimedVersion, decodeNotification, type Notification } from "./codec/message.ts";

/** sysUpTime.0 (RFC 3418). */
const SYS_UP_TIME = "1.3.6.1.2.1.1.3.0";
/** snmpTrapOID.0 (RFC 3418). */
const SNMP_TRAP_OID = "1.3.6.1.6.3.1.1.4.1.0";
/** Bindings shown in a row of the list. */
const SNIPPET_VARBINDS = 3;
/** Characters of one value in a row. */
const SNIPPET_VALUE = 60;

/** A parsed datagram: the trap to capture, and the response to an inform. */
export interface ReadDatagram {
  readonly trap: SnmpTrap;
  readonly response?: Uint8Array;
  /** Where the response has its error status. */
  readonly statusAt?: number;
}

/** Parses any datagram; one that is not a notification gives a trap with `decode_error`. */
export function readDatagram(bytes: Uint8Array): ReadDatagram {
  try {
    const notification = decodeNotification(bytes);
    const { response, statusAt } = notification;
    return { trap: toTrap(notification), ...compact({ response, statusAt }) };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return {
      trap: {
        version: claimedVersion(bytes),
        inform: false,
        community: "",
        request_id: 0,
        varbinds: [],
        decode_error: error.message,
      },
    };
  }
}

function toTrap({ version, inform, community, requestId, ...rest }: Notification): SnmpTrap {
  const varbinds = rest.varbinds.map(withNames);
  const v2 = version === "2c" ? toV2(varbinds) : undefined;
  return {
    version,
    inform,
    community,
    request_id: requestId,
    varbinds,
    ...compact({ v1: rest.v1 === undefined ? undefined : toV1(rest.v1), v2 }),
  };
}

/** Adds the names of the object and of its value to a binding. */
function withNames(varbind: Notification["varbinds"][number]): SnmpVarbind {
  const { oid, type, ...value } = varbind;
  const name = toName(oid);
  const valueName = type === "ObjectIdentifier" ? toName(value.value) : undefined;
  if (name === undefined && valueName === undefined) return varbind;
  return {
    oid,
    ...compact({ name }),
    type,
    ...value,
    ...compact({ value_name: valueName }),
  };
}

function toV1(v1: NonNullable<Notification["v1"]>): SnmpV1 {
  const name = toName(v1.enterpriseOid);
  return {
    enterprise_oid: v1.enterpriseOid,
    ...compact({ enterprise_name: name }),
    agent_address: v1.agentAddress,
    generic_trap: v1.genericTrap,
    generic_trap_name: GENERIC_TRAPS[v1.genericTrap] ?? "unknown",
    specific_trap: v1.specificTrap,
    timestamp: v1.timestamp,
  };
}

/** Found by name, not by position: some senders put other bindings first. */
function toV2(varbinds: readonly SnmpVarbind[]): SnmpV2 | undefined {
  const time = varbinds.find(({ oid, type }) => oid === SYS_UP_TIME && type === "TimeTicks");
  const trap = varbinds.find(({ oid, type }) =>
    oid === SNMP_TRAP_OID && type === "ObjectIdentifier"
  );
  if (time === undefined || trap === undefined) return undefined;
  const name = toName(trap.value);
  return {
    sys_uptime: Number(BigInt.asUintN(32, BigInt(time.value))),
    trap_oid: trap.value,
    ...compact({ trap_name: name }),
  };
}

/** Returns the event of a datagram from `peer` to `local`. */
export function toTrapEvent(
  trap: SnmpTrap,
  { bytes, peer, local }: { bytes: Uint8Array; peer: string; local: string },
): NewEvent<SnmpTrap> {
  const { title, summary } = describe(trap, bytes.length);
  return {
    type: "snmp.trap",
    summary,
    summary_parts: { from: peer, title, snippet: toSnippet(trap) },
    meta: {
      peer_addr: peer,
      local_addr: local,
      version: trap.version,
      ...(trap.decode_error === undefined
        ? { community: trap.community }
        : { decode_error: trap.decode_error }),
    },
    payload: trap,
    raw: { transport: "udp", text: false, body: bytes, peer_addr: peer },
  };
}

function describe(trap: SnmpTrap, size: number): { title: string; summary: string } {
  const { v1, v2, varbinds } = trap;
  if (trap.decode_error !== undefined) {
    return { title: "undecodable", summary: `undecodable datagram (${size} bytes)` };
  }
  const count = `(${varbinds.length} varbinds)`;
  if (v1 !== undefined) {
    const numbers = `${v1.generic_trap}/${v1.specific_trap}`;
    const own = GENERIC_TRAPS[v1.generic_trap] === "enterpriseSpecific";
    return {
      title: own ? `${v1.enterprise_oid} ${numbers}` : v1.generic_trap_name,
      summary: `v1 trap ${v1.enterprise_oid} ${numbers} ${count}`,
    };
  }
  const kind = trap.inform ? "inform" : "trap";
  const oid = v2?.trap_oid ?? "without snmpTrapOID";
  return { title: v2?.trap_name ?? oid, summary: `v2c ${kind} ${oid} ${count}` };
}

function toSnippet({ varbinds, decode_error }: SnmpTrap): string {
  if (decode_error !== undefined) return decode_error;
  return varbinds
    .filter(({ oid }) => oid !== SYS_UP_TIME && oid !== SNMP_TRAP_OID)
    .slice(0, SNIPPET_VARBINDS)
    .map(({ oid, name, value }) => `${name ?? oid} = ${value.slice(0, SNIPPET_VALUE)}`)
    .join(", ");
}
