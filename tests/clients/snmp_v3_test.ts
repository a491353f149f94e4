/** Version 3 with the programs of net-snmp, as Debian ships them. */
import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { clientTest, requirePython, runOk, runProgram } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const ENV = { MIBS: "", SNMPCONFPATH: "/nonexistent", SNMP_PERSISTENT_DIR: "/tmp" };
const UP = "1.3.6.1.6.3.1.1.5.4";
const BINDING = ["1.3.6.1.4.1.8072.9999.1", "s", "disk full"];

const USERS = [
  {
    name: "ada",
    auth: "sha",
    auth_password: "analytical",
    priv: "aes",
    priv_password: "difference",
  },
  { name: "des", auth: "md5", auth_password: "analytical", priv: "des" },
  { name: "long", auth: "sha512", auth_password: "analytical", priv: "aes256" },
  { name: "plain", auth: "sha256", auth_password: "analytical" },
];

/** Levels as named by the programs, with their arguments. */
const SENDERS: readonly (readonly [level: string, ...args: string[]])[] = [
  ["noAuthNoPriv", "-u", "anybody"],
  ["authNoPriv", "-u", "plain", "-a", "SHA-256", "-A", "analytical"],
  ["authPriv", "-u", "ada", "-a", "SHA", "-A", "analytical", "-x", "AES", "-X", "difference"],
  ["authPriv", "-u", "des", "-a", "MD5", "-A", "analytical", "-x", "DES", "-X", "analytical"],
  [
    "authPriv",
    "-u",
    "long",
    "-a",
    "SHA-512",
    "-A",
    "analytical",
    "-x",
    "AES-256",
    "-X",
    "analytical",
  ],
];

function start(): Promise<TestService> {
  return startService({
    plugins: [snmp],
    config: { plugins: { snmp: { providers: { trap: { users: USERS } } } } },
  });
}

function argsFor(service: TestService, args: readonly string[], level: string): string[] {
  const { hostname, port } = service.endpoint("trap");
  const to = [`${hostname}:${port}`, "4711", UP, ...BINDING];
  return ["-v3", "-l", level, ...args, "-r", "0", "-t", "5", ...to];
}

function assertTrap({ payload }: CapturedEvent<SnmpTrap>, level: string, user: string): void {
  assertEquals(payload.decode_error, undefined);
  assertEquals([payload.version, payload.v2?.trap_name], ["3", "linkUp"]);
  assertEquals([payload.v3?.level, payload.v3?.user], [level, user]);
  assertEquals(payload.varbinds.at(-1)?.value, "disk full");
}

for (const program of ["snmptrap", "snmpinform"] as const) {
  clientTest(
    `${program} sends version 3 at every security level, and is answered`,
    [program],
    async (found) => {
      await using service = await start();
      for (const [level, ...args] of SENDERS) {
        const engine = program === "snmptrap" ? ["-e", "0x8000000001020304"] : [];
        await runOk(found[program]!, argsFor(service, [...engine, ...args], level), { env: ENV });
        const event = await service.waitFor<SnmpTrap>("snmp.trap");
        assertTrap(event, level, args[1]!);
        assertEquals(event.payload.inform, program === "snmpinform");
        service.events.delete(event.id);
      }
      // Discovery creates no event and no refusal.
      assertEquals([service.events.count(), service.rejected.list()], [0, []]);
    },
  );
}

clientTest("an unknown user and a wrong password are shown as such, and reported to the sender", [
  "snmpinform",
  "snmptrap",
], async ({ snmpinform, snmptrap }) => {
  await using service = await start();
  const wrong: readonly (readonly [args: string[], level: string, reason: RegExp, said: RegExp])[] =
    [
      [
        ["-u", "eve", "-a", "SHA", "-A", "analytical"],
        "authNoPriv",
        /unknown user "eve"/,
        /user name/i,
      ],
      [["-u", "ada", "-a", "SHA", "-A", "mechanical"], "authNoPriv", /not authenticated/, /auth/i],
      [
        ["-u", "plain", "-a", "SHA-256", "-A", "analytical", "-x", "AES", "-X", "analytical"],
        "authPriv",
        /"plain" has no priv/,
        /security level/i,
      ],
    ];
  for (const [args, level, reason, said] of wrong) {
    const { code, stderr } = await runProgram(snmpinform, argsFor(service, args, level), {
      env: ENV,
    });
    assertNotEquals(code, 0);
    assertMatch(stderr, said);
    const [event] = service.events.list({ plugin: "snmp" }) as CapturedEvent<SnmpTrap>[];
    assertMatch(event!.payload.decode_error!, reason);
    assertEquals(event!.payload.v3?.user, args[1]);
  }
  const trap = ["-e", "0x8000000001020304", "-u", "eve", "-a", "SHA", "-A", "analytical"];
  const before = service.events.count();
  await runOk(snmptrap, argsFor(service, trap, "authNoPriv"), { env: ENV });
  await service.waitFor("snmp.trap", { search: "eve" });
  assertEquals(service.events.count() >= before, true);
});

Deno.test("pysnmp sends an encrypted inform, and is answered with the status of a fault", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await start();
  const script = `
import asyncio, sys
from pysnmp.hlapi.v3arch.asyncio import *

async def main():
    error, status, _, _ = await send_notification(
        SnmpEngine(),
        UsmUserData("ada", "analytical", "difference",
                    authProtocol=usmHMACSHAAuthProtocol, privProtocol=usmAesCfb128Protocol),
        await UdpTransportTarget.create(("127.0.0.1", int(sys.argv[1])), timeout=5, retries=0),
        ContextData(contextName=b"rack"),
        "inform",
        NotificationType(ObjectIdentity("${UP}")),
    )
    print(error, int(status))

asyncio.run(main())
`;
  const run = async (): Promise<string> => {
    const args = ["-c", script, String(service.endpoint("trap").port)];
    return (await runOk(python, args)).stdout.trim();
  };
  assertEquals(await run(), "None 0");
  const [{ payload }] = service.events.list({ plugin: "snmp" }) as [CapturedEvent<SnmpTrap>];
  assertEquals([payload.v3?.level, payload.v3?.context, payload.inform], [
    "authPriv",
    "rack",
    true,
  ]);
  const response = await fetch(`${service.api.url}/api/v1/faults`, {
    method: "POST",
    body: JSON.stringify({ on: "snmp/trap", outcome: "no_access" }),
  });
  assertEquals(response.status, 201, await response.text());
  assertEquals(await run(), "None 6");
  assertEquals(service.events.count(), 1);
});
