import type { Memory } from "../../../core/memory/budget.ts";
import { HeldMap } from "../../../core/memory/held_map.ts";
import { Ledger } from "../ledger.ts";

/** Settings that a bot can read back. */
export interface Bot {
  /** Address for updates; empty without one. */
  readonly webhook: string;
  readonly webhookSettings: Readonly<Record<string, unknown>>;
  /** Commands, texts of the profile, rights and menus, by scope, language and chat. */
  readonly settings: Readonly<Record<string, unknown>>;
}

const NEW_BOT: Bot = { webhook: "", webhookSettings: {}, settings: {} };
/** Origin of message ids, so that they stay small. */
const EPOCH_SECONDS = 1_700_000_000;
/**
 * Maximum number of bots with settings, and of bots that wait for updates; the oldest are dropped.
 */
const MAX_BOTS = 1000;

/** Keeps the last id, the messages by id, settings of bots, and waits for updates. */
export class Store {
  readonly messages = new Ledger("chat4");
  readonly #bots: HeldMap<Bot>;
  readonly #waiting = new Map<string, () => void>();
  #last = 0;

  constructor(memory?: Memory) {
    this.#bots = new HeldMap({ maxEntries: MAX_BOTS }, memory);
  }

  /** Forgets the settings of bots. */
  clear(): void {
    this.#bots.clear();
  }

  /** Returns the next message id; each is greater than the one before, even after a restart. */
  nextId(nowMs: number): number {
    this.#last = Math.max(Math.floor(nowMs / 1000) - EPOCH_SECONDS, this.#last + 1);
    return this.#last;
  }

  bot(token: string): Bot {
    return this.#bots.get(token) ?? NEW_BOT;
  }

  changeBot(token: string, change: Partial<Bot>): void {
    this.#bots.set(token, { ...this.bot(token), ...change });
  }

  /**
   * Waits for updates, which never arrive. Resolves to false if another call of the bot ends the
   * wait, because the vendor allows one at a time.
   */
  async wait(token: string, ms: number, signal: AbortSignal): Promise<boolean> {
    this.endWait(token);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (): void => resolve(false);
    const stop = (): void => resolve(true);
    const timer = setTimeout(stop, ms);
    signal.addEventListener("abort", stop);
    if (signal.aborted) stop();
    this.#waiting.set(token, end);
    if (this.#waiting.size > MAX_BOTS) this.endWait(this.#waiting.keys().next().value!);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      if (this.#waiting.get(token) === end) this.#waiting.delete(token);
    }
  }

  /** Ends the call of a bot that waits for updates. */
  endWait(token: string): void {
    this.#waiting.get(token)?.();
    this.#waiting.delete(token);
  }
}
