/** A trap: the payload of its event. */

/** One name and its value, decoded by the type on the wire. */
export interface SnmpVarbind {
  /** Dotted, without a leading dot. */
  readonly oid: string;
  /** Name of a well-known object with its instance, such as `ifIndex.2`. */
  readonly name?: string;
  /** Name of the type on the wire, such as `OctetString`. */
  readonly type: string;
  /** Readable value: decimal, dotted, text, or lower-case hex. */
  readonly value: string;
  /** Name of the well-known object or notification that an `ObjectIdentifier` identifies. */
  readonly value_name?: string;
  /** Whether `value` is a hex dump. */
  readonly binary: boolean;
  /** The number inside an Opaque, by the convention of the net-snmp programs. */
  readonly wrapped?: { readonly type: string; readonly value: string };
}

/** Fields that only a version 1 trap has. */
export interface SnmpV1 {
  /** Kind of the sending device. */
  readonly enterprise_oid: string;
  /** Its name, if well-known. */
  readonly enterprise_name?: string;
  /** Address that the agent claims. */
  readonly agent_address: string;
  /** 0 to 6 in a proper trap. */
  readonly generic_trap: number;
  /** `coldStart` to `enterpriseSpecific`, or `unknown`. */
  readonly generic_trap_name: string;
  /** The enterprise's trap number. */
  readonly specific_trap: number;
  /** Hundredths of a second since the agent started. */
  readonly timestamp: number;
}

/** The first two bindings of a version 2c notification. */
export interface SnmpV2 {
  /** Hundredths of a second since the agent started. */
  readonly sys_uptime: number;
  /** Identifier of the notification. */
  readonly trap_oid: string;
  /** Name of a well-known notification, such as `linkDown`. */
  readonly trap_name?: string;
}

/** Security of a version 3 message, by the User-based Security Model. */
export interface SnmpV3 {
  /** Name of the user; hostile text unless `level` says that it is authenticated. */
  readonly user: string;
  /** `noAuthNoPriv`, `authNoPriv` or `authPriv`. */
  readonly level: string;
  /** Authoritative engine: the sender of a trap, the receiver of an inform; hex. */
  readonly engine_id: string;
  /** Name of the context, if it has one. */
  readonly context?: string;
  /** Why a receiver that keeps to the time window (RFC 3414 section 3.2) would drop the trap. */
  readonly late?: string;
}

/** One datagram: a trap, an inform, or data that could not be decoded. */
export interface SnmpTrap {
  /** `1`, `2c` or `3`; for an undecodable datagram the version it claims, or empty. */
  readonly version: string;
  /** Whether the sender waited for a response, and got it. */
  readonly inform: boolean;
  /** Recorded, never checked; empty in version 3. */
  readonly community: string;
  /** Unsigned, 32 bits; 0 in version 1. */
  readonly request_id: number;
  /** In the order sent. */
  readonly varbinds: readonly SnmpVarbind[];
  /** Present for version 1. */
  readonly v1?: SnmpV1;
  /** Present for version 3. */
  readonly v3?: SnmpV3;
  /** Present for versions 2c and 3 with sysUpTime.0 and snmpTrapOID.0. */
  readonly v2?: SnmpV2;
  /** Why the datagram could not be decoded. */
  readonly decode_error?: string;
}
