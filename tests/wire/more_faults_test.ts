/** Faults of protocols whose answers are short: HL7 over MLLP and SNMP. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import snmp from "net-snmp";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { snmp as snmpPlugin } from "../../plugins/snmp/mod.ts";
import { startService, type TestService } from "../support/service.ts";

const MESSAGE = "MSH|^~\\&|LAB|A|EHR|B|20260101||ORU^R01|C1|P|2.5\rPID|1||42\r";

/**
 * Returns the acknowledgement of a message; `undefined` at the end of the stream or after a
 * silence.
 */
async function send(service: TestService, waitMs = 5000): Promise<string> {
  const { port } = service.endpoint("mllp");
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  await conn.write(new TextEncoder().encode(`\x0b${MESSAGE}\x1c\r`));
  const buffer = new Uint8Array(4096);
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), waitMs);
  const reading = conn.read(buffer).catch(() => null);
  const count = await Promise.race([reading, late.promise]);
  clearTimeout(timer);
  return count === null ? "" : new TextDecoder().decode(buffer.subarray(0, count));
}

Deno.test("an HL7 receiver answers with an error, rejects, stays silent, or acknowledges another message", async () => {
  await using service = await startService({ plugins: [hl7] });
  const on = "hl7/mllp";
  const match = { "header.control_id": "C1" };
  for (const [outcome, msa] of [["error", "MSA|AE|C1"], ["reject", "MSA|AR|C1"]] as const) {
    using _ = await service.fault({ on, outcome, match });
    assertStringIncludes(await send(service), msa);
  }
  assertEquals(service.events.count(), 0);
  {
    using _ = await service.fault({ on, outcome: "wrong_control_id", match });
    assertStringIncludes(await send(service), "MSA|AA|WRONG");
    assertEquals(service.events.list({})[0]?.meta.fault, "wrong_control_id");
  }
  {
    using _ = await service.fault({ on, outcome: "error", after: true });
    assertStringIncludes(await send(service), "MSA|AE|C1");
    assertEquals(service.events.count(), 2);
  }
  {
    using fault = await service.fault({ on, outcome: "silent" });
    assertEquals([await send(service, 200), fault.hits], ["", 1]);
  }
  {
    using _ = await service.fault({ on, outcome: "close" });
    assertEquals(await send(service), "");
  }
  assertStringIncludes(await send(service), "MSA|AA|C1");
  const reasons = service.rejected.list().map(({ reason }) => reason).reverse();
  assertEquals(reasons, [
    'fault "error": error',
    'fault "reject": reject',
    'fault "silent": silent',
    'fault "close": close',
  ]);
});

Deno.test("an inform is answered with an error, or not at all", async () => {
  await using service = await startService({ plugins: [snmpPlugin] });
  const { port } = service.endpoint("trap");
  const inform = async (): Promise<string> => {
    const session = snmp.createSession("127.0.0.1", "public", {
      version: snmp.Version2c,
      trapPort: port,
      retries: 0,
      timeout: 500,
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    session.inform("1.3.6.1.6.3.1.1.5.1", (error: Error | null) => {
      resolve(error === null ? "answered" : error.message);
    });
    const answer = await promise;
    session.close();
    return answer;
  };
  const outcomes = ["generic_error", "no_access", "drop"];
  const fault = await service.fault({ on: "snmp/trap", outcome: outcomes });
  assertMatch(await inform(), /^GeneralError/);
  assertMatch(await inform(), /^NoAccess/);
  assertMatch(await inform(), /timed out/i);
  assertEquals([await inform(), fault.hits, service.events.count()], ["answered", 3, 1]);
  await service.fault({ on: "snmp/trap", outcome: "no_access", after: true });
  assertMatch(await inform(), /^NoAccess/);
  assertEquals(service.events.list({})[0]?.meta.fault, "no_access");
});
