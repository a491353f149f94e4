/** Instances that share the file tree over NATS: one writes it, and the others pass their clients on. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { findProgram, runOk, runProgram, skipTest } from "../support/clients.ts";
import {
  content,
  fileEvents,
  noise,
  operations,
  paths,
  scratch,
  startFiles,
  until,
} from "../support/files.ts";
import { FtpClient } from "../support/ftp.ts";
import { type Nats, requireNats } from "../support/nats.ts";
import { type Instance, Team } from "../support/nats_team.ts";
import { TAKE_OVER_MS, writerOf } from "../support/nats_tree.ts";
import { NfsClient, NfsRefusal, UNSTABLE } from "../support/nfs.ts";
import { runToEnd } from "../cli/console.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import type { TestService } from "../support/service.ts";

const QUIET = ["--silent", "--show-error", "--noproxy", "*"];
const TRUST = [
  ...["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"],
  ...["-o", "LogLevel=ERROR", "-o", "IdentityAgent=none", "-o", "ConnectTimeout=10"],
];

function startShared(
  { servers }: Nats,
  { providers = {}, more = {} }: {
    providers?: Readonly<Record<string, unknown>>;
    more?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<TestService> {
  const storage = { events: "nats", nats: { servers, prefix: "tree" } };
  return startFiles(providers, { storage, ...more });
}

interface Client {
  readonly title: string;
  readonly programs: readonly string[];
  put(at: TestService, file: string, path: string): Promise<void>;
  get(at: TestService, path: string, file: string): Promise<void>;
}

function nfsUrl(service: TestService, path: string): string {
  const { port } = service.endpoint("nfs");
  return `nfs://127.0.0.1/${path}?version=3&nfsport=${port}&mountport=${port}`;
}

function ftpUrl(service: TestService, path: string): string {
  return `ftp://ada:x@127.0.0.1:${service.endpoint("ftp").port}${path}`;
}

async function sftp(service: TestService, ...lines: string[]): Promise<void> {
  const port = String(service.endpoint("sftp").port);
  await runOk("sftp", ["-b", "-", "-P", port, ...TRUST, "ada@127.0.0.1"], {
    stdin: `${lines.join("\n")}\n`,
  });
}

const CLIENTS: readonly Client[] = [
  {
    title: "curl over FTP, passive",
    programs: ["curl"],
    put: async (at, file, path) =>
      void await runOk("curl", [...QUIET, "-T", file, ftpUrl(at, path)]),
    get: async (at, path, file) =>
      void await runOk("curl", [...QUIET, "-o", file, ftpUrl(at, path)]),
  },
  {
    title: "curl over FTP, active",
    programs: ["curl"],
    put: async (at, file, path) =>
      void await runOk("curl", [...QUIET, "-P", "127.0.0.1", "-T", file, ftpUrl(at, path)]),
    get: async (at, path, file) =>
      void await runOk("curl", [...QUIET, "-P", "127.0.0.1", "-o", file, ftpUrl(at, path)]),
  },
  {
    title: "OpenSSH's sftp",
    programs: ["sftp"],
    put: (at, file, path) => sftp(at, `put ${file} ${path}`),
    get: (at, path, file) => sftp(at, `get ${path} ${file}`),
  },
  {
    title: "nfs-cp of libnfs",
    programs: ["nfs-cp"],
    put: async (at, file, path) => void await runOk("nfs-cp", [file, nfsUrl(at, path)]),
    get: async (at, path, file) => void await runOk("nfs-cp", [nfsUrl(at, path), file]),
  },
];

Deno.test("clients of every instance use one tree", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using folder = await scratch();
  await using one = await startShared(nats);
  await using two = await startShared(nats);
  const [up, down] = [`${folder.path}/up`, `${folder.path}/down`];

  for (const [index, { title, programs, put, get }] of CLIENTS.entries()) {
    await t.step(title, async (t) => {
      const missing = programs.find((program) => findProgram(program) === undefined);
      if (missing !== undefined) return skipTest(t, missing, "is not installed");
      for (const [turn, size] of [0, 1, 131_073, 3_000_000].entries()) {
        const bytes = noise(size, size + 1);
        const [from, to] = turn % 2 === 0 ? [two, one] : [one, two];
        await Deno.writeFile(up, bytes);
        await put(from, up, `/${index}-${size}`);
        await until(async () => (await paths(to)).includes(`/${index}-${size}`));
        assertEquals(await content(to, `/${index}-${size}`), bytes, `${size} bytes, the API`);
        await Deno.remove(down).catch(() => {});
        await get(to, `/${index}-${size}`, down);
        assertEquals(await Deno.readFile(down), bytes, `${size} bytes`);
      }
      const uploads = [0, 1, 131_073, 3_000_000].map((size) => `upload /${index}-${size}`);
      await one.getJson("/events");
      await two.getJson("/events");
      assertEquals(operations(one).slice(-4), uploads);
      assertEquals(operations(two), operations(one));
    });
  }

  await t.step(
    "an event has its client's address, whichever instance it connected to",
    async () => {
      for (const service of [one, two]) {
        await using client = await FtpClient.open(service);
        assertMatch(await client.put("STOR /peer", noise(10)), /^226 /);
        const [local = ""] = /127\.0\.0\.1:\d+/.exec(client.local) ?? [];
        assertEquals(fileEvents(service).at(-1)?.payload.peer, local);
      }
    },
  );

  await t.step("a rename is visible everywhere at once", async () => {
    await using first = await FtpClient.open(one);
    await using second = await FtpClient.open(two);
    await first.play("MKD /dir", /^257 /, "RNFR /peer", /^350 /, "RNTO /dir/moved", /^250 /);
    await second.play("SIZE /dir/moved", /^213 10$/, "MFMT 20010203040506 /dir/moved", /^213 /);
    for (const service of [one, two]) {
      const stat = await service.getJson<{ mod_time: string }>("/files/stat/dir/moved");
      assertEquals(stat.mod_time, "2001-02-03T04:05:06.000Z");
    }
    await second.play("DELE /dir/moved", /^250 /);
    await one.getJson("/files/stat/dir/moved", 404);
    assertEquals(operations(one).slice(-3), [
      ...["mkdir /dir", "rename /peer /dir/moved", "delete /dir/moved"],
    ]);
  });

  await t.step(
    "TFTP is refused on instances without the tree, with the address of the one that has it",
    async () => {
      const holder = one.endpoint("tftp").port;
      const bytes = noise(1000);
      await Deno.writeFile(up, bytes);
      if (findProgram("curl") === undefined) return;
      const url = (service: TestService) => `tftp://127.0.0.1:${service.endpoint("tftp").port}/t`;
      await runOk("curl", [...QUIET, "-T", up, url(one)]);
      assertEquals(await content(two, "/t"), bytes);
      const { code, stderr } = await runProgram("curl", [...QUIET, "-v", "-o", down, url(two)]);
      assert(code !== 0);
      assertStringIncludes(stderr, `files/tftp ${holder}`);
    },
  );

  await t.step("the API changes the tree on every instance", async () => {
    for (const service of [two, one]) {
      const url = `${service.api.url}/api/v1/files/content`;
      await using client = await FtpClient.open(one);
      await client.play("MKD /gone/deep", /^257 /);
      const refused = await fetch(`${url}/gone`, { method: "DELETE" });
      assertEquals(refused.status, 409);
      await refused.body?.cancel();
      assertEquals((await fetch(`${url}/gone?recursive=1`, { method: "DELETE" })).status, 204);
      await two.getJson("/files/stat/gone", 404);
      await two.getJson("/events");
      const last = fileEvents(two).at(-1)!;
      assertEquals([last.payload.provider, last.payload.operation], ["api", "delete"]);
    }
    await two.reset();
    assertEquals(await paths(one), []);
  });
});

Deno.test("a suspended instance writes nothing when it resumes", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using team = await Team.start(nats, { count: 2, replicas: 1 });
  const first = await writerOf(team);
  const old = team.instances[first]!;
  const other = team.instances[1 - first]!;
  await using session = await FtpClient.open(old);
  assertMatch(await session.put("STOR /kept", noise(10)), /^226 /);
  // Its bytes are there, and its end comes when another one writes.
  await using data = await session.data();
  await session.play("STOR /late", /^150 /);
  await data.write(noise(20));
  Deno.kill(old.program.pid, "SIGSTOP");
  try {
    await data[Symbol.asyncDispose]();
    await session.talk.send("DELE /kept\r\n");
    await until(async () => await writerOf(team, { except: old }) === 1 - first, TAKE_OVER_MS);
    await using client = await FtpClient.open(other);
    assertMatch(await client.put("STOR /new", noise(30)), /^226 /);
  } finally {
    Deno.kill(old.program.pid, "SIGCONT");
  }
  const replies = await restOf(session);
  assertEquals(replies.filter((line) => /^2/.test(line)), []);
  await until(async () => (await writersSeenBy(old))[0]?.at === "elsewhere");
  for (const { program } of team.running) {
    const response = await fetch(`${program.urls.api}/api/v1/files/tree?recursive=1`);
    const { entries } = await response.json() as { entries: { path: string }[] };
    assertEquals(entries.map(({ path }) => path).sort(), ["/kept", "/new"]);
  }
  await using again = await FtpClient.open(old);
  await again.play("SIZE /new", /^213 30$/, "DELE /new", /^250 /);
});

/** Lines until the connection ends. */
async function restOf(client: FtpClient): Promise<readonly string[]> {
  const lines: string[] = [];
  try {
    for (let more = await client.reply(); more.length > 0; more = await client.reply()) {
      lines.push(...more);
    }
  } catch {
    // It was cut.
  }
  return lines;
}

async function writersSeenBy({ program }: Instance): Promise<readonly { at: string }[]> {
  const response = await fetch(`${program.urls.api}/api/v1/ready`);
  return (await response.json()).writers;
}

Deno.test("the tree survives a restart of all instances and of the server", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  {
    await using one = await startShared(nats);
    await using client = await FtpClient.open(one);
    await client.play("MKD /d", /^257 /);
    for (let n = 0; n < 1200; n++) await client.play(`MFMT 2001020304${pad(n)} /d`, /^213 /);
    assertMatch(await client.put("STOR /d/file", noise(300_000)), /^226 /);
  }
  await nats.stop(0);
  await nats.start(0);
  await using one = await startShared(nats);
  await using two = await startShared(nats);
  for (const service of [one, two]) {
    assertEquals(await paths(service), ["/d", "/d/file"]);
    assertEquals(await content(service, "/d/file"), noise(300_000));
  }
  await using client = await FtpClient.open(two);
  assertMatch(await client.put("STOR /d/file", noise(5)), /^226 /);
  assertEquals(await content(one, "/d/file"), noise(5));
});

function pad(n: number): string {
  return String(n % 60).padStart(2, "0") + String(n % 59).padStart(2, "0");
}

Deno.test("clients are refused in their protocol's words while NATS is gone, and served again", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using one = await startShared(nats);
  await using two = await startShared(nats);
  await using client = await FtpClient.open(two);
  await client.play("MKD /a", /^257 /);
  await nats.stop(0);
  await until(async () => {
    const response = await fetch(`${two.api.url}/api/v1/files/tree`);
    await response.body?.cancel();
    return response.status === 503;
  });
  // From then on at once.
  assertMatch((await client.ask("MKD /b")).at(-1) ?? "", /^45/);
  await nats.start(0);
  await until(async () => {
    await using again = await FtpClient.open(two);
    return /^257/.test((await again.ask("MKD /c")).at(-1) ?? "");
  }, TAKE_OVER_MS);
  assertEquals(await paths(one), ["/a", "/c"]);
});

Deno.test("FTP over TLS is terminated by the instance that writes the tree", async (t) => {
  const curl = findProgram("curl");
  if (curl === undefined) return skipTest(t, "curl", "is not installed");
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using folder = await scratch();
  const options = { providers: { ftp: { tls: true } } };
  const more = { ingress: { tls_dir: folder.path } };
  await using writer = await startShared(nats, { ...options, more });
  await using other = await startShared(nats, options);
  await (await fetch(`${writer.api.url}/api/v1/tls/ca.pem`)).body?.cancel();
  const [up, down] = [`${folder.path}/up`, `${folder.path}/down`];
  // The certificate of the other instance is signed by another CA.
  const trusting = [...QUIET, "--ssl-reqd", "--cacert", `${folder.path}/ca.pem`];
  const bytes = noise(1_000_000);
  await Deno.writeFile(up, bytes);
  await runOk(curl, [...trusting, "-T", up, ftpUrl(other, "/tls")]);
  await runOk(curl, [...trusting, "-o", down, ftpUrl(other, "/tls")]);
  assertEquals(await Deno.readFile(down), bytes);
  await other.getJson("/events");
  assertEquals(fileEvents(other).map(({ meta }) => [meta.tls, meta.prot]), [[true, "P"]]);
});

Deno.test("files committed over NFS are uploads on the next writer", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using team = await Team.start(nats, { count: 2, replicas: 1 });
  const first = await writerOf(team);
  const other = team.instances[1 - first]!;
  const client = await NfsClient.open(other);
  const root = await client.mount();
  const handle = await client.create(root, "committed");
  await client.writeTo(handle, noise(200_000), { stable: UNSTABLE });
  await client.commit(handle);
  const lost = await client.create(root, "lost");
  const { verifier } = await client.writeTo(lost, noise(10), { stable: UNSTABLE });
  await team.kill(first);
  // Its connection ends with the writer, and a new one gets JUKEBOX.
  await client.ended;
  client.abort();
  await using early = await NfsClient.open(other);
  const error = await assertRejects(() => early.getattr(handle), NfsRefusal);
  assertEquals(error.status, "JUKEBOX");
  await until(async () => await writerOf(team) === 1 - first, TAKE_OVER_MS);
  await early.ended;
  await using again = await NfsClient.open(other);
  assertEquals((await again.read(handle, 0, 400_000)).bytes, noise(200_000));
  // The client sends it again.
  const sent = await again.writeTo(lost, noise(10), { stable: UNSTABLE });
  assert(sent.verifier !== verifier);
  await again.commit(lost);
  const { api } = other.program.urls;
  const uploads = async (): Promise<readonly string[]> => {
    const response = await fetch(`${api}/api/v1/events?type=files.upload`);
    const events = await response.json() as { payload: { path: string; size: number } }[];
    return events.map(({ payload: { path, size } }) => `${path} ${size}`).sort();
  };
  await until(async () => (await uploads()).length >= 2, 15_000);
  assertEquals(await uploads(), ["/committed 200000", "/lost 10"]);
});

Deno.test("every instance, and doctor, says which one writes the tree", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  const named = (instance: string) => startShared(nats, { more: { instance } });
  const one = await named("one");
  await using _one = one;
  await using two = await named("two");
  for (const [service, at, value] of [[one, "here", 1], [two, "elsewhere", 0]] as const) {
    const writers = [{ plugin: "files", at, instance: "one", host: "127.0.0.1" }];
    assertEquals((await service.getJson<{ writers: unknown }>("/ready")).writers, writers);
    const health = await service.getJson<{ storage: { writers: unknown } }>("/health");
    assertEquals(health.storage.writers, writers);
    const metrics = await (await fetch(`${service.api.url}/metrics`)).text();
    assertMatch(
      metrics,
      new RegExp(`^standin_shared_writer\\{.*plugin="files".*\\} ${value}$`, "m"),
    );
  }
  const args = ["doctor", "--events=nats", `--nats-servers=${nats.servers}`, "--nats-prefix=tree"];
  const { stdout } = await runToEnd(args, { plugins: STANDARD_PLUGINS });
  assertMatch(stdout, /"one" at 127\.0\.0\.1 writes the state of files/);
  assert(!stdout.includes("does not share"));
  // It gives the tree back, so the other one need not wait.
  await one.stop();
  await until(async () => {
    const { writers } = await two.getJson<{ writers: { at: string }[] }>("/ready");
    return writers[0]?.at === "here";
  });
});
