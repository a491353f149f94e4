/** Time that lines are gathered before they are written together, in milliseconds. */
const GATHER_MS = 20;

/** Characters that may wait to be written; lines beyond them are left out. */
const MAX_WAITING = 1024 * 1024;

/**
 * Writes lines of the log in batches, so that a line costs a capture little, and whoever reads them slowly keeps
 * nobody waiting.
 */
export class LogWriter {
  readonly #write: (text: string) => Promise<void>;
  readonly #onLost: (count: number) => void;
  #lines: string[] = [];
  #length = 0;
  #lost = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;

  /** Once there is room again, calls `onLost` with the number of lines dropped; it may write a line about them. */
  constructor(write: (text: string) => Promise<void>, onLost: (count: number) => void) {
    this.#write = write;
    this.#onLost = onLost;
  }

  /** Takes a line, without its end. */
  add(line: string): void {
    if (this.#length + line.length > MAX_WAITING) {
      this.#lost++;
      return;
    }
    this.#lines.push(line);
    this.#length += line.length + 1;
    if (this.#writing === undefined) {
      this.#timer ??= setTimeout(() => void this.#pump(), GATHER_MS);
    }
  }

  /** Resolves when all lines taken so far are written, or can never be. */
  async flush(): Promise<void> {
    await (this.#writing ?? this.#pump());
  }

  #pump(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writing ??= this.#writeAll().finally(() => this.#writing = undefined);
  }

  async #writeAll(): Promise<void> {
    while (this.#lines.length > 0) {
      const text = `${this.#lines.join("\n")}\n`;
      this.#lines = [];
      this.#length = 0;
      // Who closed the other end does not want to read it.
      await this.#write(text).catch(() => {});
      const lost = this.#lost;
      this.#lost = 0;
      if (lost > 0) this.#onLost(lost);
    }
  }
}
