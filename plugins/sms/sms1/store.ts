/** What the provider keeps between calls: what came after the capture of a message, which itself never changes. */
export interface Change {
  readonly redacted?: boolean;
  readonly canceled?: boolean;
  readonly deleted?: boolean;
  readonly at: Date;
}

/** Changes kept; the oldest go first. */
const MAX_CHANGES = 10_000;

/** One per service. */
export class Store {
  readonly #changes = new Map<string, Change>();
  /** Whether the log has said that the settings pin no credentials. */
  warned = false;

  /** What came after the capture of an event. */
  change(eventId: string): Change | undefined {
    return this.#changes.get(eventId);
  }

  /** Adds to what came after the capture. */
  addChange(eventId: string, change: Change): Change {
    const added = { ...this.#changes.get(eventId), ...change };
    this.#changes.set(eventId, added);
    if (this.#changes.size > MAX_CHANGES) this.#changes.delete(this.#changes.keys().next().value!);
    return added;
  }
}
