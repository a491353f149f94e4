/** Views derived from the captured events of one provider, and kept up to date. */
import type { CapturedEvent, PluginContext } from "../../core/plugin.ts";
import type { ChatMessage } from "./model.ts";

/** A captured message or change. */
type ChatEvent = CapturedEvent<ChatMessage>;

/** Callbacks of a view. */
export interface ViewParts {
  readonly provider: string;
  /** Adds the next event. Returns the number of new entries. */
  apply(event: ChatEvent): number;
  /** Clears all entries. */
  forget(): void;
}

/** Number of stale entries at which the view is rebuilt. */
const MAX_GONE = 1000;

/**
 * Follows the events of a provider from the first use on. Evictions are not announced, so entries
 * of evicted events remain for a while; readers must check that the event of an entry still exists.
 */
export class EventView {
  readonly #parts: ViewParts;
  #entries = 0;
  #isStale = true;
  #isFollowing = false;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** Brings the view up to date. */
  update({ events, plugin }: Pick<PluginContext, "events" | "plugin">): void {
    const { provider } = this.#parts;
    if (!this.#isFollowing) {
      this.#isFollowing = true;
      events.watch((item) => {
        if (item.kind === "captured") {
          const { event } = item;
          if (event.plugin === plugin && event.provider === provider) this.#take(event);
        } else if (!("plugin" in item) || item.plugin === undefined || item.plugin === plugin) {
          this.#isStale = true;
        }
      });
    }
    if (!this.#isStale && this.#entries <= 2 * events.count(plugin) + MAX_GONE) return;
    this.#parts.forget();
    this.#entries = 0;
    this.#isStale = false;
    for (const event of events.list({ plugin, provider }).reverse()) this.#take(event);
  }

  #take(event: CapturedEvent): void {
    if (!this.#isStale) this.#entries += this.#parts.apply(event as ChatEvent);
  }
}
