import {
  type CheckTopic,
  type Found,
  type PluginChecks,
  pluginChecks,
} from "../../../core/plugin.ts";
import type { SnmpTrap } from "../model.ts";
import { objectsTopic } from "./objects.ts";
import { placeOf, readTrap, type TrapSubject } from "./subject.ts";

/** sysUpTime.0 and snmpTrapOID.0. */
const FIRST = ["1.3.6.1.2.1.1.3.0", "1.3.6.1.6.3.1.1.4.1.0"] as const;

/** Default communities, which every scanner tries. */
const DEFAULTS = new Set(["public", "private"]);

const trapTopic: CheckTopic<TrapSubject> = {
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
      about: "A notification of version 2c or 3 does not begin with sysUpTime.0 and snmpTrapOID.0",
      source: "https://www.rfc-editor.org/rfc/rfc3416#section-4.2.6",
    },
    {
      id: "snmp.generic_trap",
      level: "error",
      about:
        "A version 1 trap has a generic number above 6, or a specific number beside a generic one",
      source: "https://www.rfc-editor.org/rfc/rfc1157#section-4.1.6",
    },
    {
      id: "snmp.time_window",
      level: "warning",
      about:
        "A version 3 trap is older than others of its engine, and receivers drop it as a replay",
      source: "https://www.rfc-editor.org/rfc/rfc3414#section-3.2",
    },
    {
      id: "snmp.community",
      level: "info",
      about: "The community is one that scanners try",
      source: "https://www.rfc-editor.org/rfc/rfc3584#section-8",
    },
  ],
  *find({ trap }) {
    const { v1, varbinds, version, decode_error: error } = trap;
    if (error !== undefined) {
      yield { id: "snmp.undecodable", message: error };
      return;
    }
    if (version !== "1" && FIRST.some((oid, at) => varbinds[at]?.oid !== oid)) {
      yield {
        id: "snmp.first_bindings",
        message: "The first bindings are not sysUpTime.0 and snmpTrapOID.0",
        ...(varbinds.length === 0 ? {} : { where: placeOf(trap, 0) }),
      };
    }
    if (v1 !== undefined) yield* ofVersion1(v1);
    if (trap.v3?.late !== undefined) {
      yield { id: "snmp.time_window", message: `Receivers drop this trap: ${trap.v3.late}` };
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

/** Checks of traps. */
export const CHECKS: PluginChecks = pluginChecks<TrapSubject>({
  read: readTrap,
  topics: [trapTopic, objectsTopic],
});
