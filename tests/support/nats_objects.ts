/** Clients that contend for objects in a shared store, and assertions about the results. */
import { assert, assertEquals } from "@std/assert";
import type { Where } from "./event_senders.ts";
import { deadline, pause, type Team } from "./nats_team.ts";

/** Address of an object in the bucket of the clients. */
export function objectUrl(at: Where, key: string): string {
  return `http://127.0.0.1:${at.endpoint("http").port}/events/${key}`;
}

/** A client that contends with others of its kind. */
export interface Contender {
  /** Resolves once its last attempt is over. */
  stop(): Promise<void>;
  /** Asserts that an instance shows everything acknowledged to clients of this kind. */
  verify(at: Where, all: readonly Contender[]): Promise<void>;
}

/** The instance that a client begins with, and its pace. */
export interface Turn {
  readonly turn: number;
  /** Pause after each attempt, in milliseconds. */
  readonly paceMs: number;
}

/** Repeats an attempt until it is stopped; continues at another instance if it rejects. */
class Attempts {
  readonly #team: Team;
  readonly #paceMs: number;
  #turn: number;
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor(team: Team, { turn, paceMs }: Turn, attempt: (at: Where) => Promise<void>) {
    this.#team = team;
    this.#paceMs = paceMs;
    this.#turn = turn;
    this.#done = this.#run(attempt);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #run(attempt: (at: Where) => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      try {
        const { running } = this.#team;
        await deadline(attempt(running[this.#turn % running.length]!));
        if (this.#paceMs > 0) await pause(this.#paceMs);
      } catch {
        this.#turn++;
        await pause();
      }
    }
  }
}

/** Increments the number in an object, on condition that nobody else changed it meanwhile. */
export class Counter implements Contender {
  acknowledged = 0;
  attempts = 0;
  readonly #work: Attempts;

  constructor(team: Team, turn: Turn) {
    this.#work = new Attempts(team, turn, (at) => this.#countUp(at));
  }

  stop(): Promise<void> {
    return this.#work.stop();
  }

  async #countUp(at: Where): Promise<void> {
    const url = objectUrl(at, "counter");
    const found = await fetch(url);
    const text = await found.text();
    if (found.status !== 200 && found.status !== 404) throw new Error(text);
    const etag = found.headers.get("etag");
    const headers: HeadersInit = etag === null ? { "if-none-match": "*" } : { "if-match": etag };
    const value = found.status === 200 ? Number(text) : 0;
    this.attempts++;
    const status = await put(url, { headers, body: String(value + 1) });
    if (status === 200) this.acknowledged++;
    else if (status !== 412 && status !== 404) throw new Error(`status ${status}`);
  }

  async verify(at: Where, all: readonly Contender[]): Promise<void> {
    const counters = all.filter((one) => one instanceof Counter);
    const value = Number(await (await fetch(objectUrl(at, "counter"))).text());
    const least = counters.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    const most = counters.reduce((sum, { attempts }) => sum + attempts, 0);
    assert(least <= value && value <= most, `${value} is not from ${least} to ${most}`);
  }
}

/** Creates keys that must not exist, at the same time as its rivals; at most one may succeed. */
export class Creator implements Contender {
  readonly won = new Set<number>();
  /** Keys that exist, according to the response. */
  readonly lost = new Set<number>();
  readonly #race: { key: number };
  readonly #name: string;
  readonly #work: Attempts;

  constructor(team: Team, { race, ...turn }: Turn & { readonly race: { key: number } }) {
    this.#race = race;
    this.#name = `creator ${turn.turn}`;
    this.#work = new Attempts(team, turn, (at) => this.#create(at));
  }

  stop(): Promise<void> {
    return this.#work.stop();
  }

  async #create(at: Where): Promise<void> {
    const { key } = this.#race;
    const status = await put(objectUrl(at, `race-${key}`), {
      headers: { "if-none-match": "*" },
      body: this.#name,
    });
    if (status === 200) this.won.add(key);
    else if (status === 412) this.lost.add(key);
    else if (status !== 404) throw new Error(`status ${status}`);
    if (this.#race.key === key && status !== 404) this.#race.key++;
  }

  async verify(at: Where, all: readonly Contender[]): Promise<void> {
    const rivals = all.filter((one) => one instanceof Creator).filter((one) => one !== this);
    for (const key of this.won) {
      assertEquals(rivals.filter(({ won }) => won.has(key)), [], `race ${key} has one winner`);
    }
    await atATime([...this.won, ...this.lost], async (key) => {
      const response = await fetch(objectUrl(at, `race-${key}`));
      const body = await response.text();
      assertEquals(response.status, 200, `race ${key}`);
      if (this.won.has(key)) assertEquals(body, this.#name, `race ${key}`);
    });
  }
}

/** Runs the work for all items, a limited number at a time. */
export async function atATime<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(Array.from({ length: 32 }, async () => {
    for (const item of left) await work(item);
  }));
}

async function put(
  url: string,
  init: { readonly headers: HeadersInit; readonly body: string },
): Promise<number> {
  const response = await fetch(url, { method: "PUT", ...init });
  await response.body?.cancel();
  return response.status;
}
