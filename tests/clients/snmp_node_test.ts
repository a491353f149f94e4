/** The `net-snmp` package of npm, on Node. */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { requireNode, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

async function run(t: Deno.TestContext, service: TestService, code: string) {
  const project = await requireNode(t);
  if (project === undefined) return undefined;
  const script = `import snmp from "net-snmp";
const { ObjectType } = snmp;
const open = (version) =>
  snmp.createSession("127.0.0.1", "node", {
    trapPort: ${service.endpoint("trap").port}, version, retries: 0, timeout: 5000,
  });
const done = (session, method, args) => new Promise((resolve) => {
  session[method](...args, (error) => { resolve(error ? String(error) : "ok"); session.close(); });
});
${code}`;
  const args = ["--input-type=module", "--eval", script];
  const { stdout } = await runOk(project.node, args, { cwd: project.folder });
  return JSON.parse(stdout);
}

Deno.test("net-snmp from npm sends traps of both versions, and every type", async (t) => {
  await using service = await startService({ plugins: [snmp] });
  const answers = await run(
    t,
    service,
    `const oid = "1.3.6.1.4.1.2000.1";
const varbinds = [
  { oid, type: ObjectType.Integer, value: -5 },
  { oid, type: ObjectType.OctetString, value: "Ärger" },
  { oid, type: ObjectType.OctetString, value: Buffer.from([0, 255]) },
  { oid, type: ObjectType.OID, value: "1.3.6.1.4.1.2000" },
  { oid, type: ObjectType.IpAddress, value: "192.0.2.1" },
  { oid, type: ObjectType.Counter, value: 4294967295 },
  { oid, type: ObjectType.Gauge, value: 7 },
  { oid, type: ObjectType.TimeTicks, value: 100 },
  { oid, type: ObjectType.Opaque, value: Buffer.from([1, 2]) },
  { oid, type: ObjectType.Counter64, value: Buffer.from("ffffffffffffffff", "hex") },
];
console.log(JSON.stringify([
  await done(open(snmp.Version2c), "trap", ["1.3.6.1.4.1.2000.0.1", varbinds]),
  await done(open(snmp.Version1), "trap", [snmp.TrapType.LinkUp, varbinds.slice(0, 1), "192.0.2.9"]),
]));`,
  );
  if (answers === undefined) return;
  assertEquals(answers, ["ok", "ok"]);
  await service.waitFor("snmp.trap", {
    match: ({ payload }) => (payload as SnmpTrap).version === "1",
  });
  const [v1, v2] = service.events.list({}) as CapturedEvent<SnmpTrap>[];
  assertEquals(v2!.payload.v2?.trap_oid, "1.3.6.1.4.1.2000.0.1");
  assertEquals(v2!.payload.community, "node");
  assertEquals(
    v2!.payload.varbinds.slice(2).map(({ type, value, binary }) => [type, value, binary]),
    [
      ["Integer", "-5", false],
      ["OctetString", "Ärger", false],
      ["OctetString", "00ff", true],
      ["ObjectIdentifier", "1.3.6.1.4.1.2000", false],
      ["IPAddress", "192.0.2.1", false],
      ["Counter32", "4294967295", false],
      ["Gauge32", "7", false],
      ["TimeTicks", "100", false],
      ["Opaque", "0102", true],
      ["Counter64", "18446744073709551615", false],
    ],
  );
  assertEquals(v1!.payload.v1?.generic_trap_name, "linkUp");
  assertEquals(v1!.payload.v1?.agent_address, "192.0.2.9");
});

Deno.test("net-snmp from npm has every one of 200 informs confirmed", async (t) => {
  await using service = await startService({ plugins: [snmp] });
  const answers = await run(
    t,
    service,
    `const session = open(snmp.Version2c);
const inform = () => new Promise((resolve) =>
  session.inform(snmp.TrapType.ColdStart, (error) => resolve(error ? String(error) : "ok")));
const answers = await Promise.all(Array.from({ length: 200 }, inform));
session.close();
console.log(JSON.stringify(answers));`,
  );
  if (answers === undefined) return;
  assertEquals(answers, Array(200).fill("ok"));
  const events = service.events.list({}) as CapturedEvent<SnmpTrap>[];
  assertEquals(new Set(events.map(({ payload }) => payload.request_id)).size, 200);
});
