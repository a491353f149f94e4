/** While NATS is gone, every protocol answers with its own temporary error; afterwards all goes on. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { reasonOf } from "../../core/errors.ts";
import { type Sender, SENDERS } from "../support/event_senders.ts";
import { until } from "../support/files.ts";
import { requireNats } from "../support/nats.ts";
import { hasLeader } from "../support/nats_team.ts";
import { dirOp, NfsClient, NfsRefusal, type PROC } from "../support/nfs.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { startService } from "../support/service.ts";

/** Response of each provider while NATS is gone. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  mail1: /503 .*"StatusCode":503/,
  mail2: /503 .*"errors"/,
  mail3: /503 .*"application_error"/,
  sms1: /503 .*"code":20503/,
  chat1: /503 service_unavailable/,
  push1: /503 .*"UNAVAILABLE"/,
  as2: /503/,
  s3: /503 .*SlowDown/s,
  smtp: /451 4\.3\.0/,
  mllp: /MSA\|AE\|/,
  trap: /No response/,
  ftp: /^45[012] Cannot use the file tree/,
  sftp: /Cannot use the file tree/,
  tftp: /Cannot use the file tree/,
  nfs: /JUKEBOX/,
};
/** Time limit for refusals while the connection has just been lost, and later, in milliseconds. */
const [FIRST_MS, AT_ONCE_MS] = [11_000, 5000];
/** Time limit for a list, in milliseconds. */
const LIST_MS = 5000;

Deno.test("while NATS is gone captures are refused temporarily, and nothing refused is kept", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using service = await startService({
    config: { storage: { events: "nats", nats: { servers: nats.servers } } },
    logLevel: "error",
  });
  const where = {
    ingress: service.ingress.url,
    endpoint: (id: string) => service.endpoint(id),
  };
  const open = async (): Promise<ReadonlyMap<string, Sender>> => {
    const names = Object.keys(REFUSED);
    const opened = await Promise.all(names.map((name) => SENDERS[name]!(where)));
    return new Map(names.map((name, index) => [name, opened[index]!]));
  };
  const close = (senders: ReadonlyMap<string, Sender>) =>
    Promise.all([...senders.values()].map((one) => one.close?.()));
  const send = (senders: ReadonlyMap<string, Sender>, n: number) =>
    Promise.allSettled(
      [...senders].map(([name, one]) => one.send(`T${name}R0N${n}E`, () => {})),
    );

  const senders = await open();
  for (const { status } of await send(senders, 0)) assertEquals(status, "fulfilled");
  const before = await service.getJson<{ id: string }[]>("/events?limit=0");

  await nats.stop(0, "SIGKILL");
  // The loss may not be certain yet: some clients give up before the service does.
  const beganMs = performance.now();
  for (const { status } of await send(senders, 1)) assertEquals(status, "rejected");
  assert(performance.now() - beganMs < FIRST_MS, "refused in time");
  await close(senders);
  const lateSenders = await open();
  const laterMs = performance.now();
  const refusals = await send(lateSenders, 2);
  assert(performance.now() - laterMs < AT_ONCE_MS, "refused at once");
  for (const [index, name] of [...lateSenders.keys()].entries()) {
    const refusal = refusals[index]!;
    assert(refusal.status === "rejected", `${name} acknowledged`);
    assertMatch(reasonOf(refusal.reason), REFUSED[name]!, name);
  }
  const askedMs = performance.now();
  await service.getJson("/events", 503);
  assert(performance.now() - askedMs < LIST_MS, "the list answers in time");
  await close(lateSenders);

  await nats.start(0);
  await until(() => service.getJson("/ready").then(() => true, () => false), 10_000);
  const after = await service.getJson<{ id: string }[]>("/events?limit=0");
  assertEquals(after.map(({ id }) => id), before.map(({ id }) => id));
  const again = await open();
  for (const { status } of await send(again, 3)) assertEquals(status, "fulfilled");
  await close(again);
});

Deno.test("a start waits for servers of a cluster that are not up yet", async (t) => {
  await using nats = await requireNats(t, { nodes: 3 });
  if (nats === undefined) return;
  await until(() => hasLeader(nats), 20_000);
  await Promise.all([0, 1, 2].map((index) => nats.stop(index)));
  await Promise.all([0, 1].map((index) => nats.start(index)));
  await until(() => hasLeader(nats), 20_000);
  const starting = startService({
    config: { storage: { events: "nats", nats: { servers: nats.servers, replicas: 3 } } },
    logLevel: "error",
  });
  const isSettled = await Promise.race([
    starting.then(() => true, () => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, 1500, false)),
  ]);
  if (!isSettled) await nats.start(2);
  await using service = await starting;
  assert(!isSettled, "it did not wait");
  await service.getJson("/ready");
});

Deno.test("a suspended server shows in metrics, readiness and health as long as it is connected", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using service = await startService({
    config: { storage: { events: "nats", nats: { servers: nats.servers } } },
    logLevel: "error",
  });
  const metric = async (name: string): Promise<number> => {
    const metrics = await (await fetch(`${service.api.url}/metrics`)).text();
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(metrics)?.[1]);
  };
  const health = async () =>
    (await service.getJson<{ storage: { connected: boolean; silent_seconds: number } }>("/health"))
      .storage;
  const SILENT = ["standin_log_silent_seconds", "standin_shared_silent_seconds"];
  // An idle stream is heard of twice a second.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  for (const name of SILENT) assert(await metric(name) < 2.5, name);
  nats.signal(0, "SIGSTOP");
  try {
    await until(async () => (await health()).silent_seconds > 3);
    assertEquals([(await health()).connected, await metric("standin_log_connected")], [true, 1]);
    for (const name of SILENT) assert(await metric(name) > 2.5, name);
    const ready = await service.getJson<{ status: string; silent_seconds: number }>("/ready", 503);
    assertEquals(ready.status, "unwritable");
    assert(ready.silent_seconds > 3);
  } finally {
    nats.signal(0, "SIGCONT");
  }
  await until(async () => await metric("standin_log_silent_seconds") < 2, 10_000);
  await until(() => service.getJson("/ready").then(() => true, () => false), 10_000);
});

/** Arguments of a call of every procedure that names an object. */
function nfsCalls(root: Uint8Array, file: Uint8Array): readonly [keyof typeof PROC, XdrWriter][] {
  const of = (handle: Uint8Array) => new XdrWriter().opaque(handle);
  const noSettings = (args: XdrWriter) => args.u32(0).u32(0).u32(0).u32(0).u32(0).u32(0);
  return [
    ["READ", of(file).u64(0).u32(100)],
    ["WRITE", of(file).u64(0).u32(3).u32(2).opaque(Uint8Array.of(1, 2, 3))],
    ["COMMIT", of(file).u64(0).u32(0)],
    ["GETATTR", of(file)],
    ["SETATTR", noSettings(of(file)).u32(0)],
    ["LOOKUP", dirOp(root, "file")],
    ["ACCESS", of(root).u32(63)],
    ["READLINK", of(file)],
    ["CREATE", noSettings(dirOp(root, "late").u32(0))],
    ["MKDIR", noSettings(dirOp(root, "late-dir"))],
    ["REMOVE", dirOp(root, "file")],
    ["RMDIR", dirOp(root, "dir")],
    ["RENAME", dirOp(root, "moved", dirOp(root, "file"))],
    ["LINK", dirOp(root, "link", of(file))],
    ["READDIR", of(root).u64(0).fixed(new Uint8Array(8)).u32(4096)],
    ["READDIRPLUS", of(root).u64(0).fixed(new Uint8Array(8)).u32(4096).u32(8192)],
    ["FSSTAT", of(root)],
    ["FSINFO", of(root)],
    ["PATHCONF", of(root)],
  ];
}

/** Status of each call; the connection may end when the instance stops writing the tree. */
async function statusesOf(
  client: NfsClient,
  calls: ReturnType<typeof nfsCalls>,
): Promise<readonly string[]> {
  const statuses: string[] = [];
  for (const [name, args] of calls) {
    try {
      await client.nfs(name, args);
      statuses.push(`${name} OK`);
    } catch (error) {
      const status = error instanceof NfsRefusal ? error.status : "ended";
      statuses.push(`${name} ${status}`);
    }
  }
  return statuses;
}

Deno.test("every NFS procedure has clients wait while NATS is gone", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using service = await startService({
    config: {
      storage: { events: "nats", nats: { servers: nats.servers } },
      plugins: { files: { providers: { nfs: { settle_ms: 100 } } } },
    },
    logLevel: "error",
  });
  const first = await NfsClient.open(service);
  const root = await first.mount();
  const dir = await first.mkdir(root, "dir");
  const file = await first.create(root, "file");
  await first.writeTo(file, new Uint8Array(1000));
  await until(async () => (await service.getJson<unknown[]>("/events?plugin=files")).length === 2);
  const calls = nfsCalls(root, file);

  await nats.stop(0, "SIGKILL");
  const early = await statusesOf(first, calls.slice(0, 3));
  for (const status of early) assertMatch(status, /OK|JUKEBOX|ended/);
  assert(!early.includes("WRITE OK") && !early.includes("READ OK"), early.join());
  first.abort();
  await first.ended;
  await using late = await NfsClient.open(service);
  // MNT has no such status: known directories are mounted, and their calls wait.
  assertEquals(await late.mount(), root);
  assertEquals(await late.mount("/dir"), dir);
  assertEquals(await statusesOf(late, nfsCalls(dir, file).slice(0, 3)), [
    ...calls.slice(0, 3).map(([name]) => `${name} JUKEBOX`),
  ]);
  const unknown = await assertRejects(() => late.mount("/unknown"), NfsRefusal);
  assertEquals(unknown.status, "SERVERFAULT");
  assertEquals(await statusesOf(late, calls), calls.map(([name]) => `${name} JUKEBOX`));
  late.abort();

  await nats.start(0);
  await until(async () => {
    await using again = await NfsClient.open(service);
    const [read] = await statusesOf(again, calls.slice(0, 1));
    return read === "READ OK";
  }, 20_000);
  await using again = await NfsClient.open(service);
  assertEquals((await again.read(file, 0, 2000)).bytes, new Uint8Array(1000));
  assertEquals((await again.readdir(root)).entries.map(({ name }) => name).sort(), [
    ...[".", "..", "dir", "file"],
  ]);
});
