import { DisplacedError, type Place } from "./transport.ts";

/** Time for a client to log in before it may lose its place to another, in milliseconds. */
const LOGIN_MS = 2000;

/** Places of a listener whose clients log in. A full one frees the oldest place without a login. */
export class Places<K> {
  readonly #loginMs: number;
  readonly #now: () => number;
  /** Places without a login, oldest first. */
  readonly #waiting = new Map<K, { readonly sinceMs: number; readonly lose: AbortController }>();
  readonly #losing = new Set<K>();

  constructor({ loginMs = LOGIN_MS, now = () => performance.now() } = {}) {
    this.#loginMs = loginMs;
    this.#now = now;
  }

  /** Number of clients that have lost their place and are still ending. */
  get losing(): number {
    return this.#losing.size;
  }

  take(key: K): Place {
    const lose = new AbortController();
    this.#waiting.set(key, { sinceMs: this.#now(), lose });
    return { keep: () => void this.#waiting.delete(key), lost: lose.signal };
  }

  /** Frees the oldest place that has waited long enough for a login; returns its key, if there is one. */
  takeAway(): K | undefined {
    for (const [key, { sinceMs, lose }] of this.#waiting) {
      if (this.#now() - sinceMs < this.#loginMs) return undefined;
      this.#waiting.delete(key);
      this.#losing.add(key);
      lose.abort(new DisplacedError());
      return key;
    }
    return undefined;
  }

  /** Releases the place of an ended connection. */
  leave(key: K): void {
    this.#waiting.delete(key);
    this.#losing.delete(key);
  }
}
