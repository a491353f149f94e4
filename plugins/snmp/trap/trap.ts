import { WireError } from "../../../core/bytes/decoder.ts";
import { compact } from "../../../core/compact.ts";
import type { NewEvent } from "../../../core/events/event.ts";
import type { SnmpTrap, SnmpV1, SnmpV2, SnmpVarbind } from "../model.ts";
import { GENERIC_TRAPS, toName } from "../names.ts";
import type { Engine } from "./engine.ts";
import { claimedVersion, decodeNotification, type Notification } from "./codec/message.ts";

/** sysUpTime.0 (RFC 3418). */
const SYS_UP_TIME = "1.3.6.1.2.1.1.3.0";
/** snmpTrapOID.0 (RFC 3418). */
const SNMP_TRAP_OID = "1.3.6.1.6.3.1.1.4.1.0";
/** Bindings shown in a row of the list. */
const SNIPPET_VARBINDS = 3;
/** Characters of one value in a row. */
const SNIPPET_VALUE = 60;

/** A parsed datagram: the trap to capture, and the response to its sender. */
export interface ReadDatagram {
  /** Absent for a version 3 discovery request, which is not a notification. */
  readonly trap?: SnmpTrap;
  /** The response to an inform, with this error status. */
  respond?(status: number): Uint8Array;
  /** Report on a refused message, for its sender. */
  readonly report?: Uint8Array;
}

/** Parses any datagram; one that is not a notification becomes a trap with `decode_error`. */
export function readDatagram(bytes: Uint8Array, engine?: Pick<Engine, "take">): ReadDatagram {
  try {
    if (engine !== undefined && claimedVersion(bytes) === "3") return takeV3(engine, bytes);
    const notification = decodeNotification(bytes);
    const { response, statusAt } = notification;
    const trap = toTrap(notification);
    if (response === undefined || statusAt === undefined) return { trap };
    return {
      trap,
      respond(status) {
        response[statusAt] = status;
        return response;
      },
    };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { trap: undecoded(bytes, error.message) };
  }
}

function takeV3(engine: Pick<Engine, "take">, bytes: Uint8Array): ReadDatagram {
  const taken = engine.take(bytes);
  if (taken.kind === "report") return compact({ report: taken.report });
  const { security } = taken;
  if (taken.kind === "refused") {
    const trap = { ...undecoded(bytes, taken.reason), v3: security };
    return { trap, ...compact({ report: taken.report }) };
  }
  const { notification, respond } = taken;
  return { trap: { ...toTrap(notification), v3: security }, ...compact({ respond }) };
}

function undecoded(bytes: Uint8Array, reason: string): SnmpTrap {
  return {
    version: claimedVersion(bytes),
    inform: false,
    community: "",
    request_id: 0,
    varbinds: [],
    decode_error: reason,
  };
}

function toTrap({ version, inform, community, requestId, ...rest }: Notification): SnmpTrap {
  const varbinds = rest.varbinds.map(withNames);
  const v2 = version === "1" ? undefined : toV2(varbinds);
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
      ...compact({ user: trap.v3?.user }),
      ...(trap.decode_error !== undefined
        ? { decode_error: trap.decode_error }
        : trap.v3 === undefined
        ? { community: trap.community }
        : {}),
    },
    payload: trap,
    raw: { transport: "udp", text: false, body: bytes, peer_addr: peer },
  };
}

function describe(trap: SnmpTrap, size: number): { title: string; summary: string } {
  const { v1, v2, varbinds } = trap;
  if (trap.decode_error !== undefined) {
    const title = trap.v3 === undefined ? "undecodable" : `unverified, user ${trap.v3.user}`;
    return { title, summary: `undecodable datagram (${size} bytes)` };
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
  return { title: v2?.trap_name ?? oid, summary: `v${trap.version} ${kind} ${oid} ${count}` };
}

function toSnippet({ varbinds, decode_error }: SnmpTrap): string {
  if (decode_error !== undefined) return decode_error;
  return varbinds
    .filter(({ oid }) => oid !== SYS_UP_TIME && oid !== SNMP_TRAP_OID)
    .slice(0, SNIPPET_VARBINDS)
    .map(({ oid, name, value }) => `${name ?? oid} = ${value.slice(0, SNIPPET_VALUE)}`)
    .join(", ");
}
