/** Keeps the latest push of each topic of a subscription, and the canceled ones. */

import type { Memory } from "../../../core/memory/budget.ts";
import { HeldMap } from "../../../core/memory/held_map.ts";

/** Maximum number of entries of a kind; the oldest are dropped first. */
const CAPACITY = 10_000;

/** One per service. An entry counts only while its event is held. */
export class Store {
  readonly #topics: HeldMap<string>;
  readonly #canceled: HeldMap<true>;
  readonly #isHeld: (eventId: string) => boolean;

  constructor(isHeld: (eventId: string) => boolean, memory?: Memory) {
    this.#isHeld = isHeld;
    this.#topics = new HeldMap({ maxEntries: CAPACITY }, memory);
    this.#canceled = new HeldMap({ maxEntries: CAPACITY }, memory);
  }

  /**
   * Returns the push that a new one with the topic replaces (RFC 8030 section 5.4); `undefined` if
   * there is none, or it was canceled.
   */
  replacedBy(topic: TopicOf): string | undefined {
    const earlier = this.#topics.get(keyOf(topic));
    return earlier !== undefined && this.has(earlier) ? earlier : undefined;
  }

  /** Records the newest push with a topic. */
  hold(topic: TopicOf, eventId: string): void {
    const key = keyOf(topic);
    this.#topics.delete(key);
    this.#topics.set(key, eventId);
  }

  /** Returns whether the service still has the push. */
  has(eventId: string): boolean {
    return this.#isHeld(eventId) && !this.#canceled.has(eventId);
  }

  /** Marks a push as canceled; the captured event stays. */
  cancel(eventId: string): void {
    this.#canceled.set(eventId, true);
  }
}

/** A topic of one subscription. */
export interface TopicOf {
  readonly token: string;
  readonly topic: string;
}

function keyOf({ token, topic }: TopicOf): string {
  return `${topic} ${token}`;
}
