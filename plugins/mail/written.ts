/**
 * Limits for messages that providers render from templates: a short call can produce many long
 * ones.
 *
 * @module
 */
import { StoreFullError } from "../../core/errors.ts";
import type { RawRecord } from "../../core/events/event.ts";
import type { Memory } from "../../core/memory/budget.ts";
import type { MailDraft, MailEnv } from "./capture.ts";

/**
 * The part of `memory_limit` for the messages of one call, because later ones would evict the
 * first.
 */
const CALL_SHARE = 1 / 4;
/** Garbage per character of a rendered message: its parts, and the text joined from them. */
const GARBAGE_FACTOR = 8;

/**
 * Returns the request for a rendered message. Shared texts of the events of one request are counted
 * once, but rendered texts exist once per message, even if they are equal.
 */
export function rawOfWritten(raw: RawRecord): RawRecord {
  return { ...raw, body: raw.body.subarray() };
}

/** Counts the messages that one call renders. */
export class WrittenMessages {
  readonly #memory: Memory;
  #characters = 0;

  constructor({ ctx: { memory } }: MailEnv) {
    this.#memory = memory;
  }

  /**
   * Adds a message before it is captured. Waits for a garbage collection if the messages rendered
   * so far have filled the memory. Throws `StoreFullError` if the messages of the call are too long
   * together.
   */
  async add({ text, html }: Pick<MailDraft, "text" | "html">): Promise<void> {
    const characters = text.length + html.length;
    this.#characters += characters;
    const { limitBytes } = this.#memory;
    if (this.#characters > limitBytes * CALL_SHARE) {
      throw new StoreFullError(
        "The messages that this call renders from templates together exceed a quarter of " +
          `[storage] memory_limit (${limitBytes} bytes)`,
      );
    }
    await this.#memory.waste(GARBAGE_FACTOR * characters);
  }
}
