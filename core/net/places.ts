import { type Place, PlaceLostError } from "./transport.ts";

/** How long a client may take to log in before it may lose its place to another, in milliseconds. */
const LOGIN_MS = 2000;

/** The places of one listener whose clients log in. A full one takes the oldest on which nobody has done so yet. */
export class Places<K> {
  readonly #loginMs: number;
  readonly #now: () => number;
  /** Places nobody has logged in on, oldest first. */
  readonly #waiting = new Map<K, { readonly sinceMs: number; readonly lose: AbortController }>();
  readonly #losing = new Set<K>();

  constructor({ loginMs = LOGIN_MS, now = () => performance.now() } = {}) {
    this.#loginMs = loginMs;
    this.#now = now;
  }

  /** How many have lost their place and are still ending. */
  get losing(): number {
    return this.#losing.size;
  }

  take(key: K): Place {
    const lose = new AbortController();
    this.#waiting.set(key, { sinceMs: this.#now(), lose });
    return { keep: () => void this.#waiting.delete(key), lost: lose.signal };
  }

  /** Takes the oldest place on which nobody has logged in for long enough; gives its key, if there is one. */
  takeAway(): K | undefined {
    for (const [key, { sinceMs, lose }] of this.#waiting) {
      if (this.#now() - sinceMs < this.#loginMs) return undefined;
      this.#waiting.delete(key);
      this.#losing.add(key);
      lose.abort(new PlaceLostError());
      return key;
    }
    return undefined;
  }

  /** The connection has ended. */
  leave(key: K): void {
    this.#waiting.delete(key);
    this.#losing.delete(key);
  }
}
