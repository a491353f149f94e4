/** How often something happened, by the words that describe it. */
export interface Count {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

/** Why an event is no longer held. */
export type DropReason = "count" | "bytes" | "age" | "memory";

/** Counts that only grow, from the start of the service to its end: what is cleared stays counted. */
export class Tally {
  readonly #captured = new Counts();
  readonly #dropped = new Counts();
  readonly #refused = new Counts();

  /** An event was captured. */
  capture(plugin: string, provider: string, type: string): void {
    if (!this.#captured.raise(provider, type)) {
      this.#captured.begin(provider, type, { plugin, provider, type });
    }
  }

  /** The oldest event of a plugin made room, or was too old. */
  drop(plugin: string, reason: DropReason): void {
    if (!this.#dropped.raise(plugin, reason)) {
      this.#dropped.begin(plugin, reason, { plugin, reason });
    }
  }

  /** A request or conversation was refused. */
  refuse(provider: string): void {
    if (!this.#refused.raise(provider, "")) this.#refused.begin(provider, "", { provider });
  }

  /** In the order in which each was first seen. */
  get captured(): readonly Count[] {
    return this.#captured.all;
  }

  /** In the order in which each was first seen. */
  get dropped(): readonly Count[] {
    return this.#dropped.all;
  }

  /** In the order in which each was first seen. */
  get refused(): readonly Count[] {
    return this.#refused.all;
  }
}

/** By two words, so that no key has to be put together for every event. */
class Counts {
  readonly #known = new Map<string, Map<string, { labels: Count["labels"]; count: number }>>();
  readonly #all: { labels: Count["labels"]; count: number }[] = [];

  get all(): readonly Count[] {
    return [...this.#all];
  }

  /** False for what was not seen before. */
  raise(first: string, second: string): boolean {
    const known = this.#known.get(first)?.get(second);
    if (known === undefined) return false;
    known.count++;
    return true;
  }

  begin(first: string, second: string, labels: Count["labels"]): void {
    const count = { labels, count: 1 };
    this.#all.push(count);
    const seconds = this.#known.get(first) ?? new Map();
    this.#known.set(first, seconds.set(second, count));
  }
}
