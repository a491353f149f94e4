import { assertEquals } from "@std/assert";
import { type CheckedItem, findingsOf, testTwins } from "../../../tests/support/checks.ts";
import { toName } from "../names.ts";
import { CHECKS } from "./mod.ts";

const UP_TIME = "1.3.6.1.2.1.1.3.0 TimeTicks 1";
const COLD_START = "1.3.6.1.6.3.1.1.5.1";
const LINK_DOWN = "1.3.6.1.6.3.1.1.5.3";
const IF = "1.3.6.1.2.1.2.2.1";
/** `ifIndex`, `ifAdminStatus` and `ifOperStatus` of the second interface. */
const LINK = [`${IF}.1.2 Integer 2`, `${IF}.7.2 Integer 1`, `${IF}.8.2 Integer 2`];
const UPS = "1.3.6.1.2.1.33";
const ON_BATTERY = [
  `${UPS}.1.2.3.0 Integer 10`,
  `${UPS}.1.2.2.0 Integer 5`,
  `${UPS}.1.9.7.0 Integer 2`,
];
const BGP = "1.3.6.1.2.1.15";
const lastError = (hex: string) => `${BGP}.3.1.14.192.0.2.1 OctetString 0x${hex}`;
/** `bgpPeerRemoteAddr`, `bgpPeerLastError` and `bgpPeerState` of the peer 192.0.2.1. */
const PEER = [
  `${BGP}.3.1.7.192.0.2.1 IPAddress 192.0.2.1`,
  lastError("0000"),
  `${BGP}.3.1.2.192.0.2.1 Integer 6`,
];

function varbindsOf(lines: readonly string[]) {
  return lines.map((line) => {
    const [oid = "", type = "", value = ""] = line.split(" ");
    const binary = value.startsWith("0x");
    return { oid, name: toName(oid), type, value: value.replace(/^0x/, ""), binary };
  });
}

/** A notification of version 2c; `first` replaces its first two bindings. */
function trap(oid: string, bindings: readonly string[], more: object = {}): CheckedItem {
  const first = [UP_TIME, `1.3.6.1.6.3.1.1.4.1.0 ObjectIdentifier ${oid}`];
  return {
    payload: {
      version: "2c",
      community: "s3cret",
      varbinds: varbindsOf([...first, ...bindings]),
      v2: { sys_uptime: 1, trap_oid: oid },
      ...more,
    },
  };
}

function v1(
  [generic, specific]: readonly [number, number],
  bindings: readonly string[] = [],
  enterprise = "1.3.6.1.4.1.8072",
): CheckedItem {
  return {
    payload: {
      version: "1",
      community: "s3cret",
      varbinds: varbindsOf(bindings),
      v1: { generic_trap: generic, specific_trap: specific, enterprise_oid: enterprise },
    },
  };
}

const link = (...bindings: readonly string[]) => trap(LINK_DOWN, bindings);
const GOOD = link(...LINK);

testTwins(CHECKS, {
  "snmp.undecodable": {
    bad: trap(COLD_START, [], { decode_error: "Cannot read the PDU" }),
    good: GOOD,
  },
  "snmp.first_bindings": { bad: trap(COLD_START, [], { varbinds: [] }), good: GOOD },
  "snmp.first_bindings in another place": {
    bad: trap(COLD_START, [], {
      varbinds: varbindsOf([
        `1.3.6.1.6.3.1.1.4.1.0 ObjectIdentifier ${COLD_START}`,
        UP_TIME,
      ]),
    }),
    good: trap(COLD_START, []),
    marks: COLD_START,
  },
  "snmp.objects": {
    bad: link(...LINK.slice(0, 2)),
    good: GOOD,
    says: "linkDown has no ifOperStatus",
    marks: LINK_DOWN,
  },
  "snmp.objects of a UPS": {
    bad: trap(`${UPS}.2.1`, ON_BATTERY.slice(1)),
    good: trap(`${UPS}.2.1`, ON_BATTERY),
    says: "upsTrapOnBattery has no upsEstimatedMinutesRemaining",
  },
  "snmp.objects of BGP": {
    bad: trap(`${BGP}.0.1`, PEER.slice(1)),
    good: trap(`${BGP}.0.1`, PEER),
    says: "bgpEstablishedNotification has no bgpPeerRemoteAddr",
  },
  "snmp.objects of BGP before RFC 4273": {
    bad: trap(`${BGP}.7.2`, []),
    good: trap(`${BGP}.7.2`, PEER.slice(1)),
    says: "bgpBackwardTransition has no bgpPeerState",
  },
  "snmp.objects of a version 1 trap of an enterprise": {
    bad: v1([6, 1], [], `${UPS}.2`),
    good: v1([6, 1], ON_BATTERY, `${UPS}.2`),
    says: "upsTrapOnBattery has no upsConfigLowBattTime",
  },
  "snmp.objects of a generic trap": {
    bad: v1([2, 0]),
    good: v1([2, 0], LINK.slice(0, 1)),
    says: "linkDown has no ifIndex",
  },
  "snmp.objects in another order": {
    bad: link(LINK[0]!, LINK[2]!, LINK[1]!),
    good: link(...LINK, `${IF}.2.2 OctetString eth0`),
    says: "ifOperStatus is not in its place",
  },
  "snmp.objects twice, for two rows": {
    bad: trap("1.3.6.1.2.1.10.166.2.0.1", ["1.3.6.1.2.1.10.166.2.1.10.1.10.1 Integer 1"]),
    good: trap("1.3.6.1.2.1.10.166.2.0.1", [
      "1.3.6.1.2.1.10.166.2.1.10.1.10.1 Integer 1",
      "1.3.6.1.2.1.10.166.2.1.10.1.10.4 Integer 1",
    ]),
    says: "mplsXCUp has no mplsXCOperStatus",
  },
  "snmp.notification": {
    bad: trap("1.3.6.1.6.3.1.1.5.9", []),
    good: trap("1.3.6.1.6.3.1.1.5.6", []),
    says: "No module defines the notification",
    marks: "1.3.6.1.6.3.1.1.5.9",
  },
  "snmp.notification with the identifier of an object": {
    bad: trap(`${IF}.8`, LINK),
    good: trap("1.3.6.1.4.1.99999.1", LINK),
    says: "is the object ifOperStatus of IF-MIB, and no notification",
  },
  "snmp.notification that a proxy translated": {
    bad: trap(`${UPS}.2.0.9`, []),
    good: trap(`${UPS}.2.0.1`, ON_BATTERY),
  },
  "snmp.object": {
    bad: link(...LINK, `${IF}.99.2 Integer 1`),
    good: link(...LINK, `${IF}.10.2 Counter32 1`),
    says: "has no such column",
    marks: "1",
  },
  "snmp.type": {
    bad: link(...LINK, `${IF}.2.2 Integer 7`),
    good: link(...LINK, `${IF}.2.2 OctetString eth0`),
    says: "ifDescr is Integer; expected OctetString",
    marks: "7",
  },
  "snmp.type of another module": {
    bad: trap(`${UPS}.2.1`, [`${UPS}.1.2.3.0 Gauge32 10`, ...ON_BATTERY.slice(1)]),
    good: trap(`${UPS}.2.1`, ON_BATTERY),
    says: "upsEstimatedMinutesRemaining is Gauge32; expected Integer",
  },
  "snmp.value": {
    bad: link(...LINK.slice(0, 2), `${IF}.8.2 Integer 9`),
    good: link(...LINK.slice(0, 2), `${IF}.8.2 Integer 7`),
    says: "ifOperStatus is 9; expected 1 to 7 in IF-MIB",
    marks: "9",
  },
  "snmp.value that is too long": {
    bad: link(...LINK, `1.3.6.1.2.1.31.1.1.1.18.2 OctetString ${"a".repeat(65)}`),
    good: link(...LINK, `1.3.6.1.2.1.31.1.1.1.18.2 OctetString ${"a".repeat(64)}`),
    says: "ifAlias has 65 octets; expected 0 to 64 in IF-MIB",
  },
  "snmp.value of another length, in hexadecimal": {
    bad: trap(`${BGP}.0.1`, [PEER[0]!, lastError("060200"), PEER[2]!]),
    good: trap(`${BGP}.0.1`, [PEER[0]!, lastError("0602"), PEER[2]!]),
    says: "bgpPeerLastError has 3 octets; expected 2",
  },
  "snmp.instance of a scalar": {
    bad: trap(COLD_START, ["1.3.6.1.2.1.1.5 OctetString host"]),
    good: trap(COLD_START, ["1.3.6.1.2.1.1.5.0 OctetString host"]),
    says: "sysName has no instance; a scalar has 0",
  },
  "snmp.instance of a column": {
    bad: link(...LINK, `${IF}.2 OctetString eth0`),
    good: link(...LINK, `${IF}.2.2 OctetString eth0`),
    says: "ifDescr has no index",
  },
  "snmp.instance of another row": {
    bad: link(LINK[0]!, `${IF}.7.3 Integer 1`, LINK[2]!),
    good: GOOD,
    says: "ifAdminStatus.3 of linkDown belongs to a different row than ifIndex.2",
  },
  "snmp.instance of ifIndex": {
    bad: link(`${IF}.1.2 Integer 3`, ...LINK.slice(1)),
    good: GOOD,
    says: "ifIndex.2 is 3; expected 2",
  },
  "snmp.notification of Net-SNMP": {
    bad: trap("1.3.6.1.4.1.8072.4.0.9", []),
    good: trap("1.3.6.1.4.1.8072.4.0.2", []),
    says: "No module defines the notification",
  },
  "snmp.type of Net-SNMP": {
    bad: trap("1.3.6.1.4.1.2021.251.1", ["1.3.6.1.4.1.2021.10.1.5.1 OctetString 5"]),
    good: trap("1.3.6.1.4.1.2021.251.1", ["1.3.6.1.4.1.2021.10.1.5.1 Integer 5"]),
    says: "laLoadInt is OctetString; expected Integer",
  },
  "snmp.generic_trap": { bad: v1([7, 0]), good: v1([6, 12]) },
  "snmp.generic_trap with a specific one": { bad: v1([0, 5]), good: v1([0, 0]) },
  "snmp.time_window": {
    bad: trap(COLD_START, [], { v3: { late: "it is 200 seconds old, at most 150 are allowed" } }),
    good: trap(COLD_START, [], { v3: {} }),
    says: "it is 200 seconds old",
  },
  "snmp.community": { bad: trap(COLD_START, [], { community: "public" }), good: GOOD },
});

Deno.test("notifications of well-known MIBs as their documents have them have no findings", async () => {
  const address = "1.3.6.1.2.1.14";
  const good: readonly CheckedItem[] = [
    trap(COLD_START, []),
    trap("1.3.6.1.6.3.1.1.5.5", []),
    trap("1.3.6.1.2.1.17.0.1", []),
    trap("1.3.6.1.2.1.47.2.0.1", []),
    GOOD,
    trap(`${BGP}.0.2`, PEER),
    trap(`${UPS}.2.3`, [
      `${UPS}.1.6.2.1.1.4 Integer 4`,
      `${UPS}.1.6.2.1.2.4 ObjectIdentifier ${UPS}.1.6.3.3`,
    ]),
    trap("1.3.6.1.2.1.16.0.1", [
      "1.3.6.1.2.1.16.3.1.1.1.5 Integer 5",
      `1.3.6.1.2.1.16.3.1.1.3.5 ObjectIdentifier ${IF}.10.2`,
      "1.3.6.1.2.1.16.3.1.1.4.5 Integer 2",
      "1.3.6.1.2.1.16.3.1.1.5.5 Integer 1200",
      "1.3.6.1.2.1.16.3.1.1.7.5 Integer 1000",
    ]),
    trap(`${address}.16.2.2`, [
      `${address}.1.1.0 IPAddress 192.0.2.9`,
      `${address}.10.1.1.192.0.2.1.0 IPAddress 192.0.2.1`,
      `${address}.10.1.2.192.0.2.1.0 Integer 0`,
      `${address}.10.1.3.192.0.2.1.0 IPAddress 192.0.2.2`,
      `${address}.10.1.6.192.0.2.1.0 Integer 8`,
    ]),
    trap("1.3.6.1.2.1.88.2.0.2", [
      "1.3.6.1.2.1.88.2.1.1.0 OctetString load",
      "1.3.6.1.2.1.88.2.1.2.0 OctetString ",
      "1.3.6.1.2.1.88.2.1.3.0 OctetString ",
      "1.3.6.1.2.1.88.2.1.4.0 ObjectIdentifier 1.3.6.1.2.1.25.3.3.1.2.1",
      "1.3.6.1.2.1.88.2.1.5.0 Integer 97",
    ]),
    trap("1.3.6.1.2.1.43.18.2.0.1", [
      "1.3.6.1.2.1.43.18.1.1.1.1.7 Integer 7",
      "1.3.6.1.2.1.43.18.1.1.2.1.7 Integer 3",
      "1.3.6.1.2.1.43.18.1.1.4.1.7 Integer 8",
      "1.3.6.1.2.1.43.18.1.1.5.1.7 Integer 1",
      "1.3.6.1.2.1.43.18.1.1.6.1.7 Integer -1",
      "1.3.6.1.2.1.43.18.1.1.7.1.7 Integer 808",
    ]),
  ];
  for (const item of good) assertEquals(await findingsOf(CHECKS, item), []);
});
