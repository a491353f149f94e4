/** The pysnmp package of Python. */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("pysnmp sends traps of both versions, and has its inform confirmed", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [snmp] });
  const script = new URL("python/snmp_traps.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, `${service.endpoint("trap").port}`]);
  assertEquals(JSON.parse(stdout), ["None", 0, 13]);
  await service.waitFor("snmp.trap", { match: ({ payload }) => (payload as SnmpTrap).inform });
  const [inform, v2, v1] = service.events.list({}) as CapturedEvent<SnmpTrap>[];
  assertEquals(v1!.payload.v1?.generic_trap_name, "warmStart");
  assertEquals([inform!.payload.inform, inform!.payload.community], [true, "py"]);
  for (const { payload } of [inform!, v2!]) {
    assertEquals(payload.v2?.trap_name, "warmStart");
    assertEquals(payload.varbinds.slice(2).map(({ type, value }) => [type, value]), [
      ["Integer", "-1"],
      ["OctetString", "Grüße"],
      ["OctetString", "00ff"],
      ["ObjectIdentifier", "1.3.6.1.4.1.20408.4294967295"],
      ["IPAddress", "192.0.2.3"],
      ["Counter32", "4294967295"],
      ["Gauge32", "4294967295"],
      ["Gauge32", "9"],
      ["TimeTicks", "4294967295"],
      ["Opaque", "9f780440490fdb"],
      ["Counter64", "18446744073709551615"],
    ]);
    assertEquals(payload.varbinds[11]?.wrapped, { type: "Float", value: "3.141593" });
  }
});
