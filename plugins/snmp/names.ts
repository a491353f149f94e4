/** Names of the objects that most agents have. */

/** Generic traps of version 1 by number (RFC 1157 section 4.1.6). */
export const GENERIC_TRAPS: readonly string[] = [
  "coldStart",
  "warmStart",
  "linkDown",
  "linkUp",
  "authenticationFailure",
  "egpNeighborLoss",
  "enterpriseSpecific",
];

/** `names` are the children 1, 2, 3 ... of `parent`; an empty one is skipped. */
function children(parent: string, names: string): [string, string][] {
  return names.split(" ").map((name, index) => [`${parent}.${index + 1}`, name]);
}

const SNMP_V2 = "1.3.6.1.6.3";
const MIB_2 = "1.3.6.1.2.1";

/** SNMPv2-MIB (RFC 3418), IF-MIB (RFC 2863), IP-MIB, TCP-MIB, UDP-MIB, HOST-RESOURCES-MIB (RFC 2790). */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...children(
    `${MIB_2}.1`,
    "sysDescr sysObjectID sysUpTime sysContact sysName sysLocation sysServices sysORLastChange sysORTable",
  ),
  ...children(`${MIB_2}.1.9.1`, "sysORIndex sysORID sysORDescr sysORUpTime"),
  ...children(`${MIB_2}.2`, "ifNumber ifTable"),
  ...children(
    `${MIB_2}.2.2.1`,
    "ifIndex ifDescr ifType ifMtu ifSpeed ifPhysAddress ifAdminStatus ifOperStatus ifLastChange " +
      "ifInOctets ifInUcastPkts ifInNUcastPkts ifInDiscards ifInErrors ifInUnknownProtos " +
      "ifOutOctets ifOutUcastPkts ifOutNUcastPkts ifOutDiscards ifOutErrors ifOutQLen ifSpecific",
  ),
  ...children(`${MIB_2}.4.20.1`, "ipAdEntAddr ipAdEntIfIndex ipAdEntNetMask ipAdEntBcastAddr"),
  ...children(
    `${MIB_2}.6`,
    "tcpRtoAlgorithm tcpRtoMin tcpRtoMax tcpMaxConn tcpActiveOpens tcpPassiveOpens " +
      "tcpAttemptFails tcpEstabResets tcpCurrEstab tcpInSegs tcpOutSegs tcpRetransSegs",
  ),
  ...children(
    `${MIB_2}.6.13.1`,
    "tcpConnState tcpConnLocalAddress tcpConnLocalPort tcpConnRemAddress tcpConnRemPort",
  ),
  ...children(`${MIB_2}.7`, "udpInDatagrams udpNoPorts udpInErrors udpOutDatagrams"),
  ...children(
    `${MIB_2}.25.1`,
    "hrSystemUptime hrSystemDate hrSystemInitialLoadDevice hrSystemInitialLoadParameters " +
      "hrSystemNumUsers hrSystemProcesses hrSystemMaxProcesses",
  ),
  ...children(
    `${MIB_2}.25.2.3.1`,
    "hrStorageIndex hrStorageType hrStorageDescr hrStorageAllocationUnits hrStorageSize hrStorageUsed",
  ),
  ...children(
    `${MIB_2}.31.1.1.1`,
    "ifName ifInMulticastPkts ifInBroadcastPkts ifOutMulticastPkts ifOutBroadcastPkts " +
      "ifHCInOctets ifHCInUcastPkts ifHCInMulticastPkts ifHCInBroadcastPkts " +
      "ifHCOutOctets ifHCOutUcastPkts ifHCOutMulticastPkts ifHCOutBroadcastPkts " +
      "ifLinkUpDownTrapEnable ifHighSpeed ifPromiscuousMode ifConnectorPresent ifAlias",
  ),
  [`${SNMP_V2}.1.1.4.1`, "snmpTrapOID"],
  [`${SNMP_V2}.1.1.4.3`, "snmpTrapEnterprise"],
  ...children(
    `${SNMP_V2}.1.1.5`,
    "coldStart warmStart linkDown linkUp authenticationFailure egpNeighborLoss",
  ),
  // SNMP-COMMUNITY-MIB (RFC 3584): added by proxies to a translated version 1 trap.
  [`${SNMP_V2}.18.1.3`, "snmpTrapAddress"],
  [`${SNMP_V2}.18.1.4`, "snmpTrapCommunity"],
  // Notifications of common devices: RFC 4273, RFC 2819, RFC 4188, RFC 1628, RFC 4133.
  ...children(`${MIB_2}.15.7`, "bgpEstablished bgpBackwardTransition"),
  ...children(`${MIB_2}.16.0`, "risingAlarm fallingAlarm"),
  ...children(`${MIB_2}.17.0`, "newRoot topologyChange"),
  ...children(
    `${MIB_2}.33.2`,
    "upsTrapOnBattery upsTrapTestCompleted upsTrapAlarmEntryAdded upsTrapAlarmEntryRemoved",
  ),
  [`${MIB_2}.47.2.0.1`, "entConfigChange"],
  // NET-SNMP-AGENT-MIB: sent by the agent of the net-snmp programs.
  ["1.3.6.1.4.1.8072.3.2.10", "netSnmpAgentOIDs.linux"],
  ...children("1.3.6.1.4.1.8072.4.0", "nsNotifyStart nsNotifyShutdown nsNotifyRestart"),
]);

/** Common prefix of every identifier in the table; rules most others out at once. */
const ROOTS = [`${MIB_2}.`, `${SNMP_V2}.`, "1.3.6.1.4.1.8072."];
/** Characters of the longest identifier in the table. */
const LONGEST = [...NAMES.keys()].reduce((most, { length }) => Math.max(most, length), 0);

/** Returns `ifIndex.2` for `1.3.6.1.2.1.2.2.1.1.2`; `undefined` for an object that is not in the table. */
export function toName(oid: string): string | undefined {
  if (!ROOTS.some((root) => oid.startsWith(root))) return undefined;
  // An instance is mostly one arc longer than its object, so the longest fit is near the end.
  let end = oid.length;
  if (end > LONGEST) end = oid.lastIndexOf(".", LONGEST);
  for (; end > 0; end = oid.lastIndexOf(".", end - 1)) {
    const name = NAMES.get(oid.slice(0, end));
    if (name !== undefined) return name + oid.slice(end);
  }
  return undefined;
}
