import type { CapturedEvent, EventText } from "../events/event.ts";
import type { Logger } from "../log.ts";
import type { AnyPlugin } from "../plugin.ts";

/** Reads the texts of events through their plugins. */
export class EventTexts {
  readonly #plugins: readonly AnyPlugin[];
  readonly #log: Logger;
  /** Events whose text the plugin could not read. */
  readonly #unreadable = new WeakSet<CapturedEvent>();

  constructor(plugins: readonly AnyPlugin[], log: Logger) {
    this.#plugins = plugins;
    this.#log = log;
  }

  /** An event that its plugin cannot read, such as one imported from another version, is listed without text. */
  of(event: CapturedEvent): readonly EventText[] {
    if (this.#unreadable.has(event)) return [];
    try {
      const texts = this.#plugins.find(({ id }) => id === event.plugin)?.texts?.(event) ?? [];
      if (texts.every(({ text }) => typeof text === "string")) return texts;
      throw new TypeError("One of its texts is not a string");
    } catch (error) {
      this.#unreadable.add(event);
      const { id, plugin } = event;
      this.#log.warn("Cannot read the text of an event: it is skipped", { plugin, id, error });
      return [];
    }
  }
}
