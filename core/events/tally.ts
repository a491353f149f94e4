/** How often something happened, by the words that describe it. */
export interface Count {
  readonly labels: Readonly<Record<string, string>>;
  readonly count: number;
}

/** Why an event is no longer held. */
export type DropReason = "count" | "bytes" | "age";

/** Counts that only grow, from the start of the service to its end: what is cleared stays counted. */
export class Tally {
  readonly #captured = new Map<string, { labels: Count["labels"]; count: number }>();
  readonly #dropped = new Map<string, { labels: Count["labels"]; count: number }>();
  readonly #refused = new Map<string, { labels: Count["labels"]; count: number }>();

  /** An event was captured. */
  capture(plugin: string, provider: string, type: string): void {
    raise(this.#captured, `${provider} ${type}`, () => ({ plugin, provider, type }));
  }

  /** The oldest event of a plugin made room, or was too old. */
  drop(plugin: string, reason: DropReason): void {
    raise(this.#dropped, `${plugin} ${reason}`, () => ({ plugin, reason }));
  }

  /** A request or conversation was refused. */
  refuse(provider: string): void {
    raise(this.#refused, provider, () => ({ provider }));
  }

  /** In the order in which each was first seen. */
  get captured(): readonly Count[] {
    return [...this.#captured.values()];
  }

  /** In the order in which each was first seen. */
  get dropped(): readonly Count[] {
    return [...this.#dropped.values()];
  }

  /** In the order in which each was first seen. */
  get refused(): readonly Count[] {
    return [...this.#refused.values()];
  }
}

function raise(
  counts: Map<string, { labels: Count["labels"]; count: number }>,
  key: string,
  labels: () => Count["labels"],
): void {
  const known = counts.get(key);
  if (known === undefined) counts.set(key, { labels: labels(), count: 1 });
  else known.count++;
}
