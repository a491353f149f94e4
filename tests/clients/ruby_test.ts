/** Ruby: Net::FTP and Net::SMTP of its standard library, and the Debian packages of the others. */
import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import type { SnmpTrap } from "../../plugins/snmp/model.ts";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { content, operations, paths, scratch, startFiles } from "../support/files.ts";
import { startStore } from "../support/s3.ts";
import { startService } from "../support/service.ts";
import { attachmentBytes, mails, startSmtp } from "../support/smtp.ts";

/** Runs a script, and returns what it printed. */
async function call(ruby: string, script: string, ...args: readonly string[]): Promise<unknown> {
  const path = new URL(`ruby/${script}`, import.meta.url).pathname;
  const { stdout } = await runOk(ruby, [path, ...args]);
  return JSON.parse(stdout);
}

/** Skips a test without the library of a Debian package. */
async function lacks(
  t: Deno.TestContext,
  { ruby, library, name }: {
    readonly ruby: string;
    readonly library: string;
    readonly name: string;
  },
): Promise<boolean> {
  const { code } = await runProgram(ruby, ["-e", `require "${library}"`]);
  if (code !== 0) skipTest(t, name, "is not installed");
  return code !== 0;
}

clientTest(
  "Ruby's Net::FTP stores, resumes, lists, and gets a status",
  ["ruby"],
  async ({ ruby }) => {
    await using service = await startFiles();
    const { hostname, port } = service.endpoint("ftp");
    assertEquals(await call(ruby, "ftp.rb", hostname, String(port)), {
      nlst: ["box/ü.bin"],
      size: 10,
      mlsd: [["ü.bin", 10]],
      got: "0123456789",
      status: ["211"],
      status_of: "213-",
      pwd: "/",
      resumed: "0123456789ABC",
      missing: "550",
      active: ["box", "active.txt"],
    });
    assertEquals(await paths(service), ["/active.txt", "/box", "/box/ü.bin"]);
    assertEquals(new TextDecoder().decode(await content(service, "/active.txt")), "one\r\ntwo\r\n");
    assertEquals(operations(service).slice(0, 3), [
      "upload /ü.bin",
      "mkdir /box",
      "rename /ü.bin /box/ü.bin",
    ]);
  },
);

for (const starttls of [false, true]) {
  const how = starttls ? "within TLS" : "in the clear";
  clientTest(`Ruby's mail package sends ${how}, with every authentication`, ["ruby"], async (
    { ruby },
    t,
  ) => {
    if (await lacks(t, { ruby, library: "mail", name: "ruby-mail" })) return;
    await using service = await startSmtp({ starttls });
    const { hostname, port } = service.endpoint("smtp");
    assertEquals(await call(ruby, "mail.rb", hostname, String(port)), {});
    const events = mails(service);
    assertEquals(
      events.map(({ payload: { subject }, meta: { auth, tls } }) => [subject, auth, tls]),
      [
        ["Grüße: none", undefined, starttls || undefined],
        ...["PLAIN", "LOGIN"].map((mechanism) => [
          `Grüße: ${mechanism.toLowerCase()}`,
          { mechanism, username: "ada", password: "x" },
          starttls || undefined,
        ]),
      ],
    );
    const [event] = events;
    assert(event !== undefined, "no event");
    const { payload } = event;
    assertEquals(payload.from, { email: "ada@example.com", name: "Ada Lovelace" });
    assertEquals(payload.to, [{ email: "bob@example.com", name: "Bób" }]);
    assertEquals(payload.bcc, [{ email: "hidden@example.com" }]);
    // It encodes the CR of each line end, as `=0D`, and adds a line end.
    assertEquals([payload.text, payload.html], ["Hällo\r\n.dot\r\n", "<b>Hällo</b>"]);
    const attached = payload.attachments?.map(({ filename, size }) => [filename, size]);
    assertEquals(attached, [["ä.bin", 200]]);
    const bytes = await attachmentBytes(service, event, 0);
    assertEquals(bytes.slice(0, 2), Uint8Array.of(0, 0xff));
  });
}

clientTest("Ruby's aws-sdk-s3 makes every call", ["ruby"], async ({ ruby }, t) => {
  if (await lacks(t, { ruby, library: "aws-sdk-s3", name: "ruby-aws-sdk-s3" })) return;
  await using store = await startStore({ buckets: [] });
  assertEquals(await call(ruby, "s3.rb", store.service.endpoint("http").url), {
    head: [5, { x: "1" }],
    tags: [["a", "1"], ["b", "2"]],
    sha256: "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
    range: "ell",
    list: [["a b/"], ["copy", "sums"]],
    sizes: [12_000_000, 12_000_000, 12_000_000],
    presigned: ["200", "x/y", "hello"],
    posted: "201",
    versions: [2, 1],
    missing: "NoSuchKey",
    buckets: [],
  });
});

clientTest("Ruby's net-sftp stores a file and a folder", ["ruby"], async ({ ruby }, t) => {
  if (await lacks(t, { ruby, library: "net/sftp", name: "ruby-net-sftp" })) return;
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("sftp");
  assertEquals(await call(ruby, "sftp.rb", hostname, String(port), folder.path), {
    tree: ["x", "x/1"],
    size: 300_000,
    same: true,
    missing: 2,
  });
  assertEquals(await paths(service), ["/box", "/box/big", "/up", "/up/x", "/up/x/1"]);
});

clientTest("Ruby's snmp package sends traps, and has its inform confirmed", ["ruby"], async (
  { ruby },
  t,
) => {
  if (await lacks(t, { ruby, library: "snmp", name: "ruby-snmp" })) return;
  await using service = await startService({ plugins: [snmp] });
  assertEquals(await call(ruby, "snmp.rb", String(service.endpoint("trap").port)), "noError");
  await service.waitFor("snmp.trap", { match: ({ payload }) => (payload as SnmpTrap).inform });
  const events = (service.events.list({}) as CapturedEvent<SnmpTrap>[]).toReversed();
  assertEquals(
    events.map(({ payload: { version, community, varbinds } }) => [
      version,
      community,
      varbinds.at(-1)?.value,
    ]),
    [["1", "rb", "Grüße"], ["2c", "rb", "Grüße"], ["2c", "rb", "Grüße"]],
  );
});
