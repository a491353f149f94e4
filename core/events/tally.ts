/** A count with its labels. */
export interface Count {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

/** Why an event is no longer held; "elsewhere" if another instance lacks the memory. */
export type DropReason = "count" | "bytes" | "age" | "memory" | "elsewhere";

/** Counts since the start of the service; they never decrease, even when events are cleared. */
export class Tally {
  readonly #captured = new Counts();
  readonly #dropped = new Counts();
  readonly #refused = new Counts();

  /** Counts a captured event. */
  capture(plugin: string, provider: string, type: string): void {
    if (!this.#captured.raise(provider, type)) {
      this.#captured.begin(provider, type, { plugin, provider, type });
    }
  }

  /** Counts an event evicted to make room or because of its age. */
  drop(plugin: string, reason: DropReason): void {
    if (!this.#dropped.raise(plugin, reason)) {
      this.#dropped.begin(plugin, reason, { plugin, reason });
    }
  }

  /** Counts a refused request or conversation. */
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

/** Counts by two labels, without building a key for every event. */
class Counts {
  readonly #known = new Map<string, Map<string, { labels: Count["labels"]; count: number }>>();
  readonly #all: { labels: Count["labels"]; count: number }[] = [];

  get all(): readonly Count[] {
    return [...this.#all];
  }

  /** Returns false for new labels. */
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
