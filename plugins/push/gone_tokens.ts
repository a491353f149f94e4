/** Device tokens that were marked as no longer registered. */
import { createHash } from "node:crypto";

/** Maximum number of remembered tokens per gateway; the oldest are dropped first. */
const CAPACITY = 10_000;

/** The tokens of one gateway, each for one app. */
export class GoneTokens {
  readonly #since = new Map<string, Date>();

  /** Records since when a token is gone; the first time counts. */
  add(app: string, token: string, since: Date): void {
    const key = keyOf(app, token);
    if (this.#since.has(key)) return;
    this.#since.set(key, since);
    const [oldest] = this.#since.keys();
    if (this.#since.size > CAPACITY) this.#since.delete(oldest!);
  }

  /** Records that a token is registered again. */
  delete(app: string, token: string): void {
    this.#since.delete(keyOf(app, token));
  }

  /** Returns since when a token is gone; `undefined` for a registered one. */
  since(app: string, token: string): Date | undefined {
    return this.#since.get(keyOf(app, token));
  }

  /** Forgets all. */
  clear(): void {
    this.#since.clear();
  }
}

/** Hashed, because a request may contain a token of any length. */
function keyOf(app: string, token: string): string {
  return createHash("sha256").update(JSON.stringify([app, token])).digest("base64");
}
