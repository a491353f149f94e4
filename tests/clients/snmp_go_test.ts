import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("gosnmp sends traps of both versions, and has its inform confirmed", async (t) => {
  const program = await requireGo(t, "snmp");
  if (program === undefined) return;
  await using service = await startService({ plugins: [snmp] });
  const { stdout } = await runOk(program, [`${service.endpoint("trap").port}`]);
  const RESPONSE = 0xa2;
  assertEquals(JSON.parse(stdout).at(-1), `${RESPONSE} 9 <nil>`);
  await service.waitFor("snmp.trap", { match: ({ payload }) => (payload as SnmpTrap).inform });
  const [inform, v2, v1] = service.events.list({}) as CapturedEvent<SnmpTrap>[];
  assertEquals(v1!.payload.v1, {
    enterprise_oid: "1.3.6.1.4.1.1",
    agent_address: "192.0.2.5",
    generic_trap: 6,
    generic_trap_name: "enterpriseSpecific",
    specific_trap: 7,
    timestamp: 300,
  });
  for (const { payload } of [inform!, v2!]) {
    assertEquals(payload.v2?.trap_name, "authenticationFailure");
    assertEquals(payload.varbinds.slice(2).map(({ type, value }) => [type, value]), [
      ["Integer", "-129"],
      ["OctetString", "grün"],
      ["OctetString", "00ff"],
      ["Counter32", "4294967295"],
      ["Counter64", "18446744073709551615"],
      ["IPAddress", "192.0.2.4"],
      ["Opaque", "9f780440500000"],
    ]);
    assertEquals(payload.varbinds[8]?.wrapped, { type: "Float", value: "3.25" });
  }
});
