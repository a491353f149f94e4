/**
 * Instances on a NATS cluster, clients of every protocol, and assertions for when parts of it fail.
 */
import { assert, assertEquals } from "@std/assert";
import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { reasonOf } from "../../core/errors.ts";
import { type Sender, SENDERS, type Where } from "./event_senders.ts";
import { scratch, until } from "./files.ts";
import type { Nats } from "./nats.ts";
import { atATime, type Contender, objectUrl } from "./nats_objects.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "./program.ts";
import { SseReader } from "./sse.ts";

/** Longest time that one message may take, in milliseconds. */
const SEND_MS = 15_000;
const PAUSE_MS = 100;

/** One instance in a separate process. */
export interface Instance extends Where {
  readonly program: Program;
  /** Resolves when it is killed: some clients would wait for a response. */
  readonly gone: PromiseWithResolvers<void>;
}

/** Several instances on the same servers. */
export class Team implements AsyncDisposable {
  readonly instances: (Instance | undefined)[] = [];
  readonly #folder: AsyncDisposable;
  readonly #config: string;

  /** Use `Team.start`. */
  constructor(folder: AsyncDisposable, config: string) {
    this.#folder = folder;
    this.#config = config;
  }

  static async start(
    { servers }: Nats,
    { count, replicas }: { count: number; replicas: number },
  ): Promise<Team> {
    const folder = await scratch();
    const config = `${folder.path}/standin.toml`;
    await Deno.writeTextFile(
      config,
      // Nothing may be dropped for lack of room: the end of a test looks for all.
      `[storage]\nevents = "nats"\ncapacity = 1000000\nraw_limit = "1GB"\nmemory_limit = "4GB"\n` +
        `[storage.nats]\n` +
        `servers = ${JSON.stringify(servers)}\nreplicas = ${replicas}\n`,
    );
    const team = new Team(folder, config);
    await using undo = new AsyncDisposableStack();
    undo.use(team);
    await Promise.all(Array.from({ length: count }, (_, index) => team.startOne(index)));
    undo.move();
    return team;
  }

  /** Those that run. */
  get running(): readonly Instance[] {
    return this.instances.filter((one) => one !== undefined);
  }

  async startOne(index: number): Promise<void> {
    const args = ["serve", "--config", this.#config, ...FREE_PORTS];
    const program = await startProgram({ args });
    const { endpoint } = await listening(program);
    const gone = Promise.withResolvers<void>();
    this.instances[index] = { program, endpoint, ingress: program.urls.ingress!, gone };
  }

  async kill(index: number): Promise<void> {
    const one = this.instances[index];
    this.instances[index] = undefined;
    await one?.program.stop("SIGKILL");
    one?.gone.resolve();
  }

  /** Suspends an instance for a while, as happens to a virtual machine that is migrated. */
  async pause(index: number, ms: number): Promise<void> {
    const { pid } = this.instances[index]!.program;
    Deno.kill(pid, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, ms));
    Deno.kill(pid, "SIGCONT");
  }

  /** Starts another instance in place of one, which then stops as in a rolling update. */
  async replace(index: number): Promise<void> {
    const old = this.instances[index];
    await this.startOne(index);
    await old?.program.stop("SIGTERM");
    old?.gone.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.running.map(({ program }) => program.stop()));
    await atMost(ABANDONED_MS, Promise.all(abandoned));
    await this.#folder[Symbol.asyncDispose]();
  }
}

/** Sends numbered items in sequence; continues at another instance if one does not answer. */
export class Client {
  readonly name: string;
  readonly acknowledged: string[] = [];
  /** Why the last item that failed did. */
  problem = "";
  readonly #team: Team;
  readonly #paceMs: number;
  #answeredMs = performance.now();
  #longestMs = 0;
  #turn: number;
  #sender: Sender | undefined;
  #at: Instance | undefined;
  #isStopped = false;
  /** Connections that were given up while they opened. */
  readonly #late: Promise<void>[] = [];
  readonly #done: Promise<void>;

  /** It pauses for `paceMs` after each item. */
  constructor(
    team: Team,
    { name, turn, paceMs = 0 }: { name: string; turn: number; paceMs?: number },
  ) {
    this.name = name;
    this.#team = team;
    this.#paceMs = paceMs;
    this.#turn = turn;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    await this.#close();
    await Promise.all(this.#late);
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const token = `T${this.name}R0N${n}E`;
      try {
        this.#sender ??= await this.#open();
        await deadline(this.#sender.send(token, () => {}), this.#at?.gone.promise);
        this.acknowledged.push(token);
        this.#answered();
        if (this.#paceMs > 0) await pause(this.#paceMs);
      } catch (error) {
        this.problem = reasonOf(error);
        await this.#close();
        this.#turn++;
        await pause();
      }
    }
  }

  #answered(): void {
    const nowMs = performance.now();
    this.#longestMs = Math.max(this.#longestMs, nowMs - this.#answeredMs);
    this.#answeredMs = nowMs;
  }

  /** Returns the longest time between two responses since the last call. */
  takeLongestGap(): number {
    const ms = this.#longestMs;
    this.#longestMs = 0;
    return ms;
  }

  async #open(): Promise<Sender> {
    const { running } = this.#team;
    const at = this.#at = running[this.#turn % running.length]!;
    const opening = SENDERS[this.name]!(at);
    try {
      return await deadline(opening, at.gone.promise);
    } catch (error) {
      this.#late.push(opening.then((sender) => sender.close?.()).catch(() => {}));
      throw error;
    }
  }

  async #close(): Promise<void> {
    const sender = this.#sender;
    this.#sender = undefined;
    try {
      await sender?.close?.();
    } catch {
      // The connection is lost.
    }
  }
}

/** Instances, or what is in front of them. */
export interface Followed {
  readonly running: readonly { readonly program: Pick<Program, "urls"> }[];
}

/** Reads the event stream, and repeatedly continues at the next instance. */
export class Follower {
  /** Ids, in order. */
  readonly ids: string[] = [];
  moves = 0;
  readonly #team: Followed;
  #reader: SseReader | undefined;
  #isStopped = false;
  #failure: unknown;
  readonly #done: Promise<void>;

  /** Reads the events after `after`. */
  constructor(team: Followed, after: string) {
    this.#team = team;
    this.#done = this.#run(after).catch((error) => {
      this.#failure = error;
    });
  }

  /** Stops once the last event was read. */
  async stop(last: string): Promise<void> {
    await patiently(() => this.#failure !== undefined || this.ids.at(-1) === last);
    this.#isStopped = true;
    await this.#reader?.[Symbol.asyncDispose]();
    await this.#done;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #run(after: string): Promise<void> {
    for (; !this.#isStopped; this.moves++) {
      const { running } = this.#team;
      const { program } = running[this.moves % running.length]!;
      try {
        await this.#read(
          `${program.urls.api}/api/v1/events/stream?after=${this.ids.at(-1) ?? after}`,
        );
      } catch (error) {
        if (error instanceof GapError) throw error;
        await pause();
      }
    }
  }

  async #read(url: string): Promise<void> {
    const response = await fetch(url);
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`status ${response.status}`);
    }
    await using reader = this.#reader = new SseReader(response);
    for (const end = this.ids.length + 40; this.ids.length < end && !this.#isStopped;) {
      const { event, id } = await reader.next();
      if (event === "gap") throw new GapError(`a gap after ${this.ids.length} events`);
      if (id !== undefined) this.ids.push(id);
    }
  }
}

class GapError extends Error {}

interface View {
  readonly id: string;
  readonly summary: string;
  readonly raw: { readonly path?: string; readonly body: string };
}

/** Expected state of every instance. */
export interface Expected {
  readonly clients: readonly Client[];
  readonly objects: readonly Contender[];
  readonly follower: Follower;
}

/**
 * Asserts that acknowledged items are on every instance, once and in one order, and that no
 * condition was violated.
 */
export async function verifyTeam(
  team: Team,
  { clients, objects, follower }: Expected,
): Promise<number> {
  const lists = await Promise.all(team.running.map(({ program }) => list(program)));
  const [events = []] = lists;
  const ids = events.map(({ id }) => id);
  for (const other of lists) assertEquals(other.map(({ id }) => id), ids, "one order on all");
  await follower.stop(ids.at(-1)!);
  assertEquals(follower.ids, ids.slice(-follower.ids.length), "the stream is the list");
  const tokens = events.flatMap(toToken);
  assertEquals(new Set(tokens).size, tokens.length, "nothing is there twice");
  for (const { name, acknowledged } of clients) {
    assert(acknowledged.length > 0, `${name} was never answered`);
    const known = new Set(acknowledged);
    assertEquals(
      tokens.filter((token) => known.has(token)),
      acknowledged,
      `${name}: all, in order`,
    );
  }
  for (const at of team.running) await verifyObjects(at, { clients, objects });
  return tokens.length;
}

async function list({ urls }: Program): Promise<readonly View[]> {
  const response = await fetch(`${urls.api}/api/v1/events?limit=0&include_raw=true`);
  const events = await response.json();
  assertEquals(response.status, 200, JSON.stringify(events));
  return events.toReversed();
}

function toToken({ raw, summary }: View): readonly string[] {
  const body = new TextDecoder("latin1").decode(Uint8Array.fromBase64(raw.body));
  return /T[a-z]+\d?R\d+N\d+E/.exec(`${raw.path} ${summary} ${body}`)?.slice(0, 1) ?? [];
}

async function verifyObjects(
  at: Instance,
  { clients, objects }: Pick<Expected, "clients" | "objects">,
): Promise<void> {
  const keys = clients.find(({ name }) => name === "s3")?.acknowledged ?? [];
  await atATime(keys, async (key) => {
    const response = await fetch(objectUrl(at, key));
    assertEquals([response.status, await response.text()], [200, key]);
  });
  for (const one of objects) await one.verify(at, objects);
}

/** Waits until each client was answered a few more times. */
export async function more(clients: readonly Client[], count = 1): Promise<void> {
  const goals = clients.map(({ acknowledged }) => acknowledged.length + count);
  const late = (): readonly Client[] =>
    clients.filter((one, i) => one.acknowledged.length < goals[i]!);
  try {
    await patiently(() => late().length === 0);
  } catch {
    const reasons = late().map(({ name, problem }) => `${name}: ${problem}`);
    throw new Error(`Not answered any more:\n${reasons.join("\n")}`);
  }
}

/** Waits longer than `until`: a cluster takes some seconds to agree on a leader. */
export async function patiently(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 8; tries++) {
    try {
      return await until(condition);
    } catch {
      continue;
    }
  }
  await until(condition);
}

/** Whether an instance captures a mail, and lists what there is. */
export async function serves({ ingress, program }: Instance): Promise<boolean> {
  const captured = await fetch(`${ingress}/emails`, {
    method: "POST",
    headers: { authorization: "Bearer re_x", "content-type": "application/json" },
    body: JSON.stringify({ from: "a@x.org", to: "b@x.org", subject: "Probe", text: "Hello" }),
  });
  await captured.body?.cancel();
  const listed = await fetch(`${program.urls.api}/api/v1/events?limit=1`);
  await listed.body?.cancel();
  return captured.status === 200 && listed.status === 200;
}

/** Whether the cluster can be used. */
export async function hasLeader({ servers }: Pick<Nats, "servers">): Promise<boolean> {
  try {
    await using connected = new AsyncDisposableStack();
    const connection = await connect({ servers: [...servers] });
    connected.defer(() => connection.close());
    await (await jetstreamManager(connection, { timeout: 1000 })).getAccountInfo();
    return true;
  } catch {
    return false;
  }
}

/** Whether every server has all of every stream: then another one may fail. */
export async function isWhole({ servers }: Nats): Promise<boolean> {
  const connection = await connect({ servers: [...servers] });
  try {
    const manager = await jetstreamManager(connection, { timeout: 1000 });
    for await (const { cluster } of manager.streams.list()) {
      const copies = cluster?.replicas ?? [];
      const areThere = copies.length === servers.length - 1 &&
        copies.every(({ current, offline }) => current && offline !== true);
      if (cluster?.leader === undefined || !areThere) return false;
    }
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** The server that leads a stream; `NaN` while there is none. */
export async function leaderOf({ servers }: Nats, stream = "standin-events"): Promise<number> {
  const connection = await connect({ servers: [...servers] });
  try {
    const manager = await jetstreamManager(connection, { timeout: 1000 });
    const { cluster } = await manager.streams.info(stream);
    return Number(/\d+$/.exec(cluster?.leader ?? "")?.[0]);
  } catch {
    return NaN;
  } finally {
    await connection.close();
  }
}

/** Abandoned work, which continues until its connection breaks. */
const abandoned = new Set<Promise<unknown>>();

/** Time limit; a client whose server was killed may wait forever. */
const ABANDONED_MS = 5000;

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}

export async function deadline<T>(work: Promise<T>, gone?: Promise<void>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), SEND_MS);
  });
  const lost = gone?.then((): never => {
    throw new Error("the instance is gone");
  });
  for (const promise of [work, lost]) promise?.catch(() => {});
  const ended = work.then(() => {}, () => {}).finally(() => abandoned.delete(ended));
  abandoned.add(ended);
  try {
    return await Promise.race([work, late, ...(lost === undefined ? [] : [lost])]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits before the next attempt, or for the given time. */
export async function pause(ms = PAUSE_MS): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
