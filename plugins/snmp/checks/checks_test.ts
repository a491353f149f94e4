import { type CheckedItem, testTwins } from "../../../tests/support/checks.ts";
import { CHECKS } from "./mod.ts";

const LINK = [["ifIndex.2", "Integer"], ["ifAdminStatus.2", "Integer"], [
  "ifOperStatus.2",
  "Integer",
]];

const trap = (more: object, bindings: readonly (readonly string[])[] = LINK): CheckedItem => ({
  payload: {
    version: "2c",
    community: "s3cret",
    varbinds: bindings.map(([name, type]) => ({ oid: "1.3", name, type, value: "" })),
    v2: { sys_uptime: 1, trap_oid: "1.3", trap_name: "linkDown" },
    ...more,
  },
});
const v1 = (generic: number, specific: number) =>
  trap({ version: "1", v2: undefined, v1: { generic_trap: generic, specific_trap: specific } });

testTwins(CHECKS, {
  "snmp.undecodable": { bad: trap({ decode_error: "Cannot read the PDU" }), good: trap({}) },
  "snmp.first_bindings": { bad: trap({ v2: undefined }), good: trap({}) },
  "snmp.objects": {
    bad: trap({}, LINK.slice(0, 2)),
    good: trap({}),
    says: "linkDown has no ifOperStatus",
  },
  "snmp.type": {
    bad: trap({}, [...LINK, ["ifDescr.2", "Integer"]]),
    good: trap({}, [...LINK, ["ifDescr.2", "OctetString"]]),
    says: "ifDescr is Integer; expected OctetString",
  },
  "snmp.generic_trap": { bad: v1(7, 0), good: v1(6, 12) },
  "snmp.generic_trap with a specific one": { bad: v1(2, 5), good: v1(2, 0) },
  "snmp.community": { bad: trap({ community: "public" }), good: trap({}) },
});
