import { assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram } from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
} from "../support/files.ts";

const TRUST = [
  ...["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"],
  ...["-o", "LogLevel=ERROR", "-o", "IdentityAgent=none", "-o", "ConnectTimeout=10"],
];
const MIB = 1024 * 1024;

clientTest("OpenSSH's sftp moves files, renames over them and ends", ["sftp"], async ({ sftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("sftp");
  const run = (...lines: string[]) =>
    runOk(sftp, ["-b", "-", "-P", String(port), ...TRUST, `ada@${hostname}`], {
      cwd: folder.path,
      stdin: `${lines.join("\n")}\n`,
    });
  for (const size of [0, 1, 32_768, 100_001, 8 * MIB]) {
    await Deno.writeFile(`${folder.path}/up`, noise(size, size + 1));
    await run("-mkdir size", `put up size/${size}`, `get size/${size} down`);
    assertEquals(await content(service, `/size/${size}`), noise(size, size + 1));
    assertEquals(await Deno.readFile(`${folder.path}/down`), noise(size, size + 1));
  }
  const listed = await run(
    "ls -l size",
    "df size",
    "pwd",
    "rename size/0 size/1",
    "rm size/32768",
    "mkdir e",
    "rmdir e",
  );
  assertMatch(listed.stdout, /-rw-rw-rw- .* 100001 .*100001$/m);
  assertEquals(await paths(service), ["/size", "/size/1", "/size/100001", "/size/8388608"]);
  assertEquals(operations(service).slice(-4), [
    "rename /size/0 /size/1",
    "delete /size/32768",
    "mkdir /e",
    "delete /e",
  ]);
  const event = fileEvents(service)[1]!;
  assertEquals([event.raw.transport, event.payload.user], ["ssh", "ada"]);
  assertEquals(event.meta.auth, { method: "none", user: "ada", accepted: true });
  assertMatch(String(event.meta.client_version), /OpenSSH/);
});

clientTest("scp copies trees there and back, and ends with status 0", ["scp"], async ({ scp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("sftp");
  const run = (...args: string[]) =>
    runOk(scp, ["-q", "-P", String(port), ...TRUST, ...args], { cwd: folder.path });
  await Deno.mkdir(`${folder.path}/up/sub`, { recursive: true });
  await Deno.writeFile(`${folder.path}/up/sub/long`, noise(300_000));
  await run("-r", "up", `ada@${hostname}:/there`);
  // Shorter than before: what was longer is cut by FSETSTAT alone.
  await Deno.writeFile(`${folder.path}/up/sub/long`, noise(1000));
  await run("-p", "up/sub/long", `ada@${hostname}:/there/sub/long`);
  assertEquals(await content(service, "/there/sub/long"), noise(1000));
  await run("-r", `ada@${hostname}:/there`, "down");
  assertEquals(await Deno.readFile(`${folder.path}/down/sub/long`), noise(1000));
  const old = await runProgram(scp, [
    "-O",
    "-P",
    String(port),
    ...TRUST,
    "up/sub/long",
    `ada@${hostname}:/x`,
  ], {
    cwd: folder.path,
  });
  assertEquals(old.code !== 0, true);
  assertMatch(service.rejected.list({})[0]?.reason ?? "", /Refused exec/);
});

clientTest(
  "a file over the limit is refused, and the session goes on",
  ["sftp"],
  async ({ sftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { hostname, port } = service.endpoint("sftp");
    await Deno.writeFile(`${folder.path}/big`, new Uint8Array());
    await Deno.truncate(`${folder.path}/big`, 64 * MIB + 1);
    await Deno.writeTextFile(`${folder.path}/small`, "small");
    await runOk(sftp, ["-b", "-", "-P", String(port), ...TRUST, `ada@${hostname}`], {
      cwd: folder.path,
      stdin: "-put big\nput small\n",
    });
    assertEquals(await content(service, "/small"), new TextEncoder().encode("small"));
  },
);

clientTest(
  "authorized keys admit their owner and nobody else",
  ["sftp", "ssh-keygen"],
  async (programs) => {
    await using folder = await scratch();
    for (const name of ["good", "bad"]) {
      await runOk(programs["ssh-keygen"], [
        "-q",
        "-t",
        "ed25519",
        "-N",
        "",
        "-f",
        `${folder.path}/${name}`,
      ]);
    }
    await using service = await startFiles({
      sftp: { authorized_keys: `${folder.path}/good.pub`, host_key_path: `${folder.path}/host` },
    });
    const { hostname, port } = service.endpoint("sftp");
    const login = (key: string) =>
      runProgram(programs.sftp, [
        ...[
          "-b",
          "-",
          "-P",
          String(port),
          "-i",
          `${folder.path}/${key}`,
          "-o",
          "IdentitiesOnly=yes",
        ],
        ...TRUST,
        `ada@${hostname}`,
      ], { stdin: "mkdir x\n" });
    assertEquals((await login("bad")).code !== 0, true);
    assertEquals(operations(service), []);
    assertMatch(service.rejected.list({})[0]?.reason ?? "", /Refused publickey of user "ada"/);
    assertEquals((await login("good")).code, 0);
    const { auth } = fileEvents(service)[0]!.meta as { auth: Record<string, unknown> };
    const shown = await runOk(programs["ssh-keygen"], ["-l", "-f", `${folder.path}/good.pub`]);
    assertEquals([auth.method, auth.fingerprint], ["publickey", shown.stdout.split(" ")[1]]);
    const host = await Deno.stat(`${folder.path}/host`);
    assertEquals((host.mode ?? 0) & 0o777, 0o600);
  },
);
