/**
 * Unfinished callbacks over NATS: one instance makes them, and another one takes over when it is
 * gone.
 */
import { assertEquals } from "@std/assert";
import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { requireNats } from "../support/nats.ts";
import { hasLeader, leaderOf, patiently } from "../support/nats_team.ts";
import { scratch, until } from "../support/files.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "../support/program.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const PREFIX = "calls-test";
/** Longest time until another instance makes the calls of one that was killed. */
const TAKEN_MS = 40_000;
/** Twenty minutes until a message is sent take twelve seconds: no call is due before its instance is killed. */
const SPEED = 100;
/** Callbacks of a message to the application. */
const ALL = ["queued", "sent", "delivered"];

/** Callbacks to the application, in order. */
function toldOf({ received }: Receiver): string[] {
  return received.map(({ body }) => new URLSearchParams(body).get("MessageStatus") ?? "other");
}

/** Starts instances as separate processes. */
async function team(servers: readonly string[], replicas = 1) {
  const folder = await scratch();
  const config = `${folder.path}/standin.toml`;
  await Deno.writeTextFile(
    config,
    [
      '[storage]\nevents = "nats"',
      `[storage.nats]\nservers = ${JSON.stringify(servers)}\nprefix = "${PREFIX}"\n` +
      `replicas = ${replicas}`,
      `[callbacks]\nenabled = true\nspeed = ${SPEED}`,
    ].join("\n"),
  );
  const running = new Set<Program>();
  return {
    async start(): Promise<Program> {
      const program = await startProgram({ args: ["serve", "--config", config, ...FREE_PORTS] });
      running.add(program);
      await listening(program);
      return program;
    },
    async stop(program: Program, signal: Deno.Signal): Promise<void> {
      running.delete(program);
      await program.stop(signal);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map((program) => program.stop()));
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Sends a text message that is sent later; returns the path of its event. */
async function send(program: Program, app: Receiver): Promise<string> {
  const response = await fetch(
    `${program.urls.ingress}/2010-04-01/Accounts/AC1/Messages.json`,
    {
      method: "POST",
      body: new URLSearchParams({
        To: "+15558675310",
        MessagingServiceSid: `MG${"0".repeat(32)}`,
        Body: "Hi",
        ScheduleType: "fixed",
        SendAt: new Date(Date.now() + 20 * 60_000).toISOString(),
        StatusCallback: app.url,
      }),
    },
  );
  await response.body?.cancel();
  return new URL(response.headers.get("x-service-event-url")!).pathname.replace("/ui", "");
}

/** Number of messages in the stream of calls, by the kind of their subject. */
async function keptIn(servers: readonly string[], kind: "held" | "lease"): Promise<number> {
  await using connection = await connected(servers);
  const { state } = await connection.manager.streams.info(`${PREFIX}-calls`, {
    subjects_filter: `${PREFIX}.calls.${kind}.>`,
  });
  return Object.keys(state.subjects ?? {}).length;
}

async function connected(servers: readonly string[]) {
  const connection = await connect({ servers: [...servers] });
  return {
    manager: await jetstreamManager(connection),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

async function statesAt(program: Program, event: string): Promise<string[]> {
  const response = await fetch(`${program.urls.api}/api/v1${event}/callbacks`);
  const { calls } = await response.json() as { calls: { name: string; state: string }[] };
  return calls.map(({ name, state }) => `${name} ${state}`);
}

Deno.test("calls of an instance that was killed are made once, by one of the others", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  const { servers } = nats;
  await using app = startReceiver();
  await using instances = await team(servers);
  const first = await instances.start();
  const second = await instances.start();
  const third = await instances.start();
  const isKept = async () => await keptIn(servers, "held") === ALL.length;
  const isOver = async () => await keptIn(servers, "held") === 0;

  await t.step("they are kept until they are done", async () => {
    const event = await send(first, app);
    await until(isKept);
    await until(isOver, TAKEN_MS);
    assertEquals(toldOf(app), ALL);
    assertEquals(await statesAt(first, event), ALL.map((name) => `${name} done`));
  });

  await t.step("after kill -9 another instance makes them, in order", async () => {
    const event = await send(first, app);
    await until(isKept);
    await instances.stop(first, "SIGKILL");
    await until(isOver, TAKEN_MS);
    assertEquals(toldOf(app).slice(ALL.length), ALL);
    const states = [await statesAt(second, event), await statesAt(third, event)];
    assertEquals(states.flat(), ALL.map((name) => `${name} done`));
    await until(async () => await keptIn(servers, "lease") === 2);
  });

  await t.step("a deletion holds for the calls of an instance that was killed", async () => {
    const event = await send(third, app);
    await until(isKept);
    await instances.stop(third, "SIGKILL");
    const url = `${second.urls.api}/api/v1${event}`;
    assertEquals((await fetch(url, { method: "DELETE" })).status, 204);
    await until(isOver, TAKEN_MS);
    assertEquals(toldOf(app).length, 2 * ALL.length);
  });

  await t.step("the last instance hands over to the next start", async () => {
    const event = await send(second, app);
    await until(isKept);
    await instances.stop(second, "SIGTERM");
    assertEquals(toldOf(app).length, 2 * ALL.length);
    const next = await instances.start();
    await until(isOver, TAKEN_MS);
    assertEquals(toldOf(app).slice(2 * ALL.length), ALL);
    assertEquals(await statesAt(next, event), ALL.map((name) => `${name} done`));
    await until(async () => await keptIn(servers, "lease") === 1);
  });
});

Deno.test("a resumed instance does not repeat calls that others made, and a cluster loses none", async (t) => {
  await using nats = await requireNats(t, { nodes: 3 });
  if (nats === undefined) return;
  const { servers } = nats;
  await patiently(() => hasLeader(nats));
  await using app = startReceiver();
  await using instances = await team(servers, 3);
  const sleeper = await instances.start();
  const other = await instances.start();
  const isKept = async () => await keptIn(servers, "held") === ALL.length;
  const event = await send(sleeper, app);
  await until(isKept);
  Deno.kill(sleeper.pid, "SIGSTOP");
  try {
    const leader = await leaderOf(nats, `${PREFIX}-calls`);
    await nats.stop(leader, "SIGKILL");
    await until(() => toldOf(app).length === ALL.length, TAKEN_MS);
    assertEquals(await statesAt(other, event), ALL.map((name) => `${name} done`));
    await nats.start(leader);
  } finally {
    Deno.kill(sleeper.pid, "SIGCONT");
  }
  // Its own calls are overdue; it forgets them.
  await patiently(async () => (await statesAt(sleeper, event)).length === 0);
  assertEquals(toldOf(app), ALL);
  const again = await send(sleeper, app);
  await until(() => toldOf(app).length === 2 * ALL.length, TAKEN_MS);
  // The other instance makes them if it has not noticed yet that this one is back, which forgets them then.
  const states = async () =>
    [...await statesAt(sleeper, again), ...await statesAt(other, again)].join();
  await patiently(async () => await states() === ALL.map((name) => `${name} done`).join());
  assertEquals(toldOf(app), [...ALL, ...ALL]);
});
