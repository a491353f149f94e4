/**
 * Instances on a NATS cluster, clients of every protocol, and assertions for when parts of it are
 * killed.
 */
import { assert, assertEquals } from "@std/assert";
import { connect } from "@nats-io/transport-node";
import { jetstreamManager } from "@nats-io/jetstream";
import { type Sender, SENDERS, type Where } from "./event_senders.ts";
import { scratch, until } from "./files.ts";
import type { Nats } from "./nats.ts";
import { FREE_PORTS, listening, type Program, startProgram } from "./program.ts";
import { SseReader } from "./sse.ts";

/** Longest time that one message may take, in milliseconds. */
const SEND_MS = 15_000;
const PAUSE_MS = 100;

/** One instance in a separate process. */
export interface Instance extends Where {
  readonly program: Program;
  /** Resolves when it is killed: some clients would wait for an answer. */
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
      `[storage]\nevents = "nats"\ncapacity = 1000000\n[storage.nats]\n` +
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
  readonly #team: Team;
  #turn: number;
  #sender: Sender | undefined;
  #at: Instance | undefined;
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor(team: Team, { name, turn }: { name: string; turn: number }) {
    this.name = name;
    this.#team = team;
    this.#turn = turn;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    await this.#close();
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      const token = `T${this.name}R0N${n}E`;
      try {
        this.#sender ??= await this.#open();
        await deadline(this.#sender.send(token, () => {}), this.#at?.gone.promise);
        this.acknowledged.push(token);
      } catch {
        await this.#close();
        this.#turn++;
        await pause();
      }
    }
  }

  async #open(): Promise<Sender> {
    const { running } = this.#team;
    const at = this.#at = running[this.#turn % running.length]!;
    return await deadline(SENDERS[this.name]!(at), at.gone.promise);
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

/** Increments the number in an object, on condition that nobody else changed it meanwhile. */
export class Counter {
  acknowledged = 0;
  attempts = 0;
  readonly #team: Team;
  #turn: number;
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor(team: Team, turn: number) {
    this.#team = team;
    this.#turn = turn;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const { running } = this.#team;
        await deadline(this.#countUp(running[this.#turn % running.length]!));
      } catch {
        this.#turn++;
        await pause();
      }
    }
  }

  async #countUp(at: Instance): Promise<void> {
    const url = objectUrl(at, "counter");
    const found = await fetch(url);
    const text = await found.text();
    if (found.status !== 200 && found.status !== 404) throw new Error(text);
    const etag = found.headers.get("etag");
    const headers: HeadersInit = etag === null ? { "if-none-match": "*" } : { "if-match": etag };
    const value = found.status === 200 ? Number(text) : 0;
    this.attempts++;
    const put = await fetch(url, { method: "PUT", headers, body: String(value + 1) });
    await put.body?.cancel();
    if (put.status === 200) this.acknowledged++;
    else if (put.status !== 412 && put.status !== 404) throw new Error(`status ${put.status}`);
  }
}

/** Address of an object in the bucket of the clients. */
export function objectUrl(at: Where, key: string): string {
  return `http://127.0.0.1:${at.endpoint("http").port}/events/${key}`;
}

/** Reads the event stream, and repeatedly continues at the next instance. */
export class Follower {
  /** Ids, in order. */
  readonly ids: string[] = [];
  moves = 0;
  readonly #team: Team;
  #reader: SseReader | undefined;
  #isStopped = false;
  #failure: unknown;
  readonly #done: Promise<void>;

  /** Reads the events after `after`. */
  constructor(team: Team, after: string) {
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
  readonly counters: readonly Counter[];
  readonly follower: Follower;
}

/**
 * Asserts that acknowledged items are on every instance, once and in one order, and that no
 * condition was violated.
 */
export async function verifyTeam(
  team: Team,
  { clients, counters, follower }: Expected,
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
  for (const at of team.running) await verifyObjects(at, { clients, counters });
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
  { clients, counters }: Pick<Expected, "clients" | "counters">,
): Promise<void> {
  const objects = clients.find(({ name }) => name === "s3")?.acknowledged ?? [];
  for (const key of objects) {
    const response = await fetch(objectUrl(at, key));
    assertEquals([response.status, await response.text()], [200, key]);
  }
  const value = Number(await (await fetch(objectUrl(at, "counter"))).text());
  const least = counters.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const most = counters.reduce((sum, { attempts }) => sum + attempts, 0);
  assert(least <= value && value <= most, `${value} is not from ${least} to ${most}`);
}

/** Waits until each client was answered a few more times. */
export async function more(clients: readonly Client[], count = 1): Promise<void> {
  const goals = clients.map(({ acknowledged }) => acknowledged.length + count);
  await patiently(() => clients.every((one, i) => one.acknowledged.length >= goals[i]!));
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

/** Whether the cluster can be used. */
export async function hasLeader({ servers }: Nats): Promise<boolean> {
  const connection = await connect({ servers: [...servers] });
  try {
    await (await jetstreamManager(connection, { timeout: 1000 })).getAccountInfo();
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** The server that leads a stream. */
export async function leaderOf({ servers }: Nats, stream = "standin-events"): Promise<number> {
  const connection = await connect({ servers: [...servers] });
  try {
    const manager = await jetstreamManager(connection);
    const { cluster } = await manager.streams.info(stream);
    return Number(/\d+$/.exec(cluster?.leader ?? "")?.[0]);
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

async function deadline<T>(work: Promise<T>, gone?: Promise<void>): Promise<T> {
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

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
