/**
 * Messages that providers write out from templates: a short call can make many long ones.
 *
 * @module
 */
import { StoreFullError } from "../../core/errors.ts";
import type { RawRecord } from "../../core/events/event.ts";
import type { Memory } from "../../core/memory/budget.ts";
import type { MailDraft, MailEnv } from "./capture.ts";

/** The part of `memory_limit` that the messages of one call may take: later ones would displace the first. */
const CALL_SHARE = 1 / 4;
/** Garbage for each character of a message that was written out: its pieces, and the text made from them. */
const GARBAGE_FACTOR = 8;

/**
 * Returns the request for a message that was written out from a template. Events of one request count the texts that they
 * share once, but such texts are as many as the messages, equal or not.
 */
export function rawOfWritten(raw: RawRecord): RawRecord {
  return { ...raw, body: raw.body.subarray() };
}

/** Counts the messages that one call writes out. */
export class WrittenMessages {
  readonly #memory: Memory;
  #characters = 0;

  constructor({ ctx: { memory } }: MailEnv) {
    this.#memory = memory;
  }

  /**
   * Adds a message before it is captured. Waits for a collection when the messages written out so far have filled the
   * memory with garbage. Throws `StoreFullError` when those of the call are too long together.
   */
  async add({ text, html }: Pick<MailDraft, "text" | "html">): Promise<void> {
    const characters = text.length + html.length;
    this.#characters += characters;
    const { limitBytes } = this.#memory;
    if (this.#characters > limitBytes * CALL_SHARE) {
      throw new StoreFullError(
        "The messages that this call makes from templates are longer together than a quarter of " +
          `[storage] memory_limit (${limitBytes} bytes)`,
      );
    }
    await this.#memory.waste(GARBAGE_FACTOR * characters);
  }
}
