import { assertEquals } from "@std/assert";
import type { SnmpTrap } from "../model.ts";
import { toName } from "../names.ts";
import { readDatagram, toTrapEvent } from "./trap.ts";

const TRAP: SnmpTrap = {
  version: "2c",
  inform: false,
  community: "public",
  request_id: 7,
  varbinds: [],
};

function summaryOf(trap: SnmpTrap) {
  const about = { bytes: new Uint8Array(9), peer: "127.0.0.1:50000", local: "127.0.0.1:1162" };
  const { summary, summary_parts } = toTrapEvent(trap, about);
  return [summary, summary_parts?.title, summary_parts?.snippet];
}

Deno.test("well-known objects have names, followed by the instance", () => {
  assertEquals(toName("1.3.6.1.2.1.1.3.0"), "sysUpTime.0");
  assertEquals(toName("1.3.6.1.2.1.2.2.1.8.1000003"), "ifOperStatus.1000003");
  assertEquals(toName("1.3.6.1.6.3.1.1.5.5"), "authenticationFailure");
  assertEquals(toName("1.3.6.1.2.1.2.2.1.80"), "ifTable.1.80");
  assertEquals(toName("1.3.6.1.4.1.9.9.1"), undefined);
  assertEquals(toName("1.3.6.1.2.1.1.30"), undefined);
  assertEquals(toName(""), undefined);
});

Deno.test("well-known notifications have names, and so do values that are identifiers", () => {
  assertEquals(toName("1.3.6.1.2.1.17.0.2"), "topologyChange");
  assertEquals(toName("1.3.6.1.2.1.33.2.1"), "upsTrapOnBattery");
  const bytes = Uint8Array.fromHex(
    "304002010104067075626c6963a7330201010201000201003028300d06082b0601020101" +
      "03004301013017060a2b06010603010104010006092b0601060301010503",
  );
  assertEquals(readDatagram(bytes).trap?.varbinds[1], {
    oid: "1.3.6.1.6.3.1.1.4.1.0",
    name: "snmpTrapOID.0",
    type: "ObjectIdentifier",
    value: "1.3.6.1.6.3.1.1.5.3",
    value_name: "linkDown",
    binary: false,
  });
});

Deno.test("a version 2c summary names the notification and counts its bindings", () => {
  const varbinds = [
    { oid: "1.3.6.1.2.1.1.3.0", type: "TimeTicks", value: "5", binary: false },
    { oid: "1.3.6.1.2.1.2.2.1.1.2", name: "ifIndex.2", type: "Integer", value: "2", binary: false },
    { oid: "1.3.9", type: "OctetString", value: "x".repeat(100), binary: false },
  ];
  const v2 = { sys_uptime: 5, trap_oid: "1.3.6.1.6.3.1.1.5.3", trap_name: "linkDown" };
  assertEquals(summaryOf({ ...TRAP, inform: true, varbinds, v2 }), [
    "v2c inform 1.3.6.1.6.3.1.1.5.3 (3 varbinds)",
    "linkDown",
    `ifIndex.2 = 2, 1.3.9 = ${"x".repeat(60)}`,
  ]);
  assertEquals(summaryOf(TRAP), [
    "v2c trap without snmpTrapOID (0 varbinds)",
    "without snmpTrapOID",
    "",
  ]);
});

Deno.test("a version 1 summary shows the enterprise and both trap numbers", () => {
  const v1 = {
    enterprise_oid: "1.3.6.1.4.1.9",
    agent_address: "10.0.0.1",
    generic_trap: 6,
    generic_trap_name: "enterpriseSpecific",
    specific_trap: 17,
    timestamp: 0,
  };
  assertEquals(summaryOf({ ...TRAP, version: "1", v1 }).slice(0, 2), [
    "v1 trap 1.3.6.1.4.1.9 6/17 (0 varbinds)",
    "1.3.6.1.4.1.9 6/17",
  ]);
  const coldStart = { ...v1, generic_trap: 0, generic_trap_name: "coldStart", specific_trap: 0 };
  assertEquals(summaryOf({ ...TRAP, version: "1", v1: coldStart })[1], "coldStart");
});

Deno.test("an undecodable datagram is a trap with the reason", () => {
  const { trap, respond } = readDatagram(Uint8Array.of(0x30, 3, 2, 1, 4));
  assertEquals(respond, undefined);
  assertEquals(trap, {
    version: "4",
    inform: false,
    community: "",
    request_id: 0,
    varbinds: [],
    decode_error: 'Cannot decode SNMP version "4": versions 1, 2c and 3 are decoded',
  });
  assertEquals(summaryOf(trap!)[0], "undecodable datagram (9 bytes)");
});
