import type { CapturedEvent } from "./event.ts";
import type { LogRecord } from "./log.ts";

/** Interval of announcements, in milliseconds. */
const ROUND_MS = 250;

/**
 * Events that this instance dropped for lack of memory. Instances that share its log drop them too; otherwise a list
 * would depend on the instance that answers, and NATS would no longer have events that some of them still show.
 */
export class Evictions {
  readonly #append: (record: LogRecord) => Promise<void> | undefined;
  /** The last one of each plugin that is not in the log yet. */
  readonly #last = new Map<string, string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(append: (record: LogRecord) => Promise<void> | undefined) {
    this.#append = append;
  }

  /** Announces an eviction soon. The events of a plugin come in order, the oldest first. */
  add({ plugin, id }: Pick<CapturedEvent, "plugin" | "id">): void {
    this.#last.set(plugin, id);
    this.#timer ??= setTimeout(() => this.#announce(), ROUND_MS);
  }

  #announce(): void {
    this.#timer = undefined;
    const last = [...this.#last];
    this.#last.clear();
    for (const [plugin, upTo] of last) {
      this.#append({ kind: "evicted", plugin, upTo })?.catch(() => {
        // Sent with the next one, which follows once captures are accepted again.
        if (!this.#last.has(plugin)) this.#last.set(plugin, upTo);
      });
    }
  }
}
