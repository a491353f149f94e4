import {
  type CheckTopic,
  type Found,
  type PluginChecks,
  pluginChecks,
} from "../../../core/plugin.ts";
import type { SnmpTrap, SnmpVarbind } from "../model.ts";

/** Required objects by notification name: RFC 2863. */
const OBJECTS: Readonly<Record<string, readonly string[]>> = {
  linkDown: ["ifIndex", "ifAdminStatus", "ifOperStatus"],
  linkUp: ["ifIndex", "ifAdminStatus", "ifOperStatus"],
};

/** Types on the wire of well-known objects: RFC 3418, 2863, 2790 and 3584. */
const TYPES: ReadonlyMap<string, string> = new Map([
  [
    "Integer",
    "ifIndex ifType ifMtu ifAdminStatus ifOperStatus ifNumber sysServices ifPromiscuousMode",
  ],
  [
    "OctetString",
    "sysDescr sysContact sysName sysLocation ifDescr ifPhysAddress ifName ifAlias snmpTrapCommunity",
  ],
  ["ObjectIdentifier", "sysObjectID snmpTrapOID snmpTrapEnterprise"],
  ["TimeTicks", "sysUpTime ifLastChange hrSystemUptime"],
  ["Gauge32", "ifSpeed ifHighSpeed ifOutQLen tcpCurrEstab hrSystemNumUsers hrSystemProcesses"],
  ["Counter32", "ifInOctets ifOutOctets ifInErrors ifOutErrors ifInUcastPkts ifOutUcastPkts"],
  ["Counter64", "ifHCInOctets ifHCOutOctets ifHCInUcastPkts ifHCOutUcastPkts"],
  ["IPAddress", "snmpTrapAddress ipAdEntAddr ipAdEntNetMask"],
].flatMap(([type = "", names = ""]) => names.split(" ").map((name) => [name, type] as const)));

/** Default communities, which every scanner tries. */
const DEFAULTS = new Set(["public", "private"]);

const trapTopic: CheckTopic<SnmpTrap> = {
  checks: [
    {
      id: "snmp.undecodable",
      level: "error",
      about: "The datagram is not an SNMP message that managers can read",
      source: "https://www.rfc-editor.org/rfc/rfc3416#section-3",
    },
    {
      id: "snmp.first_bindings",
      level: "error",
      about: "A version 2c notification does not begin with sysUpTime.0 and snmpTrapOID.0",
      source: "https://www.rfc-editor.org/rfc/rfc3416#section-4.2.6",
    },
    {
      id: "snmp.objects",
      level: "warning",
      about: "The notification lacks an object of its MIB definition",
      source: "https://www.rfc-editor.org/rfc/rfc2863#section-6",
    },
    {
      id: "snmp.type",
      level: "error",
      about: "The type of a well-known object differs from that in its MIB",
      source: "https://www.rfc-editor.org/rfc/rfc2578#section-7.1",
    },
    {
      id: "snmp.generic_trap",
      level: "error",
      about:
        "A version 1 trap has a generic number above 6, or a specific number beside a generic one",
      source: "https://www.rfc-editor.org/rfc/rfc1157#section-4.1.6",
    },
    {
      id: "snmp.community",
      level: "info",
      about: "The community is one that scanners try",
      source: "https://www.rfc-editor.org/rfc/rfc3584#section-8",
    },
  ],
  *find(trap) {
    const { varbinds, v1, v2, version, decode_error: error } = trap;
    if (error !== undefined) {
      yield { id: "snmp.undecodable", message: error };
      return;
    }
    if (version === "2c" && v2 === undefined) {
      yield {
        id: "snmp.first_bindings",
        message: "The first bindings are not sysUpTime.0 and snmpTrapOID.0",
      };
    }
    if (v1 !== undefined) yield* ofVersion1(v1);
    const name = v2?.trap_name ?? v1?.generic_trap_name ?? "";
    for (const object of Object.hasOwn(OBJECTS, name) ? OBJECTS[name]! : []) {
      if (varbinds.some((varbind) => objectOf(varbind) === object)) continue;
      yield { id: "snmp.objects", message: `${name} has no ${object}` };
    }
    for (const varbind of varbinds) {
      const object = objectOf(varbind);
      const type = TYPES.get(object);
      if (type === undefined || type === varbind.type) continue;
      yield {
        id: "snmp.type",
        message: `${object} is ${varbind.type}; expected ${type}`,
        where: { part: "varbinds", path: varbind.name ?? varbind.oid },
      };
    }
    if (DEFAULTS.has(trap.community)) {
      yield { id: "snmp.community", message: `The community is ${JSON.stringify(trap.community)}` };
    }
  },
};

function* ofVersion1(v1: NonNullable<SnmpTrap["v1"]>): Generator<Found> {
  const { generic_trap: generic, specific_trap: specific } = v1;
  if (generic < 0 || generic > 6) {
    yield { id: "snmp.generic_trap", message: `${generic} is not a generic trap; expected 0 to 6` };
  } else if (generic < 6 && specific !== 0) {
    yield {
      id: "snmp.generic_trap",
      message: `The generic trap ${generic} has the specific number ${specific}; expected 0`,
    };
  }
}

/** Name of an object without its instance; empty for an unknown one. */
function objectOf({ name = "" }: SnmpVarbind): string {
  return name.split(".", 1)[0]!;
}

/** Checks of traps. */
export const CHECKS: PluginChecks = pluginChecks<SnmpTrap>({
  read: (event) => event.payload as SnmpTrap,
  topics: [trapTopic],
});
