/** Java: Apache Commons Net, sshj, Angus Mail and SNMP4J. */
import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { requireMaven, runOk } from "../support/clients.ts";
import { content, operations, startFiles } from "../support/files.ts";
import { startService } from "../support/service.ts";
import { attachmentBytes, mails, startSmtp } from "../support/smtp.ts";

/** Runs a source file, and returns the lines that it printed; nothing if Java or the packages are not available. */
async function run(
  t: Deno.TestContext,
  source: string,
  args: readonly (string | number)[],
): Promise<readonly string[] | undefined> {
  const project = await requireMaven(t, "protocols");
  if (project === undefined) return undefined;
  const { stdout } = await runOk(
    project.java,
    ["-cp", project.classPath, `${project.folder}${source}`, ...args.map(String)],
    { timeoutMs: 120_000 },
  );
  return stdout.trim().split("\n");
}

Deno.test("Apache Commons Net and sshj move files over FTP, FTP within TLS, SFTP and TFTP", async (t) => {
  await using service = await startFiles({ ftp: { tls: true } });
  const ports = ["ftp", "sftp", "tftp"].map((name) => service.endpoint(name).port);
  const lines = await run(t, "Files.java", ["127.0.0.1", ...ports]);
  if (lines === undefined) return;
  const ftp = "true 20200102030405 300010 b 300010 true 10";
  assertEquals(lines, [
    ...["clear", "tls"].map((name) => `${name} ${ftp} [${name}/b] true false 550`),
    "sftp true 1 300000",
    "tftp 300000 true",
  ]);
  assertEquals(operations(service).filter((one) => !one.startsWith("upload")), [
    ...["mkdir /clear", "rename /clear.ä /clear/b", "mkdir /tls", "rename /tls.ä /tls/b"],
    ...["mkdir /sshj", "rename /sshj.part /sshj/done"],
  ]);
  // In netascii (RFC 764), which the client writes.
  assertEquals(new TextDecoder().decode(await content(service, "/lines.tftp")), "a\nb\n");
});

for (const starttls of [false, true]) {
  const how = starttls ? "within TLS" : "in the clear";
  Deno.test(`Angus Mail sends ${how}, with every authentication`, async (t) => {
    await using service = await startSmtp({ starttls });
    const { hostname, port } = service.endpoint("smtp");
    const mechanisms = ["none", "PLAIN", "LOGIN"];
    const ids = await run(t, "Smtp.java", [hostname, port, ...mechanisms]);
    if (ids === undefined) return;
    const events = mails(service);
    assertEquals(
      events.map(({ payload: { subject, headers }, meta: { auth, tls } }) => [
        ...[subject, auth, tls, headers?.["Message-ID"]],
      ]),
      mechanisms.map((mechanism, index) => [
        `Grüße: ${mechanism}`,
        mechanism === "none" ? undefined : { mechanism, username: "ada", password: "x" },
        starttls || undefined,
        [ids[index]],
      ]),
    );
    const [event] = events;
    assert(event !== undefined, "no event");
    const { payload } = event;
    assertEquals(payload.from, { email: "ada@example.com", name: "Ada Lovelace" });
    assertEquals(payload.to, [{ email: "bób@example.com" }, { email: "carol@example.com" }]);
    assertEquals(payload.bcc, [{ email: "hidden@example.com" }]);
    assertEquals(payload.text, "Hällo\n.dot\n");
    assertEquals(payload.attachments?.map(({ filename }) => filename), ["ä.bin"]);
    assertEquals(await attachmentBytes(service, event, 0), Uint8Array.of(0, 0xff, 13, 10));
  });
}

Deno.test("SNMP4J sends traps of each version, and has its informs confirmed", async (t) => {
  await using service = await startService({ plugins: [snmp] });
  const lines = await run(t, "Snmp.java", ["127.0.0.1", service.endpoint("trap").port]);
  if (lines === undefined) return;
  assertEquals(lines, ["0 3", "0 3"]);
  const events = (service.events.list({}) as CapturedEvent<SnmpTrap>[]).toReversed();
  assertEquals(
    events.map(({ payload }) => [payload.version, payload.inform, payload.v2?.trap_name]),
    [
      ["1", false, undefined],
      ["2c", false, "linkUp"],
      ["2c", true, "linkUp"],
      ["3", true, "linkUp"],
    ],
  );
  assertEquals(events[0]!.payload.v1?.specific_trap, 3);
});
