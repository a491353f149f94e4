/** Views of the captured events of one provider, made from them and kept up to date. */
import type { CapturedEvent, PluginContext } from "../../core/plugin.ts";
import type { ChatMessage } from "./model.ts";

/** A captured message or change. */
type ChatEvent = CapturedEvent<ChatMessage>;

/** What a view does with the events. */
export interface ViewParts {
  readonly provider: string;
  /** Adds the next event. Returns how many entries that made. */
  apply(event: ChatEvent): number;
  /** Forgets what all events made. */
  forget(): void;
}

/** Entries of events that are no longer held, before the view is made anew. */
const MAX_GONE = 1000;

/**
 * Follows the events of a provider from the first use on. Events that make room for newer ones leave unannounced:
 * entries of such events stay for a while, so the view looks for the event of an entry before it shows it.
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
