/** Device tokens that are no longer registered, as somebody has said here. */
import { createHash } from "node:crypto";

/** Most tokens that are remembered for each gateway; the oldest go first. */
const CAPACITY = 10_000;

/** The tokens of one gateway, each for one app. */
export class GoneTokens {
  readonly #since = new Map<string, Date>();

  /** Notes that a token is gone since a moment; the first moment counts. */
  add(app: string, token: string, since: Date): void {
    const key = keyOf(app, token);
    if (this.#since.has(key)) return;
    this.#since.set(key, since);
    const [oldest] = this.#since.keys();
    if (this.#since.size > CAPACITY) this.#since.delete(oldest!);
  }

  /** Notes that a token is registered again. */
  delete(app: string, token: string): void {
    this.#since.delete(keyOf(app, token));
  }

  /** Returns since when a token is gone; nothing for one that is registered. */
  since(app: string, token: string): Date | undefined {
    return this.#since.get(keyOf(app, token));
  }

  /** Forgets all. */
  clear(): void {
    this.#since.clear();
  }
}

/** A hash, because a request may carry a token of any length. */
function keyOf(app: string, token: string): string {
  return createHash("sha256").update(JSON.stringify([app, token])).digest("base64");
}
