/** The programs of net-snmp, as Debian ships them. */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap, SnmpVarbind } from "../../plugins/snmp/model.ts";
import { snippets } from "../../plugins/snmp/trap/snippets.ts";
import { clientTest, requireNode, runOk, runProgram } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/** No MIB files and no local configuration: the tests use numeric identifiers. */
const ENV = { MIBS: "", SNMPCONFPATH: "/nonexistent", SNMP_PERSISTENT_DIR: "/tmp" };
const UP = "1.3.6.1.6.3.1.1.5.4";

function target(service: TestService): string {
  const { hostname, port } = service.endpoint("trap");
  return `${hostname}:${port}`;
}

function waitForTrap(service: TestService): Promise<CapturedEvent<SnmpTrap>> {
  return service.waitFor<SnmpTrap>("snmp.trap");
}

/** The bindings after sysUpTime.0 and snmpTrapOID.0, without their object identifier. */
function values({ payload }: CapturedEvent<SnmpTrap>): Omit<SnmpVarbind, "oid" | "name">[] {
  return payload.varbinds.slice(2).map(({ type, value, binary, wrapped }) => ({
    type,
    value,
    binary,
    ...(wrapped === undefined ? {} : { wrapped }),
  }));
}

/** Types on the command line, given values, and captured values. */
const TYPES: readonly (readonly [letter: string, typed: string, SnmpVarbind["type"], string])[] = [
  ["i", "-2147483648", "Integer", "-2147483648"],
  ["u", "4294967295", "Gauge32", "4294967295"],
  ["c", "4294967295", "Counter32", "4294967295"],
  ["C", "18446744073709551615", "Counter64", "18446744073709551615"],
  ["t", "4294967295", "TimeTicks", "4294967295"],
  ["a", "192.0.2.255", "IPAddress", "192.0.2.255"],
  ["o", "1.3.6.1.4.1.4294967295.0", "ObjectIdentifier", "1.3.6.1.4.1.4294967295.0"],
  ["o", "2.999.3", "ObjectIdentifier", "2.999.3"],
  ["s", "Grüße aus dem Rack", "OctetString", "Grüße aus dem Rack"],
  ["n", "0", "Null", ""],
];
const BINARY: readonly (readonly [letter: string, typed: string, hex: string])[] = [
  ["x", "00 01 fe ff", "0001feff"],
  ["d", "0 255 7", "00ff07"],
];

clientTest("snmptrap sends every type in a v2c trap", ["snmptrap"], async ({ snmptrap }) => {
  await using service = await startService({ plugins: [snmp] });
  const bindings = [...TYPES, ...BINARY].flatMap(([letter, typed], at) => [
    `1.3.6.1.4.1.8072.9999.${at}`,
    letter,
    typed,
  ]);
  const args = ["-v2c", "-c", "s3cret", target(service), "4711", UP, ...bindings];
  await runOk(snmptrap, args, { env: ENV });
  const event = await waitForTrap(service);
  const { version, inform, community, v1, v2 } = event.payload;
  assertEquals([version, inform, community, v1], ["2c", false, "s3cret", undefined]);
  assertEquals(v2, { sys_uptime: 4711, trap_oid: UP, trap_name: "linkUp" });
  assertEquals(values(event), [
    ...TYPES.map(([, , type, value]) => ({ type, value, binary: false })),
    ...BINARY.map(([, , value]) => ({ type: "OctetString", value, binary: true })),
  ]);
  assertEquals(event.summary, `v2c trap ${UP} (14 varbinds)`);
});

clientTest("snmptrap's floats and 64-bit integers are read", ["snmptrap"], async ({ snmptrap }) => {
  await using service = await startService({ plugins: [snmp] });
  const typed = [["F", "3.25"], ["D", "-1e100"], ["I", "-9000000000"], ["U", "9000000000"]];
  const bindings = typed.flatMap(([letter = "", value = ""]) => ["1.3.6.1.4.1.1", letter, value]);
  await runOk(snmptrap, ["-v2c", "-c", "x", target(service), "", UP, ...bindings], { env: ENV });
  const read = values(await waitForTrap(service));
  assertEquals(read.map(({ type, binary, wrapped }) => [type, binary, wrapped]), [
    ["Opaque", true, { type: "Float", value: "3.25" }],
    ["Opaque", true, { type: "Double", value: "-1e+100" }],
    ["Opaque", true, { type: "Integer64", value: "-9000000000" }],
    ["Opaque", true, { type: "Unsigned64", value: "9000000000" }],
  ]);
});

clientTest("snmptrap sends a v1 trap, generic and specific", ["snmptrap"], async ({ snmptrap }) => {
  await using service = await startService({ plugins: [snmp] });
  const enterprise = "1.3.6.1.4.1.8072.3.2.10";
  const send = async (trap: readonly string[]): Promise<CapturedEvent<SnmpTrap>> => {
    const after = service.events.list({})[0];
    const args = ["-v1", "-c", "public", target(service), enterprise, "192.0.2.7", ...trap];
    await runOk(snmptrap, args, { env: ENV });
    return await service.waitFor<SnmpTrap>("snmp.trap", after === undefined ? {} : { after });
  };
  const specific = await send(["6", "99", "12345", "1.3.6.1.2.1.2.2.1.1.2", "i", "2"]);
  assertEquals(specific.payload.v1, {
    enterprise_oid: enterprise,
    enterprise_name: "netSnmpAgentOIDs.linux",
    agent_address: "192.0.2.7",
    generic_trap: 6,
    generic_trap_name: "enterpriseSpecific",
    specific_trap: 99,
    timestamp: 12345,
  });
  assertEquals([specific.payload.v2, specific.payload.request_id], [undefined, 0]);
  assertEquals(specific.payload.varbinds[0]?.name, "ifIndex.2");
  assertEquals(specific.summary, `v1 trap ${enterprise} 6/99 (1 varbinds)`);
  const generic = await send(["2", "0", "1"]);
  assertEquals(generic.payload.v1?.generic_trap_name, "linkDown");
  assertEquals(generic.summary_parts.title, "linkDown");
});

clientTest(
  "snmpinform accepts the response as its confirmation",
  ["snmpinform"],
  async (programs) => {
    await using service = await startService({ plugins: [snmp] });
    const bindings = [...TYPES, ...BINARY].flatMap(([letter, typed]) => ["1.3.9.1", letter, typed]);
    const args = ["-v2c", "-r0", "-t5", "-c", "public", target(service), "", UP, ...bindings];
    const { code, stderr } = await runProgram(programs.snmpinform, args, { env: ENV });
    assertEquals([code, stderr], [0, ""]);
    const { payload } = await waitForTrap(service);
    assertEquals([payload.inform, payload.varbinds.length], [true, 14]);
  },
);

clientTest(
  "the snippets of net-snmp's programs run",
  ["sh", "snmptrap", "snmpinform"],
  async ({ sh }) => {
    await using service = await startService({ plugins: [snmp] });
    const shell = snippets(service.endpoint("trap")).filter(({ lang }) => lang === "sh");
    for (const { code } of shell) await runOk(sh, ["-c", code], { env: ENV });
    await service.waitFor<SnmpTrap>("snmp.trap", {
      match: ({ payload }) => payload.version === "1",
    });
    const events = service.events.list({}).toReversed() as CapturedEvent<SnmpTrap>[];
    assertEquals(events.map(({ payload }) => [payload.version, payload.inform]), [
      ["2c", false],
      ["2c", true],
      ["3", true],
      ["1", false],
    ]);
  },
);

Deno.test("the Node.js snippet runs", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService({ plugins: [snmp] });
  const snippet = snippets(service.endpoint("trap")).find(({ lang }) => lang === "js");
  const args = ["--input-type=module", "--eval", snippet?.code ?? ""];
  const { stdout } = await runOk(project.node, args, { cwd: project.folder });
  assertEquals(stdout.trim(), "confirmed");
  const { payload } = await waitForTrap(service);
  assertEquals([payload.inform, payload.v2?.trap_name], [true, "linkDown"]);
});
