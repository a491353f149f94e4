/** Time that lines are collected before they are written together, in milliseconds. */
const GATHER_MS = 20;

/** Maximum characters waiting to be written; further lines are dropped. */
const MAX_WAITING = 1024 * 1024;

/** Writes log lines in batches, so that a line costs a capture little, and a slow reader of the log delays nobody. */
export class LogWriter {
  readonly #write: (text: string) => Promise<void>;
  readonly #onLost: (count: number) => void;
  /** Lines to be written, each with its end. */
  #text = "";
  #lost = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;

  /** When there is room again, calls `onLost` with the number of dropped lines; it may write a line about them. */
  constructor(write: (text: string) => Promise<void>, onLost: (count: number) => void) {
    this.#write = write;
    this.#onLost = onLost;
  }

  /** Adds a line, without its end. */
  readonly add = (line: string): void => {
    if (this.#text.length + line.length > MAX_WAITING) {
      this.#lost++;
      return;
    }
    this.#text += `${line}\n`;
    if (this.#writing === undefined) {
      this.#timer ??= setTimeout(() => void this.#pump(), GATHER_MS);
    }
  };

  /** Resolves once all lines so far are written, or never can be. */
  async flush(): Promise<void> {
    await (this.#writing ?? this.#pump());
  }

  #pump(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#writing ??= this.#writeAll().finally(() => this.#writing = undefined);
  }

  async #writeAll(): Promise<void> {
    while (this.#text !== "") {
      const text = this.#text;
      this.#text = "";
      // The reader has closed its end.
      await this.#write(text).catch(() => {});
      const lost = this.#lost;
      this.#lost = 0;
      if (lost > 0) this.#onLost(lost);
    }
  }
}
