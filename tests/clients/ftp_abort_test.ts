/**
 * Transfers aborted by real clients: ABOR after a telnet Synch (RFC 959 section 4.1.3, RFC 854), as
 * Ctrl-C sends it.
 */
import { assertEquals } from "@std/assert";
import { clientTest, runOk } from "../support/clients.ts";
import { DRIVERS } from "../support/drivers/mod.ts";
import { content, noise, paths, scratch, startFiles } from "../support/files.ts";
import type { TestService } from "../support/service.ts";

const script = (path: string): string => new URL(path, import.meta.url).pathname;

/** A file too large for any socket buffer, a file to append to, and a directory with a long listing. */
async function fill(service: TestService): Promise<void> {
  await using client = await DRIVERS.find(({ id }) => id === "ftp")!.open(service);
  await client.put("/big", noise(32 * 1024 * 1024));
  await client.put("/old", noise(10));
  for (let i = 0; i < 100; i++) await client.put(`/many/${"n".repeat(100)}${i}`, noise(1));
}

/** Returns the files that `fill` did not create. */
async function others(service: TestService): Promise<readonly string[]> {
  const known = /^\/(big|old|many.*)$/;
  return (await paths(service)).filter((path) => !known.test(path));
}

async function addressOf(service: TestService): Promise<readonly [string, string]> {
  await fill(service);
  const { hostname, port } = service.endpoint("ftp");
  return [hostname, String(port)];
}

clientTest(
  "an ABOR is recognized whichever bytes before it are urgent, and so are urgent STAT and QUIT",
  ["python3"],
  async ({ python3 }) => {
    await using service = await startFiles();
    const at = await addressOf(service);
    const { stdout } = await runOk(python3, [script("python/ftp_urgent.py"), ...at]);
    const { synchs, statuses }: {
      synchs: Record<string, Record<string, string>>;
      statuses: string;
    } = JSON.parse(stdout);
    for (const [synch, codes] of Object.entries(synchs)) {
      assertEquals(codes, {
        RETR: "150 426 226 200",
        LIST: "150 226 226 200",
        STOR: "150 426 226 200",
        APPE: "150 426 226 200",
        twice: "150 426 226 226 200",
      }, synch);
    }
    assertEquals(Object.keys(synchs).length, 7);
    assertEquals(statuses, "211 200 213 200 150 226 211 200 250 221");
    assertEquals(await others(service), []);
    assertEquals((await content(service, "/old")).length, 10);
  },
);

clientTest("Net::FTP aborts transfers and continues", ["perl"], async ({ perl }) => {
  await using service = await startFiles();
  const at = await addressOf(service);
  const { stdout } = await runOk(perl, [script("perl/ftp_abort.pl"), ...at]);
  assertEquals(stdout.trim().split("\n"), [
    "RETR 226 done /",
    "STOR 226 done /",
    "APPE 226 done /",
    "LIST 226 done /",
  ]);
  assertEquals(await others(service), []);
  assertEquals((await content(service, "/old")).length, 10);
});

for (const program of ["inetutils-ftp", "tnftp"] as const) {
  clientTest(`Ctrl-C in ${program} ends a transfer, not the session`, [program, "python3"], async (
    programs,
  ) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const wait = `while [ ! -e ${folder.path}/go ]; do sleep 0.05; done`;
    await writeScript(`${folder.path}/slow_in`, `${wait}\ncat > /dev/null`);
    await writeScript(`${folder.path}/slow_out`, `head -c 300000 /dev/zero\n${wait}`);
    const args = [
      script("python/ftp_interrupt.py"),
      programs[program],
      ...await addressOf(service),
    ];
    const { stdout } = await runOk(programs.python3, [...args, folder.path]);
    assertEquals(JSON.parse(stdout), {
      get: ["426", "226", "200"],
      // It sends no ABOR, but ends the data connection, which is also how a file ends.
      put: ["226", "200"],
      append: ["226", "200"],
      // Everything was sent before it is interrupted.
      ls: ["226", "226", "200"],
    });
    assertEquals(await others(service), ["/up"]);
  });
}

/** A program that Ctrl-C does not end. */
async function writeScript(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, `#!/bin/sh\ntrap "" INT\n${text}\n`, { mode: 0o755 });
}

clientTest("Ctrl-C in lftp ends a transfer, and nothing of it is kept", ["lftp", "python3"], async (
  { lftp, python3 },
) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await Deno.writeFile(`${folder.path}/big`, noise(8 * 1024 * 1024));
  const args = [script("python/lftp_interrupt.py"), lftp, ...await addressOf(service)];
  const { stdout } = await runOk(python3, [...args, `${folder.path}/big`]);
  assertEquals(JSON.parse(stdout), { get: ["426", "226", "200"], put: ["426", "226", "200"] });
  assertEquals(await others(service), []);
});
