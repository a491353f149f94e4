/** Changes to a message after its capture; the captured event itself never changes. */
export interface Change {
  readonly redacted?: boolean;
  readonly canceled?: boolean;
  readonly deleted?: boolean;
  readonly at: Date;
}

/** Most changes kept; the oldest go first. */
const MAX_CHANGES = 10_000;

/** One per service. */
export class Store {
  readonly #changes = new Map<string, Change>();
  /** Whether the log has warned that one setting alone has no effect. */
  warned = false;

  change(eventId: string): Change | undefined {
    return this.#changes.get(eventId);
  }

  addChange(eventId: string, change: Change): Change {
    const added = { ...this.#changes.get(eventId), ...change };
    this.#changes.set(eventId, added);
    if (this.#changes.size > MAX_CHANGES) this.#changes.delete(this.#changes.keys().next().value!);
    return added;
  }
}
