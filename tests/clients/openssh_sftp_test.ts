import { assert, assertEquals, assertMatch } from "@std/assert";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
} from "../support/files.ts";
import { sftpDriver } from "../support/drivers/sftp.ts";
import { assertBytes, assertMoved, assertNothingKept, tooLarge } from "../support/real_client.ts";

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
  for (const size of [0, 1, 32_768, 100_001, 64 * MIB]) {
    const bytes = noise(size, size + 1);
    await Deno.writeFile(`${folder.path}/up`, bytes);
    await run("-mkdir size", `put up size/${size}`, `get size/${size} down`);
    assertBytes(await content(service, `/size/${size}`), bytes, "The content");
    assertBytes(await Deno.readFile(`${folder.path}/down`), bytes, "The download");
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
  assertEquals(await paths(service), ["/size", "/size/1", "/size/100001", "/size/67108864"]);
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

clientTest(
  "OpenSSH's sftp copies within the tree, and cannot create links",
  ["sftp"],
  async ({ sftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    await Deno.writeFile(`${folder.path}/a`, noise(200_000));
    const { hostname, port } = service.endpoint("sftp");
    const { stderr } = await runOk(sftp, [
      ...["-b", "-", "-P", String(port), ...TRUST, `ada@${hostname}`],
    ], {
      cwd: folder.path,
      stdin:
        "put a a\ncp a b\n-ln a hard\n-ln -s a soft\nchmod 600 a\nchmod -h 600 a\nput -fp a c\n",
    });
    assertMatch(stderr, /hard.*\n.*soft|not support/s);
    assertBytes(await content(service, "/b"), noise(200_000), "The copy");
    assertEquals(await paths(service), ["/a", "/b", "/c"]);
    assertEquals(operations(service), ["upload /a", "upload /b", "upload /c"]);
  },
);

clientTest(
  "hostile paths of OpenSSH's sftp stay in the tree or are refused",
  ["sftp"],
  async ({ sftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    await Deno.writeFile(`${folder.path}/a`, noise(3));
    const { hostname, port } = service.endpoint("sftp");
    const refused = [
      "bell\x07",
      "n".repeat(256),
      "d/".repeat(33) + "f",
    ].map((name) => `-put a "${name}"`);
    await runOk(sftp, ["-b", "-", "-P", String(port), ...TRUST, `ada@${hostname}`], {
      cwd: folder.path,
      stdin: ["put a ../../../up", "put a 'x\\..\\..\\b'", ...refused, "get ../../up back", ""]
        .join("\n"),
    });
    assertEquals(await Deno.readFile(`${folder.path}/back`), noise(3));
    assertEquals(await paths(service), ["/b", "/up"]);
  },
);

clientTest(
  "scp reports a file over the limit, and leaves nothing when it is killed",
  ["scp"],
  async ({ scp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { hostname, port } = service.endpoint("sftp");
    const args = (from: string) => ["-P", String(port), ...TRUST, from, `ada@${hostname}:/big`];
    const { code, stderr } = await runProgram(scp, args(await tooLarge(folder.path)));
    assert(code !== 0, stderr);
    assertMatch(service.rejected.list({}).at(-1)?.reason ?? "", /at most 67108864/);
    await Deno.writeFile(`${folder.path}/slow`, noise(10_000_000));
    // 100 KB a second.
    const child = new Deno.Command(scp, {
      args: ["-vvv", "-l", "800", ...args(`${folder.path}/slow`)],
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let said = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      said += text;
      if (/In write loop, ack/.test(said)) break;
    }
    child.kill("SIGKILL");
    await child.status;
    await assertNothingKept(service);
  },
);

clientTest("the host key is generated once, and recognized later", ["sftp"], async ({ sftp }) => {
  await using folder = await scratch();
  const known = `${folder.path}/known_hosts`;
  const probe = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = probe.addr;
  probe.close();
  for (const checking of ["accept-new", "yes"]) {
    await using service = await startFiles({
      sftp: { port, host_key_path: `${folder.path}/host` },
    });
    await runOk(sftp, [
      ...["-b", "-", "-P", String(port), "-F", "none", "-o", "IdentityAgent=none"],
      ...["-o", `StrictHostKeyChecking=${checking}`, "-o", `UserKnownHostsFile=${known}`],
      "ada@127.0.0.1",
    ], { stdin: "mkdir made\n" });
    assertEquals(operations(service), ["mkdir /made"]);
  }
});

clientTest("OpenSSH's sftp resumes uploads and downloads", ["sftp"], async ({ sftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  const { hostname, port } = service.endpoint("sftp");
  const bytes = noise(300_000);
  await Deno.writeFile(`${folder.path}/f`, bytes.subarray(0, 100_000));
  const run = (...lines: string[]) =>
    runOk(sftp, ["-b", "-", "-P", String(port), ...TRUST, `ada@${hostname}`], {
      cwd: folder.path,
      stdin: `${lines.join("\n")}\n`,
    });
  await run("put f f");
  await Deno.writeFile(`${folder.path}/f`, bytes);
  await Deno.writeFile(`${folder.path}/down`, bytes.subarray(0, 70_000));
  await run("reput f f", "reget f down");
  assertBytes(await content(service, "/f"), bytes, "The content");
  assertBytes(await Deno.readFile(`${folder.path}/down`), bytes, "The download");
  assertEquals(operations(service), ["upload /f", "upload /f"]);
});

clientTest("curl moves files over SFTP, resumes and renames", ["curl"], async ({ curl }, t) => {
  const { stdout: version } = await runOk(curl, ["--version"]);
  if (!/ sftp /.test(version)) return skipTest(t, "curl", "has no SFTP");
  await using service = await startFiles();
  await using folder = await scratch();
  const { port } = service.endpoint("sftp");
  const url = `sftp://127.0.0.1:${port}`;
  const run = (...args: string[]) =>
    runOk(curl, ["--silent", "--show-error", "--insecure", "--user", "ada:s3cret", ...args]);
  await assertMoved(service, {
    put: (local, path) => run("-T", local, `${url}${path}`),
    get: (path, local) => run("-o", local, `${url}${path}`),
  }, { folder: folder.path });
  const bytes = noise(300_000);
  await Deno.writeFile(`${folder.path}/f`, bytes.subarray(0, 100_000));
  await run("-T", `${folder.path}/f`, `${url}/dir/f`, "--ftp-create-dirs");
  await Deno.writeFile(`${folder.path}/f`, bytes);
  await run("-C", "-", "-T", `${folder.path}/f`, `${url}/dir/f`);
  assertBytes(await content(service, "/dir/f"), bytes, "What was resumed");
  await run("-r", "1000-1999", "-o", `${folder.path}/part`, `${url}/dir/f`);
  assertBytes(await Deno.readFile(`${folder.path}/part`), bytes.slice(1000, 2000), "The range");
  const { stdout } = await run("-Q", "rename /dir/f /dir/g", `${url}/dir/`);
  assertMatch(stdout, /300000 .* g$/m);
});

clientTest(
  "scp copies trees in both directions, and ends with status 0",
  ["scp"],
  async ({ scp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    const { hostname, port } = service.endpoint("sftp");
    const run = (...args: string[]) =>
      runOk(scp, ["-q", "-P", String(port), ...TRUST, ...args], { cwd: folder.path });
    await Deno.mkdir(`${folder.path}/up/sub`, { recursive: true });
    await Deno.writeFile(`${folder.path}/up/sub/long`, noise(300_000));
    await run("-r", "up", `ada@${hostname}:/there`);
    // Shorter than before: only FSETSTAT truncates the rest.
    await Deno.writeFile(`${folder.path}/up/sub/long`, noise(1000));
    await run("-p", "up/sub/long", `ada@${hostname}:/there/sub/long`);
    assertEquals(await content(service, "/there/sub/long"), noise(1000));
    await run("-r", `ada@${hostname}:~ada/there`, "down");
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
  },
);

clientTest(
  "a file over the limit is refused, and the session continues",
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

clientTest("OpenSSH's sftp moves files with each cipher", ["sftp"], async (programs, t) => {
  for (
    const cipher of [
      ...["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes256-ctr"],
      "chacha20-poly1305@openssh.com",
    ]
  ) {
    await t.step(cipher, async () => {
      await using service = await startFiles();
      await using folder = await scratch();
      await Deno.writeFile(`${folder.path}/up`, noise(5 * MIB + 1));
      const { hostname, port } = service.endpoint("sftp");
      // Keys are exchanged after every megabyte, in the middle of a transfer.
      const { stderr } = await runOk(programs.sftp, [
        ...["-v", "-c", cipher, "-o", "RekeyLimit=1M", "-b", "-", "-P", String(port)],
        ...[...TRUST, `ada@${hostname}`],
      ], { cwd: folder.path, stdin: "put up up\nget up down\n" });
      assertMatch(stderr, new RegExp(`kex: server->client cipher: ${cipher} `));
      const exchanges = stderr.match(/SSH2_MSG_NEWKEYS received/g)?.length ?? 0;
      assertEquals(exchanges > 5, true, `${exchanges} key exchanges`);
      assertBytes(await Deno.readFile(`${folder.path}/down`), noise(5 * MIB + 1), "The download");
      assertEquals(service.rejected.list({}), []);
    });
  }
});

clientTest("OpenSSH's sftp may ask for compression", ["sftp"], async ({ sftp }) => {
  await using service = await startFiles();
  await using folder = await scratch();
  await Deno.writeFile(`${folder.path}/up`, noise(3 * MIB));
  const { hostname, port } = service.endpoint("sftp");
  // Keys are exchanged again, too.
  const more = ["-C", "-o", "RekeyLimit=1M"];
  await runOk(sftp, [...more, "-b", "-", "-P", String(port), ...TRUST, `ada@${hostname}`], {
    cwd: folder.path,
    stdin: "put up up\nget up down\n",
  });
  assertBytes(await Deno.readFile(`${folder.path}/down`), noise(3 * MIB), "The download");
  assertEquals(service.rejected.list({}), []);
});

clientTest(
  "OpenSSH's sftp says that there are too many connections",
  ["sftp"],
  async ({ sftp }) => {
    await using service = await startFiles({ sftp: { max_connections: 1 } });
    await using _first = await sftpDriver.open(service);
    const { hostname, port } = service.endpoint("sftp");
    // The first occurrence of an option counts.
    const { code, stderr } = await runProgram(sftp, [
      ...["-b", "-", "-P", String(port), "-o", "LogLevel=INFO", ...TRUST, `ada@${hostname}`],
    ], { stdin: "ls\n" });
    assertEquals(code, 255);
    assertMatch(stderr, /12: Too many connections, try again later/);
  },
);
